// The published way of signing, with the published vectors.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalQuery,
  canonicalString,
  isSameSignature,
  signatureOf,
  signingKey,
} from "../../service/merchants/request-signature.ts";
import type { SignedParts } from "../../service/merchants/request-signature.ts";

const secret = "sk_test_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";
const noBody = new Uint8Array();

const post: SignedParts = {
  apiKey: "mk_test_0123456789abcdef",
  timestamp: "1767225600",
  nonce: "n-8f14e45fceea167a5a36dedd4bea2543",
  method: "POST",
  path: "/v1/payments",
  canonicalQuery: "",
  idempotencyKey: "order-A-1001",
  body: Buffer.from('{"merchant_order_no":"A-1001","quotes":{"cur_usdc":{"amount":"25.00"}}}'),
};

const get: SignedParts = {
  ...post,
  nonce: "n-c9f0f895fb98ab9159f51fd0297e236d",
  method: "GET",
  path: "/v1/payout-schedules",
  canonicalQuery: "currency_id=cur_usdc&limit=20&status=active",
  idempotencyKey: undefined,
  body: noBody,
};

const sign = (parts: SignedParts): string =>
  signatureOf(canonicalString(parts), signingKey(secret));

describe("the published vectors", () => {
  test("POST with a body and an idempotency key", () => {
    expect(canonicalString(post).split("\n")).toEqual([
      "CPS1-HMAC-SHA256",
      "mk_test_0123456789abcdef",
      "1767225600",
      "n-8f14e45fceea167a5a36dedd4bea2543",
      "POST",
      "/v1/payments",
      "",
      "order-A-1001",
      "75e8d0f3bd1ba33810de4cfce6114c1f634dd2459bfa9653b52dc1c159a669ff",
    ]);
    expect(sign(post)).toBe("cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d");
  });

  test("GET with a query, without body and idempotency key", () => {
    expect(canonicalQuery("status=active&limit=20&currency_id=cur_usdc")).toBe(get.canonicalQuery);
    expect(sign(get)).toBe("e7cf38b3589ae2d4f5d1d013d546a3159fc5e9eeee3a8c343f6d2e6c94869a24");
  });
});

describe("canonical query", () => {
  test.each([
    ["", ""],
    ["b=2&a=1", "a=1&b=2"],
    ["a=2&a=10&a=1", "a=1&a=10&a=2"],
    // By name first: "-" comes before "=", so sorting the joined texts would be another order.
    ["a-b=1&a=2", "a=2&a-b=1"],
    ["a", "a="],
    ["=a", "=a"],
    ["&&a=1&", "a=1"],
    ["a=b=c", "a=b%3Dc"],
    ["a=%7e&b=%2d", "a=~&b=-"],
    ["a=!'()*", "a=%21%27%28%29%2A"],
    ["a=%c3%a9", "a=%C3%A9"],
    ["a=x+y&b=x%20y&c=x%2By", "a=x%20y&b=x%20y&c=x%2By"],
    ["B=1&a=1&A=1", "A=1&B=1&a=1"],
    ["%61=1", "a=1"],
  ])("%j is %j", (query, canonical) => {
    expect(canonicalQuery(query)).toBe(canonical);
  });

  test.each(["a=%", "a=%zz", "%ff=1", "a=%c3"])("%j cannot be decoded", (query) => {
    expect(canonicalQuery(query)).toBeUndefined();
  });

  test("is the same for every order and spelling, and its own canonical form", () => {
    const name = fc.string({ unit: "binary", maxLength: 8 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name)), fc.boolean(), (pairs, isReversed) => {
        const given = isReversed ? pairs.toReversed() : pairs;
        const canonical = canonicalQuery(new URLSearchParams(given).toString());
        const plain = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
        expect(canonicalQuery(plain)).toBe(canonical);
        expect(canonicalQuery(canonical ?? "%")).toBe(canonical);
      }),
    );
  });
});

describe("what is signed", () => {
  test.each<[string, Partial<SignedParts>]>([
    ["method", { method: "PUT" }],
    ["path", { path: "/v1/payments/" }],
    ["query", { canonicalQuery: "a=1" }],
    ["idempotency key", { idempotencyKey: "order-A-1002" }],
    ["timestamp", { timestamp: "1767225601" }],
    ["nonce", { nonce: "n-8f14e45fceea167a5a36dedd4bea2544" }],
    ["key", { apiKey: "mk_test_0123456789abcdeg" }],
    ["body: a space more", { body: Buffer.concat([post.body, Buffer.from(" ")]) }],
    ["body: none", { body: noBody }],
  ])("another %s, another signature", (_, change) => {
    expect(sign({ ...post, ...change })).not.toBe(sign(post));
  });

  test("every single bit of the body", () => {
    const right = sign(post);
    for (let bit = 0; bit < post.body.length * 8; bit++) {
      const body = Uint8Array.from(post.body);
      body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(sign({ ...post, body })).not.toBe(right);
    }
  });
});

test("compares whole signatures, of any length", () => {
  const right = sign(post);
  expect(isSameSignature(right, right)).toBe(true);
  expect(isSameSignature(right, `${right.slice(0, -1)}0`)).toBe(false);
  expect(isSameSignature(right, "")).toBe(false);
  expect(isSameSignature(right, `${right}00`)).toBe(false);
});
