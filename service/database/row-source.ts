// Where the rows of a statement come from: the values of one call, or those of many. A statement that
// is written over such rows is the same text for both.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { BatchForm, Columns, ItemType, Statement } from "../ports/database.ts";
import { statement } from "./statement.ts";
import type { Composed } from "./statement.ts";

/** PostgreSQL's type of each value; the columns have the names of the values. */
export type ColumnTypes<Values> = {
  readonly [Name in keyof Values]-?: ColumnType & TypeOf<NonNullable<Values[Name]>>;
};

type TypeOf<Value> = Value extends string
  ? "numeric" | "text"
  : Value extends bigint
    ? "bigint" | "numeric"
    : Value extends number
      ? "integer"
      : Value extends boolean
        ? "boolean"
        : Value extends Date
          ? "timestamptz"
          : Value extends Uint8Array
            ? "bytea"
            : Value extends readonly string[]
              ? "text[]"
              : Value extends readonly number[]
                ? "integer[]"
                : never;

/** How the values of a type travel where there are many. */
const itemTypes = {
  bigint: "bigint",
  boolean: "boolean",
  bytea: "bytea",
  integer: "integer",
  "integer[]": "text",
  numeric: "text",
  text: "text",
  "text[]": "text",
  timestamptz: "timestamptz",
} as const satisfies Readonly<Record<string, ItemType>>;

type ColumnType = keyof typeof itemTypes;

function columnsOf<Values>(types: ColumnTypes<Values>) {
  // Their names are the keys of `types`, and the compiler has compared those with the values.
  return Object.entries(types) as [keyof Values & string, ColumnType][];
}

/** A select of one row, from which a `from` and a `where` may follow. */
export function oneRow<Values>(values: Values, types: ColumnTypes<Values>): RawBuilder<never> {
  const columns = columnsOf(types).map(
    ([name, type]) => sql`${values[name]}::${sql.raw(type)} as ${sql.ref(name)}`,
  );
  return sql<never>`select ${sql.join(columns)}`;
}

/**
 * The batch form of a statement. `compose` gets a select with a row for each set: with the columns of `types`, and
 * its number as `set`.
 */
export function together<Values extends object>(
  name: string,
  types: ColumnTypes<Values>,
  options: Pick<Statement<Values, unknown>, "isDurable"> = {},
) {
  return <Row>(
    compose: (rows: RawBuilder<never>) => Composed<Row & { readonly set: number }>,
  ): BatchForm<Row> => {
    const many = statement<Columns>(name, options)((p) => compose(manyRows(p, types)));
    const columns = Object.fromEntries(
      columnsOf(types).map(([column, type]) => [column, itemTypes[type]]),
    );
    return Object.assign(many, { columns });
  };
}

/**
 * An array that comes by a select, so that a planner does not see its length: it thinks of ten items then, always. Else
 * it would take a plan for each short one to be better than the one that is kept, and make one at every call.
 */
function arrayOf(items: unknown, type: ItemType): RawBuilder<never> {
  return sql<never>`(select ${items}::${sql.raw(type)}[])`;
}

/** What one of these is compared with: `id = any(...)`. */
export function anyOf(texts: readonly string[]): RawBuilder<string> {
  // Without the cast it would be a select of many rows.
  return sql<string>`any(${arrayOf(texts, "text")}::text[])`;
}

/** Which one of these a column is, from 1 on; null: none of them. */
export function placeIn(texts: readonly string[], column: string): RawBuilder<number | null> {
  return sql<number | null>`array_position(${arrayOf(texts, "text")}, ${sql.ref(column)})`;
}

function manyRows<Values>(p: Columns, types: ColumnTypes<Values>) {
  const all = columnsOf(types);
  const given = all.map(([name, type]) => arrayOf(p[name], itemTypes[type]));
  const read = all.map(([name, type]) => {
    const isAsSent = type === itemTypes[type];
    return isAsSent ? sql.ref(name) : sql`${sql.ref(name)}::${sql.raw(type)} as ${sql.ref(name)}`;
  });
  const names = all.map(([name]) => sql.ref(name));
  return sql<never>`
    select (place - 1)::integer as "set", ${sql.join(read)}
    from unnest(${sql.join(given)}) with ordinality as one (${sql.join(names)}, place)`;
}
