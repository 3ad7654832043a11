// What people allow by name: `--allow OAG301`, or `allow` in the configuration.

import { closest } from "../read/similar.ts";
import { type Code, codes, diagnostics, isCode } from "./codes.ts";

/** Why a name cannot be allowed, and what to do; undefined: it can be. */
export function allowProblem(name: string): string | undefined {
  if (!isCode(name)) {
    const guess = closest(name.toUpperCase(), Object.keys(codes));
    const advice = guess === undefined ? "codes look like OAG301" : `did you mean ${guess}?`;
    return `there is no code ${JSON.stringify(name)}; ${advice}`;
  }
  const one = diagnostics[name];
  if (!("never" in one)) return undefined;
  return `${name} (${one.title}) cannot be allowed: ${one.never}`;
}

/** Names as the command line has them: several options, or one with commas. */
export function namesIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(",")).map((name) => name.trim());
}

/** Of names without a problem. */
export function allowedCodes(names: readonly string[]): ReadonlySet<Code> {
  return new Set(names.filter(isCode).toSorted());
}
