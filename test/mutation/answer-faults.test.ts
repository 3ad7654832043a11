// Which faults are made of an answer, and what is said of those that nobody notices.

import { describe, expect, test } from "vitest";
import { faultsOf, type KeptAnswer } from "../../scripts/mutate/answer-faults.ts";
import { answerLines, percentNoticed, scoreAnswers } from "../../scripts/mutate/answers.ts";

const answer: KeptAnswer = {
  operation: "getPayment",
  status: 404,
  headers: { date: "now", "content-type": "application/json", "x-request-id": "req_1" },
  body: { code: "not_found", message: "There is none.", details: { list: [{ n: 1 }, null, {}] } },
};

const faults = faultsOf(answer);
const named = faults.map(({ kind, place }) => `${kind}: ${place}`);

describe("the faults of an answer", () => {
  test("are of each header that is not of HTTP itself", () => {
    expect(named.filter((name) => name.startsWith("header"))).toEqual([
      "header missing: header content-type",
      "header garbled: header content-type",
      "header empty: header content-type",
      "header missing: header x-request-id",
      "header garbled: header x-request-id",
      "header empty: header x-request-id",
      "header unknown: header x-surprise",
    ]);
  });

  test("are of each member, however deep, and of the first two elements of a list", () => {
    expect(named).toContain("missing: body /details/list/*/n");
    expect(named).toContain("fraction: body /details/list/*/n");
    expect(named).toContain("one too many: body /details");
    expect(named).toContain("empty list: body /details/list");
    expect(named.filter((name) => name === "null: body /details/list/*")).toHaveLength(1);
    const missing = faults.find((one) => one.place === "body /code" && one.kind === "missing");
    expect(missing?.answer.body).toEqual({
      message: "There is none.",
      details: { list: [{ n: 1 }, null, {}] },
    });
  });

  test("have another value of the same form, which a schema cannot tell", () => {
    const body = {
      id: "pay_01KDVDNA006Q3D25VT4F5V37EK",
      amount: "2.5",
      raw: "2500000",
      created_at: "2026-01-01T00:00:00.000Z",
      active: true,
      chains: ["a", "b"],
    };
    const changed = faultsOf({ ...answer, body }).map((one) => one.answer.body);
    for (const wrong of [
      { ...body, id: "pay_01KDVDNA006Q3D25VT4F5V37E7" },
      { ...body, amount: "3.5" },
      { ...body, raw: "2500001" },
      { ...body, created_at: "2026-01-01T01:00:00.000Z" },
      { ...body, created_at: "2025-12-31T23:00:00.000Z" },
      { ...body, active: false },
      { ...body, chains: ["a"] },
      { ...body, chains: ["a", "a", "b"] },
      { ...body, chains: ["b", "a"] },
    ]) {
      expect(changed).toContainEqual(wrong);
    }
  });

  test("are not the answer itself, nor another wording", () => {
    expect(faults.some((one) => JSON.stringify(one.answer) === JSON.stringify(answer))).toBe(false);
    expect(named).not.toContain("garbled: body /message");
    expect(named).toContain("empty: body /message");
  });
});

describe("the score", () => {
  const error: KeptAnswer = {
    operation: "getPayment",
    status: 404,
    headers: {},
    body: { code: "payment_not_found" },
  };

  test("counts answers that are as they are promised, and no others", () => {
    expect(scoreAnswers([error])).toMatchObject({ answers: 0, faults: 0 });
    expect(percentNoticed(scoreAnswers([]))).toBe(100);
  });

  const headers = {
    "content-type": "application/json",
    "x-request-id": "req_01KDVDNA00S5AA819X9YP98106",
    "cache-control": "private, no-store",
    vary: "X-Api-Key",
    "ratelimit-policy": '"write";q=120;w=60',
    ratelimit: '"write";r=119;t=60',
  };
  const body = {
    id: "whe_01KDVDNA0083XSSSS6YS3C4DWA",
    url: "https://shop.example/hooks",
    event_types: ["*"],
    active: false,
    created_at: "2026-01-01T00:12:00.000Z",
  };
  const switched: KeptAnswer = {
    operation: "setWebhookEndpointStatus",
    status: 200,
    headers,
    body,
  };

  test("is with what was asked for: a wrong value is noticed by it alone", () => {
    const isNoticed = (kept: readonly KeptAnswer[]): boolean => {
      const { answers, passed } = scoreAnswers(kept);
      expect(answers).toBe(1);
      return !passed.some(({ kind, place }) => `${kind} ${place}` === "the contrary body /active");
    };
    const asked = {
      url: "http://127.0.0.1",
      method: "POST",
      target: "/v1/webhook-endpoints/whe_01KDVDNA0083XSSSS6YS3C4DWA/status",
      headers: {},
      body: '{"active":false}',
      isOnlyWithKey: false,
      tookMilliseconds: 1,
    };
    expect(isNoticed([switched])).toBe(false);
    expect(isNoticed([{ ...switched, asked }])).toBe(true);
  });

  test("is with the answers before: what they say of one thing is the same", () => {
    const other = { ...body, created_at: "2026-01-01T00:13:00.000Z" };
    const named = { ...headers, "x-request-id": "req_01KDVDNA00S5AA819X9YP98107" };
    expect(scoreAnswers([switched, { ...switched, headers: named }]).answers).toBe(2);
    expect(scoreAnswers([switched, { ...switched, headers: named, body: other }]).answers).toBe(1);
  });

  test("is of all faults, and says which kinds passed where", () => {
    const [fault] = faults;
    const passed = fault === undefined ? [] : [fault];
    const score = { answers: 1, faults: 4, passed, kinds: new Map([["missing", [4, 1]]] as const) };
    expect(percentNoticed(score)).toBe(75);
    const text = answerLines(score).join("\n");
    expect(text).toContain("     1  header missing: header content-type");
    expect(text).toContain("1 answers, 4 faults, 3 noticed: 75.0 % of 98");
  });
});
