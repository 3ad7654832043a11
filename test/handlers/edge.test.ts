// What stands in every answer and in the log, by what is known of a request.

import { describe, expect, test } from "vitest";
import { RequestError } from "../../generated/runtime/runtime.ts";
import { buildEdge } from "../../handlers/edge.ts";
import type { Answered } from "../../handlers/edge.ts";
import type { RequestState } from "../../handlers/edge.ts";
import { ServiceError } from "../../service/errors.ts";

type Line = readonly [level: string, fields: Readonly<Record<string, unknown>>, message: string];

function openEdge() {
  const lines: Line[] = [];
  const met: (string | undefined)[] = [];
  let milliseconds = 1_000;
  const log = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void lines.push([level, fields, message]);
  const answered: Answered[] = [];
  const nobody = () => Promise.reject(new Error("nobody is asked here"));
  const meet = (address: string | undefined): Promise<void> => {
    met.push(address);
    return Promise.resolve();
  };
  const edge = buildEdge({
    clock: { monotonicMilliseconds: () => milliseconds },
    ids: { next: () => "req_1" },
    log: { debug: log("debug"), info: log("info"), error: log("error") },
    authentication: { meet, verify: nobody, admit: nobody },
    clientAddress: ({ remoteAddress }) => `client of ${remoteAddress}`,
    judge: () => Promise.resolve([]),
    checkAnswers: false,
    onAnswered: (one) => answered.push(one),
  });
  const begin = (more: { readonly method?: string; readonly path?: string } = {}) => {
    const request = { method: "GET", path: "/v1/payments", query: "a=secret", ...more };
    return edge.begin({ ...request, headers: {}, remoteAddress: "192.0.2.1" }, undefined);
  };
  const pass = (more: number) => void (milliseconds += more);
  return { edge, lines, met, answered, begin, pass };
}

const known = {
  request_id: "req_1",
  operation: undefined,
  method: "GET",
  path: "/v1/payments",
  merchant_id: undefined,
  key_id: undefined,
};

test("a request is logged once, with how long it took to the microsecond", () => {
  const { edge, lines, begin, pass } = openEdge();
  const state = begin();
  pass(12.345_678);
  edge.answered?.(state, 200, undefined);
  const line = { ...known, status: 200, code: undefined, duration_ms: 12.346 };
  expect(lines).toEqual([["info", { ...line, remote: "client of 192.0.2.1" }, "answered"]]);
});

test("whoever counts hears of each, without anything that its sender has chosen", () => {
  const { edge, answered, begin, pass } = openEdge();
  const [state, page] = [begin(), begin({ path: "/checkout/secret" })];
  pass(2.5);
  edge.refuse(new ServiceError("payment_not_found", "there is none"), state, undefined);
  edge.answered?.(state, 404, undefined);
  edge.answered?.(page, 200, undefined);
  const common = { operationId: undefined, milliseconds: 2.5 };
  expect(answered).toEqual([
    { ...common, isCheckout: false, status: 404, code: "payment_not_found" },
    { ...common, isCheckout: true, status: 200, code: undefined },
  ]);
});

test.each([
  ["/healthz", 200, "debug"],
  ["/readyz", 299, "debug"],
  ["/readyz", 300, "info"],
  ["/readyz", 503, "info"],
  ["/healthz/", 200, "info"],
])("%s with %i is told as %s", (path, status, level) => {
  const { edge, lines, begin } = openEdge();
  edge.answered?.(begin({ path }), status, undefined);
  expect(lines).toMatchObject([[level, { path, status }, "answered"]]);
});

test.each([
  ["/v1/payments/pay_1", "/v1/payments/pay_1"],
  ["/checkout/secret", "/checkout/..."],
  ["/checkout/secret/status", "/checkout/..."],
  ["/Checkout/secret", "/Checkout/..."],
  ["/%63heckout/secret", "/%63heckout/..."],
  ["/pay/checkout/secret", "/pay/checkout/..."],
  ["/checkout", "/checkout/..."],
  ["/checkouts/1", "/checkouts/1"],
  ["/%zz/checkout/secret", "/%zz/checkout/..."],
  [`/${"a".repeat(300)}`, `/${"a".repeat(255)}`],
])("of the path %s the log has %s", (path, logged) => {
  expect(openEdge().begin({ path })).toMatchObject({ path: logged });
});

describe("a refusal", () => {
  const cause = new Error("the database is away");
  test.each([
    ["what nobody expected", new TypeError("a fault of ours"), "internal_error", true],
    [
      "with a cause",
      new ServiceError("chain_unavailable", "No.", { cause }),
      "chain_unavailable",
      true,
    ],
    ["of the rules", new ServiceError("not_found", "No."), "not_found", false],
    ["of the request", new RequestError(404, "not_found", "No."), "not_found", false],
    ["what is no error", "thrown", "internal_error", true],
  ])(
    "%s is remembered by its code, and written down where only we see why",
    (...[, error, code, isLogged]) => {
      const { edge, lines, begin } = openEdge();
      const state = begin();
      const answer = edge.refuse(error, state, undefined);
      expect(answer.body).toMatchObject({ code, details: { request_id: "req_1" } });
      expect(state.refusedWith).toBe(code);
      const line = ["error", { ...known, err: error }, "request failed inside"];
      expect(lines).toEqual(isLogged ? [line] : []);
    },
  );

  test("of what nobody has looked at counts for its client", async () => {
    const { edge, met, begin } = openEdge();
    await edge.turnedAway?.(begin());
    expect(met).toEqual(["client of 192.0.2.1"]);
  });
});

describe("the headers of an answer", () => {
  const rate = {
    policy: "read",
    quota: 600,
    windowSeconds: 60,
    remaining: 598,
    resetSeconds: 59,
    isExceeded: false,
  } as const;
  const headersOf = (more: Partial<RequestState>) => {
    const { edge, begin } = openEdge();
    return edge.headers({ ...begin(), ...more }, 200);
  };
  const known = { merchantId: "mer_1" };

  test("have the id of the request, and nothing of a merchant before it is known", () => {
    expect(headersOf({})).toEqual({ "X-Request-Id": "req_1" });
    expect(headersOf({ rate })).toEqual({ "X-Request-Id": "req_1" });
  });

  test.each([
    ["GET", "private, no-cache"],
    ["HEAD", "private, no-cache"],
    ["POST", "private, no-store"],
    ["PUT", "private, no-store"],
  ])("of %s say whether it may be kept: %s", (method, caching) => {
    expect(headersOf({ ...known, method })).toEqual({
      "X-Request-Id": "req_1",
      "Cache-Control": caching,
      Vary: "X-Api-Key",
    });
  });

  test("say what is left to the caller", () => {
    expect(headersOf({ ...known, rate })).toMatchObject({
      "Cache-Control": "private, no-cache",
      Vary: "X-Api-Key",
      "RateLimit-Policy": '"read";q=600;w=60',
      RateLimit: '"read";r=598;t=59',
    });
  });
});
