// Which rows of a statement are changed, and to what, to see what it decides by.

import type { Database } from "../../service/ports/database.ts";
import { type Column, isWord, plain, rowsOf, type Table, textsIn, type Wish } from "./looking.ts";

export interface Candidate {
  readonly label: string;
  /** SQL */
  readonly value: string;
}

export function isMentioned({ name }: Column, text: string): boolean {
  return new RegExp(`\\b${name.replaceAll('"', "")}\\b`).test(text);
}

/** Rules that several columns keep together go, so that each may have any value by itself; or all rules. */
export async function dropRules(database: Database, which: "combined" | "all"): Promise<void> {
  const rules = await rowsOf<{ readonly table: string; readonly name: string }>(
    database,
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
      where contype = 'c' and cardinality(conkey) > ${which === "all" ? 0 : 1}
        and connamespace = 'public'::regnamespace`,
    [],
  );
  for (const { table, name } of rules) {
    await plain(database, `alter table ${table} drop constraint ${name}`);
  }
}

/** In this database a row may be changed whatever its table thinks of that. */
export async function permitForce(database: Database): Promise<void> {
  await plain(
    database,
    `create function change_by_force(change text) returns integer language plpgsql as $$
      declare count integer;
      begin
        perform set_config('session_replication_role', 'replica', true);
        execute change;
        get diagnostics count = row_count;
        perform set_config('session_replication_role', 'origin', true);
        return count;
      exception when others then return 0;
      end $$`,
  );
}

/** Of rows that have one of the texts that were asked for; else all. */
export async function focusOf(database: Database, table: Table, { given }: Wish): Promise<string> {
  const texts = [...new Set(given.flatMap(textsIn))];
  const columns = table.columns.filter(({ name, type }) => type === "text" && !isWord(name));
  if (texts.length === 0 || columns.length === 0) return "true";
  const list = texts.map(literal).join(", ");
  const ids = columns.filter(({ name }) => !/(?:environment|chain_id)$/.test(name));
  for (const some of [ids, columns]) {
    const where = some.map(({ name }) => `${name} in (${list})`).join(" or ");
    if (where === "") continue;
    const had = await rowsOf(database, `select 1 from ${table.name} where ${where} limit 1`, []);
    if (had.length > 0) return where;
  }
  return "true";
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export interface Asked {
  readonly table: Table;
  readonly column: Column;
  readonly wish: Wish;
}

/** Each word that it may have, nothing, and what is far off. */
export async function wordsFor(
  database: Database,
  { table, column }: Asked,
): Promise<readonly Candidate[]> {
  const { name, type, values, isNullable } = column;
  const found: Candidate[] = isNullable ? [{ label: "null", value: "null" }] : [];
  if (type === "boolean") {
    found.push(...["true", "false"].map((value) => ({ label: value, value })));
  } else if (type === "text") {
    const words = values ?? (isWord(name) ? await wordsIn(database, table, column) : []);
    found.push(...words.map((word) => ({ label: word, value: literal(word) })));
    if (words.length === 0 && isNullable) {
      found.push({ label: "not null", value: `coalesce(${name}, 'anything')` });
    }
  } else if (isTime(type)) {
    found.push({ label: "long ago", value: "'2001-01-01Z'" });
    found.push({ label: "in long", value: "'2101-01-01Z'" });
  } else if (isNumber(type)) {
    found.push({ label: "zero", value: "0" });
    found.push({ label: "far less", value: "-1000000000" });
    found.push({ label: "far more", value: "1000000000" });
  }
  return found;
}

const isTime = (type: string): boolean => type.startsWith("timestamp");
const isNumber = (type: string): boolean => /^(?:integer|bigint|numeric|smallint)$/.test(type);

/** What parameters and other columns say, one less, and one more. */
export function nearFor({ table, column: { name, type }, wish }: Asked): readonly Candidate[] {
  if (!isTime(type) && !isNumber(type)) return [];
  const [one, said] = isTime(type) ? ["interval '1 millisecond'", " ms"] : ["1", ""];
  const found = new Map<string, string>();
  for (const [place, given] of wish.given.entries()) {
    const value = isTime(type) ? timeIn(given, type) : numberIn(given);
    const parameter = String(wish.names[place]);
    if (value === undefined || /(?:Max|limit)$/.test(parameter)) continue;
    if (![...found.values()].includes(value)) found.set(parameter, value);
  }
  const others = table.columns.filter(
    (other) => other.type === type && other.name !== name && isMentioned(other, wish.text),
  );
  for (const other of others.slice(0, othersMax)) found.set(other.name, other.name);
  return [...found].flatMap(([label, value]) => [
    { label: `${label} - 1${said}`, value: `${value} - ${one}` },
    { label, value },
    { label: `${label} + 1${said}`, value: `${value} + ${one}` },
  ]);
}

const othersMax = 4;

function timeIn(value: unknown, type: string): string | undefined {
  return value instanceof Date ? `'${value.toISOString()}'::${type}` : undefined;
}

function numberIn(value: unknown): string | undefined {
  const text = typeof value === "string" ? value : String(value);
  return /^(?:number|bigint|string)$/.test(typeof value) && /^-?\d{1,40}$/.test(text)
    ? text
    : undefined;
}

async function wordsIn(database: Database, table: Table, { name }: Column) {
  const rows = await rowsOf<{ readonly word: string }>(
    database,
    `select distinct ${name} as word from ${table.name} where ${name} is not null order by 1 limit 8`,
    [],
  );
  return rows.map(({ word }) => word);
}

interface ChangeWish {
  readonly table: Table;
  readonly column: Column;
  readonly value: string;
  readonly focus: string;
}

/** False: a rule of the table keeps such rows out, or there are none. */
export async function change(
  database: Database,
  { table, column, value, focus }: ChangeWish,
): Promise<boolean> {
  const text = `update ${table.name} set ${column.name} = ${value} where ${focus}`;
  const [row] = await rowsOf<{ readonly count: number }>(
    database,
    "select change_by_force($1) as count",
    [text],
  );
  return row !== undefined && row.count > 0;
}

const day = 86_400_000;

/** Other values of a parameter, by what they are called. */
export function othersOf(
  name: string,
  value: unknown,
  rowsCount: number,
): readonly (readonly [string, unknown])[] {
  if (/(?:Max|limit)$/i.test(name)) return rowsCount > 1 ? [["1", 1]] : [];
  if (typeof value === "boolean") return [[String(!value), !value]];
  if (value instanceof Date) {
    return [
      ["a day before", new Date(value.getTime() - day)],
      ["a day later", new Date(value.getTime() + day)],
    ];
  }
  if (typeof value === "bigint") {
    return [
      ["one less", value - 1n],
      ["one more", value + 1n],
    ];
  }
  if (typeof value === "number") {
    return [
      ["one less", value - 1],
      ["one more", value + 1],
    ];
  }
  return typeof value === "string" && /^[a-z_]{3,30}$/.test(value)
    ? [["another", "another_word"]]
    : [];
}
