// Creating payments: each documented status really produced, on both engines.

import { expect, inject } from "vitest";
import { errorOf, bodyOf } from "../support/contract-answers.ts";
import { type Json, objectAt, textOf } from "../support/contract-document.ts";
import { newKey, send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { accept, base, callsOf, ethereum, newShop, orderOf } from "./payment-calls.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

function describeOperation(scene: Scene): void {
  const { service, asker } = scene;
  const test = scene.test.extend("shop", () => newShop(service));
  const { create, created, cancel, countPayments, eventsOf, prepareOrder } = callsOf(scene);

  const subject: Replayed = {
    operationId: "createPayment",
    prepare: prepareOrder,
    badBody: {
      body: orderOf({ redirect_url: "http://shop.example/" }),
      code: "invalid_request",
    },
    others: () => [
      { name: "body", operationId: "createPayment", change: { body: orderOf() } },
      {
        name: "operation",
        operationId: "replaceCurrencyAcceptance",
        change: { body: { currencies: {} } },
      },
    ],
    countEffects: (merchant, { body }) => countPayments(merchant, body),
  };
  testWriting(scene, subject);

  test("201 with every price, where it can be paid, and the page to pay on", async () => {
    const merchant = await newShop(service);
    const quotes = {
      cur_usdc: { amount: "120.50" },
      cur_eth: { amount: "0.0400", chain_ids: [base] },
    };
    const order = orderOf({ quotes, expires_in_secs: 3600, memo: "for us", user_id: "u-1" });
    const payment = await created(merchant, order);
    expect(payment).toMatchObject({
      status: "pending",
      merchant_order_no: order["merchant_order_no"],
      quotes: {
        cur_usdc: { amount: "120.5", code: "USDC", name: "USD Coin" },
        cur_eth: { amount: "0.04", deployments: [{ raw_amount: "40000000000000000" }] },
      },
    });
    const { deployments } = objectAt(objectAt(payment, "quotes"), "cur_usdc");
    expect(deployments).toEqual([
      {
        currency_chain_id: "dep_usdc_base",
        chain_id: base,
        decimals: 6,
        raw_amount: "120500000",
        asset_kind: "token",
        token_standard: "erc20",
        contract_address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      },
      expect.objectContaining({ chain_id: ethereum, raw_amount: "120500000" }),
    ]);
    expect(textOf(payment["id"])).toMatch(/^pay_[0-9A-Z]{26}$/);
    const cell = inject("isInCells") ? "cell[a-z]+\\." : "";
    const link = new RegExp(`^http:.*/checkout/${cell}[A-Za-z0-9_-]{22}$`);
    expect(textOf(payment["checkout_url"])).toMatch(link);
    const left = Date.parse(textOf(payment["expires_at"])) - Date.now();
    expect(Math.round(left / 60_000)).toBe(60);
    const [event] = await eventsOf(payment["id"]);
    expect(event).toMatchObject({ type: "payment.created", sequence: 1 });
    const text = textOf(event?.["data"] as Json);
    expect(JSON.parse(text)).toMatchObject({ memo: "for us", user_id: "u-1" });
    expect(text).not.toMatch(/checkout/);
    expect(JSON.parse(text)).toMatchObject({
      quotes: {
        cur_eth: { deployments: [{ due_raw: "40000000000000000", received_raw: "0" }] },
      },
    });
  });

  test("201 keeps what was ordered, and the fee of that moment", async ({ shop: merchant }) => {
    const [seller, other] = [await service.newMerchant(), await service.newMerchant()];
    await service.query("update merchants set fee_bps = 25 where id = $1", [merchant.merchantId]);
    const payment = await created(
      merchant,
      orderOf({
        splits: [
          { type: "percentage", merchant_id: seller.merchantId, bps: 8500 },
          { type: "percentage", merchant_id: other.merchantId, bps: 1500 },
        ],
        overpay_policy: "pro_rata",
        redirect_url: "https://shop.example/orders/1?a=b#done",
      }),
    );
    await service.query("update merchants set fee_bps = 99 where id = $1", [merchant.merchantId]);
    const kept = await service.query(
      `select fee_bps, overpay_policy, redirect_url, chain_ids, environment, version::int,
            expires_at - created_at = interval '30 min' as is_half_an_hour
          from payments where id = $1`,
      [payment["id"]],
    );
    expect(kept).toEqual([
      {
        fee_bps: 25,
        overpay_policy: "pro_rata",
        redirect_url: "https://shop.example/orders/1?a=b#done",
        chain_ids: [ethereum, base],
        environment: "test",
        version: 1,
        is_half_an_hour: true,
      },
    ]);
    const shares = await service.query(
      "select position, merchant_id, bps from payment_splits where payment_id = $1 order by 1",
      [payment["id"]],
    );
    expect(shares).toEqual([
      { position: 0, merchant_id: seller.merchantId, bps: 8500 },
      { position: 1, merchant_id: other.merchantId, bps: 1500 },
    ]);
  });

  test("201 tells the merchant's endpoints, and nobody else's", async () => {
    const [merchant, other] = [await newShop(service), await newShop(service)];
    for (const one of [merchant, other]) {
      const body = { url: "https://shop.example/hooks" };
      await send(one, validRequest(operationBy("registerWebhookEndpoint"), { body }));
    }
    const { id } = await created(merchant);
    const rows = await service.query(
      "select merchant_id, event_type from webhook_deliveries where resource_id = $1",
      [id],
    );
    expect(rows).toEqual([{ merchant_id: merchant.merchantId, event_type: "payment.created" }]);
  });

  test("409 for an order number that was used, for ever and with the payment's id", async () => {
    const merchant = await newShop(service);
    const order = orderOf();
    const { id } = await created(merchant, order);
    await cancel(merchant, id);
    const again = await create(merchant, { ...order, quotes: { cur_dai: { amount: "1" } } });
    expect(outcome(again)).toEqual([409, "order_already_exists"]);
    expect(errorOf(again.body).details).toMatchObject({ payment_id: id });
    expect((await create(await newShop(service), order)).status).toBe(201);
    const live = await service.newKey(merchant, { environment: "live" });
    await accept(live, { cur_usdc: {} });
    expect((await create(live, order)).status).toBe(201);
  });

  test("one payment and one 409 for one order number with two keys at once", async () => {
    const merchant = await newShop(service);
    for (let round = 0; round < 5; round++) {
      const order = orderOf();
      const answers = await Promise.all([create(merchant, order), create(merchant, order)]);
      const [made, refused] = answers.toSorted((one, two) => one.status - two.status);
      if (made === undefined || refused === undefined) throw new Error("two were asked");
      expect([outcome(made), outcome(refused)]).toEqual([
        [201, undefined],
        [409, "order_already_exists"],
      ]);
      expect(errorOf(refused.body).details).toMatchObject({
        payment_id: bodyOf(made.body)["id"],
      });
      expect(await countPayments(merchant, order)).toBe(1);
    }
  });

  test("one payment for 50 requests with one key at once (threat 9)", async () => {
    const merchant = await newShop(service);
    const change = { body: orderOf(), headers: { "Idempotency-Key": newKey() } };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => asker.ask(merchant, "createPayment", change)),
    );
    const outcomes = new Set(answers.map((one) => outcome(one).join(" ")));
    expect([...outcomes].filter((one) => !/^(201 |409 idempotency_in)/.test(one))).toEqual([]);
    const ids = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => bodyOf(body)["id"]);
    expect(new Set(ids).size).toBe(1);
    expect(await countPayments(merchant, change.body)).toBe(1);
  });
}

describeOnEngines(describeOperation);
