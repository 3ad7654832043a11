// The client that merchants copy: what it signs, and what its fetch does when things go wrong.

import { describe, expect, test } from "vitest";
import { canonicalQuery, sign, signingFetch } from "../../scripts/client/signing-client.ts";
import type { Attempt, SigningOptions } from "../../scripts/client/signing-client.ts";
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

  test("what breaks off in the middle of an answer is no answer", async () => {
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"id":'));
        controller.error(new TypeError("terminated"));
      },
    });
    const { options, sent } = session(new Response(broken), Response.json({ id: "pay_1" }));
    const response = await signingFetch({ key, secret }, options)(url, post());
    expect(await response.json()).toEqual({ id: "pay_1" });
    expect(sent).toHaveLength(2);
  });

  test("an answer keeps its status, its headers and an empty body", async () => {
    const headers = { "X-Request-Id": "req_1" };
    const { options } = session(new Response(null, { status: 204, headers }));
    const response = await signingFetch({ key, secret }, options)(url, post());
    expect(response.status).toBe(204);
    expect(response.headers.get("X-Request-Id")).toBe("req_1");
    expect(await response.text()).toBe("");
  });

  test("waits twice as long each time, by chance up to a half less", async () => {
    for (const [random, expected] of [
      [0, [500, 1000, 2000]],
      [0.999_999, [250, 500, 1000]],
    ] as const) {
      const { options, waited } = session("reset", "reset", "reset", Response.json({}));
      const call = signingFetch(
        { key, secret },
        { ...options, random: () => random, attemptsMax: 4 },
      );
      await call(url, post());
      expect(waited).toEqual(expected);
    }
  });

  test("gives up an attempt that takes too long, and the request once it is aborted", async () => {
    const hangs = (request: Request): Promise<Response> =>
      new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      });
    let calls = 0;
    const fetch = (request: Request) =>
      ++calls === 1 ? hangs(request) : Promise.resolve(Response.json({}));
    const call = signingFetch({ key, secret }, { fetch, timeoutMilliseconds: 5, random: () => 1 });
    expect((await call(url, post())).status).toBe(200);
    expect(calls).toBe(2);
    const waiting = new AbortController();
    const answers = session(refusal(503, { "Retry-After": "30" })).options.fetch;
    const patient = signingFetch(
      { key, secret },
      { ...(answers && { fetch: answers }), onAttempt: () => waiting.abort(new Error("enough")) },
    );
    await expect(patient(url, { ...post(), signal: waiting.signal })).rejects.toThrow("abort");
  });

  const late = (serverTime: unknown) =>
    Response.json(
      { code: "timestamp_out_of_range", details: { server_time: serverTime } },
      { status: 401 },
    );

  test("a clock that is off is put right, once for all", async () => {
    // The session's clock says 2026-01-01T00:00:01 after the first request, and goes on by a second each.
    const serverTime = 1_767_225_601 + 3_600;
    const { options, sent, waited } = session(
      late(serverTime),
      Response.json({}),
      Response.json({}),
    );
    const call = signingFetch({ key, secret }, options);
    // Without an Idempotency-Key: what is refused for its time had no effect.
    expect((await call(url, post({}))).status).toBe(200);
    expect((await call(url)).status).toBe(200);
    const times = sent.map(({ headers }) => Number(headers.get("X-Timestamp")));
    expect(times).toEqual([1_767_225_600, serverTime, serverTime + 1]);
    expect(waited).toEqual([0]);
    for (const request of sent) await expectSigned(request);
  });

  test("over plain HTTP from another machine no time is believed", async () => {
    const { options, sent } = session(late(1_767_229_200));
    const plain = url.replace("https:", "http:");
    expect((await signingFetch({ key, secret }, options)(plain, post())).status).toBe(401);
    expect(sent).toHaveLength(1);
  });

  test.each([
    ["no time", late(undefined)],
    ["a time that is none", late("now")],
    ["this very time", late(1_767_225_601)],
    ["what is no JSON", new Response("<html>", { status: 401 })],
  ])("%s teaches nothing", async (_, answer) => {
    const { options, sent } = session(answer);
    const response = await signingFetch({ key, secret }, options)(url, post());
    expect(response.status).toBe(401);
    expect((await response.text()).length).toBeGreaterThan(0);
    expect(sent).toHaveLength(1);
  });

  test("tells of each attempt, and no secret", async () => {
    const attempts: Attempt[] = [];
    const { options } = session("reset", refusal(503), Response.json({}));
    const onAttempt = (attempt: Attempt): void => void attempts.push(attempt);
    await signingFetch({ key, secret }, { ...options, random: () => 0, onAttempt })(url, post());
    const where = { method: "POST", url: "https://pay.example/v1/payments" };
    expect(attempts).toEqual([
      {
        ...where,
        number: 1,
        status: undefined,
        error: new TypeError("reset"),
        waitMilliseconds: 500,
      },
      { ...where, number: 2, status: 503, error: undefined, waitMilliseconds: 1000 },
      { ...where, number: 3, status: 200, error: undefined, waitMilliseconds: undefined },
    ]);
    expect(JSON.stringify(attempts)).not.toContain(secret);
  });

  test("does not go on after an abort", async () => {
    const { options, sent } = session("aborted");
    const call = signingFetch({ key, secret }, options);
    await expect(call(url, { ...post(), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(sent.length).toBeLessThan(2);
  });
});
