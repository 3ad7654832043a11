// A statement that takes one step, by itself: it is taken if everything is as it has to be. Where one thing is not,
// nothing at all is written; and what lies beside it in the tables is never touched.

import { type RawBuilder, sql } from "kysely";
import { expect } from "vitest";
import type { Database, Statement } from "../../service/ports/database.ts";
import { query } from "./service-parts.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Whatever it leaves out is null. */
export async function putRow(database: Database, table: string, row: Row): Promise<void> {
  const text = JSON.stringify(row);
  const whole = sql`jsonb_populate_record(null::${sql.table(table)}, ${text}::jsonb)`;
  await query(database, sql`insert into ${sql.table(table)} select * from ${whole}`);
}

/** By table and key, which is an expression. */
export type Contents = ReadonlyMap<string, Row>;

export async function contentsOf(
  database: Database,
  tables: Readonly<Record<string, string>>,
): Promise<Contents> {
  const parts = Object.entries(tables).map(
    ([table, key]): RawBuilder<unknown> =>
      sql`select ${sql.lit(`${table} `)} || (${sql.raw(key)}) as key, to_jsonb(t) as row
        from ${sql.table(table)} t`,
  );
  const all = sql<{ key: string; row: Row }>`${sql.join(parts, sql` union all `)}`;
  return new Map((await query(database, all)).map(({ key, row }) => [key, row]));
}

export function changedKeys(was: Contents, is: Contents): readonly string[] {
  const isOther = (key: string): boolean =>
    JSON.stringify(was.get(key)) !== JSON.stringify(is.get(key));
  return [...new Set([...was.keys(), ...is.keys()])].filter(isOther).toSorted();
}

/** As columns have it. */
export function stored(row: Row): Row {
  const ofDate = (value: Date): unknown =>
    expect.stringContaining(value.toISOString().slice(0, 19));
  const texts = Object.entries(row).map(([name, value]): readonly [string, unknown] => [
    name,
    value instanceof Date ? ofDate(value) : value,
  ]);
  return Object.fromEntries(texts);
}

export interface Step {
  readonly statement: Statement<never, object>;
  /** of the row that it is about */
  readonly before: Row;
  readonly values: Row;
  /** each of them alone: nothing is written */
  readonly wrongValues?: readonly Row[];
  readonly wrongBefore?: readonly Row[];
  /** what is another one afterwards */
  readonly changes: Row;
  /** other rows that it writes, and some of their columns */
  readonly writes?: Readonly<Record<string, Row>>;
}

export interface StepTables {
  readonly database: Database;
  /** the row that the step is about, as table and key */
  readonly key: string;
  /** puts that row, and all that lies beside it, into tables that are empty afterwards but for this */
  readonly prepare: (row: Row) => Promise<void>;
  readonly contents: () => Promise<Contents>;
}

export async function expectStep(tables: StepTables, step: Step): Promise<void> {
  const { statement, before, values, wrongValues = [], wrongBefore = [], writes = {} } = step;
  const { database, key, prepare, contents } = tables;
  const take = (more: Row) =>
    // Statements are of many types; whether the values are right is what is tested.
    database.run(statement as unknown as Statement<object, object>, { ...values, ...more });
  for (const [row, more] of [
    ...wrongValues.map((wrong) => [before, wrong] as const),
    ...wrongBefore.map((wrong) => [wrong, {}] as const),
  ]) {
    await prepare(row);
    const was = await contents();
    const what = JSON.stringify([row, more], (_, value: unknown) =>
      typeof value === "bigint" ? `${value}n` : value,
    );
    expect([what, await take(more)]).toEqual([what, []]);
    expect([what, changedKeys(was, await contents())]).toEqual([what, []]);
  }
  await prepare(before);
  const was = await contents();
  await take({});
  const is = await contents();
  expect(changedKeys(was, is)).toEqual([key, ...Object.keys(writes)].toSorted());
  expect(is.get(key)).toEqual({ ...was.get(key), ...stored(step.changes) });
  for (const [other, row] of Object.entries(writes))
    expect(is.get(other)).toMatchObject(stored(row));
}
