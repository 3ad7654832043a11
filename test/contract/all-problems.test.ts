// One answer lists the problems of all parts, and its one code names what to repair first.

import { describe, expect, test } from "vitest";
import { briefly, errorOf, readAnswer } from "../support/contract-answers.ts";
import type { Json } from "../support/contract-document.ts";
import { send, validRequest, withHeader, withoutHeader } from "../support/contract-requests.ts";
import type { ContractRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { useContractServer } from "../support/contract-server.ts";

const server = useContractServer();

interface Refusal {
  readonly code: string;
  readonly problems: readonly string[];
}

async function refusalOf(request: ContractRequest): Promise<Refusal> {
  const answer = await readAnswer(await send(server, request), request.operation);
  expect(answer.status).toBe(400);
  const problems = briefly(answer).map((one) =>
    one.startsWith("header") ? one.toLowerCase() : one,
  );
  return { code: errorOf(answer.body).code, problems: problems.toSorted() };
}

const tooLong = "a".repeat(129);

const manyProblems = validRequest(operationBy("updateWebhookEndpoint"), {
  path: { id: tooLong },
  query: "undeclared=1&other=2",
  body: { url: "no url", event_types: "none", more: true },
});

test("query, path and body are all reported at once", async () => {
  expect(await refusalOf(manyProblems)).toEqual({
    code: "unknown_parameter",
    problems: [
      "body /event_types type",
      "body /more additionalProperties",
      "body /url format",
      "path /id maxLength",
      "query /other unknown",
      "query /undeclared unknown",
    ],
  });
});

// Who sends a request must be known before anything else is said of it, so the form of the headers
// comes first and alone: nothing of the body is told to a stranger.

test("every header is reported at once, and nothing behind them", async () => {
  const broken = withoutHeader(withHeader(manyProblems, "X-Nonce", "short"), "Idempotency-Key");
  expect(await refusalOf(broken)).toEqual({
    code: "missing_header",
    problems: ["header /idempotency-key required", "header /x-nonce pattern"],
  });
});

test("every missing header is named", async () => {
  const operation = operationBy("createPayment");
  const names = ["X-Api-Key", "X-Nonce", "X-Signature", "X-Timestamp", "Idempotency-Key"];
  const request = names.reduce(withoutHeader, validRequest(operation, { body: {} }));
  expect(await refusalOf(request)).toEqual({
    code: "missing_header",
    problems: [
      "header /idempotency-key required",
      "header /x-api-key required",
      "header /x-nonce required",
      "header /x-signature required",
      "header /x-timestamp required",
    ],
  });
});

describe("the code names what to repair first", () => {
  const list = validRequest(operationBy("listPayoutSchedules"));
  const offForm = withHeader(list, "X-Timestamp", "now");
  const missing = withoutHeader(offForm, "X-Nonce");
  const query = (text: string): ContractRequest => ({ ...list, query: text });
  test.each<[string, ContractRequest]>([
    ["missing_header", { ...missing, query: "x=1&limit=0&cursor=&status=none" }],
    ["invalid_header", { ...offForm, query: "x=1&limit=0&cursor=&status=none" }],
    ["unknown_parameter", query("x=1&limit=0&cursor=&status=none")],
    ["invalid_limit", query("limit=0&cursor=&status=none")],
    ["invalid_limit", query("limit=ten")],
    ["invalid_limit", query("limit=1&limit=1")],
    ["invalid_cursor", query("cursor=&status=none")],
    ["invalid_request", query("status=none")],
  ])("%s", async (code, request) => {
    expect((await refusalOf(request)).code).toBe(code);
  });
});

test("header violations point at names as the document writes them", async () => {
  const request = withoutHeader(validRequest(operationBy("createPayment")), "Idempotency-Key");
  const answer = await readAnswer(await send(server, request), request.operation);
  expect(briefly(answer)).toEqual(["header /Idempotency-Key required"]);
});

test("a hundred problems are listed, and not a million", async () => {
  const operation = operationBy("createPayment");
  const body = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`no${index}`, 1]));
  const { problems } = await refusalOf(validRequest(operation, { body }));
  expect(problems.length).toBeGreaterThan(99);
  expect(problems.length).toBeLessThan(1000);
});

describe("names in pointers are escaped", () => {
  const operation = operationBy("createPayment");
  test.each([
    ["a/b", "/a~1b"],
    ["a~b", "/a~0b"],
    ["", "/"],
    ["__proto__", "/__proto__"],
    ["constructor", "/constructor"],
    ["toString", "/toString"],
    ["é 😀", "/é 😀"],
  ])("%j", async (name, pointer) => {
    // fromEntries makes a property of its own even of "__proto__"
    const body = Object.fromEntries<Json>([
      ["merchant_order_no", "A-1"],
      ["quotes", { cur_usdc: { amount: "1" } }],
      [name, 1],
    ]);
    const { problems } = await refusalOf(validRequest(operation, { body }));
    expect(problems).toEqual([`body ${pointer} additionalProperties`]);
  });

  test("in a map too", async () => {
    const quotes = Object.fromEntries<Json>([
      ["__proto__", { amount: "-1" }],
      ["a/b", 1],
    ]);
    const body = { merchant_order_no: "A-1", quotes };
    const { problems } = await refusalOf(validRequest(operation, { body }));
    expect(problems).toEqual(["body /quotes/__proto__/amount pattern", "body /quotes/a~1b type"]);
  });
});

describe("no answer repeats a secret", () => {
  const mark = "Very-Secret-Value";
  const names = ["X-Api-Key", "X-Signature", "X-Nonce", "X-Timestamp", "Idempotency-Key"];
  test.each(names)("%s", async (name) => {
    const operation = operationBy("createPayment");
    const request = withHeader(validRequest(operation), name, `${mark} with spaces`);
    const response = await send(server, request);
    expect(response.status).toBe(400);
    const shown = JSON.stringify([...response.headers]) + (await response.text());
    expect(shown).not.toContain(mark);
  });

  test("nor a signature or a nonce of the body", async () => {
    const operation = operationBy("settleX402Payment");
    const nonce = { [mark]: mark };
    const body = {
      payment_id: "pay_1",
      payment_payload: { signature: mark, authorization: { nonce } },
      payment_requirements: { nonce },
    };
    const response = await send(server, validRequest(operation, { body }));
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).not.toContain(`"${mark}"`);
    expect(text).not.toMatch(new RegExp(`message":"[^"]*${mark}`));
  });

  test("nor the wrong values of ordinary fields", async () => {
    const operation = operationBy("createPayment");
    const body = {
      merchant_order_no: { mark },
      quotes: { [mark]: { amount: mark } },
      memo: [mark],
    };
    const answer = await readAnswer(
      await send(server, validRequest(operation, { body })),
      operation,
    );
    const messages = errorOf(answer.body).details.violations?.map(({ message }) => message) ?? [];
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.filter((message) => message.includes(mark))).toEqual([]);
  });
});
