// Numbers of a JSON text that no double holds. The parser makes another number of them without a word:
// of 9007199254740993 the one before it, of 1e400 infinity.
//
// Below 2^53 every integer is held. From there on doubles have gaps between them, and an integer that
// falls into one was meant to be exact: an identifier, an amount in the smallest unit. It is held when it
// is that double, or what that double is written as: every JavaScript writes 1152921504606847000 for 2^60.
// Who writes a fraction or a power of ten writes a floating-point number, and those are rounded in their
// last digits by all readers (RFC 8259, section 6).

import { isObject, type Problem } from "./checking.ts";
import { findTokens } from "./json-tokens.ts";

/** Doubles and their neighbours are more than 1 apart. */
const gapsFrom = 2 ** 53;

const integer = /^-?([0-9]+)$/;

export const lostMessage = "must not have more digits than a number keeps";

/** `value` is what the parser made of the text; the problems point into it. */
export function lostNumbers(text: string, value: unknown): readonly Problem[] {
  if (!hasGaps(value)) return [];
  const lost = findTokens(text, ({ scalar }) => {
    return scalar !== undefined && isLost(scalar, Number(scalar));
  });
  return lost.map(({ path, token }) =>
    Number.isFinite(Number(token.scalar))
      ? { path, rule: "precision", message: lostMessage }
      : { path, rule: "finite", message: "must be a finite number" },
  );
}

/** The text was not nested too deep, so the value is not. */
function hasGaps(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) >= gapsFrom;
  if (Array.isArray(value)) return value.some(hasGaps);
  return isObject(value) && Object.values(value).some(hasGaps);
}

/** Whether a text says another number than the double that was made of it. */
export function isLost(text: string, value: number): boolean {
  const size = Math.abs(value);
  if (!(size >= gapsFrom)) return false; // not a number, too
  if (size === Infinity) return true;
  const [, digits] = integer.exec(text) ?? [];
  return digits !== undefined && digits !== written(size) && digits !== String(BigInt(size));
}

/** The digits that tell a double from its neighbours, and zeros. */
function written(size: number): string {
  const [digits = "", power] = size.toExponential().split("e");
  return digits.replace(".", "").padEnd(Number(power) + 1, "0");
}
