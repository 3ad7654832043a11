// Amounts are whole numbers of smallest units, exactly, or they are refused.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  amountOf,
  canonicalAmount,
  isDecimalAmount,
  rawAmountMax,
  rawAmountOf,
} from "../../service/amounts.ts";
import { ServiceError } from "../../service/errors.ts";

/** The amount, or the code and the details of the refusal. */
function rawOf(text: string, decimals: number): unknown {
  try {
    return rawAmountOf(text, decimals, "/amount");
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, ...error.details };
    throw error;
  }
}

const tooSmall = { code: "amount_too_small", pointer: "/amount" };
const tooLarge = { code: "amount_too_large", pointer: "/amount" };
const tooPrecise = (decimals: number) => ({
  code: "amount_precision",
  pointer: "/amount",
  decimals,
});

describe("text to smallest units", () => {
  test.each<readonly [string, number, unknown]>([
    ["25.00", 6, 25_000_000n],
    ["25", 18, 25n * 10n ** 18n],
    ["0.000001", 6, 1n],
    ["1", 0, 1n],
    // zeros at the end say nothing, however many there are
    ["1.500", 1, 15n],
    [`1.${"0".repeat(100)}`, 0, 1n],
    // the same text, another number of units on another chain (threat 34)
    ["1.5", 6, 1_500_000n],
    ["1.5", 18, 1_500_000_000_000_000_000n],
    // threat 37: beyond 2^53, and where a float has no such number
    ["9007199254740993", 0, 9_007_199_254_740_993n],
    ["9007199254.740993", 6, 9_007_199_254_740_993n],
    ["0.1", 18, 10n ** 17n],
    ["1.005", 3, 1005n],
    ["4.35", 2, 435n],
    // threat 36
    [rawAmountMax.toString(), 0, rawAmountMax],
    [amountOf(rawAmountMax, 18), 18, rawAmountMax],
    [(rawAmountMax + 1n).toString(), 0, tooLarge],
    [amountOf(rawAmountMax + 1n, 18), 18, tooLarge],
    ["9".repeat(78), 0, tooLarge],
    ["9".repeat(77), 0, BigInt("9".repeat(77))],
    ["1", 77, 10n ** 77n],
    ["2", 77, tooLarge],
    ["9".repeat(128), 18, tooLarge],
    // never rounded
    ["0.0000001", 6, tooPrecise(6)],
    ["1.9999999", 6, tooPrecise(6)],
    ["0.5", 0, tooPrecise(0)],
    // precision before size: the most basic mistake first
    [`${"9".repeat(100)}.0000001`, 6, tooPrecise(6)],
    ["0", 6, tooSmall],
    ["0.000000", 6, tooSmall],
    ["0.0", 0, tooSmall],
  ])("%s with %i decimals", (text, decimals, expected) => {
    expect(rawOf(text, decimals)).toEqual(expected);
  });

  test.each(
    [
      "",
      ".",
      "1.",
      ".5",
      "+1",
      "-1",
      "-0",
      "1e3",
      "1E3",
      "0x10",
      "01",
      "00",
      "1,5",
      "1 ",
      " 1",
    ].concat(["1\n", "1_000", "NaN", "Infinity", "١", "1.0e1", "1.2.3", "1n", "\u0000"]),
  )("%j is no amount", (text) => {
    expect(isDecimalAmount(text)).toBe(false);
    expect(() => rawOf(text, 6)).toThrow(TypeError);
    expect(() => canonicalAmount(text)).toThrow(TypeError);
  });
});

test.each([
  ["0", "0"],
  ["0.0", "0"],
  ["10", "10"],
  ["10.0", "10"],
  ["10.10", "10.1"],
  ["0.010", "0.01"],
  ["100.001", "100.001"],
])("%s is written %s", (text, canonical) => {
  expect(canonicalAmount(text)).toBe(canonical);
});

test.each<readonly [bigint, number, string]>([
  [0n, 6, "0"],
  [1n, 0, "1"],
  [1n, 6, "0.000001"],
  [1_000_000n, 6, "1"],
  [1_500_000n, 6, "1.5"],
  [-1_500_000n, 6, "-1.5"],
  [-1n, 18, "-0.000000000000000001"],
  [rawAmountMax, 0, rawAmountMax.toString()],
])("%s units with %i decimals are %s", (raw, decimals, text) => {
  expect(amountOf(raw, decimals)).toBe(text);
});

const decimalsOf = fc.integer({ min: 0, max: 77 });
const rawOfAnySize = fc
  .integer({ min: 1, max: 256 })
  .chain((bits) => fc.bigInt({ min: 1n, max: 2n ** BigInt(bits) - 1n }));

test("units to text and back are the same units, and the text is the canonical one", () => {
  fc.assert(
    fc.property(rawOfAnySize, decimalsOf, (raw, decimals) => {
      const text = amountOf(raw, decimals);
      expect(rawAmountOf(text, decimals, "")).toBe(raw);
      expect(canonicalAmount(text)).toBe(text);
    }),
  );
});

const digit = fc.integer({ min: 0, max: 9 }).map(String);
const textOfAmount = fc
  .tuple(
    fc.oneof(fc.constant("0"), fc.bigInt({ min: 1n, max: 10n ** 60n }).map(String)),
    fc.array(digit, { maxLength: 60 }).map((digits) => digits.join("")),
  )
  .map(([whole, fraction]) => (fraction === "" ? whole : `${whole}.${fraction}`));

test("text to units is the exact product with 10^decimals, or a refusal; and never a float", () => {
  fc.assert(
    fc.property(textOfAmount, decimalsOf, (text, decimals) => {
      // As a fraction of whole numbers, computed in another way.
      const [whole = "", fraction = ""] = text.split(".");
      const numerator = BigInt(whole + fraction) * 10n ** BigInt(decimals);
      const denominator = 10n ** BigInt(fraction.length);
      const raw = numerator / denominator;
      const expected =
        numerator % denominator !== 0n
          ? tooPrecise(decimals)
          : raw === 0n
            ? tooSmall
            : raw > rawAmountMax
              ? tooLarge
              : raw;
      expect(rawOf(text, decimals)).toEqual(expected);
    }),
  );
});

test("two texts of one amount have one spelling, and the spelling stays", () => {
  fc.assert(
    fc.property(textOfAmount, fc.nat({ max: 40 }), (text, zeros) => {
      const longer = text.includes(".")
        ? text + "0".repeat(zeros)
        : `${text}.0${"0".repeat(zeros)}`;
      const canonical = canonicalAmount(text);
      expect(canonicalAmount(longer)).toBe(canonical);
      expect(canonicalAmount(canonical)).toBe(canonical);
      expect(isDecimalAmount(canonical)).toBe(true);
      expect(canonical).not.toMatch(/\.\d*0$|\.$/);
    }),
  );
});
