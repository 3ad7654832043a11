// What people allow by name: `--allow OAG301`, or `allow` in the configuration.

import { type Code, diagnostics, isCode } from "./codes.ts";

/** Why a name cannot be allowed, and what to do; undefined: it can be. */
export function allowProblem(name: string): string | undefined {
  if (!isCode(name)) {
    const guess = codeOfNumber(name);
    const advice = guess === undefined ? whereCodesAre : `did you mean ${guess}?`;
    return `there is no code ${JSON.stringify(name)}; ${advice}`;
  }
  const one = diagnostics[name];
  if (!("never" in one)) return undefined;
  return `${name} (${one.title}) cannot be allowed: ${one.never}`;
}

const whereCodesAre =
  "each problem is said with its code, and docs/generator/diagnostics.md of the generator has the list";

/** What has another number is something else, however near it is: only what stands before it is guessed. */
function codeOfNumber(name: string): Code | undefined {
  const [, number] =
    /^[A-Z0]{0,3}[ _-]?(\d{3})$/.exec(name.toUpperCase().replaceAll("O", "0")) ?? [];
  const code = `OAG${number ?? ""}`;
  return isCode(code) ? code : undefined;
}

/** Names as the command line has them: several options, or one with commas. */
export function namesIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(",")).map((name) => name.trim());
}

/** Of names without a problem. */
export function allowedCodes(names: readonly string[]): ReadonlySet<Code> {
  return new Set(names.filter(isCode).toSorted());
}
