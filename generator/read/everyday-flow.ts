// What stands in brackets: JSON with fewer quotes (YAML 1.2.2, section 7.4).

import type { Json } from "../json.ts";
import {
  checkedName,
  plainName,
  plainValue,
  quotedText,
  Unusual,
  withoutSpaces,
} from "./everyday-texts.ts";
import type { Member, Members } from "./places.ts";

export interface FlowValue {
  readonly value: Json;
  /** offset behind it */
  readonly after: number;
}

interface Reading {
  /** lines after the first are deeper */
  readonly parent: number;
  readonly places: Map<number, Members> | undefined;
  /** of brackets around it */
  readonly depth?: number;
}

const depthMax = 100;

/** @param offset of a bracket */
export function readFlow(text: string, offset: number, reading: Reading): FlowValue {
  if ((reading.depth ?? 0) > depthMax) throw new Unusual();
  const isMapping = text[offset] === "{";
  const close = isMapping ? "}" : "]";
  const members = new Map<string, Member>();
  reading.places?.set(offset, members);
  const list: Json[] = [];
  const mapping: Record<string, Json> = {};
  let at = afterSpace(text, offset + 1, reading.parent);
  while (text[at] !== close) {
    let name = String(list.length);
    let key = at;
    if (isMapping) {
      const read = readName(text, at);
      name = read.name;
      if (Object.hasOwn(mapping, name)) throw new Unusual();
      at = afterSpace(text, read.after, reading.parent);
    }
    const { value, after } = readValue(text, at, reading);
    if (!isMapping) key = at;
    members.set(name, { key, value: at });
    if (isMapping) mapping[name] = value;
    else list.push(value);
    at = afterSpace(text, after, reading.parent);
    if (text[at] === close) break;
    if (text[at] !== ",") throw new Unusual();
    at = afterSpace(text, at + 1, reading.parent);
  }
  return { value: isMapping ? mapping : list, after: at + 1 };
}

function readValue(text: string, offset: number, reading: Reading): FlowValue {
  const first = text[offset];
  if (first === "{" || first === "[") {
    return readFlow(text, offset, { ...reading, depth: (reading.depth ?? 0) + 1 });
  }
  if (first === '"' || first === "'") return quotedText(text, offset, { isOneLine: true });
  const words = wordsAt(text, offset);
  return { value: plainValue(withoutSpaces(words)), after: offset + words.length };
}

function readName(text: string, offset: number): { readonly name: string; readonly after: number } {
  const first = text[offset];
  if (first === '"' || first === "'") {
    const { value, after } = quotedText(text, offset, { isOneLine: true });
    if (text[after] !== ":") throw new Unusual();
    return { name: checkedName(value), after: after + 1 };
  }
  plainPair.lastIndex = offset;
  const [, words] = plainPair.exec(text) ?? [];
  if (words === undefined) throw new Unusual();
  const name = checkedName(plainName(withoutSpaces(words)));
  return { name, after: offset + words.length + 1 };
}

/** A name without quotes, up to its colon. */
const plainPair = /([^\s:,[\]{}#"'][^\n:,[\]{}#"'\t]{0,999}):[ \n]/y;

/** Up to what ends a text without quotes here; nothing that could be read in two ways is in it. */
function wordsAt(text: string, offset: number): string {
  const pattern = /[^,[\]{}\n\t]*/y;
  pattern.lastIndex = offset;
  const [words = ""] = pattern.exec(text) ?? [];
  const next = text[offset + words.length];
  if (next === "[" || next === "{" || next === "\t" || next === undefined) throw new Unusual();
  if (/: |:$| #/.test(words)) throw new Unusual();
  return words;
}

/** Spaces and line breaks; a comment is left to the package. */
function afterSpace(text: string, offset: number, parent: number): number {
  let at = offset;
  let start = -1;
  while (text[at] === " " || text[at] === "\n") {
    if (text[at] === "\n") start = at + 1;
    at += 1;
  }
  if (start >= 0 && at - start <= parent) throw new Unusual();
  const next = text[at];
  if (next === undefined || next === "#" || next === "\t") throw new Unusual();
  return at;
}
