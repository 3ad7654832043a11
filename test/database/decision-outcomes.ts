// What came of a statement, compared with what came of it before, and in words.

import type { Wish } from "./looking.ts";
import type { Change } from "./row-changes.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface Outcome {
  readonly rows: readonly Row[];
  readonly changes: readonly Change[];
}

export type Verdict = "same" | "other" | "none" | "refused";
const verdicts: readonly Verdict[] = ["same", "other", "none", "refused"];

export function isNothing({ rows, changes }: Outcome): boolean {
  return changes.length === 0 && !rows.some((row) => Object.values(row).some(isSaying));
}

/** A sum of nothing says nothing. */
function isSaying(value: unknown): boolean {
  return !["null", "false", "0", ""].includes(textOf(value));
}

export function verdictOf(outcome: Outcome | undefined, own: Outcome, column: string): Verdict {
  if (outcome === undefined) return "refused";
  if (isNothing(outcome)) return "none";
  return essenceOf(outcome, column) === essenceOf(own, column) ? "same" : "other";
}

/** In any order, and without the column that was changed, which shows what it was changed to. */
function essenceOf({ rows, changes }: Outcome, column: string): string {
  const shown = [
    ...rows.map((row) => Object.entries(row).filter(([name]) => name !== column)),
    ...changes.map(({ table, kind, to }) => [table, kind, Object.keys(to)]),
  ];
  return shown.map(asJson).toSorted().join();
}

function asJson(value: object): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one));
}

export function* effectsOf({ table, kind, to }: Change, wish: Wish): Generator<string> {
  if (kind === "delete") yield `deletes of ${table}`;
  for (const [column, value] of Object.entries(to)) {
    const label = labelOf(value, wish);
    if (kind === "update") yield `sets ${table}.${column} to ${label}`;
    else if (value !== null) yield `writes ${table}.${column} as ${label}`;
  }
}

/** As a parameter, as a word, or as something that differs from life to life. */
function labelOf(value: unknown, { given, names }: Wish): string {
  const text = textOf(value);
  if (value === null || typeof value === "boolean" || /^\d$/.test(text)) return text;
  const isPlain = /^[a-z_.]+$/.test(text);
  const place = given.findIndex((one) => textOf(one) === text);
  if (place >= 0 && !(isPlain && names[place] === given[place])) return `:${String(names[place])}`;
  return isPlain ? text : "something";
}

/** Times as numbers: the database writes them in its own way. */
function textOf(value: unknown): string {
  if (value instanceof Date) return String(value.getTime());
  if (typeof value === "bigint") return String(value);
  if (typeof value === "object" && value !== null) return asJson(value);
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value))
    return String(Date.parse(value));
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** What the rows of the whole are ordered by; empty where only a part of it has an order. */
function lastOrder(text: string): string {
  const at = text.lastIndexOf("order by");
  const rest = at === -1 ? "" : text.slice(at);
  const opened = rest.replaceAll(/[^(]/g, "").length;
  return rest.replaceAll(/[^)]/g, "").length > opened ? "" : rest;
}

/** Columns by which the rows go up or down, of those that the text orders by: in others it is by chance. */
export function ordersOf(rows: readonly Row[], text: string): readonly string[] {
  const said = lastOrder(text);
  const isSaid = (column: string): boolean => new RegExp(`\\b${column}\\b`).test(said);
  return Object.keys(rows[0] ?? {}).flatMap((column) => {
    if (!isSaid(column)) return [];
    const values = rows.map((row) => comparable(row[column]));
    const steps = values.slice(1).map((value, at) => signOf(value, values[at]));
    if (steps.some(Number.isNaN) || steps.every((step) => step === 0)) return [];
    if (steps.every((step) => step >= 0)) return [`${column} up`];
    return steps.every((step) => step <= 0) ? [`${column} down`] : [];
  });
}

function comparable(value: unknown): bigint | number | string | undefined {
  if (value instanceof Date) return value.getTime();
  if (typeof value === "bigint" || typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  return /^-?\d+$/.test(value) ? BigInt(value) : value;
}

type Comparable = ReturnType<typeof comparable>;

function signOf(one: Comparable, other: Comparable): number {
  if (one === undefined || other === undefined) return Number.NaN;
  return one > other ? 1 : one < other ? -1 : 0;
}

/** Undefined: whatever it is, it is the same. Of many values most of which lead to the same, only the others. */
export function saidOf(values: ReadonlyMap<string, ReadonlySet<Verdict>>): string | undefined {
  const verdictOfEach = ([, found]: readonly [string, ReadonlySet<Verdict>]): string =>
    verdicts.filter((one) => found.has(one)).join(" or ");
  const groups = [...Map.groupBy(values, verdictOfEach)]
    .map(([verdict, list]) => ({ verdict, labels: list.map(([label]) => label).toSorted() }))
    .toSorted((one, other) => one.labels.length - other.labels.length);
  const [largest] = groups.toReversed();
  if (largest === undefined || (groups.length === 1 && largest.verdict === "same"))
    return undefined;
  const said = groups.map(({ verdict, labels }) => {
    const isRest = verdict === largest.verdict && labels.length > listedMax;
    return isRest ? `else ${verdict}` : `${verdict} ${labels.join(", ")}`;
  });
  return said.join(" | ");
}

const listedMax = 8;
