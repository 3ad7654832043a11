// A column of JSON.

import type { ColumnType } from "kysely";

/** Written as JSON text, read as the value. */
export type Json<Value> = ColumnType<
  Value,
  string | Extract<Value, null>,
  string | Extract<Value, null>
>;
