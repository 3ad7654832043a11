// Where the rows of a statement come from: the values of one call, or those of many. A statement that
// is written over such rows is the same text for both.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** PostgreSQL's type of each value; the columns have the names of the values. */
export type ColumnTypes<Values> = { readonly [Name in keyof Values]-?: string };

/** A select of one row, from which a `from` and a `where` may follow. */
export function oneRow<Values>(values: Values, types: ColumnTypes<Values>): RawBuilder<never> {
  // Their names are the keys of `types`, and the compiler has compared those with the values.
  const columns = (Object.keys(types) as (keyof Values & string)[]).map(
    (name) => sql`${values[name]}::${sql.raw(types[name])} as ${sql.ref(name)}`,
  );
  return sql<never>`select ${sql.join(columns)}`;
}

/** A row for each object of the `sets` of a `BatchForm`, with its number as `set`. */
export function manyRows<Values>(sets: string, types: ColumnTypes<Values>): RawBuilder<never> {
  const columns = Object.entries<string>({ set: "integer", ...types }).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`,
  );
  return sql<never>`select * from jsonb_to_recordset(${sets}::jsonb) as one (${sql.join(columns)})`;
}
