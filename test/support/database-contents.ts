// The contents of the whole database, so that two moments of it can be compared: a number for each table,
// which another row, another value or another order of columns makes another one.

type Row = Readonly<Record<string, unknown>>;
type Query = (sql: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export type Contents = ReadonlyMap<string, string>;

/** Reads them in one statement, so at one moment. */
export interface ContentsReader {
  readonly tables: readonly string[];
  readonly read: () => Promise<Contents>;
}

export async function readContentsOf(query: Query): Promise<ContentsReader> {
  const rows = await query(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname`,
    [],
  );
  const tables = rows.map(({ name }) => String(name));
  const statement = tables
    .map(
      (name) =>
        `select '${name}' as name, count(*) || ' rows, ' ||
           coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as contents from "${name}" t`,
    )
    .join(" union all ");
  const read = async (): Promise<Contents> => {
    const found = await query(statement, []);
    return new Map(found.map(({ name, contents }) => [String(name), String(contents)]));
  };
  return { tables, read };
}

/** Tables that are not the same any more, in order. */
export function changedTables(before: Contents, after: Contents): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
}
