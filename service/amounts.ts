// Amounts: decimal text as people write it, and whole numbers of an asset's smallest unit as money is
// kept. Nothing is ever rounded.

import { ServiceError } from "./errors.ts";
import { OperatorError } from "./operator-error.ts";

/** What a word of the chain holds, and so the most that can be sent at once. */
export const rawAmountMax = 2n ** 256n - 1n;

/** The contract's pattern for a decimal amount. */
const decimalAmount = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

export function isDecimalAmount(text: string): boolean {
  return decimalAmount.test(text);
}

/** The one spelling of an amount: without zeros at the end of the fraction. */
export function canonicalAmount(text: string): string {
  const [whole, fraction] = partsOf(text);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/**
 * `text` in the smallest units of an asset with `decimals`. Throws `amount_precision` (it has more
 * fraction digits), `amount_too_small` (zero) and `amount_too_large`; `pointer` says where it stands.
 */
export function rawAmountOf(text: string, decimals: number, pointer: string): bigint {
  const [whole, fraction] = partsOf(text);
  if (fraction.length > decimals) {
    throw new ServiceError(
      "amount_precision",
      `The amount has ${fraction.length} fraction digits, and ${decimals} are possible.`,
      { details: { pointer, decimals } },
    );
  }
  const raw = BigInt(whole + fraction.padEnd(decimals, "0"));
  if (raw === 0n) {
    const details = { pointer };
    throw new ServiceError("amount_too_small", "The amount must be above zero.", { details });
  }
  if (raw > rawAmountMax) {
    const details = { pointer };
    throw new ServiceError("amount_too_large", "The amount is above 2^256-1 units.", { details });
  }
  return raw;
}

/** The decimal text of `raw` smallest units; the inverse of `rawAmountOf`. May be below zero. */
export function amountOf(raw: bigint, decimals: number): string {
  if (raw < 0n) return `-${amountOf(-raw, decimals)}`;
  const digits = raw.toString().padStart(decimals + 1, "0");
  const at = digits.length - decimals;
  return canonicalAmount(decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`);
}

/** The whole part, and the fraction without zeros at its end. */
function partsOf(text: string): readonly [string, string] {
  const match = decimalAmount.exec(text);
  if (match === null) throw new TypeError(`${text} is no decimal amount`);
  const [, whole = "", fraction = ""] = match;
  // Not by a pattern: one that searches for zeros at the end tries every zero before it.
  let end = fraction.length;
  while (fraction[end - 1] === "0") end -= 1;
  return [whole, fraction.slice(0, end)];
}

/** A whole, in basis points. */
export const bpsMax = 10_000;

/** What an operator has written. Zero is an amount here. Throws `OperatorError`. */
export function rawOf(text: string, decimals: number, what: string): bigint {
  const refused = new OperatorError(
    `The ${what} is an amount such as 0.5 with at most ${decimals} fraction digits.`,
  );
  if (!/^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text)) throw refused;
  if (canonicalAmount(text) === "0") return 0n;
  try {
    return rawAmountOf(text, decimals, "");
  } catch (error) {
    throw error instanceof ServiceError ? refused : error;
  }
}
