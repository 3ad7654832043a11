// One small fault in one place of one file.

import { createHash } from "node:crypto";

/** What a rule finds: the text between `start` and `end` is to be replaced. */
export interface Edit {
  readonly rule: string;
  /** offsets in UTF-16 units */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Mutant extends Edit {
  /** stays the same when other places of the file change */
  readonly id: string;
  /** below the root, with / */
  readonly path: string;
  /** of the first changed character, from 1 */
  readonly line: number;
  /** what was there */
  readonly original: string;
  /** names of the declarations around it, the outermost first: "OutgoingSender.sendNow" */
  readonly within: string;
}

export interface Place {
  readonly path: string;
  readonly source: string;
  readonly withinOf: (offset: number) => string;
}

/** Those that are the same fault are told apart by their order, and what would change nothing is left out. */
export function mutantsOf({ path, source, withinOf }: Place, edits: readonly Edit[]): Mutant[] {
  const seen = new Map<string, number>();
  const texts = new Set<string>();
  const found: Mutant[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const original = source.slice(edit.start, edit.end);
    const place = `${edit.start} ${edit.end} ${edit.text}`;
    if (original === edit.text || texts.has(place)) continue;
    texts.add(place);
    const within = withinOf(edit.start);
    const name = [path, within, edit.rule, squeeze(original), squeeze(edit.text)].join("\n");
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const line = source.slice(0, edit.start).split("\n").length;
    found.push({ ...edit, id: idOf(`${name}\n${count}`), path, line, original, within });
  }
  return found;
}

/** The file with the fault in it. */
export function applied(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** The line as it was and as it is, for people. */
export function shownEdit({ original, text }: Mutant): string {
  return `${shortened(original)} -> ${text.trim() === "" ? "nothing" : shortened(text)}`;
}

function idOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function shortened(text: string): string {
  const line = squeeze(text);
  return line.length <= 90 ? line : `${line.slice(0, 60)} … ${line.slice(-25)}`;
}
