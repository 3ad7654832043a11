// One file of a document: its data, and where in its text each value stands.

import type { Json } from "../json.ts";
import { pointerTokens } from "../json.ts";
import type { Code } from "../diagnostics/codes.ts";
import { type Place, type Problem, problemAt, type Said } from "../problems.ts";

export interface Source {
  /** as the user knows it */
  readonly file: string;
  /** absolute: what references in it are relative to */
  readonly uri: string;
  readonly data: Json;
  readonly language: "yaml" | "json";
  /** the place of a value; `key` points at the property's name rather than its value */
  readonly place: (pointer: string, what?: "value" | "key") => Place;
}

export type ReadResult =
  | { readonly source: Source; readonly problems: readonly Problem[] }
  | { readonly source: undefined; readonly problems: readonly Problem[] };

/** Offsets of a text as people count. */
export class Lines {
  /** of their first characters */
  readonly #starts = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
      this.#starts.push(at + 1);
  }

  /** Both from 1. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

export interface Slip {
  readonly code: Code;
  readonly offset: number;
  readonly said: Said;
}

export function problemIn(file: string, lines: Lines, { code, offset, said }: Slip): Problem {
  return problemAt(code, { file, pointer: "", ...lines.placeOf(offset) }, said);
}

/** The offset of the value, or of the closest one around it that is there. */
export type OffsetOf = (tokens: readonly string[], what: "value" | "key") => number;

/** Positions are looked up only when something has to be said about a place. */
export function placeFinder(
  file: string,
  open: () => { readonly lines: Lines; readonly offsetOf: OffsetOf },
): Source["place"] {
  let places: ReturnType<typeof open> | undefined;
  return (pointer, what = "value") => {
    places ??= open();
    const offset = places.offsetOf(pointerTokens(pointer), what);
    return { file, pointer, ...places.lines.placeOf(offset) };
  };
}
