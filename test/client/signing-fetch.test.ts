// The fetch that merchants send by: what it sends again, and when, and what it says.

import { describe, expect, test, vi } from "vitest";
import {
  type Attempt,
  signingFetch,
  type SigningOptions,
} from "../../scripts/client/signing-fetch.ts";
import { signSync } from "../../scripts/client/sign-sync.ts";
import { vectorKey as key, vectorSecret as secret } from "./vectors.ts";

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
  const again = signSync({
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

  test("waits as long as it was told, and up to a second more", async () => {
    const date = new Date(1_767_225_600_000 + 12_000).toUTCString();
    const answers = [refusal(429, { "Retry-After": "7" }), refusal(503, { "Retry-After": date })];
    const { options, waited } = session(...answers, Response.json({}));
    await signingFetch({ key, secret }, { ...options, random: () => 0.5 })(url, post());
    // By the date two seconds have passed: each answer takes one.
    expect(waited).toEqual([7500, 10_500]);
  });

  test.each(["31", "86400"])("asked to wait %s s it gives the answer instead", async (seconds) => {
    const { options, sent } = session(refusal(429, { "Retry-After": seconds }));
    expect((await signingFetch({ key, secret }, options)(url, post())).status).toBe(429);
    expect(sent).toHaveLength(1);
  });

  test("while the first request of a key runs it waits, and no attempt is counted", async () => {
    const inProgress = () => refusal(409, { "Retry-After": "1" });
    const answers = ["reset", ...Array.from({ length: 9 }, inProgress), Response.json({})];
    const { options, sent } = session(...answers);
    expect((await signingFetch({ key, secret }, options)(url, post())).status).toBe(200);
    expect(sent).toHaveLength(11);
    const bounded = session(inProgress(), inProgress());
    const call = signingFetch({ key, secret }, { ...bounded.options, wholeMilliseconds: 500 });
    expect((await call(url, post())).status).toBe(409);
    expect(bounded.sent).toHaveLength(1);
  });

  test.each([200, 302, 400, 401, 403, 404, 409, 422, 501, 505])(
    "does not repeat %i",
    async (status) => {
      const { options, sent } = session(refusal(status));
      const response = await signingFetch({ key, secret }, options)(url, post());
      expect(response.status).toBe(status);
      expect(sent).toHaveLength(1);
    },
  );

  test.each([408, 425, 500, 502, 503, 504, 520, 524])(
    "repeats after %i, which does not say that nothing was done, only with a key",
    async (status) => {
      const { options, sent } = session(refusal(status), Response.json({}));
      expect((await signingFetch({ key, secret }, options)(url, post())).status).toBe(200);
      expect(sent).toHaveLength(2);
      const without = session(refusal(status));
      const call = signingFetch({ key, secret }, without.options);
      expect((await call(url, post({}))).status).toBe(status);
      expect(without.sent).toHaveLength(1);
    },
  );

  test("repeats what somebody on the way has sent twice", async () => {
    const reused = Response.json({ code: "nonce_reused" }, { status: 401 });
    const { options, sent } = session(reused, Response.json({}));
    expect((await signingFetch({ key, secret }, options)(url, post())).status).toBe(200);
    expect(sent).toHaveLength(2);
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

  test("of several requests in flight each is sent again with the right time", async () => {
    const serverTime = 1_767_225_600 + 3_600;
    const sent: number[] = [];
    const fetch = (request: Request): Promise<Response> => {
      const time = Number(request.headers.get("X-Timestamp"));
      sent.push(time);
      return Promise.resolve(time === serverTime ? Response.json({}) : late(serverTime));
    };
    const nowMilliseconds = () => 1_767_225_600_000;
    const call = signingFetch({ key, secret }, { fetch, nowMilliseconds });
    const all = await Promise.all(Array.from({ length: 5 }, () => call(url, post())));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(sent).toHaveLength(10);
  });

  test("a time is learned once for a request, and counts for none of its attempts", async () => {
    const { options, sent } = session(late(1_767_229_200), "reset", "reset", Response.json({}));
    expect((await signingFetch({ key, secret }, options)(url, post())).status).toBe(200);
    expect(sent).toHaveLength(4);
    const unsure = session(late(1_767_229_200), late(1_767_232_800));
    expect((await signingFetch({ key, secret }, unsure.options)(url, post())).status).toBe(401);
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
    ["this very time", late(1_767_225_600)],
    ["a time of the wrong century", late(9_007_199_254_740_991)],
    ["a time before all", late(0)],
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
    const named = { "X-Request-Id": "req_1" };
    const fine = Response.json({}, { headers: named });
    const { options } = session("reset", refusal(503, named), fine);
    const answered = { requestId: "req_1", error: undefined };
    const onAttempt = (attempt: Attempt): void => void attempts.push(attempt);
    await signingFetch({ key, secret }, { ...options, random: () => 0, onAttempt })(url, post());
    const where = {
      method: "POST",
      url: "https://pay.example/v1/payments",
      idempotencyKey: "order-1",
    };
    expect(attempts).toEqual([
      {
        ...where,
        number: 1,
        status: undefined,
        requestId: undefined,
        error: new TypeError("reset"),
        waitMilliseconds: 500,
      },
      { ...where, ...answered, number: 2, status: 503, waitMilliseconds: 1000 },
      { ...where, ...answered, number: 3, status: 200, waitMilliseconds: undefined },
    ]);
    expect(JSON.stringify(attempts)).not.toContain(secret);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("the log is full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the log is full"))],
  ])("a listener that %s takes no answer away", async (_, onAttempt) => {
    const complaints = vi.spyOn(console, "error").mockReturnValue();
    const { options } = session(Response.json({ id: "pay_1" }, { status: 201 }));
    const response = await signingFetch({ key, secret }, { ...options, onAttempt })(url, post());
    expect(response.status).toBe(201);
    expect(complaints).toHaveBeenCalledTimes(1);
    complaints.mockRestore();
  });

  test.each(["attemptsMax", "timeoutMilliseconds", "wholeMilliseconds"] as const)(
    "%s has to be a number, or is left out",
    async (name) => {
      for (const wrong of [0, 1.5, Number.NaN, Infinity, 3e9]) {
        expect(() => signingFetch({ key, secret }, { [name]: wrong })).toThrow(
          `${name} is ${wrong}`,
        );
      }
      const { options, sent } = session(...Array.from({ length: 9 }, () => refusal(503)));
      await signingFetch({ key, secret }, { ...options, [name]: undefined })(url, post());
      expect(sent).toHaveLength(3);
    },
  );

  test("does not go on after an abort", async () => {
    const { options, sent } = session("aborted");
    const call = signingFetch({ key, secret }, options);
    await expect(call(url, { ...post(), signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(sent.length).toBeLessThan(2);
  });
});
