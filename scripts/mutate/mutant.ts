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

/** The line as it was and as it is, for people; of long ones, what is around the difference. */
export function shownEdit({ original, text }: Pick<Mutant, "original" | "text">): string {
  const [before, after] = [inOneLine(original), inOneLine(text)];
  if (after === "") return `${around(before, 0, 0)} -> nothing`;
  const least = Math.min(before.length, after.length);
  let same = 0;
  while (same < least && before[same] === after[same]) same += 1;
  let end = 0;
  while (end < least - same && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return `${around(before, same, end)} -> ${around(after, same, end)}`;
}

const shownMax = 90;
const contextLength = 25;

function idOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** As one line would be written that was several. */
function inOneLine(text: string): string {
  return squeeze(text)
    .replaceAll(/([[(]) /g, "$1")
    .replaceAll(/,? ([\])])/g, "$1");
}

/** @param same signs at the beginning that the other text has as well; `end` of them at its end */
function around(line: string, same: number, end: number): string {
  if (line.length <= shownMax) return line;
  const from = Math.max(0, same - contextLength);
  const to = Math.min(line.length, Math.max(line.length - end + contextLength, from + 1));
  const cut = line.slice(from, to);
  const middle = cut.length <= shownMax ? cut : `${cut.slice(0, 60)} … ${cut.slice(-25)}`;
  return `${from > 0 ? "… " : ""}${middle}${to < line.length ? " …" : ""}`;
}
