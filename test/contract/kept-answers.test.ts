// How long the answer to an Idempotency-Key is kept, by the clock that the service is given: 7 days, and 24
// hours where it shows a secret (sections Idempotency of the document and 8 of the decisions).

import { describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { clockOf } from "../support/clock.ts";
import { type Answer, bodyOf, errorOf } from "../support/contract-answers.ts";
import { buildAsker } from "../support/contract-asker.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { type Change, newKey } from "../support/contract-requests.ts";
import { engines } from "../support/engines.ts";
import { type Merchant, useService } from "../support/service.ts";
import { addAddress, scheduleBody } from "../support/schedule-resources.ts";
import { fund, newAddress } from "../support/withdrawal-resources.ts";
import { orderOf, standard } from "./payment-calls.ts";
import { outcome } from "./scene.ts";

const day = 86_400_000;
const minute = 60_000;
const asker = buildAsker();

describe.each(engines)("on %s", (engine) => {
  let passedMilliseconds = 0;
  const clock = { ...systemClock, ...clockOf(() => Date.now() + passedMilliseconds) };
  const service = useService(engine, { clock });

  const ask = (merchant: Merchant, operationId: string, change: Change): Promise<Answer> => {
    const time = String(Math.floor(clock.nowMilliseconds() / 1000));
    const headers = { ...change.headers, "X-Timestamp": time };
    return asker.ask(merchant, operationId, { ...change, headers });
  };
  const keyed = (change: Change): Change => ({
    ...change,
    headers: { "Idempotency-Key": newKey() },
  });
  const isReplay = ({ headers }: Answer): boolean => headers.get("Idempotent-Replayed") === "true";

  const registering = (): Change => keyed({ body: { url: "https://shop.example/hooks" } });
  const rotating = async (merchant: Merchant): Promise<Change> => {
    const answer = await ask(merchant, "registerWebhookEndpoint", registering());
    return keyed({ path: { id: textOf(bodyOf(answer.body)["id"]) } });
  };

  test.each([
    ["registerWebhookEndpoint", registering],
    ["rotateWebhookEndpointSecret", rotating],
  ])("the answer of %s shows a secret: a day, and then 409", async (operationId, prepare) => {
    const merchant = await service.newMerchant();
    const change = await prepare(merchant);
    const first = await ask(merchant, operationId, change);
    expect(first.status).toBeLessThan(300);
    passedMilliseconds += day - minute;
    const kept = await ask(merchant, operationId, change);
    expect([isReplay(kept), kept.body]).toEqual([true, first.body]);
    passedMilliseconds += 2 * minute;
    const gone = await ask(merchant, operationId, change);
    expect(outcome(gone)).toEqual([409, "idempotency_key_expired"]);
    const rows = "select 1 from webhook_endpoints where merchant_id = $1";
    expect(await service.count(rows, [merchant.merchantId])).toBe(1);
  });

  test("a payment: 7 days, and then neither this nor another request makes a second one", async () => {
    const merchant = await service.newMerchant();
    const accepting = keyed({ body: { currencies: standard } });
    expect((await ask(merchant, "replaceCurrencyAcceptance", accepting)).status).toBe(200);
    const change = keyed({ body: orderOf() });
    const first = await ask(merchant, "createPayment", change);
    expect(first.status).toBe(201);
    passedMilliseconds += 7 * day - minute;
    const kept = await ask(merchant, "createPayment", change);
    expect([isReplay(kept), kept.body]).toEqual([true, first.body]);
    passedMilliseconds += 2 * minute;
    const again = await ask(merchant, "createPayment", change);
    expect(outcome(again)).toEqual([409, "order_already_exists"]);
    expect(errorOf(again.body).details).toMatchObject({ payment_id: bodyOf(first.body)["id"] });
    const other = await ask(merchant, "createPayment", { ...change, body: orderOf() });
    expect(outcome(other)).toEqual([409, "idempotency_key_expired"]);
    const rows = "select 1 from payments where merchant_id = $1";
    expect(await service.count(rows, [merchant.merchantId])).toBe(1);
  });

  const withdrawalBody = async ({ key }: Merchant): Promise<JsonObject> => {
    await fund(service.query, key, { deploymentId: "dep_usdc_base", amountRaw: 1_000_000_000n });
    const place = { currency_id: "cur_usdc", target_chain_id: "eip155:8453", amount: "1" };
    return { ...place, withdraw_address_id: await addAddress(service.query, key) };
  };

  /** What money leaves by; each body is one of its own. */
  const leaving: readonly (readonly [
    string,
    string,
    (merchant: Merchant) => Promise<JsonObject>,
  ])[] = [
    ["requestWithdrawal", "withdrawals", withdrawalBody],
    [
      "createPayoutSchedule",
      "payout_schedules",
      (merchant) => scheduleBody(service.query, merchant),
    ],
    [
      "registerWithdrawAddress",
      "withdraw_addresses",
      () => Promise.resolve({ chain_id: "eip155:8453", address: newAddress() }),
    ],
  ];

  test.each(leaving)(
    "%s: 7 days, and then its key makes no second one, ever",
    async (operationId, table, bodyFor) => {
      const merchant = await service.newMerchant();
      const bodies = [await bodyFor(merchant), await bodyFor(merchant)];
      const change = keyed({ body: bodies[0] ?? {} });
      const rows = `select 1 from ${table} where merchant_id = $1`;
      const before = await service.count(rows, [merchant.merchantId]);
      const first = await ask(merchant, operationId, change);
      expect(first.status).toBe(201);
      passedMilliseconds += 7 * day - minute;
      expect(isReplay(await ask(merchant, operationId, change))).toBe(true);
      passedMilliseconds += 2 * minute;
      const other = await ask(merchant, operationId, { ...change, body: bodies[1] ?? {} });
      expect(outcome(other)).toEqual([409, "idempotency_key_expired"]);
      expect(await service.count(rows, [merchant.merchantId])).toBe(before + 1);
    },
  );

  test("any other: 7 days, and then the key is free again", async () => {
    const merchant = await service.newMerchant();
    const change = keyed({ body: { currencies: standard } });
    const first = await ask(merchant, "replaceCurrencyAcceptance", change);
    expect(first.status).toBe(200);
    passedMilliseconds += 7 * day - minute;
    expect(isReplay(await ask(merchant, "replaceCurrencyAcceptance", change))).toBe(true);
    passedMilliseconds += 2 * minute;
    const again = await ask(merchant, "replaceCurrencyAcceptance", change);
    expect([again.status, isReplay(again)]).toEqual([200, false]);
    const free = { ...change, body: { currencies: {} } };
    expect(outcome(await ask(merchant, "replaceCurrencyAcceptance", free))).toEqual([
      422,
      "idempotency_key_reused",
    ]);
  });
});
