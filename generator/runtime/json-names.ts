// Names that stand twice in one object of a JSON text. The parser keeps the last of them without a
// word, another reader may keep the first, and RFC 8259 (section 4) lets each do as it likes: so a text
// with such a name says nothing that two programs would agree on.

import { findTokens, pointerOf } from "./json-tokens.ts";

/**
 * Where a name stands again, as pointers; `value` is what the parser made of the text. The text has one
 * colon for each name, and the value one member for each name that counts, so one pass over both shows
 * whether there is anything to look for.
 */
export function repeatedNames(text: string, value: unknown): readonly string[] {
  if (countColons(text) === countMembers(value)) return [];
  return findTokens(text, ({ isRepeated }) => isRepeated).map(({ path }) => pointerOf(path));
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
