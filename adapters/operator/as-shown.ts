// What was shown before a question, or by --dry-run, and what is there when it is done: the same, or nothing is done.

import { createHash } from "node:crypto";
import { canonicalJson } from "../../service/canonical-json.ts";
import { type Look, OperatorError } from "../../service/operator-error.ts";
import { type Part, plain, type Value } from "./results.ts";
import { optional, text } from "./words.ts";

/** Enough that nobody finds two things with one code. */
const codeDigits = 16;

/** For scripts, and what a confirmed command is called with. */
export const asShown = optional(
  text("CODE", "only if it is still what --dry-run has shown with this code"),
);

/** Something else stands there now than was shown. */
export class NotAsShown extends OperatorError {
  readonly now: Part;

  constructor(now: Part) {
    super("It is not as it was shown any more. Nothing was changed. Now there is:");
    this.now = now;
  }
}

/** Another code, another thing. */
export function codeOf(bound: Value): string {
  const whole = createHash("sha256").update(canonicalJson(plain(bound)));
  return whole.digest("hex").slice(0, codeDigits);
}

interface Showing<Found> {
  /** undefined: nothing was shown */
  readonly code: string | undefined;
  /** all of it that must not be another one */
  readonly bound: (found: Found) => Value;
  /** for people and programs */
  readonly part: (found: Found) => Part;
}

/** Throws `NotAsShown`. */
export function lookFor<Found>({ code, bound, part }: Showing<Found>): Look<Found> {
  return (found) => {
    if (code !== undefined && codeOf(bound(found)) !== code) throw new NotAsShown(part(found));
  };
}
