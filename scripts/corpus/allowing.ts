// Reads a document, allowing by name whatever it cannot be read without, as a user would who has looked at it.

import { type Code, consequenceOf } from "../../generator/diagnostics/codes.ts";
import { readContract, type Reading } from "../../generator/generate.ts";
import { DocumentError } from "../../generator/problems.ts";

export interface Allowed {
  readonly reading: Reading;
  /** in their order */
  readonly codes: readonly Code[];
}

/** Throws what cannot be allowed. */
export function readAllowing(path: string): Allowed {
  const allow = new Set<Code>();
  for (;;) {
    try {
      return { reading: readContract(path, { allow }), codes: [...allow].toSorted() };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const codes = error.problems.flatMap((one) => (one.severity === "error" ? [one.code] : []));
      // what is allowed comes back as a warning: each round has other ones
      if (codes.some((code) => consequenceOf(code) === undefined)) throw error;
      for (const code of codes) allow.add(code);
    }
  }
}
