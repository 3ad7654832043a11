// What a statement has changed: the rows of some tables before it and after it. Of the hundreds that a life leaves only
// those are read that stand at another place on disk: a row that is written gets a new one.

import type { Database } from "../../service/ports/database.ts";
import { plain, rowsOf, type Table } from "./looking.ts";

export interface Change {
  readonly table: string;
  readonly kind: "insert" | "update" | "delete";
  /** what stands in the columns that differ; of a new row, in all of them */
  readonly to: Readonly<Record<string, unknown>>;
}

interface Places {
  readonly table: Table;
  /** of all rows, as the server writes them */
  readonly places: ReadonlySet<string>;
}

const savepoint = "before_changes";

/**
 * Runs, in a transaction, what changes rows of these tables, and undoes it: then what stood there before is read. The
 * savepoint stays until the caller goes back behind it. Undefined: the work was refused. Whatever else fails is thrown.
 */
export async function withChanges<Result>(
  database: Database,
  tables: readonly Table[],
  work: () => Promise<Result>,
): Promise<readonly [Result, readonly Change[]] | undefined> {
  const attempt = () => work().then((result) => ({ result }), () => undefined); // prettier-ignore
  if (tables.length === 0) {
    const done = await attempt();
    return done && [done.result, []];
  }
  await plain(database, `savepoint ${savepoint}`);
  const before = await placesOf(database, tables);
  const done = await attempt();
  if (done === undefined) return undefined;
  const after = await placesOf(database, tables);
  const came = await rowsBeside(database, after, before);
  await plain(database, `rollback to savepoint ${savepoint}`);
  const went = await rowsBeside(database, before, after);
  const changes = tables.flatMap(({ name }, at) =>
    changesBetween(name, went[at] ?? new Map(), came[at] ?? new Map()),
  );
  return [done.result, changes];
}

async function placesOf(database: Database, tables: readonly Table[]): Promise<readonly Places[]> {
  const all = tables.map(({ name }) => `(select string_agg(ctid::text, ' ') from ${name})`);
  const [row] = await rowsOf<{ readonly all: readonly (string | null)[] }>(
    database,
    `select array[${all.join(", ")}] as all`,
    [],
  );
  return tables.map((table, at) => ({ table, places: new Set(row?.all[at]?.split(" ")) }));
}

/** Of each table as JSON, by their key: rows at places that the others are not at. */
async function rowsBeside(
  database: Database,
  all: readonly Places[],
  others: readonly Places[],
): Promise<readonly ReadonlyMap<string, string>[]> {
  const found: ReadonlyMap<string, string>[] = [];
  for (const [at, { table, places }] of all.entries()) {
    const own = [...places].filter((place) => others[at]?.places.has(place) !== true);
    found.push(own.length === 0 ? new Map() : await rowsAt(database, table, own));
  }
  return found;
}

async function rowsAt(
  database: Database,
  table: Table,
  places: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [key = []] = table.unique.toSorted((one, other) => one.length - other.length);
  const rows = await rowsOf<{ readonly key: string; readonly row: string }>(
    database,
    `select jsonb_build_array(${key.join(", ")})::text as key, to_jsonb(t)::text as row from ${table.name} t
      where ctid = any($1::tid[])`,
    [places],
  );
  return new Map(rows.map((one) => [one.key, one.row]));
}

function changesBetween(
  table: string,
  had: ReadonlyMap<string, string>,
  has: ReadonlyMap<string, string>,
): readonly Change[] {
  const gone = [...had.keys()].filter((key) => !has.has(key));
  const changed = [...has].flatMap(([key, row]): Change[] => {
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
}
