// The hook that says what else is wrong with a request that breaks the contract.

import { expect, test } from "vitest";
import type { Violation } from "../../../generator/runtime/runtime.ts";
import { appOf, brief, operation, z } from "./harness.ts";

const schema = z.strictObject({
  name: z.string(),
  list: z.array(z.strictObject({ count: z.int(), text: z.string().optional() })).optional(),
  map: z.record(z.string(), z.int()).optional(),
});
const one = operation({
  id: "one",
  method: "post",
  path: "/one",
  request: { body: { required: true, content: { "application/json": { schema } } } },
});

const found: Violation = { in: "body", pointer: "/name", rule: "known", message: "is not known" };

/** What the hook was given for a body, and what the answer says. */
async function judged(text: string, edge: Parameters<typeof appOf>[0]["edge"] = {}) {
  const given: unknown[] = [];
  const judge = (parts: unknown, { operationId }: { operationId: string }, caller: object) => {
    given.push(operationId, caller, parts);
    return [found];
  };
  const { app, log } = appOf({ operations: [one], edge: { judge, ...edge } });
  const headers = { "content-type": "application/json" };
  const response = await app.request("/one", { method: "POST", headers, body: text });
  const answer: unknown = await response.json();
  return { status: response.status, answer, given, log };
}

test("is not asked about a request that follows the contract", async () => {
  const { status, given } = await judged('{"name":"a"}');
  expect({ status, given }).toEqual({ status: 200, given: [] });
});

test("gets the parts that follow the contract, and is listed behind what does not", async () => {
  const text = `{"name":"a","list":[{"count":"x","text":"t"},1,{"count":2}],"map":{"a":1,"b":"x"},"no":1}`;
  const { status, answer, given } = await judged(text);
  expect(status).toBe(400);
  expect(given).toStrictEqual([
    "one",
    { name: "someone" },
    {
      name: "a",
      list: [{ count: undefined, text: "t" }, undefined, { count: 2 }],
      map: { a: 1, b: undefined },
      no: undefined,
    },
  ]);
  expect(brief(answer)).toEqual([
    "body /list/0/count type",
    "body /list/1 type",
    "body /map/b type",
    "body /no additionalProperties",
    "body /name known",
  ]);
});

test("tells what was not sent from what was sent and is wrong", async () => {
  const { given } = await judged('{"list":1}');
  expect(given[2]).toStrictEqual({ list: undefined });
});

test.each([
  ["a body of another type", "[]"],
  ["no JSON", '{"name":'],
  ["a name that stands twice", '{"name":"a","name":"b"}'],
  [
    "more problems than are listed",
    `{${Array.from({ length: 101 }, (_, i) => `"n${i}":1`).join()}}`,
  ],
])("is not asked about %s", async (_what, text) => {
  const { status, given } = await judged(text);
  expect({ status, given }).toEqual({ status: 400, given: [] });
});

test("a hundred problems are all, with its own among them", async () => {
  const judge = () => Promise.resolve(Array.from({ length: 200 }, () => found));
  const { answer } = await judged("{}", { judge });
  expect(brief(answer)).toHaveLength(100);
});

test("a place is not named at greater length than elsewhere", async () => {
  const judge = () => [{ ...found, pointer: `/map/${"x".repeat(60_000)}` }];
  const { answer } = await judged("{}", { judge });
  expect(JSON.stringify(answer).length).toBeLessThan(1_000);
});

test("is not asked for a stranger", async () => {
  const authenticate = () => {
    throw new Error("who are you");
  };
  const { status, given } = await judged("{}", { authenticate });
  expect({ status, given }).toEqual({ status: 500, given: [] });
});

test("what it throws is the answer, and nothing is left open", async () => {
  for (const judge of [
    () => Promise.reject(new Error("later")),
    () => {
      throw new Error("now");
    },
  ]) {
    const { status, log } = await judged("{}", { judge });
    expect(status).toBe(500);
    expect(log.lines).toContain("refuse Error");
  }
});
