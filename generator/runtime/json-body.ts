// A JSON text against its schema: all that is wrong with it, by the place where it stands.

import type { Checked } from "./checked.ts";
import type { Problem } from "./checking.ts";
import { Ambiguous, Malformed, parseJson } from "./json.ts";
import { repeated } from "./text.ts";
import { problemsToViolations, type Violation } from "./violations.ts";

interface JsonPlan {
  readonly check: Checked;
  readonly depthMax: number;
  /** JSON Pointer of the text in the body; "" when it is the body */
  readonly at?: string;
  /** what it is called */
  readonly what?: string;
}

export interface ReadJson {
  readonly value: unknown;
  /** why it is not even JSON */
  readonly malformed?: string;
  /** why nobody can tell what it says */
  readonly isAmbiguous?: true;
  /** of the value */
  readonly problems: readonly Problem[];
  readonly violations: readonly Violation[];
}

const none: readonly never[] = [];

export function readJson(
  bytes: Uint8Array,
  { check, depthMax, at = "", what = "the body" }: JsonPlan,
): ReadJson {
  const parsed = parseJson(bytes, depthMax, what);
  if (parsed instanceof Malformed) {
    const { message } = parsed;
    const violations = [{ in: "body", pointer: at, rule: "json", message }] as const;
    return { value: undefined, malformed: message, problems: [], violations };
  }
  if (parsed instanceof Ambiguous) {
    const { rule, message } = repeated;
    const violations = parsed.pointers.map(
      (pointer) => ({ in: "body", pointer: at + pointer, rule, message }) as const,
    );
    return { value: undefined, isAmbiguous: true, problems: [], violations };
  }
  const { value, lost } = parsed;
  const own = check === undefined || check.valid(value) ? none : check.problems(value);
  if (own.length === 0 && lost.length === 0) return { value, problems: none, violations: none };
  const problems = [...own, ...lost.filter((one) => !own.some((known) => covers(known, one)))];
  const violations = problemsToViolations("body", problems).map((one) =>
    at === "" ? one : { ...one, pointer: at + one.pointer },
  );
  return { value, problems, violations };
}

/** What is wrong with a value has been said of it, or of what it stands in; "" is everything. */
function covers({ path: outer }: Problem, { path: inner }: Problem): boolean {
  const isAll = outer.length === 0 && inner.length > 0;
  return !isAll && outer.every((step, index) => step === inner[index]);
}
