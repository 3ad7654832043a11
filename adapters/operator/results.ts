// What a command has to say, once, for people and for programs: text in columns and JSON are made from the same
// values, so that neither can have what the other one lacks.

import { table } from "./tables.ts";

/** For programs: times are ISO text, and integers of any size decimal text. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | undefined
  | readonly Value[]
  | { readonly [key: string]: Value };

/** A value that people are shown in other words. */
class Shown {
  readonly value: Value;
  readonly text: string;

  constructor(value: Value, text: string) {
    this.value = value;
    this.text = text;
  }
}

export const shown = (value: Value, text: string): Shown => new Shown(value, text);

/** It is there only once it was done: an id, or a secret. */
class Made {
  readonly cell: Value | Shown;

  constructor(cell: Value | Shown) {
    this.cell = cell;
  }
}

export type { Made };
export const made = (cell: Value | Shown): Made => new Made(cell);

export type Cell = Value | Shown;

type Values = Readonly<Record<string, Value>>;

export interface Part {
  readonly text: string;
  readonly values: Values;
  /** the same of a dry run, where that is another one */
  readonly tried?: Pick<Part, "text" | "values">;
}

export interface Result {
  readonly parts: readonly Part[];
  /** left out: all is well; false: exit code 1 */
  readonly isWell?: boolean;
  /** what people are told beside it, on standard error */
  readonly aside?: string;
  /** stands for what it is about, for whoever wants to do exactly this */
  readonly shownAs?: string;
}

export function result(parts: Part | readonly Part[], more: Omit<Result, "parts"> = {}): Result {
  return { parts: [parts].flat(), ...more };
}

/** Its heading, its name for programs, and what stands there. */
export type Column<Row> = readonly [heading: string, key: string, cell: (row: Row) => Cell];

/** @param key what programs find the rows under */
export function listing<Row>(
  key: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Part {
  const cells = rows.map((row) => columns.map(([, name, cell]) => [name, cell(row)] as const));
  const heading = columns.map(([title]) => title);
  return {
    text: table([heading, ...cells.map((row) => row.map(([, cell]) => textOf(cell)))]),
    values: { [key]: cells.map(valuesOf) },
  };
}

const titleWidth = 11;

type Line<Of> = readonly [title: string, key: string, cell: Of];

/** A line each: its title, its name for programs, and what stands there. */
export function fields(lines: readonly Line<Cell | Made>[]): Part {
  const done = lines.map(([title, key, cell]): Line<Cell> => {
    return [title, key, cell instanceof Made ? cell.cell : cell];
  });
  const isMade = new Set(lines.filter(([, , cell]) => cell instanceof Made).map(([, key]) => key));
  if (isMade.size === 0) return linesPart(done);
  const tried = linesPart(done.filter(([, key]) => !isMade.has(key)));
  const none = Object.fromEntries(Array.from(isMade, (key) => [key, null]));
  return { ...linesPart(done), tried: { ...tried, values: { ...none, ...tried.values } } };
}

function linesPart(lines: readonly Line<Cell>[]): Part {
  const width = Math.max(titleWidth, ...lines.map(([title]) => title.length));
  return {
    text: lines.map(([title, , cell]) => `${title.padEnd(width)} ${textOf(cell)}\n`).join(""),
    values: valuesOf(lines.map(([, key, cell]) => [key, cell])),
  };
}

/** A sentence for people, and what it is about for programs. */
export function said(text: string, values: Values = {}): Part {
  return { text, values };
}

function valuesOf(cells: readonly (readonly [key: string, cell: Cell])[]) {
  return Object.fromEntries(
    cells.map(([key, cell]) => [key, cell instanceof Shown ? cell.value : cell]),
  );
}

function textOf(cell: Cell): string {
  if (cell instanceof Shown) return cell.text;
  if (cell === null || cell === undefined) return "-";
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === "object" ? JSON.stringify(plain(cell)) : String(cell);
}

/** What was tried, and taken back. */
export function triedResult({ parts, isWell = true, shownAs }: Result): Result {
  const sentence = "Dry run: nothing was changed. It would have said:\n";
  const start = said(sentence, { dry_run: true });
  const tried = [start, ...parts.map((part) => part.tried ?? part)];
  if (shownAs === undefined) return { parts: tried, isWell };
  const how = `A script does exactly this with --yes --as-shown ${shownAs}\n`;
  const end = said(how, { shown_as: shownAs });
  return { parts: [...tried, end], isWell, shownAs };
}

export function resultText({ parts }: Result): string {
  return parts.map(({ text }) => text).join("");
}

/** Two parts with one name would hide one another. */
export function resultJson({ parts }: Result): Readonly<Record<string, unknown>> {
  const entries = parts.flatMap(({ values }) => Object.entries(values));
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]));
}

/** As JSON has it. */
export function plain(value: Value): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item: Value) => plain(item));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** The values of our own types, which are named as in code, under the names that programs find. */
export function snakeCased(values: object): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCasedValue(value),
    ]),
  );
}

/** The same of each. */
export function allSnakeCased(all: readonly object[]): readonly Values[] {
  return all.map(snakeCased);
}

function snakeCasedValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(snakeCasedValue);
  // Our types hold nothing else.
  if (value === null || typeof value !== "object" || value instanceof Date) return value as Value;
  return snakeCased(value);
}
