// Bytes to JSON, with a place for what is wrong and never a word of what was sent.

import type { Problem } from "./checking.ts";
import { repeatedNames } from "./json-names.ts";
import { lostNumbers } from "./json-numbers.ts";
import { jsonToken } from "./json-tokens.ts";

/** Fails on bytes that are not UTF-8, and leaves a byte order mark for the reader to refuse. */
export const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Why bytes are no JSON document; stands in the place of the value. */
export class Malformed {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** Says one thing to one reader and another thing to the next; stands in the place of the value. */
export class Ambiguous {
  /** where a name stands again */
  readonly pointers: readonly string[];
  constructor(pointers: readonly string[]) {
    this.pointers = pointers;
  }
}

/** A document, and what is wrong with it although it is one. */
export class Parsed {
  readonly value: unknown;
  /** numbers that have become others */
  readonly lost: readonly Problem[];
  constructor(value: unknown, lost: readonly Problem[]) {
    this.value = value;
    this.lost = lost;
  }
}

/** @param what is read, as messages call it */
export function parseJson(
  bytes: Uint8Array,
  depthMax: number,
  what = "the body",
): Parsed | Malformed | Ambiguous {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return new Malformed(`${what} is not JSON: it is not valid UTF-8`);
  }
  // most bodies do not even have as many brackets as they may have levels
  if (hasMore(text, depthMax) && exceeds(text, depthMax)) {
    return new Malformed(`${what} is nested deeper than ${depthMax} levels`);
  }
  try {
    const value: unknown = JSON.parse(text);
    const pointers = repeatedNames(text, value);
    if (pointers.length > 0) return new Ambiguous(pointers);
    return new Parsed(value, lostNumbers(text, value));
  } catch {
    return new Malformed(`${what} is not JSON: ${describeJsonProblem(text)}`);
  }
}

/** More opening brackets than `limit`; the search is native, which a loop over bytes is not. */
function hasMore(text: string, limit: number): boolean {
  let found = 0;
  for (const bracket of ["{", "["]) {
    let at = text.indexOf(bracket);
    while (at !== -1) {
      found += 1;
      if (found > limit) return true;
      at = text.indexOf(bracket, at + 1);
    }
  }
  return false;
}

/** How deep the brackets outside of strings go. Before the parser: what it builds is not free. */
export function exceeds(text: string, depthMax: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) {
      // to the end of the string; the escaped character may be a quote
      for (index++; index < text.length; index++) {
        const inner = text.charCodeAt(index);
        if (inner === 0x22) break;
        if (inner === 0x5c) index++;
      }
    } else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > depthMax) return true;
    } else if (unit === 0x7d || unit === 0x5d) {
      depth--;
    }
  }
  return false;
}

type Expected = "value" | "item" | "first name" | "name" | "colon" | "next" | "end";

/** Where the text stops being JSON. The parser's own message would quote what the client sent. */
function describeJsonProblem(text: string): string {
  if (text.startsWith("\u{feff}")) return "it begins with a byte order mark";
  const open: string[] = [];
  let expected: Expected | undefined = "value";
  let at = 0;
  for (;;) {
    jsonToken.lastIndex = at;
    const match = jsonToken.exec(text);
    if (match === null) break;
    expected = afterToken(
      expected,
      match[1] ?? (match[2] === undefined ? "scalar" : "string"),
      open,
    );
    if (expected === undefined) break;
    at = jsonToken.lastIndex;
  }
  at += /^[ \t\n\r]*/.exec(text.slice(at))?.[0].length ?? 0;
  const before = text.slice(0, at).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  const what = at >= text.length ? "it ends too early" : "unexpected text";
  return `${what} at position ${at} (${place})`;
}

function afterToken(expected: Expected, token: string, open: string[]): Expected | undefined {
  const isValue = expected === "value" || expected === "item";
  const isName = expected === "name" || expected === "first name";
  if (isName && token === "string") return "colon";
  if (expected === "colon" && token === ":") return "value";
  if (expected === "next" && token === ",") return open.at(-1) === "}" ? "name" : "value";
  if (isValue && token === "{") {
    open.push("}");
    return "first name";
  }
  if (isValue && token === "[") {
    open.push("]");
    return "item";
  }
  const closes =
    token === open.at(-1) &&
    (expected === "next" ||
      (expected === "item" && token === "]") ||
      (expected === "first name" && token === "}"));
  if (closes) open.pop();
  else if (!isValue || (token !== "scalar" && token !== "string")) return undefined;
  return open.length === 0 ? "end" : "next";
}
