// A load of the benchmarks counts an answer only if it is the right one.

import { describe, expect, test } from "vitest";
import { buildJudge } from "../../scripts/bench/service/expectation.ts";

const answer = (status: number, body: string, more = "") => ({
  head: `HTTP/1.1 ${status} Whatever\r\nContent-Type: application/json${more}`,
  body: Buffer.from(body).toString("latin1"),
});
const replayed = "\r\nIdempotent-Replayed: true";

describe("an answer that was expected", () => {
  test("by a pattern gives the id of what was made", () => {
    const pattern = String.raw`^\{"id":"(pay_\w+)"`;
    const judge = buildJudge({ status: 201, isReplay: false, body: { pattern } });
    expect(judge(answer(201, '{"id":"pay_1","status":"pending"}'))).toBe("pay_1");
  });

  test("as a text is that text, whatever is in it", () => {
    const text = '{"title":"Waiting · Shop №1"}';
    const judge = buildJudge({ status: 200, isReplay: true, body: { text } });
    expect(judge(answer(200, text, replayed))).toBeUndefined();
    expect(judge(answer(200, text, `${replayed}\r\nVary: X-Api-Key`))).toBeUndefined();
  });
});

describe("anything else ends the load:", () => {
  const expected = { status: 201, isReplay: true, body: { text: '{"id":"pay_1"}' } } as const;

  test.each([
    ["another status", answer(200, expected.body.text, replayed)],
    ["another body", answer(201, '{"id":"pay_2"}', replayed)],
    ["a body with more", answer(201, `${expected.body.text} `, replayed)],
    ["one that was made anew", answer(201, expected.body.text)],
    [
      "one that says it is no replay",
      answer(201, expected.body.text, "\r\nIdempotent-Replayed: false"),
    ],
  ])("%s", (_, other) => {
    expect(() => buildJudge(expected)(other)).toThrow("an answer was not 201, replayed");
  });

  test("a replay where there must be none", () => {
    const judge = buildJudge({ ...expected, isReplay: false });
    expect(() => judge(answer(201, expected.body.text, replayed))).toThrow("an answer was not 201");
  });

  test("a body that does not have the pattern", () => {
    const judge = buildJudge({ status: 201, isReplay: false, body: { pattern: "^(pay_1)$" } });
    expect(() => judge(answer(201, "pay_11"))).toThrow("an answer was not 201");
  });
});
