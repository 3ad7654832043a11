// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Names that stand twice in one object of a JSON text. The parser keeps the last of them without a
// word, another reader may keep the first, and RFC 8259 (section 4) lets each do as it likes: so a text
// with such a name says nothing that two programs would agree on.

import { escapePointer, violationsMax } from "./violations.ts";

/** A mark, a string or another scalar, with the white space before it. */
export const jsonToken =
  // oxlint-disable-next-line no-control-regex -- they are what JSON forbids in a string
  /[ \t\n\r]*(?:([{}[\]:,])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-]))/y;

/**
 * Where a name stands again, as pointers; `value` is what the parser made of the text. The text has one
 * colon for each name, and the value one member for each name that counts, so one pass over both shows
 * whether there is anything to look for.
 */
export function repeatedNames(text: string, value: unknown): readonly string[] {
  return countColons(text) === countMembers(value) ? [] : findRepeated(text);
}

/** Outside of strings. */
function countColons(text: string): number {
  let count = 0;
  let isString = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) isString = !isString;
    else if (isString && unit === 0x5c) index++;
    else if (!isString && unit === 0x3a) count++;
  }
  return count;
}

/** The text was not nested too deep, so the value is not. */
function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const isList = Array.isArray(value);
  const members: readonly unknown[] = isList ? value : Object.values(value);
  let count = isList ? 0 : members.length;
  for (const member of members) count += countMembers(member);
  return count;
}

interface Level {
  /** of an object: those that have come; undefined: a list */
  readonly names: Set<string> | undefined;
  /** where in it the reader is */
  at: string | number;
  /** the next string is a name */
  isNaming: boolean;
}

function findRepeated(text: string): readonly string[] {
  const found = new Set<string>();
  const open: Level[] = [];
  // An answer lists no more than it may, and is not made much longer than the question.
  let length = 0;
  jsonToken.lastIndex = 0;
  for (let match = jsonToken.exec(text); match !== null; match = jsonToken.exec(text)) {
    const [, mark, string] = match;
    const level = open.at(-1);
    if (mark === "{") open.push({ names: new Set(), at: "", isNaming: true });
    else if (mark === "[") open.push({ names: undefined, at: 0, isNaming: false });
    else if (mark === "}" || mark === "]") open.pop();
    else if (mark === "," && typeof level?.at === "number") level.at += 1;
    else if (mark === "," && level !== undefined) level.isNaming = true;
    else if (string !== undefined && level?.isNaming === true) {
      // A JSON string, or the text would not have been parsed.
      level.at = JSON.parse(string) as string;
      level.isNaming = false;
      if (level.names?.has(level.at) === true) {
        const pointer = pointerOf(open);
        found.add(pointer);
        length += pointer.length;
        if (found.size === violationsMax || length > text.length) break;
      }
      level.names?.add(level.at);
    }
  }
  return [...found];
}

function pointerOf(open: readonly Level[]): string {
  return open.map(({ at }) => `/${escapePointer(String(at))}`).join("");
}
