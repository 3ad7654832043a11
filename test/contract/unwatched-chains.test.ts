// Nothing is promised on a chain that nobody watches: on both engines, with a server that watches Base
// and its test network only (threat 109).

import { describe, expect } from "vitest";
import { bodyOf, errorOf } from "../support/contract-answers.ts";
import { isObject, type JsonObject, listAt, objectAt } from "../support/contract-document.ts";
import { activeAddress, fund } from "../support/withdrawal-resources.ts";
import type { Merchant } from "../support/service.ts";
import { accept, base, callsOf, ethereum, orderOf, quote, standard } from "./payment-calls.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

const baseTest = "eip155:84532";
const watching = [base, baseTest];

function deploymentsOf(currency: JsonObject): readonly JsonObject[] {
  return listAt(currency, "deployments").filter(isObject);
}

function describeWatching({ service, asker, test }: Scene): void {
  const { create, created, countPayments } = callsOf({ service, asker, test });
  const chainsOf = (payment: JsonObject): readonly unknown[] =>
    deploymentsOf(objectAt(objectAt(payment, "quotes"), "cur_usdc")).map((one) => one["chain_id"]);

  test("a payment is quoted where somebody watches, and nowhere else", async ({ merchant }) => {
    await accept(merchant, { cur_usdc: {}, cur_eth: {} });
    const answer = await created(merchant, orderOf());
    expect(chainsOf(answer)).toEqual(expect.arrayContaining(watching));
    expect(chainsOf(answer)).toHaveLength(watching.length);
  });

  test("a live key is quoted the main network of them", async ({ merchant }) => {
    const live = await service.newKey(merchant, { environment: "live" });
    await accept(live, standard);
    expect(chainsOf(await created(live, orderOf()))).toEqual([base]);
  });

  test.each([
    ["none is left", undefined, { pointer: "/quotes/cur_usdc", open_chain_ids: [] }],
    [
      "one is listed that nobody watches",
      [base, ethereum],
      { pointer: "/quotes/cur_usdc/chain_ids/1", chain_id: ethereum, open_chain_ids: [base] },
    ],
  ] as const)("422 where %s, with the reason and what to do", async (_, chains, details) => {
    const merchant = await service.newMerchant();
    const accepted = chains === undefined ? [ethereum] : [base, ethereum];
    await accept(merchant, { cur_usdc: { chain_ids: accepted } });
    const order = orderOf(quote("cur_usdc", "1", chains));
    const answer = await create(merchant, order);
    expect(outcome(answer)).toEqual([422, "deposits_disabled"]);
    expect(errorOf(answer.body).details).toMatchObject({
      ...details,
      currency_id: "cur_usdc",
      reason: "chain_not_watched",
    });
    const could: unknown = Reflect.get(errorOf(answer.body).details, "watched_chain_ids");
    expect((could as readonly string[]).toSorted()).toEqual(watching.toSorted());
    expect(await countPayments(merchant, order)).toBe(0);
  });

  /** With money on Ethereum, and an address there. */
  const withMoney = async (merchant: Merchant): Promise<JsonObject> => {
    const money = { deploymentId: "dep_usdc_ethereum", amountRaw: 1_000_000_000n };
    await fund(service.query, merchant.key, money);
    const withdraw_address_id = await activeAddress(service.query, merchant, ethereum);
    return { currency_id: "cur_usdc", target_chain_id: ethereum, withdraw_address_id };
  };
  const schedule = { interval_secs: 86_400, min_send_amount: "1", mode: "auto_request" };

  test.each([
    ["requestWithdrawal", { amount: "1" }, "withdrawals"],
    ["createPayoutSchedule", schedule, "payout_schedules"],
  ] as const)("422 for %s where nobody could send it", async (operationId, more, table) => {
    const merchant = await service.newMerchant();
    const body = { ...(await withMoney(merchant)), ...more };
    const answer = await asker.ask(merchant, operationId, { body });
    expect(outcome(answer)).toEqual([422, "withdrawals_disabled"]);
    expect(errorOf(answer.body).details).toMatchObject({
      reason: "chain_not_watched",
      chain_id: ethereum,
    });
    const rows = await service.query(`select 1 from ${table} where merchant_id = $1`, [
      merchant.merchantId,
    ]);
    expect(rows).toEqual([]);
  });

  test("the catalog says what is listed, whoever is watched", async ({ merchant }) => {
    const answer = await asker.ask(merchant, "getCurrency", { path: { id: "cur_usdc" } });
    const all = deploymentsOf(objectAt(bodyOf(answer.body), "currency"));
    const onEthereum = all.find((one) => one["chain_id"] === ethereum);
    expect(onEthereum?.["deposit_enabled"]).toBe(true);
  });
}

describeOnEngines(describeWatching, { watching });

function describeBlind(scene: Scene): void {
  const { create } = callsOf(scene);
  const { test } = scene;

  test("takes no payment", async ({ merchant }) => {
    await accept(merchant, standard);
    const answer = await create(merchant, orderOf());
    expect(outcome(answer)).toEqual([422, "deposits_disabled"]);
  });
}

describe("a server that watches nothing", () => {
  describeOnEngines(describeBlind, { watching: [] });
});
