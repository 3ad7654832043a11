// Rows for tables that a life has left empty: what stands elsewhere in columns of the same names.

import type { Database } from "../../service/ports/database.ts";
import { type Column, rowsOf, type Table } from "./looking.ts";
import { someValue } from "./recorded-life.ts";

/** One row with no more than has to be there, and one with all; @returns the tables that have one now. */
export async function fillEmptyTables(
  database: Database,
  tables: ReadonlyMap<string, Table>,
): Promise<readonly string[]> {
  const filled: string[] = [];
  for (const table of tables.values()) {
    const had = await rowsOf(database, `select 1 from ${table.name} limit 1`, []);
    if (had.length > 0) continue;
    for (const isWhole of [true, false]) {
      if (await putRow(database, table, isWhole)) filled.push(table.name);
    }
  }
  return [...new Set(filled)];
}

async function putRow(database: Database, table: Table, isWhole: boolean): Promise<boolean> {
  const columns = table.columns.filter(({ isNullable }) => isWhole || !isNullable);
  const values: unknown[] = [];
  for (const column of columns) values.push(await valueFor(database, column));
  const names = columns.map(({ name }) => name).join(", ");
  const places = columns.map((_, at) => `$${at + 1}`).join(", ");
  const text = `insert into ${table.name} (${names}) overriding system value values (${places})`;
  return database.transaction(async (inside) => {
    await rowsOf(inside, "set local session_replication_role = replica", []);
    const rows = await rowsOf(inside, `${text} on conflict do nothing returning 1`, values);
    return rows.length > 0;
  });
}

function valueFor(database: Database, { name, type, values }: Column): Promise<unknown> {
  const [word] = values ?? [];
  return word === undefined ? someValue(database, name, type) : Promise.resolve(word);
}
