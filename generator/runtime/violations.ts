// What is wrong with a request, collected from all its parts.

import * as checking from "./checking.ts";

export interface Violation {
  readonly in: "body" | "query" | "path" | "header" | "cookie";
  /** JSON Pointer into that part; for parameters its first token is the parameter's name */
  readonly pointer: string;
  /** the keyword that is broken: required, type, pattern, maxLength, additionalProperties, ... */
  readonly rule: string;
  readonly message: string;
}

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

/** Characters as JSON Schema counts them: none is cut in two. */
function shortened(name: string): string {
  if (name.length <= nameCharactersMax) return name;
  const characters = Array.from(name);
  const isLong = characters.length > nameCharactersMax;
  return isLong ? `${characters.slice(0, nameCharactersMax).join("")}...` : name;
}

/** Not in the middle of an escape, or it would be no pointer any more. */
function shortToken(token: string): string {
  return escapePointer(shortened(token.replaceAll("~1", "/").replaceAll("~0", "~")));
}

/** As an answer lists them: no more than it may, and each in a pointer that it may repeat. */
export function listed(violations: readonly Violation[]): readonly Violation[] {
  return violations.slice(0, violationsMax).map((one) => ({
    ...one,
    pointer: one.pointer.split("/").map(shortToken).join("/"),
  }));
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
