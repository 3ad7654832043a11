import { expect, test } from "vitest";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";

const counting = (): ((bytes: Uint8Array) => void) => {
  let next = 0;
  return (bytes) => {
    for (let index = 0; index < bytes.length; index++) bytes[index] = next++;
  };
};

test("an identifier is its prefix, 10 characters of time and 16 of randomness", () => {
  const clock = { nowMilliseconds: () => 1_767_225_600_000 };
  const ids = buildIdentifiers({ clock, fillRandom: counting() });
  expect(ids.next("req")).toBe("req_01KDVDNA000123456789ABCDEF");
  expect(ids.next("pay")).toBe("pay_01KDVDNA00GHJKMNPQRSTVWXYZ");
});

test("later identifiers sort after earlier ones", () => {
  let now = 0;
  const clock = { nowMilliseconds: () => now };
  const ids = buildIdentifiers({ clock, fillRandom: (bytes) => bytes.fill(255) });
  const made = [1, 31, 32, 1_767_225_600_000, 2 ** 48 - 1].map((time) => {
    now = time;
    return ids.next("evt");
  });
  expect(made).toEqual(made.toSorted());
  expect(made.at(-1)).toBe("evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
});

test("random bytes are used once, over many refills", () => {
  let filled = 0;
  const clock = { nowMilliseconds: () => 0 };
  const ids = buildIdentifiers({
    clock,
    fillRandom: (bytes) => {
      filled += 1;
      crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
    },
  });
  const made = new Set(Array.from({ length: 10_000 }, () => ids.next("req")));
  expect(made.size).toBe(10_000);
  expect(filled).toBe(Math.ceil(10_000 / 256));
});
