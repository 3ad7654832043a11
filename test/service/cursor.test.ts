import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cursors } from "../../service/cursor.ts";

const key = new Uint8Array(32).fill(7);
const cursors = new Cursors(key);
const scope = { merchantId: "mer_a", filters: { operation: "listCurrencies", status: null } };
const position = ["USDC", "cur_usdc"];

/** The code of what is thrown. */
function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
  return "nothing thrown";
}

describe("a cursor", () => {
  test("gives back the position it was made for", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (position) => {
        expect(cursors.read(scope, cursors.write(scope, position))).toEqual(position);
      }),
    );
  });

  test("does not depend on the order in which filters are written down", () => {
    const other = { merchantId: "mer_a", filters: { status: null, operation: "listCurrencies" } };
    expect(cursors.read(other, cursors.write(scope, position))).toEqual(position);
  });

  test("is made of letters that need no escaping in an address, and fits its parameter", () => {
    const longest = ["x".repeat(100), "y".repeat(128)];
    const cursor = cursors.write({ ...scope, merchantId: `mer_${"z".repeat(26)}` }, longest);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,1024}$/u);
  });

  test.each([
    ["another merchant", { ...scope, merchantId: "mer_b" }],
    ["another filter", { ...scope, filters: { ...scope.filters, status: "active" } }],
    ["fewer filters", { ...scope, filters: { operation: "listCurrencies" } }],
    ["another operation", { ...scope, filters: { ...scope.filters, operation: "listDeliveries" } }],
  ])("is refused with %s", (_, other) => {
    const cursor = cursors.write(scope, position);
    expect(codeOf(() => cursors.read(other, cursor))).toBe("invalid_cursor");
  });

  test("is refused when any of its bits is another one", () => {
    const bytes = Buffer.from(cursors.write(scope, position), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const cursor = changed.toString("base64url");
      expect([bit, codeOf(() => cursors.read(scope, cursor))]).toEqual([bit, "invalid_cursor"]);
    }
  });

  test("is refused in any other spelling of the same bytes", () => {
    const cursor = cursors.write(scope, position);
    const others = [`${cursor}=`, `${cursor} `, ` ${cursor}`, `${cursor}\n`, `${cursor}A`];
    for (const other of others) {
      expect(codeOf(() => cursors.read(scope, other))).toBe("invalid_cursor");
    }
  });

  test.each(["", "x", "null", "eyJ2IjoxfQ", "A".repeat(22), "A".repeat(1025), "💶", "\0"])(
    "is refused when it is %j",
    (text) => {
      expect(codeOf(() => cursors.read(scope, text))).toBe("invalid_cursor");
    },
  );

  test("is never anything but a position or invalid_cursor, whatever is sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(codeOf(() => cursors.read(scope, text))).toBe("invalid_cursor");
      }),
    );
  });

  test("of a service with another key is refused", () => {
    const other = new Cursors(new Uint8Array(32).fill(8));
    expect(codeOf(() => cursors.read(scope, other.write(scope, position)))).toBe("invalid_cursor");
  });

  test("outlives a change of the encryption key for as long as the older one is given", () => {
    const next = new Cursors(new Uint8Array(32).fill(8), [key]);
    expect(next.read(scope, cursors.write(scope, position))).toEqual(position);
    expect(codeOf(() => cursors.read(scope, next.write(scope, position)))).toBe("invalid_cursor");
  });

  test("does not show the key it is sealed with", () => {
    const cursor = Buffer.from(cursors.write(scope, position), "base64url");
    expect(cursor.includes(Buffer.from(key))).toBe(false);
  });
});
