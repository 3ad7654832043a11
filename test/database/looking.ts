// Each statement of a played life may be looked at before it runs: with what it is about to be given, in its own
// transaction, and rolled back before the life goes on.

import { encodeColumns } from "../../adapters/database/columns.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { Database, Statement } from "../../service/ports/database.ts";
import type { FoundStatement } from "../tidy/statements.ts";
import { likelyParameters } from "./recorded-life.ts";

export type Parameters = readonly unknown[];

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** words that a rule of the table lists; undefined: it lists none */
  readonly values: readonly string[] | undefined;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** the columns of each unique index */
  readonly unique: readonly (readonly string[])[];
}

/** Gives the name of each value in place of the value. */
const nameOfEach: object = new Proxy({}, { get: (_, property) => String(property) });

export function isNamed({ name }: Table, text: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

export interface Wish {
  readonly name: string;
  readonly text: string;
  readonly given: Parameters;
  /** of the parameters; a value that stands in the text of the query has itself */
  readonly names: Parameters;
}

function wishOf<Values, Row>({ name, text, list }: Statement<Values, Row>, values: Values): Wish {
  return { name, text, given: [...list(values)], names: list(nameOfEach as Values) };
}

/** What the row has in the column of this name, else the usual value; of several, this one. */
function ofRow(row: object, name: string, usual: unknown): unknown {
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const own: unknown = Reflect.get(row, column);
  if (own !== undefined && own !== null) {
    return Array.isArray(usual) && !Array.isArray(own) ? [own] : own;
  }
  const one: unknown = column.endsWith("ids") ? Reflect.get(row, column.slice(0, -1)) : undefined;
  return one === undefined || one === null ? usual : [one];
}

/** What looks at statements. */
export interface Looker {
  /** also at what a statement is among many that come together, with one of them */
  readonly isOfMany?: boolean;
  readonly isWanted: (name: string) => boolean;
  /** the life has shown enough of it */
  readonly isDone: (name: string) => boolean;
  /** leaves everything as it was */
  readonly look: (database: Database, wish: Wish) => Promise<void>;
}

const savepoint = "before_looking";

/** The same database, where each statement may be looked at before it runs. */
export function lookingAt(
  opened: OpenedDatabase,
  { isWanted, look, isOfMany = false }: Looker,
): OpenedDatabase {
  let isLooking = false;
  const lookAlone = async (database: Database, wish: Wish): Promise<void> => {
    if (wish.name === "" || isLooking || !isWanted(wish.name)) return;
    isLooking = true;
    try {
      await lookInside(database, (inside) => look(inside, wish));
    } finally {
      isLooking = false;
    }
  };
  const lookBefore = async <Values, Row>(
    database: Database,
    statement: Statement<Values, Row>,
    values: Values,
  ): Promise<void> => {
    await lookAlone(database, wishOf(statement, values));
    const many = isOfMany ? statement.batch : undefined;
    if (many === undefined) return;
    // A statement's values are named.
    const sets = [values as Readonly<Record<string, unknown>>];
    await lookAlone(database, wishOf(many, encodeColumns(many.columns, sets)));
  };
  const around = (database: Database): Database => ({
    run: async (statement, values) => {
      await lookBefore(database, statement, values);
      return database.run(statement, values);
    },
    transaction: (work) => database.transaction((inside) => work(around(inside))),
  });
  return {
    ...around(opened),
    run: async (statement, values) => {
      if (isWanted(statement.name)) {
        await opened.transaction((inside) => lookBefore(inside, statement, values));
      }
      return opened.run(statement, values);
    },
    close: opened.close,
  };
}

interface Others {
  readonly database: Database;
  readonly tables: ReadonlyMap<string, Table>;
  readonly statements: readonly FoundStatement[];
}

/** At those that the life has not needed, with what stands in one of their rows. */
export async function lookAtOthers(
  looker: Looker,
  { database, tables, statements }: Others,
): Promise<void> {
  for (const statement of statements) {
    const { name, text, list } = statement;
    if (looker.isDone(name)) continue;
    const usual = await likelyParameters(database, statement);
    const names = list(nameOfEach);
    for (const table of [...tables.values()].filter((one) => isNamed(one, text))) {
      const [key = []] = table.unique;
      const order = key.length === 0 ? "" : `order by ${key.join(", ")}`;
      const first = `select * from ${table.name} ${order} limit 40`;
      const rows = await rowsOf<object>(database, first, []);
      for (const row of rows) {
        const given = usual.map((value, place) => ofRow(row, String(names[place]), value));
        const look = (inside: Database): Promise<void> =>
          looker.look(inside, { name, text, given, names });
        await database.transaction((inside) => lookInside(inside, look));
      }
    }
  }
}

/** In a transaction, which is then as it was before. */
async function lookInside(
  database: Database,
  work: (inside: Database) => Promise<void>,
): Promise<void> {
  await plain(database, `savepoint ${savepoint}`);
  await work(database);
  await back(database);
  await plain(database, `release savepoint ${savepoint}`);
}

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}

/** Words of a list are no identity: what differs in them is another case, not another one's. */
export function isWord(column: string): boolean {
  return /(?:^|_)(?:status|kind|type|reason|source|role|family|policy|method|scheme|mode|name|label|url|scopes?)$/.test(
    column,
  );
}

export function rowsOf<Row>(
  database: Database,
  text: string,
  parameters: Parameters,
): Promise<readonly Row[]> {
  return database.run<Parameters, Row>({ name: "", text, list: (given) => given }, parameters);
}

export async function plain(database: Database, text: string): Promise<void> {
  await rowsOf(database, text, []);
}

export async function back(database: Database): Promise<void> {
  await plain(database, `rollback to savepoint ${savepoint}`);
}

export async function readTables(database: Database): Promise<ReadonlyMap<string, Table>> {
  const columns = await rowsOf<Column & { readonly table: string; readonly rule: string | null }>(
    database,
    `select relname as table, quote_ident(attname) as name, format_type(atttypid, null) as type,
        not attnotnull as "isNullable", pg_get_constraintdef(c.oid) as rule
      from pg_attribute a join pg_class on pg_class.oid = attrelid
        left join lateral (
          select oid from pg_constraint where contype = 'c' and conrelid = attrelid
            and conkey = array[attnum] and pg_get_constraintdef(oid) like '%ARRAY[%' limit 1) c on true
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and attnum > 0 and not attisdropped and attgenerated = ''
      order by relname, attnum`,
    [],
  );
  const indexes = await rowsOf<{ readonly table: string; readonly columns: readonly string[] }>(
    database,
    `select c.relname as table, array_agg(quote_ident(a.attname))::text[] as columns
      from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indisunique and c.relnamespace = 'public'::regnamespace
      group by c.relname, i.indexrelid order by c.relname, i.indexrelid`,
    [],
  );
  const names = [...new Set(columns.map(({ table }) => table))];
  return new Map(
    names.map((name) => [
      name,
      {
        name,
        columns: columns
          .filter(({ table }) => table === name)
          .map(({ rule, ...one }) => ({
            ...one,
            values: rule === null ? undefined : wordsOf(rule),
          })),
        unique: indexes.filter(({ table }) => table === name).map((one) => one.columns),
      },
    ]),
  );
}

function wordsOf(rule: string): readonly string[] {
  return [...rule.matchAll(/'([^']+)'::text/g)].map(([, word = ""]) => word);
}
