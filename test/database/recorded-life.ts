// What the statements of the service were given in a played life, to be run again elsewhere; and values for
// those that it never needed.

import { sql } from "kysely";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { Database, Statement } from "../../service/ports/database.ts";
import { query } from "../support/service-parts.ts";
import type { FoundStatement } from "../tidy/statements.ts";

export type Parameters = readonly unknown[];

/** The first ones meet few rows, the last ones those that are there in the end. */
const keptFirst = 2;
const keptLast = 3;

export class RecordedLife {
  readonly #lists = new Map<string, Parameters[]>();

  of(name: string): readonly Parameters[] {
    return this.#lists.get(name) ?? [];
  }

  /** The same database, which remembers. */
  recording(opened: OpenedDatabase): OpenedDatabase {
    return { ...this.#inside(opened), close: opened.close };
  }

  #inside(database: Database): Database {
    return {
      run: (statement, values) => {
        this.#remember(statement, values);
        return database.run(statement, values);
      },
      transaction: (work) => database.transaction((inside) => work(this.#inside(inside))),
    };
  }

  #remember<Values, Row>({ name, list }: Statement<Values, Row>, values: Values): void {
    const known = this.#lists.get(name) ?? [];
    this.#lists.set(name, known);
    if (known.length === keptFirst + keptLast) known.splice(keptFirst, 1);
    known.push([...list(values)]);
  }
}

/** For a parameter of which no column has the name. */
const plainValues: Readonly<Record<string, unknown>> = {
  bigint: 1n,
  boolean: true,
  bytea: Buffer.alloc(32, 1),
  integer: 1,
  interval: "1 hour",
  jsonb: "[]",
  numeric: 1n,
  text: "none",
  "timestamp with time zone": new Date("2026-01-01T00:00:00Z"),
};

/** Of each parameter a value that stands in a column of its name and type, where there is one. */
export async function likelyParameters(
  database: Database,
  { text, list }: FoundStatement,
): Promise<Parameters> {
  const names = list(new Proxy({}, { get: (_, property) => String(property) }));
  const types = await database.transaction(async (inside) => {
    await query(inside, sql`${sql.raw(`prepare tried as ${text}`)}`);
    const [row] = await query<{ readonly types: readonly string[] }>(
      inside,
      sql`select parameter_types::text[] as types from pg_prepared_statements where name = 'tried'`,
    );
    await query(inside, sql`deallocate tried`);
    return row?.types ?? [];
  });
  const values: unknown[] = [];
  for (const [index, type] of types.entries()) {
    const column = String(names[index]).replaceAll(
      /[A-Z]/g,
      (letter) => `_${letter.toLowerCase()}`,
    );
    values.push(await someValue(database, column, type));
  }
  return values;
}

/** Of a column of this name and type, where there is one; of many, this one. */
export async function someValue(
  database: Database,
  column: string,
  type: string,
): Promise<unknown> {
  if (type.endsWith("[]")) {
    const item = await valueIn(database, column, type.slice(0, -2));
    return item === undefined ? [] : [item];
  }
  const value = await valueIn(database, column, type);
  if (value !== undefined) return value;
  if (!(type in plainValues)) throw new Error(`say a plain value for ${type} of ${column}`);
  return plainValues[type];
}

async function valueIn(database: Database, column: string, type: string): Promise<unknown> {
  const tables = await query<{ readonly name: string }>(
    database,
    sql`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = ${column} and data_type = ${type}
      order by table_name`,
  );
  for (const { name } of tables) {
    const wanted = sql.ref(column);
    const [row] = await query<{ readonly value: unknown }>(
      database,
      sql`select ${wanted} as value from ${sql.table(name)} where ${wanted} is not null order by 1 limit 1`,
    );
    if (row !== undefined) return row.value;
  }
  return undefined;
}
