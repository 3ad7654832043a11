import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attemptDelaysSeconds,
  attemptsMax,
  disablingAttemptsMin,
  failingMaxMilliseconds,
  judgeAttempt,
} from "../../service/webhooks/delivery-rules.ts";
import type { Attempt, AttemptOutcome } from "../../service/webhooks/delivery-rules.ts";

const now = new Date("2026-01-01T00:00:00Z");
/** in the middle: no jitter */
const attempt: Attempt = {
  attemptsBefore: 0,
  failingSince: null,
  outcome: { kind: "answered", status: 500 },
  now,
  random: 0.5,
};

function waitSeconds(change: Partial<Attempt>): number {
  const { delivery } = judgeAttempt({ ...attempt, ...change });
  if (delivery.kind !== "pending") return Number.NaN;
  return (delivery.nextAttemptAt.getTime() - now.getTime()) / 1000;
}

const answered = (status: number, retryAfterSeconds?: number): AttemptOutcome => ({
  kind: "answered",
  status,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

test("the published schedule: ten attempts in 75 hours and 35 minutes", () => {
  expect(attemptsMax).toBe(10);
  const totalSeconds = attemptDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0);
  expect(totalSeconds).toBe(75 * 3600 + 35 * 60 + 5);
});

test.each([
  [1, 5],
  [2, 300],
  [3, 1_800],
  [4, 7_200],
  [5, 18_000],
  [6, 36_000],
  [7, 50_400],
  [8, 72_000],
  [9, 86_400],
])("after attempt %d the next one is %d s later", (attempts, seconds) => {
  expect(waitSeconds({ attemptsBefore: attempts - 1 })).toBe(seconds);
});

test("after the tenth attempt there is no other", () => {
  expect(judgeAttempt({ ...attempt, attemptsBefore: 9 }).delivery).toEqual({ kind: "failed" });
});

describe("an answer", () => {
  test.each([200, 201, 204, 299])("%d is success, and makes the endpoint healthy", (status) => {
    const result = judgeAttempt({
      ...attempt,
      failingSince: new Date(0),
      outcome: answered(status),
    });
    expect(result).toEqual({
      delivery: { kind: "delivered" },
      endpoint: { kind: "healthy" },
      isSuccess: true,
      status,
      failure: null,
    });
  });

  test.each([101, 199, 300, 301, 302, 304, 307, 400, 401, 404, 409, 429, 500, 503, 999])(
    "%d is a failure",
    (status) => {
      const result = judgeAttempt({ ...attempt, outcome: answered(status) });
      expect(result).toMatchObject({ isSuccess: false, status, failure: null });
      expect(result.delivery.kind).toBe("pending");
      expect(result.endpoint).toEqual({ kind: "failing" });
    },
  );

  test("410 cancels and switches the endpoint off, at the first and at the last attempt", () => {
    for (const attemptsBefore of [0, 9]) {
      expect(judgeAttempt({ ...attempt, attemptsBefore, outcome: answered(410) })).toMatchObject({
        delivery: { kind: "cancelled" },
        endpoint: { kind: "disabled", reason: "gone" },
      });
    }
  });

  test("none is a failure with its reason", () => {
    const outcome = { kind: "failed", reason: "tls" } as const;
    const result = judgeAttempt({ ...attempt, outcome });
    expect(result).toMatchObject({ isSuccess: false, status: null, failure: "tls" });
  });
});

describe("Retry-After", () => {
  test.each([429, 502, 503, 504])(
    "counts with %d, from the slot up to twice the slot",
    (status) => {
      expect(waitSeconds({ attemptsBefore: 1, outcome: answered(status, 400) })).toBe(400);
      expect(waitSeconds({ attemptsBefore: 1, outcome: answered(status, 1) })).toBe(300);
      expect(waitSeconds({ attemptsBefore: 1, outcome: answered(status, 600) })).toBe(600);
      expect(waitSeconds({ attemptsBefore: 1, outcome: answered(status, 86_400) })).toBe(600);
    },
  );

  test.each([200, 301, 400, 404, 500, 501])("does not count with %d", (status) => {
    const wait = waitSeconds({ attemptsBefore: 1, outcome: answered(status, 400) });
    expect(wait === 300 || Number.isNaN(wait)).toBe(true);
  });
});

describe("an endpoint where every attempt has failed", () => {
  const failingFor = (milliseconds: number, attempts = disablingAttemptsMin) =>
    judgeAttempt({
      ...attempt,
      attemptsBefore: attempts - 1,
      failingSince: new Date(now.getTime() - milliseconds),
    }).endpoint;

  test("for less than 120 h goes on", () => {
    expect(failingFor(failingMaxMilliseconds - 1)).toEqual({ kind: "failing" });
  });

  test("for 120 h is switched off", () => {
    expect(failingMaxMilliseconds).toBe(120 * 3_600_000);
    expect(failingFor(failingMaxMilliseconds)).toEqual({ kind: "disabled", reason: "failing" });
  });

  test("is not switched off by a delivery that has only begun to be tried", () => {
    const attempts = disablingAttemptsMin - 1;
    expect(failingFor(10 * failingMaxMilliseconds, attempts)).toEqual({ kind: "failing" });
  });
});

describe("for any attempt", () => {
  const failures = fc.constantFrom(
    "dns",
    "refused",
    "reset",
    "tls",
    "timeout",
    "url_not_allowed",
  ) satisfies fc.Arbitrary<string>;
  const outcomes: fc.Arbitrary<AttemptOutcome> = fc.oneof(
    fc.record(
      {
        kind: fc.constant("answered" as const),
        status: fc.integer({ min: 100, max: 999 }),
        retryAfterSeconds: fc.nat(),
      },
      { requiredKeys: ["kind", "status"] },
    ),
    fc.record({ kind: fc.constant("failed" as const), reason: failures }),
  );
  const attempts: fc.Arbitrary<Attempt> = fc.record({
    attemptsBefore: fc.nat({ max: 9 }),
    failingSince: fc.option(fc.date({ max: now, noInvalidDate: true })),
    outcome: outcomes,
    now: fc.constant(now),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });

  test("the wait is the slot with at most 20 % of jitter, or longer on request, at most twice it", () => {
    fc.assert(
      fc.property(attempts, (one) => {
        const wait = waitSeconds(one);
        fc.pre(!Number.isNaN(wait));
        const slot = attemptDelaysSeconds[one.attemptsBefore + 1] ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(slot * 0.8 - 0.001);
        const isAsked =
          one.outcome.kind === "answered" && one.outcome.retryAfterSeconds !== undefined;
        expect(wait).toBeLessThanOrEqual(slot * (isAsked ? 2 : 1.2));
      }),
    );
  });

  test("success and only success is delivered and healthy; it ends within ten attempts", () => {
    fc.assert(
      fc.property(attempts, (one) => {
        const { delivery, endpoint, isSuccess, status, failure } = judgeAttempt(one);
        expect(delivery.kind === "delivered").toBe(isSuccess);
        expect(endpoint.kind === "healthy").toBe(isSuccess);
        expect((status === null) !== (failure === null)).toBe(true);
        if (one.attemptsBefore === 9) expect(delivery.kind).not.toBe("pending");
        if (delivery.kind === "cancelled") expect(endpoint.kind).toBe("disabled");
      }),
    );
  });
});
