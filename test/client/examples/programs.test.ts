// The examples of all operations, run as they stand in docs/examples, against the service: what each really asks for,
// and what is answered.

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { programOf } from "../../../scripts/reference/examples.ts";
import { endChildren, startChild } from "../../programs/child.ts";
import { readAnswer } from "../../support/contract-answers.ts";
import { isObject, type Json, operations, textOf } from "../../support/contract-document.ts";
import { addAddress, addSubscription } from "../../support/schedule-resources.ts";
import { type Merchant, useService } from "../../support/service.ts";
import { fund, newAddress } from "../../support/withdrawal-resources.ts";
import { localPayment, settlementOf } from "../../support/x402-resources.ts";
import { describePresent } from "../languages/language.ts";
import { type ExampleShop, exampleLanguages } from "./example-shop.ts";
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
  return { operation: operation?.operationId, status, idempotencyKey, isReplayed, body };
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

/** The first success that each operation documents. */
const successes: ReadonlyMap<string, number> = new Map(
  operations.map(({ operationId, responses }) => [
    operationId,
    Number([...responses.keys()].find((status) => status.startsWith("2"))),
  ]),
);

describePresent("its examples", exampleLanguages, ({ language, open }) => {
  let shop: ExampleShop;
  beforeAll(() => {
    shop = open();
  });

  test("are as the tools of the language want them", () => {
    expect(shop.problems).toEqual([]);
  });

  test("get the success of every operation, and do everything once, however often they run", async () => {
    const proxy = await startRecordingProxy(service.url);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const merchant = await service.newMerchant();
    const environment = { ...(await environmentOf(merchant)), PAY_URL: proxy.url };
    const run = async () => {
      const [program, ...words] = shop.command;
      const child = startChild(words, environment, program);
      const { code } = await child.ended;
      expect({ code, errors: child.errors() }).toEqual({ code: 0, errors: "" });
      const outcomes = await Promise.all(proxy.taken().map(outcomeOf));
      const writes = outcomes.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
      const events = await service.count("select 1 from events where merchant_id = $1", [
        merchant.merchantId,
      ]);
      return { output: child.output(), outcomes, writes, events };
    };
    const first = await run();
    const names = [...programOf(language).regions.keys()].filter((name) => name !== "setup");
    expect(first.outcomes.map(({ operation, status }) => [operation, status])).toEqual(
      names.map((name) => [name, successes.get(name)]),
    );
    const shown = first.outcomes.flatMap(({ body }) => shownOf(body));
    expect(shown.length).toBeGreaterThan(names.length);
    expect(shown.filter((text) => !first.output.includes(text))).toEqual([]);
    const second = await run();
    expect(second.outcomes).toHaveLength(names.length);
    expect(second.writes).toEqual(first.writes.map((one) => ({ ...one, isReplayed: true })));
    expect(second.events).toBe(first.events);
  });

  test("say which part of the environment is missing", async () => {
    const environment = Object.entries({
      ...(await environmentOf(await service.newMerchant())),
      PAY_URL: "http://127.0.0.1:1",
    });
    const [program, ...words] = shop.command;
    for (const [name] of environment) {
      const others = Object.fromEntries(environment.filter(([other]) => other !== name));
      const child = startChild(words, others, program);
      const { code } = await child.ended;
      expect({ name, code }).not.toEqual({ name, code: 0 });
      expect(child.errors()).toContain(name);
    }
  });
});
