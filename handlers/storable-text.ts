// The contract takes any text, and no database keeps U+0000.

import { RequestError } from "../generated/runtime/runtime.ts";
import type { Violation } from "../generated/runtime/runtime.ts";

/**
 * Throws `RequestError` if a text in the body has U+0000 in it, with the pointer of each. The body
 * has passed the contract, so it is JSON of bounded depth.
 */
export function refuseNul(body: unknown): void {
  const violations = nulViolations(body);
  if (violations.length > 0) throw invalidBody(violations);
}

export function nulViolations(body: unknown): readonly Violation[] {
  // Most bodies have none, and the walk takes longer than this look.
  if (!JSON.stringify(body).includes(String.raw`\u0000`)) return [];
  const violations: Violation[] = [];
  collect(body, "", violations);
  return violations;
}

/** A refusal in the words of the contract, of what only the rules can know. */
export function invalidBody(violations: readonly Violation[]): RequestError {
  const message = "The request does not match the contract.";
  return new RequestError(400, "invalid_request", message, { violations });
}

function collect(value: unknown, pointer: string, violations: Violation[]): void {
  if (typeof value === "string") {
    if (value.includes("\0")) violations.push(violationAt(pointer));
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (name.includes("\0")) violations.push(violationAt(place));
    else collect(member, place, violations);
  }
}

function violationAt(pointer: string): Violation {
  return { in: "body", pointer, rule: "unicode", message: "must be without U+0000" };
}
