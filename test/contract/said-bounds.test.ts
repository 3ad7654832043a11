// What the document says of bounds, and that the server does exactly that: long names are not sent
// back, free JSON holds nothing that nobody can keep, and every reason against a URL is said.

import { describe, expect, test } from "vitest";
import { webhookUrlProblem } from "../../service/webhooks/url.ts";
import { errorOf, ofContract, readAnswer } from "../support/contract-answers.ts";
import type { Answer } from "../support/contract-answers.ts";
import {
  isObject,
  type JsonObject,
  objectAt,
  placeAt,
  textOf,
} from "../support/contract-document.ts";
import { newKey, send, sendPlain, targetOf, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { judgeAt } from "../support/contract-schemas.ts";
import { useContractServer } from "../support/contract-server.ts";

const server = useContractServer();

function exampleBody(operationId: string): JsonObject {
  const { body } = validRequest(operationBy(operationId));
  if (!isObject(body)) throw new Error(`the example of ${operationId} is no object`);
  return body;
}

const ask = async (operationId: string, change: JsonObject): Promise<Answer> => {
  const operation = operationBy(operationId);
  const body = { ...exampleBody(operationId), ...change };
  const request = validRequest(operation, { body });
  return readAnswer(await send(server, request), operation);
};
const briefly = ({ status, body }: Answer): unknown => {
  const violations = status === 400 ? ofContract(errorOf(body).details.violations) : [];
  return [status, violations.map(({ pointer, rule }) => `${pointer} ${rule}`)];
};

const long = "x".repeat(60_000);
const longId = "x".repeat(129);

describe("what is too long is refused, and not sent back", () => {
  test.each([
    ["registerWithdrawAddress", { chain_id: long }, "/chain_id"],
    ["registerWithdrawAddress", { address: long }, "/address"],
    ["registerWithdrawAddress", { label: "x".repeat(257) }, "/label"],
    ["createPayoutSchedule", { currency_id: long }, "/currency_id"],
    ["createPayoutSchedule", { target_chain_id: longId }, "/target_chain_id"],
    ["createPayoutSchedule", { withdraw_address_id: longId }, "/withdraw_address_id"],
    [
      "createPayment",
      { quotes: { cur_usdc: { amount: "1", chain_ids: [long] } } },
      "/quotes/cur_usdc/chain_ids/0",
    ],
    [
      "replaceCurrencyAcceptance",
      { currencies: { cur_usdc: { chain_ids: [longId] } } },
      "/currencies/cur_usdc/chain_ids/0",
    ],
    ["settleX402Payment", { payment_id: long }, "/payment_id"],
  ])("%s: %#", async (operationId, change, pointer) => {
    const answer = await ask(operationId, change);
    expect(briefly(answer)).toEqual([400, [`${pointer} maxLength`]]);
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
  });

  test.each([
    ["createPayment", { quotes: { [longId]: { amount: "1" } } }],
    ["replaceCurrencyAcceptance", { currencies: { [longId]: {} } }],
  ])("%s: the name of a currency", async (operationId, change) => {
    const answer = await ask(operationId, change);
    expect(answer.status).toBe(400);
    expect(errorOf(answer.body).code).toBe("invalid_request");
  });

  test("a name is not repeated for each mistake behind it", async () => {
    const name = "x".repeat(60_000);
    const many = Array.from({ length: 110 }, () => 1);
    for (const change of [
      { quotes: { [name]: { amount: "1", chain_ids: many } } },
      { quotes: { [name]: { amount: "1" } } },
      { [name]: 1 },
    ]) {
      const answer = await ask("createPayment", change);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body).length).toBeLessThan(60_000);
    }
  });

  test.each([
    ["escapes", "~", "~0"],
    ["pairs of UTF-16", "😀", "😀"],
  ])("a long name is cut between its characters: %s", async (_name, character, shown) => {
    const pointerOf = async (length: number): Promise<unknown> => {
      const quotes = { [character.repeat(length)]: { amount: "-1" } };
      const answer = await ask("createPayment", { quotes });
      const { violations } = errorOf(answer.body).details;
      return violations?.find(({ rule }) => rule === "pattern")?.pointer;
    };
    expect(await pointerOf(128)).toBe(`/quotes/${shown.repeat(128)}/amount`);
    expect(await pointerOf(129)).toBe(`/quotes/${shown.repeat(128)}.../amount`);
  });

  test("a number beyond two bounds is told the narrower one", async () => {
    const operation = operationBy("listCurrencies");
    const request = validRequest(operation, { query: "limit=9007199254740993" });
    const answer = await readAnswer(await send(server, request), operation);
    expect(briefly(answer)).toEqual([400, ["/limit maximum"]]);
    const said = errorOf(answer.body).details.violations?.map(({ message }) => message);
    expect(said).toEqual(["must be at most 100"]);
  });

  test.each(["currency_id", "target_chain_id"])("%s in a filter", async (name) => {
    const operation = operationBy("listPayoutSchedules");
    const request = validRequest(operation, { query: `${name}=${longId}` });
    const answer = await readAnswer(await send(server, request), operation);
    expect(briefly(answer)).toEqual([400, [`/${name} maxLength`]]);
  });
});

describe("integers that no double holds, and raw amounts that no uint256 does", () => {
  const judge = judgeAt("/components/schemas/RawAmount");
  const most = 2n ** 256n - 1n;

  test.each([0n, 1n, 10n ** 76n, 10n ** 77n, most - 1n, most])("%d is one", (value) => {
    expect(judge(value.toString())).toEqual([]);
  });
  test.each([most + 1n, most + 10n ** 10n, 2n * 10n ** 77n, 10n ** 78n, 10n ** 90n])(
    "%d is none",
    (value) => {
      expect(judge(value.toString())).not.toEqual([]);
    },
  );

  test("the server says so in a line that people can read", async () => {
    const value = {
      ...objectAt(exampleBody("settleX402Payment"), "payment_requirements"),
      max_amount_required: String(most + 1n),
    };
    const answer = await ask("settleX402Payment", { payment_requirements: value });
    expect(briefly(answer)).toEqual([400, ["/payment_requirements/max_amount_required pattern"]]);
    expect(errorOf(answer.body).details.violations?.[0]?.message.length).toBeLessThan(200);
  });

  test.each([-1, 9_007_199_254_740_992])("times of settle: %d", async (validBefore) => {
    const value = {
      ...objectAt(exampleBody("settleX402Payment"), "payment_requirements"),
      valid_before: validBefore,
    };
    const answer = await ask("settleX402Payment", { payment_requirements: value });
    const rule = validBefore < 0 ? "minimum" : "maximum";
    expect(briefly(answer)).toEqual([400, [`/payment_requirements/valid_before ${rule}`]]);
  });
});

describe("free JSON holds nothing that nobody can keep", () => {
  const text = (operationId: string, member: string): string => {
    const body = exampleBody(operationId);
    const free = { deep: ["here"] };
    const requirements = body["payment_requirements"];
    const whole = isObject(requirements)
      ? { ...body, payment_requirements: { ...requirements, extra: free } }
      : { ...body, evidence: free };
    return JSON.stringify(whole).replace('"here"', member);
  };
  test.each([
    ["1e400", "finite"],
    ["9007199254740993", "precision"],
    [String.raw`"\u0000"`, "unicode"],
    [String.raw`"\ud800"`, "unicode"],
    [String.raw`{"\udc00":1}`, "unicode"],
  ])("%s breaks the rule %s", async (member, rule) => {
    for (const operationId of ["reportX402Usage", "settleX402Payment"]) {
      const operation = operationBy(operationId);
      const target = targetOf(validRequest(operation));
      const answer = await readAnswer(
        await sendPlain(server, {
          method: "POST",
          target,
          headers: { "Content-Type": "application/json", "Idempotency-Key": newKey() },
          body: text(operationId, member),
        }),
        operation,
      );
      const seen = { operationId, status: answer.status, code: errorOf(answer.body).code };
      expect(seen).toEqual({ operationId, status: 400, code: "invalid_request" });
      const rules = errorOf(answer.body).details.violations?.map((one) => one.rule);
      expect({ operationId, rules }).toEqual({ operationId, rules: [rule] });
    }
  });
});

/** A URL, what is said of it, and the words that the document has for it. */
const urls = [
  ["http://shop.example/x", "https URL", "not an absolute https URL"],
  ["shop.example", "absolute https URL", "not an absolute https URL"],
  [`https://shop.example/${"x".repeat(2048)}`, "2048 characters", "more than 2048 characters"],
  ["https://shop.example/é", "visible ASCII", "anything but visible ASCII"],
  ["https://shop.example\\x", "backslashes", "a backslash"],
  ["https://a@shop.example/", "user information", "user information"],
  ["https://shop.example/#x", "fragment", "a fragment"],
  ["https://shop.example:444/", "port 443", "a port other than 443 and 8443"],
  ["https://192.0.2.1/", "IP address", "an IP address in any spelling"],
  ["https://0x7f.1/", "IP address", "an IP address in any spelling"],
  ["https://sh%6Fp.example/", "spelled plainly", "not spelled plainly"],
  ["https://shop.example./", "dot at its end", "ends with a dot"],
  ["https://shop/", "full public host name", "has a single label"],
  ["https://-.example/", "valid host name", "is no valid name"],
  ["https://shop.internal/", "private network", "a suffix of private networks"],
  ["https://pay.example/", "this service itself", "a host of this service"],
] as const;

test.each(urls)("%s is refused, and the document says why", (url, said, documented) => {
  const policy = { allowedHttpHosts: new Set<string>(), ownHosts: new Set(["pay.example"]) };
  expect(webhookUrlProblem(url, { ...policy, isTest: true })).toContain(said);
  const { node } = placeAt("/components/responses/BadWebhookEndpoint");
  expect(textOf(node["description"]).replaceAll(/\s+/g, " ")).toContain(documented);
});
