// What the client signs: with WebCrypto as merchants do, and at once as programs here do.

import { describe, expect, test } from "vitest";
import { canonicalQuery } from "../../scripts/client/canonical.ts";
import { signSync } from "../../scripts/client/sign-sync.ts";
import { sign, signerOf } from "../../scripts/client/signing.ts";
import { vectorKey as key, vectors, vectorSecret as secret } from "./vectors.ts";

describe("the published vectors", () => {
  test.each(vectors)("$name", async ({ signature, ...input }) => {
    const headers = await sign({ key, secret, ...input });
    expect(signSync({ key, secret, ...input })).toEqual(headers);
    expect(headers["X-Signature"]).toBe(signature);
    expect(headers["X-Nonce"]).toBe(input.nonce);
    expect(headers["Idempotency-Key"]).toBe(input.idempotencyKey);
  });

  test("hold for bytes as well as for text, and for a method in lower case", async () => {
    const [{ signature, body, ...input }] = vectors;
    const bytes = new TextEncoder().encode(body);
    const given = { key, secret, ...input, method: "post", body: bytes };
    expect((await sign(given))["X-Signature"]).toBe(signature);
    expect(signSync(given)["X-Signature"]).toBe(signature);
  });
});

test("every request gets a nonce and a timestamp of its own", async () => {
  const call = signerOf({ key, secret });
  const wanted = Array.from({ length: 100 }, () => call({ method: "GET", path: "/" }));
  const made = await Promise.all(wanted);
  expect(new Set(made.map((one) => one["X-Nonce"])).size).toBe(100);
  for (const one of made) {
    expect(one["X-Nonce"]).toMatch(/^[A-Za-z0-9_-]{16,64}$/);
    expect(one["X-Timestamp"]).toMatch(/^\d{10}$/);
    expect(one).not.toHaveProperty("Idempotency-Key");
  }
});

describe("the canonical query", () => {
  test.each([
    ["", ""],
    ["a=1", "a=1"],
    ["b=2&a=1", "a=1&b=2"],
    ["a=2&a=1", "a=1&a=2"],
    ["a", "a="],
    ["a=", "a="],
    ["=a", "=a"],
    ["a=b=c", "a=b%3Dc"],
    ["&&a=1&", "a=1"],
    ["a=%7e%41", "a=~A"],
    ["a=x+y", "a=x%20y"],
    ["a=x%2By", "a=x%2By"],
    ["a=%c3%a9", "a=%C3%A9"],
    ["a=é", "a=%C3%A9"],
    ["a=!'()*", "a=%21%27%28%29%2A"],
    ["a-=1&a=2", "a=2&a-=1"],
    ["a=%00", "a=%00"],
    ["cursor=a/b%3D%3D&limit=5", "cursor=a%2Fb%3D%3D&limit=5"],
  ])("of %j is %j", (query, canonical) => {
    expect(canonicalQuery(query)).toBe(canonical);
  });

  test("of a query that is no UTF-8 does not exist", () => {
    expect(() => canonicalQuery("a=%ff")).toThrow(URIError);
    expect(() => canonicalQuery("a=%")).toThrow(URIError);
  });
});

test.each([
  ["a secret that ends with a line", { key, secret: `${secret}\n` }, "the secret is empty or has"],
  ["no secret", { key, secret: "" }, "the secret is empty"],
  ["no key", { key: undefined as unknown as string, secret }, "the key is empty"],
])("%s is refused before anything is sent", (_, credentials, expected) => {
  expect(() => signerOf(credentials)).toThrow(expected);
});

test("a page is refused: it would give the secret to whoever reads it", () => {
  const page = { window: {}, document: {} };
  try {
    Object.assign(globalThis, page);
    expect(() => signerOf({ key, secret })).toThrow("sign on your server");
  } finally {
    for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name);
  }
});
