import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Sealer, sealingKey, UnsealError } from "../../service/secrets/sealing.ts";

const random = { bytes: (count: number): Uint8Array => randomBytes(count) };
const key = sealingKey(randomBytes(32));
const otherKey = sealingKey(randomBytes(32));
const sealer = new Sealer({ current: key, older: [] }, random);
const secret = "sk_test_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";

describe("a sealed secret", () => {
  test.each(["", secret, "ünïcödé 🔑", "x".repeat(100_000)])("opens again (case %#)", (plain) => {
    expect(sealer.open(sealer.seal(plain, "row:1"), "row:1")).toBe(plain);
  });

  test("does not hold the secret, and is never the same twice", () => {
    const first = Buffer.from(sealer.seal(secret, "row:1"));
    const second = Buffer.from(sealer.seal(secret, "row:1"));
    expect(first.includes(secret.slice(8))).toBe(false);
    expect(first.equals(second)).toBe(false);
  });

  test("does not open in another place", () => {
    const sealed = sealer.seal(secret, "api-key:mk_test_a:mer_a");
    expect(() => sealer.open(sealed, "api-key:mk_test_a:mer_b")).toThrow(UnsealError);
  });

  test("does not open once any byte was changed or cut off", () => {
    const sealed = sealer.seal(secret, "row:1");
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => sealer.open(changed, "row:1")).toThrow(UnsealError);
      expect(() => sealer.open(sealed.subarray(0, index), "row:1")).toThrow(UnsealError);
    }
  });

  test("does not open with another key, and no error tells the secret or the key", () => {
    const stranger = new Sealer({ current: otherKey, older: [] }, random);
    const attempt = (): string => stranger.open(sealer.seal(secret, "row:1"), "row:1");
    expect(attempt).toThrow(`there is no encryption key ${key.id}`);
  });
});

describe("after the key was changed", () => {
  const rotated = new Sealer({ current: otherKey, older: [key] }, random);

  test("old values open, and are known to be old", () => {
    const sealed = sealer.seal(secret, "row:1");
    expect(rotated.open(sealed, "row:1")).toBe(secret);
    expect(rotated.isOutdated(sealed)).toBe(true);
  });

  test("new values are sealed with the new key", () => {
    const sealed = rotated.seal(secret, "row:1");
    expect(rotated.isOutdated(sealed)).toBe(false);
    expect(new Sealer({ current: otherKey, older: [] }, random).open(sealed, "row:1")).toBe(secret);
  });
});

test.each([0, 16, 31, 33])("a key of %i bytes is none", (count) => {
  expect(() => sealingKey(new Uint8Array(count))).toThrow("32 bytes");
});
