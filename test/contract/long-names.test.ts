// What is wrong is listed with its place, and a place is named by whoever sent it: an answer has no more
// places than the document says, and none that is longer, or that is no pointer.

import { describe, expect, test } from "vitest";
import { errorOf, readAnswer } from "../support/contract-answers.ts";
import { newKey, sendPlain, targetOf, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { useContractServer } from "../support/contract-server.ts";

const server = useContractServer();

async function placesOf(operationId: string, part: { body: string } | { query: string }) {
  const operation = operationBy(operationId);
  const query = "query" in part ? part.query : "";
  const target = targetOf(validRequest(operation, { query }));
  const headers = { "Content-Type": "application/json", "Idempotency-Key": newKey() };
  const wish =
    "body" in part ? { method: "POST", headers, body: part.body } : { method: "GET", headers: {} };
  const answer = await readAnswer(await sendPlain(server, { target, ...wish }), operation);
  expect(answer.status).toBe(400);
  return (errorOf(answer.body).details.violations ?? []).map(({ pointer }) => pointer);
}

/** Free JSON, which may have any names. */
const evidence = (value: string) => ({
  body: `{"actual_amount":"1","usage_id":"one","evidence":${value}}`,
});

const x127 = "x".repeat(127);
const long = "x".repeat(12_000);
const shown = `${"x".repeat(128)}...`;

describe("a long name is shown by its first 128 characters", () => {
  test.each([
    ["that cannot be kept", evidence(`{"${long}\\u0000":1}`)],
    ["of half a character", evidence(`{"${long}":"\\ud800"}`)],
  ])("%s", async (_what, part) => {
    expect(await placesOf("reportX402Usage", part)).toEqual([`/evidence/${shown}`]);
  });

  test("given twice", async () => {
    const body = `{"${long}":1,"${long}":2}`;
    expect(await placesOf("createPayment", { body })).toEqual([`/${shown}`]);
  });

  test("in a query", async () => {
    const query = `${long.slice(0, 10_000)}=1`;
    expect(await placesOf("listCurrencies", { query })).toEqual([`/${shown}`]);
  });

  test("and by no half of a character", async () => {
    const whole = `${x127}\u{1f600}`;
    for (const [name, place] of [
      [whole, `/${whole}`],
      [`${whole}x`, `/${whole}...`],
    ]) {
      expect(await placesOf("createPayment", { body: `{"${name}":1}` })).toContain(place);
    }
  });

  test("and never ends within an escape, which is one character", async () => {
    for (const [end, escaped] of [
      ["~", "~0"],
      ["/", "~1"],
    ]) {
      // What the rules say of the currency stands behind what is missing.
      const body = `{"quotes":{"${x127}${end}":{"amount":"1"}}}`;
      const places = await placesOf("createPayment", { body });
      expect(places).toEqual(["/merchant_order_no", `/quotes/${x127}${escaped}`]);
    }
  });

  test("at each of 31 levels, in the longest pointer that there is", async () => {
    const name = "~".repeat(200);
    const value = `${`{"${name}":`.repeat(30)}"\\u0000"${"}".repeat(30)}`;
    const [place] = await placesOf("reportX402Usage", evidence(value));
    expect(place).toBe(`/evidence${`/${"~0".repeat(128)}...`.repeat(30)}`);
  });
});

test("at most 100 places are listed", async () => {
  const nul = String.raw`"\u0000"`;
  const value = `[${Array.from({ length: 5_000 }, () => nul).join(",")}]`;
  expect(await placesOf("reportX402Usage", evidence(`{"many":${value}}`))).toHaveLength(100);
});
