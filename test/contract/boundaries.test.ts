// What the document just still allows is taken, and the values that only seem odd are too.

import { describe, expect, test } from "vitest";
import { type Answer, errorOf, readAnswer } from "../support/contract-answers.ts";
import { isObject, type Operation, operations, textOf } from "../support/contract-document.ts";
import { exampleOf, send, validRequest, withHeader } from "../support/contract-requests.ts";
import type { ContractRequest } from "../support/contract-requests.ts";
import { useContractServer } from "../support/contract-server.ts";
import { boundaryValues, completeValues } from "../support/contract-values.ts";

const server = useContractServer();

interface Case {
  readonly name: string;
  readonly request: ContractRequest;
}

/** Codes of a 400 that the rules may give to what the contract takes. */
const ruleCodes = new Set(["webhook_url_not_allowed", "unknown_event_type", "invalid_cursor"]);

/** Rules of violations: texts that no database keeps, and what a schema does not say of a value. */
const rulesBesideTheSchema = new Set(["unicode", "https", "minimum", "maximum"]);

function isRefusedByRule(answer: Answer): boolean {
  const { code, details } = errorOf(answer.body);
  if (code !== "invalid_request") return ruleCodes.has(code);
  return (details.violations ?? []).every(({ rule }) => rulesBesideTheSchema.has(rule));
}

/** What comes after the validation of the contract: whatever the rules say. */
async function expectTaken(request: ContractRequest): Promise<void> {
  const { operation } = request;
  const answer = await readAnswer(await send(server, request), operation);
  if (isForged(request)) {
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 401 });
  } else if (answer.status === 400) {
    expect(isRefusedByRule(answer)).toBe(true);
  } else {
    // What stands in the contract but not in this merchant's database, and what the rules refuse.
    expect([200, 201, 404, 409, 422]).toContain(answer.status);
  }
}

/** Of a form that is taken, and not the caller's own. */
function isForged({ headers }: ContractRequest): boolean {
  return Object.keys(headers).some((name) => /^X-(?:Api-Key|Timestamp|Signature)$/i.test(name));
}

const withBody = operations.filter(({ body }) => body !== undefined);

function bodyCases(operation: Operation): readonly Case[] {
  const { body } = operation;
  if (body === undefined) return [];
  const schema = `${body.pointer}/schema`;
  const cases = completeValues(schema).flatMap((whole, index) => [
    { name: `complete ${index + 1}`, value: whole },
    ...boundaryValues(schema, whole),
  ]);
  return cases.map(({ name, value }) => {
    return { name, request: validRequest(operation, { body: value }) };
  });
}

describe.each(withBody)("$operationId takes a body on its bounds:", (operation) => {
  test.each(bodyCases(operation))("$name", async ({ request }) => {
    await expectTaken(request);
  });
});

function parameterCases(operation: Operation): readonly Case[] {
  const cases: Case[] = [];
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    for (const { value } of boundaryValues(`${parameter.pointer}/schema`, exampleOf(parameter))) {
      const text = textOf(value);
      const isHeaderText = /^[\u0020-\u007e]*$/.test(text);
      if (parameter.in === "header" && !isHeaderText) continue;
      cases.push({
        name: `${parameter.in} ${name} ${text.length > 20 ? `of length ${text.length}` : text}`,
        request: withParameter(validRequest(operation), parameter.in, [name, text]),
      });
    }
  }
  return cases;
}

function withParameter(
  request: ContractRequest,
  place: string,
  [name, text]: readonly [name: string, text: string],
): ContractRequest {
  if (place === "header") return withHeader(request, name, text);
  if (place === "path") return { ...request, path: { ...request.path, [name]: text } };
  return { ...request, query: `${name}=${encodeURIComponent(text)}` };
}

const bounded = operations.filter((operation) => parameterCases(operation).length > 0);

describe.each(bounded)("$operationId takes parameters on their bounds:", (operation) => {
  test.each(parameterCases(operation))("$name", async ({ request }) => {
    await expectTaken(request);
  });
});

describe("headers of the shortest and of the longest form", () => {
  const [operation] = operations;
  test.each([
    ["X-Api-Key", `mk_live_${"a".repeat(16)}`],
    ["X-Api-Key", `mk_test_${"Z".repeat(64)}`],
    ["X-Nonce", "_".repeat(16)],
    ["X-Nonce", "-".repeat(64)],
    ["X-Timestamp", "0000000000"],
    ["X-Signature", "f".repeat(64)],
    ["Idempotency-Key", "!"],
    ["Idempotency-Key", "~".repeat(128)],
    ["idempotency-KEY", "any,case;of=names"],
  ])("%s: %s", async (name, value) => {
    if (operation === undefined) throw new Error("the document has no operation");
    await expectTaken(withHeader(validRequest(operation), name, value));
  });
});

describe("path ids are data, whatever they look like", () => {
  const operation = operations.find(({ path }) => path === "/v1/currencies/{id}");
  test.each([
    "a",
    "cur_usdc",
    "__proto__",
    "constructor",
    "%00",
    "%25",
    "\0",
    "a b",
    "a+b",
    "é",
    "e\u0301",
    "😀".repeat(128),
    "a;b=c",
    "...",
    "null",
    "{id}",
    ":id",
    "*",
    "a?b",
    "a#b",
    "<script>",
    "' or 1=1 --",
  ])("%j", async (id) => {
    if (operation === undefined) throw new Error("the document has no such path");
    await expectTaken(validRequest(operation, { path: { id } }));
  });
});

describe("texts are data, whatever they hold", () => {
  const operation = operations.find(({ operationId }) => operationId === "createPayment");
  test.each([
    "\0",
    "\u001f\u007f\u0080",
    "e\u0301",
    "\u202eabc",
    "\ufeff",
    "\ufffe\uffff",
    "\ud800",
    "👩‍👩‍👧‍👦",
    "\u2028\u2029",
    "${a}{{b}}<%= c %>",
    "\\u0000",
  ])("%j", async (text) => {
    if (operation === undefined) throw new Error("the document has no such operation");
    const { body } = validRequest(operation);
    if (!isObject(body ?? null)) throw new Error("the example is no object");
    await expectTaken(
      validRequest(operation, {
        body: { ...(body as object), merchant_order_no: text, memo: text },
      }),
    );
  });
});
