// What a statement has changed: the rows of some tables before it and after it.

import type { Database } from "../../service/ports/database.ts";
import { rowsOf, type Table } from "./looking.ts";

export interface Change {
  readonly table: string;
  readonly kind: "insert" | "update" | "delete";
  /** what stands in the columns that differ; of a new row, in all of them */
  readonly to: Readonly<Record<string, unknown>>;
}

interface Snapshot {
  readonly table: Table;
  /** the rows as JSON, by their key */
  readonly rows: ReadonlyMap<string, string>;
}

export async function snapshotOf(
  database: Database,
  tables: readonly Table[],
): Promise<readonly Snapshot[]> {
  const found: Snapshot[] = [];
  for (const table of tables) {
    const [key = []] = table.unique.toSorted((one, other) => one.length - other.length);
    const rows = await rowsOf<{ readonly key: string; readonly row: string }>(
      database,
      `select jsonb_build_array(${key.join(", ")})::text as key, to_jsonb(t)::text as row from ${table.name} t`,
      [],
    );
    found.push({ table, rows: new Map(rows.map((one) => [one.key, one.row])) });
  }
  return found;
}

export function changesBetween(
  before: readonly Snapshot[],
  after: readonly Snapshot[],
): readonly Change[] {
  return after.flatMap(({ table: { name: table }, rows }, at): Change[] => {
    const had = before[at]?.rows ?? new Map<string, string>();
    const gone = [...had.keys()].filter((key) => !rows.has(key));
    const changed = [...rows].flatMap(([key, row]): Change[] => {
      const old = had.get(key);
      if (old === row) return [];
      const to = JSON.parse(row) as object;
      if (old === undefined) return [{ table, kind: "insert", to: { ...to } }];
      const from = JSON.parse(old) as object;
      const differing = Object.entries(to).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(from, name)),
      );
      return [{ table, kind: "update", to: Object.fromEntries(differing) }];
    });
    return [...changed, ...gone.map((): Change => ({ table, kind: "delete", to: {} }))];
  });
}
