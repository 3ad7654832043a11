// What a JSON text says and the parser keeps to itself, with the places where it says so.

import { escapePointer, violationsMax } from "./violations.ts";

/** A mark, a string or another scalar, with the white space before it. */
export const jsonToken =
  // oxlint-disable-next-line no-control-regex -- they are what JSON forbids in a string
  /[ \t\n\r]*(?:([{}[\]:,])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-]))/y;

/** A name or a scalar. */
interface Token {
  /** as it is written; undefined: a name */
  readonly scalar: string | undefined;
  /** the object has had that name already */
  readonly isRepeated: boolean;
}

export interface Found {
  readonly token: Token;
  readonly path: readonly (string | number)[];
}

interface Level {
  /** of an object: those that have come; undefined: a list */
  readonly names: Set<string> | undefined;
  /** where in it the reader is */
  at: string | number;
  /** the next string is a name */
  isNaming: boolean;
}

/** The tokens that are looked for, each place once; `text` has been parsed, so it is JSON. */
export function findTokens(text: string, isWanted: (token: Token) => boolean): readonly Found[] {
  const found = new Map<string, Found>();
  const open: Level[] = [];
  // An answer lists no more than it may, and is not made much longer than the question.
  let length = 0;
  jsonToken.lastIndex = 0;
  for (let match = jsonToken.exec(text); match !== null; match = jsonToken.exec(text)) {
    const [whole, mark, string] = match;
    const token = mark === undefined ? readToken(open.at(-1), string, whole) : undefined;
    if (mark !== undefined) readMark(open, mark);
    if (token === undefined || !isWanted(token)) continue;
    const path = open.map(({ at }) => at);
    const pointer = pointerOf(path);
    found.set(pointer, { token, path });
    length += pointer.length;
    if (found.size === violationsMax || length > text.length) break;
  }
  return [...found.values()];
}

function readMark(open: Level[], mark: string): void {
  const level = open.at(-1);
  if (mark === "{") open.push({ names: new Set(), at: "", isNaming: true });
  else if (mark === "[") open.push({ names: undefined, at: 0, isNaming: false });
  else if (mark === "}" || mark === "]") open.pop();
  else if (mark === "," && typeof level?.at === "number") level.at += 1;
  else if (mark === "," && level !== undefined) level.isNaming = true;
}

function readToken(level: Level | undefined, string: string | undefined, whole: string): Token {
  if (string === undefined || level?.isNaming !== true) {
    return { scalar: string ?? whole.trimStart(), isRepeated: false };
  }
  const name = JSON.parse(string) as string; // a JSON string, or the text would not have been parsed
  const isRepeated = level.names?.has(name) === true;
  level.names?.add(name);
  level.at = name;
  level.isNaming = false;
  return { scalar: undefined, isRepeated };
}

export function pointerOf(path: Found["path"]): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join("");
}
