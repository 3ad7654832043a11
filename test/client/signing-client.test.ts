// The client that merchants copy: what it signs, and what its fetch does when things go wrong.

import { describe, expect, test } from "vitest";
import { canonicalQuery, sign, signingFetch } from "../../scripts/client/signing-client.ts";
import type { SigningOptions } from "../../scripts/client/signing-client.ts";
import { vectorKey as key, vectors, vectorSecret as secret } from "./vectors.ts";

describe("the published vectors", () => {
  test.each(vectors)("$name", ({ signature, ...input }) => {
    const headers = sign({ key, secret, ...input });
    expect(headers["X-Signature"]).toBe(signature);
    expect(headers["X-Nonce"]).toBe(input.nonce);
    expect(headers["Idempotency-Key"]).toBe(input.idempotencyKey);
  });

  test("hold for bytes as well as for text, and for a method in lower case", () => {
    const [{ signature, body, ...input }] = vectors;
    const bytes = new TextEncoder().encode(body);
    const headers = sign({ key, secret, ...input, method: "post", body: bytes });
    expect(headers["X-Signature"]).toBe(signature);
  });
});

test("every request gets a nonce and a timestamp of its own", () => {
  const made = Array.from({ length: 100 }, () => sign({ key, secret, method: "GET", path: "/" }));
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

// ---------------------------------------------------------------------------------------------

interface Session {
  readonly options: SigningOptions;
  readonly sent: Request[];
  readonly waited: number[];
}

/** Answers in turn; a text is an error on the way. */
function session(...answers: readonly (Response | string)[]): Session {
  const sent: Request[] = [];
  const waited: number[] = [];
  let now = 1_767_225_600_000;
  const fetch = (request: Request): Promise<Response> => {
    sent.push(request);
    now += 1000;
    const answer = answers[sent.length - 1] ?? "nothing more was expected";
    return typeof answer === "string"
      ? Promise.reject(new TypeError(answer))
      : Promise.resolve(answer);
  };
  const wait = (milliseconds: number): Promise<void> => {
    waited.push(milliseconds);
    return Promise.resolve();
  };
  return { options: { fetch, wait, nowMilliseconds: () => now }, sent, waited };
}

const url = "https://pay.example/v1/payments?b=2&a=%7e";
const post = (headers: Record<string, string> = { "Idempotency-Key": "order-1" }): RequestInit => ({
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: '{"amount":"é"}',
});
const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ code: "any" }, { status, headers });

/** Signs again what was sent, from nothing but what is on the wire. */
async function expectSigned(request: Request): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const { headers } = request;
  const again = sign({
    key,
    secret,
    method: request.method,
    path: pathname,
    query: search.slice(1),
    body: new Uint8Array(await request.clone().arrayBuffer()),
    idempotencyKey: headers.get("Idempotency-Key") ?? undefined,
    timestamp: headers.get("X-Timestamp") ?? "",
    nonce: headers.get("X-Nonce") ?? "",
  });
  expect(headers.get("X-Signature")).toBe(again["X-Signature"]);
  expect(headers.get("X-Api-Key")).toBe(key);
}

describe("signingFetch", () => {
  test("signs the bytes, the path and the query that it sends", async () => {
    const { options, sent } = session(Response.json({}), Response.json({}));
    const call = signingFetch({ key, secret }, options);
    await call(url, post());
    await call(new Request("https://pay.example/v1/currencies/../x/é?q= a"));
    for (const request of sent) await expectSigned(request);
    expect(await sent[0]?.text()).toBe('{"amount":"é"}');
    expect(sent[0]?.headers.get("Content-Type")).toBe("application/json");
    expect(sent[0]?.redirect).toBe("manual");
  });

  test.each([
    ["a connection that broke", "reset"],
    ["429", refusal(429)],
    ["503", refusal(503)],
    ["409 that says when", refusal(409, { "Retry-After": "1" })],
  ])("repeats after %s: new nonce and time, same Idempotency-Key", async (_name, first) => {
    const { options, sent } = session(first, Response.json({ fine: true }));
    const response = await signingFetch({ key, secret }, options)(url, post());
    expect(response.status).toBe(200);
    expect(sent).toHaveLength(2);
    const values = (name: string) => new Set(sent.map(({ headers }) => headers.get(name)));
    expect(values("X-Nonce").size).toBe(2);
    expect(values("X-Timestamp").size).toBe(2);
    expect(values("X-Signature").size).toBe(2);
    expect([...values("Idempotency-Key")]).toEqual(["order-1"]);
    for (const request of sent) await expectSigned(request);
  });

  test("waits as long as it was told, and no longer than half a minute", async () => {
    const answers = [refusal(429, { "Retry-After": "7" }), refusal(503, { "Retry-After": "9999" })];
    const { options, waited } = session(...answers, Response.json({}));
    await signingFetch({ key, secret }, options)(url, post());
    expect(waited).toEqual([7000, 30_000]);
  });

  test.each([200, 400, 401, 403, 404, 409, 422, 500])("does not repeat %i", async (status) => {
    const { options, sent } = session(refusal(status));
    const response = await signingFetch({ key, secret }, options)(url, post());
    expect(response.status).toBe(status);
    expect(sent).toHaveLength(1);
  });

  test("never repeats a write without an Idempotency-Key", async () => {
    const { options, sent } = session("reset");
    const call = signingFetch({ key, secret }, options);
    await expect(call(url, post({}))).rejects.toThrow("reset");
    expect(sent).toHaveLength(1);
  });

  test("gives the last answer when it gives up", async () => {
    const { options, sent } = session("reset", refusal(503), refusal(503));
    expect((await signingFetch({ key, secret }, options)(url)).status).toBe(503);
    expect(sent).toHaveLength(3);
    const once = session(refusal(503));
    await signingFetch({ key, secret }, { ...once.options, attemptsMax: 1 })(url);
    expect(once.sent).toHaveLength(1);
  });

  test("does not go on after an abort", async () => {
    const { options, sent } = session("aborted");
    const call = signingFetch({ key, secret }, options);
    await expect(call(url, { ...post(), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(sent.length).toBeLessThan(2);
  });
});
