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

  test("is of all faults, and says which kinds passed where", () => {
    const [fault] = faults;
    const passed = fault === undefined ? [] : [fault];
    const score = { answers: 1, faults: 4, passed, kinds: new Map([["missing", [4, 1]]] as const) };
    expect(percentNoticed(score)).toBe(75);
    const text = answerLines(score).join("\n");
    expect(text).toContain("     1  header missing: header content-type");
    expect(text).toContain("1 answers, 4 faults, 3 noticed: 75.0 % of 95");
  });
});
