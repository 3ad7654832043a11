// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// What is wrong with a request, collected from all its parts.

import * as checking from "./checking.ts";
import type { Violation } from "./runtime.ts";

/** One answer lists at most this many violations. */
export const violationsMax = checking.problemsMax;

export function report(violations: Violation[], violation: Violation): void {
  if (violations.length < violationsMax) violations.push(violation);
}

export function escapePointer(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Longer ones are the sender's: what each of 100 pointers repeated would be more than was sent. */
const nameCharactersMax = 128;

function shortened(name: string): string {
  return name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax)}...` : name;
}

/** The same place, in a pointer that an answer may repeat. */
export function shortPointer(pointer: string): string {
  return pointer.split("/").map(shortened).join("/");
}

/** Problems of a value as violations of the part of the request that it is. */
export function problemsToViolations(
  place: Violation["in"],
  problems: readonly checking.Problem[],
): Violation[] {
  return problems.slice(0, violationsMax).map(({ path, rule, message }) => ({
    in: place,
    pointer: path.map((step) => `/${escapePointer(shortened(String(step)))}`).join(""),
    rule,
    message,
  }));
}
