// Which currencies a merchant accepts: each documented status really produced, on both engines.

import { expect } from "vitest";
import type { Answer } from "../support/contract-answers.ts";
import { isObject, type JsonObject, objectAt } from "../support/contract-document.ts";
import { send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import type { Merchant } from "../support/service.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

const operationId = "replaceCurrencyAcceptance";

function currenciesOf({ body }: Answer): JsonObject {
  return objectAt(isObject(body) ? body : {}, "currencies");
}

function describeOperation(scene: Scene): void {
  const { service, asker, test } = scene;
  const replace = (merchant: Merchant, currencies: JsonObject): Promise<Answer> =>
    asker.ask(merchant, operationId, { body: { currencies } });

  /** Chains that a test key accepts when it names none. */
  const chainsOf = async (currencyId: string): Promise<readonly string[]> => {
    const rows = await service.query(
      "select chain_id from deployments where currency_id = $1 and deposit_enabled",
      [currencyId],
    );
    return rows.map((row) => String(row["chain_id"])).toSorted();
  };

  const closeDeposits = async (currencyId: string): Promise<void> => {
    const close = "update deployments set deposit_enabled = false where currency_id = $1";
    await service.query(close, [currencyId]);
    await service.query("update catalog set version = version + 1", []);
  };

  const subject: Replayed = {
    operationId,
    prepare: () => ({ body: { currencies: { cur_usdc: {} } } }),
    badBody: { body: { currencies: { cur_usdc: { chain_ids: "all" } } }, code: "invalid_request" },
    others: () => [
      { name: "body", operationId, change: { body: { currencies: {} } } },
      {
        name: "operation",
        operationId: "registerWebhookEndpoint",
        change: { body: { url: "https://shop.example/hooks" } },
      },
    ],
    countEffects: ({ merchantId }) =>
      service.countEvents(merchantId, "currency_acceptance.updated"),
  };
  testWriting(scene, subject);

  test("200 lists every chain with deposits where none is named, sorted", async ({ merchant }) => {
    const chains = await chainsOf("cur_usdc");
    expect(chains.length).toBeGreaterThan(1);
    const answer = await replace(merchant, { cur_usdc: {} });
    expect(answer.status).toBe(200);
    expect(currenciesOf(answer)).toEqual({ cur_usdc: { chain_ids: chains } });
  });

  test("200 replaces everything: what is left out is no longer accepted", async ({ merchant }) => {
    const [chain = ""] = await chainsOf("cur_usdc");
    const first = await replace(merchant, { cur_usdc: { chain_ids: [chain] }, cur_eth: {} });
    expect(Object.keys(currenciesOf(first)).toSorted()).toEqual(["cur_eth", "cur_usdc"]);
    const second = await replace(merchant, { cur_usdc: { chain_ids: [chain] } });
    expect(currenciesOf(second)).toEqual({ cur_usdc: { chain_ids: [chain] } });
    expect(currenciesOf(await replace(merchant, {}))).toEqual({});
    const rows = "select 1 from currency_acceptance where merchant_id = $1";
    expect(await service.count(rows, [merchant.merchantId])).toBe(0);
  });

  test("200 tells the merchant's endpoints", async ({ merchant }) => {
    const body = { url: "https://shop.example/hooks" };
    await send(merchant, validRequest(operationBy("registerWebhookEndpoint"), { body }));
    await replace(merchant, { cur_usdc: {} });
    const rows = "select 1 from webhook_deliveries where merchant_id = $1 and event_type = $2";
    expect(await service.count(rows, [merchant.merchantId, "currency_acceptance.updated"])).toBe(1);
  });

  test.for<[string, JsonObject, string]>([
    ["a currency that does not exist", { cur_no: {} }, "currency_not_found"],
    ["a name like __proto__", JSON.parse('{"__proto__":{}}') as JsonObject, "currency_not_found"],
    ["a chain it is not on", { cur_usdc: { chain_ids: ["eip155:999999"] } }, "chain_not_accepted"],
    ["a currency that takes no deposits", { cur_eurc: {} }, "deposits_disabled"],
    ["no chain at all", { cur_usdc: { chain_ids: [] } }, "chain_not_accepted"],
  ])("422 for %s, and nothing changes", async ([_name, currencies, code], { merchant }) => {
    await closeDeposits("cur_eurc");
    expect((await replace(merchant, { cur_usdc: {} })).status).toBe(200);
    const answer = await replace(merchant, {
      cur_eth: {},
      ...Object.fromEntries(Object.entries(currencies)),
    });
    expect(outcome(answer)).toEqual([422, code]);
    const rows =
      "select 1 from currency_acceptance where merchant_id = $1 and currency_id = 'cur_usdc'";
    expect(await service.count(rows, [merchant.merchantId])).toBe(1);
  });

  test("replacements at once leave one of them whole", async ({ merchant }) => {
    const wanted: readonly JsonObject[] = [
      { cur_usdc: {} },
      { cur_eth: {} },
      { cur_usdc: {}, cur_eth: {} },
      {},
    ];
    const answers = await Promise.all([...wanted, ...wanted].map((one) => replace(merchant, one)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rows = await service.query(
      "select currency_id from currency_acceptance where merchant_id = $1 order by currency_id",
      [merchant.merchantId],
    );
    const left = rows.map((row) => row["currency_id"]).join(" ");
    expect(["cur_usdc", "cur_eth", "cur_eth cur_usdc", ""]).toContain(left);
  });
}

describeOnEngines(describeOperation);
