// The examples of all operations, run as they stand in docs/examples, against the service: what each really asks for,
// and what is answered.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { programOf, setupOf } from "../../../scripts/reference/examples.ts";
import { type Child, endChildren, makeFolder, startChild } from "../../programs/child.ts";
import { readAnswer } from "../../support/contract-answers.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  operations,
  textOf,
} from "../../support/contract-document.ts";
import { send, validRequest } from "../../support/contract-requests.ts";
import { operationBy } from "../../support/contract-resources.ts";
import { addAddress, addSubscription, createSchedule } from "../../support/schedule-resources.ts";
import { type Merchant, useService } from "../../support/service.ts";
import { fund, newAddress } from "../../support/withdrawal-resources.ts";
import { localPayment, settlementOf } from "../../support/x402-resources.ts";
import { startReceiver } from "../../webhooks/receiver.ts";
import { describePresent } from "../languages/language.ts";
import { type ExampleShop, exampleLanguages, type ProgramName } from "./example-shop.ts";
import { type Recorded, startRecordingProxy } from "./recording-proxy.ts";

const service = useService("PostgreSQL", { hasChain: true });
afterAll(endChildren);

/** Of a merchant that has money, an address, a subscription, and a payment that somebody has signed for. */
async function environmentOf(merchant: Merchant): Promise<Record<string, string>> {
  const { key, secret } = merchant;
  await fund(service.query, key, { deploymentId: "dep_usdc_base", amountRaw: 1_000_000_000n });
  const paymentId = await localPayment(merchant);
  const settlement = await settlementOf(paymentId, { scheme: "upto" });
  return {
    MERCHANT_API_KEY: key,
    MERCHANT_API_SECRET: secret,
    WEBHOOK_URL: "https://shop.example/hooks/payments",
    WITHDRAW_ADDRESS: newAddress(),
    WITHDRAW_ADDRESS_ID: await addAddress(service.query, key),
    SUBSCRIPTION_ID: await addSubscription(service.query, key),
    X402_PAYMENT_ID: paymentId,
    X402_PAYLOAD: JSON.stringify(settlement["payment_payload"]),
    X402_REQUIREMENTS: JSON.stringify(settlement["payment_requirements"]),
  };
}

/** Which operation was asked for, and how it ended; throws where an answer is none of the contract. */
async function outcomeOf({ operation, idempotencyKey, response }: Recorded) {
  const { status, headers, body } = await readAnswer(response, operation);
  const isReplayed = headers.has("Idempotent-Replayed");
  const hasNext = headers.has("X-Next-Cursor");
  const isWrite = operation?.method !== "GET";
  return {
    operation: operation?.operationId,
    status,
    idempotencyKey,
    isReplayed,
    isWrite,
    hasNext,
    body,
  };
}

/** What an example shows of an answer: which thing it is about, and each entry of a list. */
function shownOf(body: Json | undefined): readonly string[] {
  if (!isObject(body)) return [];
  const entries = Object.values(body).flatMap((value) => (Array.isArray(value) ? value : []));
  return [body, ...entries].flatMap((one) => {
    const { id, code = id } = isObject(one) ? one : {};
    return code === undefined ? [] : [textOf(code)];
  });
}

/** Of a merchant, but those of what is set anew. */
const eventsOfOnce = `select 1 from events where merchant_id = $1
  and type <> 'currency_acceptance.updated' and type not like 'webhook\\_endpoint.%'`;

/** The first success that each operation documents. */
const successes: ReadonlyMap<string, number> = new Map(
  operations.map(({ operationId, responses }) => [
    operationId,
    Number([...responses.keys()].find((status) => status.startsWith("2"))),
  ]),
);

/** Whatever they do any number of times: once more is not the same as before. */
const setAnew = ["replaceCurrencyAcceptance", "updateWebhookEndpoint", "setWebhookEndpointStatus"];

type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

const isSetAnew = ({ operation = "" }: Outcome): boolean => setAnew.includes(operation);

/** Does the opposite of what the examples set, as somebody does between two runs of them. */
async function setOtherwise(merchant: Merchant, endpoint: Json | undefined): Promise<void> {
  const id = isObject(endpoint) ? textOf(endpoint["id"] ?? "") : "";
  const url = "https://shop.example/hooks/others";
  const changes: readonly (readonly [string, JsonObject])[] = [
    ["replaceCurrencyAcceptance", { currencies: {} }],
    ["updateWebhookEndpoint", { url, event_types: ["payment.paid"] }],
    ["setWebhookEndpointStatus", { active: false }],
  ];
  for (const [operation, body] of changes) {
    const path = operation === "replaceCurrencyAcceptance" ? {} : { id };
    const { status } = await send(merchant, validRequest(operationBy(operation), { path, body }));
    expect({ operation, status }).toEqual({ operation, status: 200 });
  }
}

describePresent("its examples", exampleLanguages, ({ language, open }) => {
  let shop: ExampleShop;
  beforeAll(() => {
    shop = open();
  });

  const start = (name: ProgramName, environment: Readonly<Record<string, string>>): Child => {
    const [program, ...words] = shop.commands[name];
    return startChild(words, environment, program);
  };

  /** Everything of one run that went well, for a new merchant; `again` runs it once more. */
  const runOf = async (name: ProgramName) => {
    const proxy = await startRecordingProxy(service.url);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const merchant = await service.newMerchant();
    const CURL_HOME = makeFolder();
    // Whoever reads this reaches nothing.
    writeFileSync(join(CURL_HOME, ".curlrc"), 'proxy = "http://127.0.0.1:1"\n');
    const environment = { ...(await environmentOf(merchant)), PAY_URL: proxy.url, CURL_HOME };
    const again = async () => {
      const child = start(name, environment);
      const { code } = await child.ended;
      expect({ code, errors: child.errors() }).toEqual({ code: 0, errors: "" });
      const outcomes = await Promise.all(proxy.taken().map(outcomeOf));
      return {
        output: child.output(),
        outcomes,
        writes: outcomes.filter(({ isWrite }) => isWrite),
      };
    };
    return { merchant, again };
  };

  test("are as the tools of the language want them", () => {
    expect(shop.problems).toEqual([]);
  });

  test("get the success of every operation, do once what is done once, and set what is set", async () => {
    const { merchant, again } = await runOf("operations");
    const first = await again();
    const names = [...programOf(language).regions.keys()].filter((name) => name !== "setup");
    expect(first.outcomes.map(({ operation, status }) => [operation, status])).toEqual(
      names.map((name) => [name, successes.get(name)]),
    );
    const shown = first.outcomes.flatMap(({ body }) => shownOf(body));
    expect(shown.length).toBeGreaterThan(names.length);
    expect(shown.filter((text) => !first.output.includes(text))).toEqual([]);

    const endpoint = first.outcomes.find(({ operation }) => operation === "getWebhookEndpoint");
    await setOtherwise(merchant, endpoint?.body);
    const events = () => service.count(eventsOfOnce, [merchant.merchantId]);
    const eventsBefore = await events();
    const second = await again();
    expect(second.outcomes).toHaveLength(names.length);
    const once = ({ writes }: typeof first) =>
      writes.filter((one) => !isSetAnew(one)).map((one) => ({ ...one, idempotencyKey: undefined }));
    expect(once(second)).toEqual(once(first).map((one) => ({ ...one, isReplayed: true })));
    expect(await events()).toBe(eventsBefore);
    const anew = second.writes.filter(isSetAnew);
    expect(anew.map(({ operation, isReplayed }) => [operation, isReplayed])).toEqual(
      setAnew.map((name) => [name, false]),
    );
    expect(
      await service.query(
        "select active, event_types from webhook_endpoints where merchant_id = $1",
        [merchant.merchantId],
      ),
    ).toEqual([{ active: true, event_types: ["*"] }]);
    // What a customer signs anew is not kept from being charged by what was signed before.
    const settlements = [...first.writes, ...second.writes].filter(
      ({ operation }) => operation === "settleX402Payment",
    );
    const keys = settlements.flatMap(({ idempotencyKey = [] }) => idempotencyKey);
    expect([settlements.length, new Set(keys).size]).toEqual([2, keys.length]);
  });

  test("read lists to their end", async () => {
    const { merchant, again } = await runOf("hasty");
    const { id } = await createSchedule(service.query, merchant);
    const { outcomes, output } = await again();
    const lists = ["listCurrencies", "listPayoutSchedules"].map((name) =>
      outcomes.filter(({ operation }) => operation === name),
    );
    for (const pages of lists) {
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.map(({ hasNext }) => hasNext)).toEqual(
        pages.map((_, at) => at < pages.length - 1),
      );
      const shown = pages.flatMap(({ body }) => shownOf(body));
      expect(shown).toHaveLength(pages.length);
      expect(shown.filter((text) => !output.includes(text))).toEqual([]);
    }
    expect(output).toContain(id);
  });

  test.each(language === "sh" ? [60] : [])("wait at most %i s for an answer", async (seconds) => {
    expect(setupOf(language)).toContain(`--max-time ${seconds} `);
    await using silent = await startReceiver(() => undefined);
    const environment = await environmentOf(await service.newMerchant());
    const child = start("hasty", { ...environment, PAY_URL: new URL(silent.url).origin });
    expect((await child.ended).code).not.toBe(0);
    expect(child.errors()).toMatch(/timed out after 1\d{3} milliseconds/);
    expect(silent.received).toHaveLength(1);
  });

  test("do nothing with a live key", async () => {
    const proxy = await startRecordingProxy(service.url);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const environment = await environmentOf(await service.newMerchant());
    const MERCHANT_API_KEY = "mk_live_0123456789abcdef";
    const child = start("operations", { ...environment, PAY_URL: proxy.url, MERCHANT_API_KEY });
    expect((await child.ended).code).not.toBe(0);
    expect(child.errors()).toContain(
      "MERCHANT_API_KEY: take a test key, which begins with mk_test_",
    );
    expect(proxy.taken()).toEqual([]);
  });

  test("say which part of the environment is missing", async () => {
    const environment = Object.entries({
      ...(await environmentOf(await service.newMerchant())),
      PAY_URL: "http://127.0.0.1:1",
    });
    for (const [name] of environment) {
      const child = start(
        "operations",
        Object.fromEntries(environment.filter(([other]) => other !== name)),
      );
      const { code } = await child.ended;
      expect({ name, code }).not.toEqual({ name, code: 0 });
      expect(child.errors()).toContain(name);
    }
  });
});
