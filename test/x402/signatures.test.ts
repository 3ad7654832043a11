// Which 65 bytes are a signature, as every token reads them (EIP-2, threat 39).

import { expect, test } from "vitest";
import { normalisedSignature } from "../../service/x402/model.ts";

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const signature = (s: bigint, v = "1b"): string => `0x${word(7n)}${word(s)}${v}`;

test("s is from 1 to half of the order of the curve", () => {
  for (const s of [1n, 2n, order / 2n])
    expect(normalisedSignature(signature(s))).toBe(signature(s));
  for (const s of [0n, order / 2n + 1n, order - 1n]) {
    expect(normalisedSignature(signature(s))).toBeUndefined();
  }
});

test("v is 27 or 28, or stands for it", () => {
  expect(normalisedSignature(signature(1n, "00"))).toBe(signature(1n, "1b"));
  expect(normalisedSignature(signature(1n, "01"))).toBe(signature(1n, "1c"));
  expect(normalisedSignature(signature(1n, "1C"))).toBe(signature(1n, "1c"));
  for (const v of ["02", "1a", "1d", "1", "1b1b"]) {
    expect(normalisedSignature(signature(1n, v))).toBeUndefined();
  }
});
