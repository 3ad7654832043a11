// Whether a statement keeps to what it was asked about. While a life is played, a statement is run again beside
// rows that differ from its own in one thing only (another merchant's, the other environment's, of another chain),
// and with another value for one of its parameters. Everything is rolled back before the life goes on.

import type { Database } from "../../service/ports/database.ts";
import {
  back,
  type Column,
  isNamed,
  isWord,
  type Looker,
  type Parameters,
  plain,
  rowsOf,
  type Table,
  textsIn,
  type Wish,
} from "./looking.ts";

interface Answer {
  readonly rows: readonly string[];
  readonly isRefused: boolean;
}

/** How often a statement is looked at that had rows, and that had none. */
const looksMax = { rows: 3, none: 1 };
/** How often one that never has rows is asked whether it has some. */
const asksMax = 40;
/** What these are given is written down: nothing is looked for by it. */
const isNewRow = /^(?:insert|create|register|record|queue|post|replace)_/;
const isWrittenDown = /^(?:event|audit|ledger|outgoing|fence)[A-Z]/;

export class Neighbours implements Looker {
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #looks = new Map<string, number>();
  /** "statement: table.column" */
  readonly reached = new Map<string, string>();
  readonly #idle = new Map<string, string>();
  readonly #mattering = new Set<string>();
  /** statements that were looked at */
  readonly lookedAt = new Set<string>();
  /** pairs of statement and column */
  readonly tried = new Set<string>();

  constructor(tables: ReadonlyMap<string, Table>) {
    this.#tables = tables;
  }

  /** "statement: parameter", of which no other value has made a difference */
  get idle(): ReadonlyMap<string, string> {
    return new Map([...this.#idle].filter(([parameter]) => !this.#mattering.has(parameter)));
  }

  isDone = (name: string): boolean => this.lookedAt.has(name);

  isWanted = (name: string): boolean => {
    const seen = (kind: string): number => this.#looks.get(`${name} ${kind}`) ?? 0;
    return seen("rows") < looksMax.rows && seen("none") < asksMax;
  };

  look = async (database: Database, { name, text, given, names }: Wish): Promise<void> => {
    const run = (parameters: Parameters): Promise<Answer> => answerOf(database, text, parameters);
    const own = await run(given);
    await back(database);
    const kind = own.rows.length > 0 ? "rows" : "none";
    const count = (this.#looks.get(`${name} ${kind}`) ?? 0) + 1;
    this.#looks.set(`${name} ${kind}`, count);
    if (own.isRefused || count > looksMax[kind]) return;
    this.lookedAt.add(name);
    for (const table of this.#tables.values()) {
      if (isNamed(table, text)) await this.#besideRows(database, { name, table, given, own, run });
    }
    if (own.rows.some(isSaying) && !isNewRow.test(name)) {
      await this.#otherwise(database, { name, given, own, run, names });
    }
  };

  async #besideRows(
    database: Database,
    { name, table, given, own, run }: Look & { readonly table: Table },
  ): Promise<void> {
    const texts = given.flatMap(textsIn);
    for (const { name: column, type } of table.columns) {
      if (type !== "text" || isWord(column)) continue;
      const had = await rowsOf(
        database,
        `select 1 from ${table.name} where ${column} = any($1) limit 1`,
        [texts],
      );
      if (had.length === 0) continue;
      try {
        const where: Beside = { table, column, texts };
        const settled = await settleBeside(database, where);
        if (settled === 0) continue;
        this.tried.add(`${name} ${table.name}.${column}`);
        const before = await neighboursIn(database, where);
        const beside = await run(given);
        const after = beside.isRefused ? before : await neighboursIn(database, where);
        const isReached = JSON.stringify(beside) !== JSON.stringify(own) || before !== after;
        if (isReached) {
          this.reached.set(`${name}: ${table.name}.${column}`, JSON.stringify({ own, beside }));
        }
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
      } finally {
        await back(database);
      }
    }
  }

  async #otherwise(
    database: Database,
    { name, given, own, run, names }: Look & { readonly names: Parameters },
  ): Promise<void> {
    for (const [place, value] of given.entries()) {
      const other = foreign(value);
      const parameter = `${name}: ${String(names[place])}`;
      const isFixed = names[place] === value;
      if (other === undefined || isFixed || isWrittenDown.test(String(names[place]))) continue;
      const answer = await run(given.map((one, index) => (index === place ? other : one)));
      await back(database);
      if (JSON.stringify(answer) !== JSON.stringify(own)) this.#mattering.add(parameter);
      else this.#idle.set(parameter, JSON.stringify({ own, given: value, other }));
    }
  }
}

interface Look {
  readonly name: string;
  readonly given: Parameters;
  readonly own: Answer;
  readonly run: (parameters: Parameters) => Promise<Answer>;
}

/** There is no place for such a row beside the others. */
class NoRoom extends Error {}

/** Another one of the same form. */
function foreign(value: unknown): string | undefined {
  if (value === "live" || value === "test") return value === "live" ? "test" : "live";
  if (typeof value !== "string" || !/[0-9_:]/.test(value) || value.length < 6) return undefined;
  if (/^[{[]/.test(value) || /^\d+$/.test(value)) return undefined;
  return `${value.slice(0, -1)}${value.endsWith("7") ? "8" : "7"}`;
}

const foreignSql = (column: string): string =>
  `case ${column} when 'live' then 'test' when 'test' then 'live'
    else left(${column}, -1) || case right(${column}, 1) when '7' then '8' else '7' end end`;

/** Another value in `column` of the rows that have one of the texts there. */
interface Beside {
  readonly table: Table;
  readonly column: string;
  readonly texts: readonly string[];
}

/** The rows that are the statement's, once more, with another value in one column. @returns how many */
async function settleBeside(database: Database, { table, column, texts }: Beside): Promise<number> {
  const moved = new Map([[column, foreignSql(column)]]);
  for (const index of table.unique) {
    if (index.some((one) => moved.has(one))) continue;
    const free = table.columns.findLast(({ name }) => index.includes(name));
    if (free === undefined) throw new NoRoom();
    moved.set(free.name, shifted(free));
  }
  const names = table.columns.map(({ name }) => name);
  const values = names.map((name) => moved.get(name) ?? name);
  try {
    await plain(database, "set local session_replication_role = replica");
    const rows = await rowsOf(
      database,
      `insert into ${table.name} (${names.join(", ")}) overriding system value
       select ${values.join(", ")} from ${table.name} where ${column} = any($1) returning 1`,
      [texts],
    );
    await plain(database, "set local session_replication_role = origin");
    return rows.length;
  } catch {
    // A rule of the table keeps it out: nobody can be there.
    throw new NoRoom();
  }
}

function shifted({ name, type }: Column): string {
  if (type === "text") return foreignSql(name);
  if (/^(?:integer|bigint|numeric)$/.test(type)) return `${name} + 1000003`;
  if (type.startsWith("timestamp")) return `${name} + interval '7 seconds'`;
  throw new NoRoom();
}

async function neighboursIn(
  database: Database,
  { table: { name }, column, texts }: Beside,
): Promise<string> {
  const [row] = await rowsOf<{ readonly digest: string | null }>(
    database,
    `select md5(string_agg(t::text, '|' order by t::text)) as digest from ${name} t
      where ${column} = any(select ${foreignSql("own")} from unnest($1::text[]) as own)`,
    [texts],
  );
  return row?.digest ?? "";
}

async function answerOf(database: Database, text: string, parameters: Parameters): Promise<Answer> {
  try {
    const rows = await rowsOf<object>(database, text, parameters);
    return { rows: rows.map(comparable).toSorted(), isRefused: false };
  } catch {
    return { rows: [], isRefused: true };
  }
}

/** A sum of nothing is the same of whatever there is nothing. */
function isSaying(row: string): boolean {
  const values = Object.values(JSON.parse(row) as object);
  return values.some((one) => !/^(?:null|false|0|"0n?"|\[\]|\{\})$/.test(JSON.stringify(one)));
}

function comparable(row: object): string {
  return JSON.stringify(row, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
}
