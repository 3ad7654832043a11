// What is tried, and what must come of it.

import type { Dice } from "./dice.ts";
import type { Drawing } from "./drawing.ts";
import type { ParameterValues, PlainRequest } from "./requests.ts";

/** Where a refusal has to say that something is wrong. */
export interface Wrong {
  readonly in: string;
  readonly pointer: string;
  readonly rule: string;
  /** other rules are broken with it, and the answer may name those in its place */
  readonly isAlone: boolean;
}

export type Expectation =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly wrong: Wrong }
  | { readonly kind: "status"; readonly statuses: readonly number[] };

export interface Try {
  /** unique within the operation */
  readonly name: string;
  readonly request: PlainRequest;
  readonly expected: Expectation;
}

export interface Tries {
  readonly tries: readonly Try[];
  /** what could not be tried, and why */
  readonly untried: readonly string[];
}

export interface TryWish {
  readonly drawing: Drawing;
  readonly dice: Dice;
  /** requests drawn at random beside the fullest and the least one */
  readonly draws: number;
  /** values that are there, by "in name": ids that the server knows */
  readonly known: ParameterValues;
  readonly refusesUnknownParameters: boolean;
  /** told of each value that is too large to be made: "/blobs maxItems" */
  readonly leaveOut?: (name: string) => void;
}

/** What it leaves out is that of a part: "query ids maxItems". */
export function wishOf(wish: TryWish, part: string): TryWish {
  const { leaveOut } = wish;
  if (leaveOut === undefined) return wish;
  return { ...wish, leaveOut: (name) => leaveOut(`${part} ${name}`) };
}
