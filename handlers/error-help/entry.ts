// What is said of a code to whoever got it: why, what to do now, and whether asking again helps.

import type { ErrorCode } from "../errors.ts";

/**
 * Whether the same request may succeed later. The same is: operation, path, query, body and
 * `Idempotency-Key`; headers of the signature are new each time.
 */
export type Again = "signed anew" | "later" | "after a change" | "never";

/** Each a sentence for a merchant's engineer; backticks around names of the wire, and no other markup. */
export interface ErrorHelp {
  /** what is so, or was so when the request came */
  readonly cause: string;
  /** what the caller should do */
  readonly remedy: string;
  readonly again: Again;
}

/** No code that does not exist; that none is missing says the type of all of them together. */
export type SomeHelp = Readonly<Partial<Record<ErrorCode, ErrorHelp>>>;

export const againTexts: Readonly<Record<Again, string>> = {
  "signed anew": "may succeed at once, when it is signed as it should be.",
  later: "may succeed after a while.",
  "after a change": "may succeed once something else has changed.",
  never: "gets the same answer: another one is needed.",
};
