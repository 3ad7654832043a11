// Two implementations of the signature, written apart: the client's and the server's. They must
// agree on every request, or a merchant would be refused without knowing why.

import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalQuery } from "../../scripts/client/canonical.ts";
import { signSync } from "../../scripts/client/sign-sync.ts";
import { sign } from "../../scripts/client/signing.ts";
import * as server from "../../service/merchants/request-signature.ts";
import { query } from "./queries.ts";

test("the canonical query is the same, and undefined where the client throws", () => {
  fc.assert(
    fc.property(query, (text) => {
      let own: string | undefined;
      try {
        own = canonicalQuery(text);
      } catch (error) {
        expect(error).toBeInstanceOf(URIError);
      }
      expect(server.canonicalQuery(text)).toBe(own);
    }),
    { numRuns: 3000 },
  );
});

const visible = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from("aZ09~!\"'#/=, ")), minLength: 1, maxLength });

const request = fc.record({
  key: fc.stringMatching(/^mk_(?:live|test)_[A-Za-z0-9]{16,64}$/),
  secret: fc.string({ unit: "binary", minLength: 1, maxLength: 90 }),
  method: fc.constantFrom("GET", "get", "HEAD", "POST", "PUT", "Delete"),
  path: fc.webPath({ size: "small" }).map((path) => `/v1${path}`),
  query: fc.webQueryParameters({ size: "small" }),
  body: fc.option(fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: "grapheme" })), {
    nil: undefined,
  }),
  idempotencyKey: fc.option(visible(128), { nil: undefined }),
  timestamp: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map(String),
  nonce: fc.stringMatching(/^[A-Za-z0-9_-]{16,64}$/),
});

test("what the client signs is what the server expects", async () => {
  await fc.assert(
    fc.asyncProperty(request, async (given) => {
      const canonicalQuery = server.canonicalQuery(given.query);
      if (canonicalQuery === undefined) throw new Error("the generator makes queries that decode");
      const { body = "" } = given;
      const expected = server.signatureOf(
        server.canonicalString({
          apiKey: given.key,
          timestamp: given.timestamp,
          nonce: given.nonce,
          method: given.method,
          path: given.path,
          canonicalQuery,
          idempotencyKey: given.idempotencyKey,
          body: typeof body === "string" ? new TextEncoder().encode(body) : body,
        }),
        createSecretKey(given.secret, "utf8"),
      );
      const signed = signSync(given)["X-Signature"];
      expect(signed).toBe(expected);
      const isSecret = /^\S+$/.test(given.secret);
      if (isSecret) expect((await sign(given))["X-Signature"]).toBe(expected);
      expect(server.isSameSignature(expected, signed)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
