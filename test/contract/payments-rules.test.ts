// What the rules say of an order for a payment, on both engines: refusals that help, and the bounds.

import { expect } from "vitest";
import { briefly, errorOf } from "../support/contract-answers.ts";
import { type Json, type JsonObject, objectAt, textOf } from "../support/contract-document.ts";
import {
  accept,
  amountText,
  base,
  callsOf,
  ethereum,
  newOrder,
  newShop,
  orderOf,
  quote,
  share,
} from "./payment-calls.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

type Refused = readonly [what: string, change: JsonObject, code: string, pointer: string];

function describeOperation(scene: Scene): void {
  const { service } = scene;
  const test = scene.test.extend("shop", () => newShop(service));
  const { create, created, countPayments, eventsOf } = callsOf(scene);

  test.each<[string, JsonObject, readonly string[]]>([
    ["order number", { merchant_order_no: "A\0" }, ["body /merchant_order_no unicode"]],
    [
      "memo and user",
      { memo: "\0", user_id: "u\0" },
      ["body /memo unicode", "body /user_id unicode"],
    ],
    ["currency", { quotes: { "a\0/b": { amount: "1" } } }, ["body /quotes/a\0~1b unicode"]],
  ])("400 for U+0000 in the %s", async (_name, change, violations) => {
    const answer = await create(await newShop(service), orderOf(change));
    expect(outcome(answer)).toEqual([400, "invalid_request"]);
    expect(briefly(answer).toSorted()).toEqual(violations);
  });

  test.each([
    "http://shop.example/a",
    "javascript:alert(1)",
    "data:text/html,hello",
    "ftp://shop.example/a",
    "https://user@shop.example/",
    "https://user:pass@shop.example/",
    "https://@shop.example/",
    "https:shop.example",
  ])("400 for the redirect_url %s (threat 74)", async (url) => {
    const answer = await create(await newShop(service), orderOf({ redirect_url: url }));
    expect(outcome(answer)).toEqual([400, "invalid_request"]);
    expect(briefly(answer)[0]).toMatch(/^body \/redirect_url (https|format)$/);
  });

  test("422 for a currency says what may have been meant, and where to accept it", async () => {
    const merchant = await newShop(service);
    const none = await create(merchant, orderOf(quote("cur_UDSC", "1")));
    const { details: near } = errorOf(none.body);
    expect(near).toMatchObject({ near_currency_ids: expect.arrayContaining(["cur_usdc"]) as Json });
    const unaccepted = await create(merchant, orderOf(quote("cur_usdt", "1")));
    const { message, details } = errorOf(unaccepted.body);
    expect(message).toContain("PUT /v1/currency-acceptance");
    const accepted = expect.arrayContaining(["cur_usdc"]) as Json;
    expect(details).toMatchObject({ accepted_currency_ids: accepted });
  });

  test.each<Refused>([
    ["no such currency", quote("cur_no", "1"), "currency_not_found", "/quotes/cur_no"],
    ["__proto__", quote("__proto__", "1"), "currency_not_found", "/quotes/__proto__"],
    ["not accepted", quote("cur_usdt", "1"), "currency_not_accepted", "/quotes/cur_usdt"],
    [
      "a chain that is not accepted",
      quote("cur_usdc", "1", [base, "eip155:10"]),
      "chain_not_accepted",
      "/quotes/cur_usdc/chain_ids/1",
    ],
    [
      "no such chain",
      quote("cur_usdc", "1", ["eip155:999999"]),
      "chain_not_accepted",
      "/quotes/cur_usdc/chain_ids/0",
    ],
    ["7 digits", quote("cur_usdc", "0.0000001"), "amount_precision", "/quotes/cur_usdc/amount"],
    [
      "19 digits",
      quote("cur_eth", `0.${"1".repeat(19)}`),
      "amount_precision",
      "/quotes/cur_eth/amount",
    ],
    ["nothing", quote("cur_usdc", "0.000"), "amount_too_small", "/quotes/cur_usdc/amount"],
    ["78 nines", quote("cur_usdc", "9".repeat(78)), "amount_too_large", "/quotes/cur_usdc/amount"],
    [
      "2^256 units",
      quote("cur_usdc", amountText(2n ** 256n, 6)),
      "amount_too_large",
      "/quotes/cur_usdc/amount",
    ],
    ["8 days", { expires_in_secs: 604_801 }, "expires_in_out_of_range", "/expires_in_secs"],
    [
      "an unknown merchant",
      { splits: [share("mer_00000000000000000000000000")] },
      "split_merchant_not_found",
      "/splits/0/merchant_id",
    ],
    [
      "no merchant id",
      { splits: [share("mer 1")] },
      "split_merchant_not_found",
      "/splits/0/merchant_id",
    ],
  ])("422 for %s, and nothing is made", async (...[, change, code, pointer]) => {
    const merchant = await newShop(service);
    const order = orderOf(change);
    const answer = await create(merchant, order);
    expect(outcome(answer)).toEqual([422, code]);
    expect(errorOf(answer.body).details).toMatchObject({ pointer });
    expect(await countPayments(merchant, order)).toBe(0);
    expect((await create(merchant, orderOf())).status).toBe(201);
  });

  test("422 says which chains there are", async ({ shop: merchant }) => {
    const refused = await create(merchant, orderOf(quote("cur_usdc", "1", ["eip155:10"])));
    expect(errorOf(refused.body).details).toMatchObject({
      currency_id: "cur_usdc",
      chain_id: "eip155:10",
      accepted_chain_ids: [base, ethereum],
    });
  });

  test("422 for splits: of nobody, twice, to oneself, of more than all (threat 51)", async () => {
    const merchant = await newShop(service);
    const [one, other] = [await service.newMerchant(), await service.newMerchant()];
    const gone = await service.newMerchant();
    await service.suspend(gone);
    const ask = async (...splits: readonly JsonObject[]) =>
      outcome(await create(merchant, orderOf({ splits: [...splits] })));
    const nobody = [422, "split_merchant_not_found"];
    expect(await ask(share(one.merchantId), share(gone.merchantId))).toEqual(nobody);
    const twice = [share(one.merchantId), share(other.merchantId), share(one.merchantId)];
    expect(await ask(...twice)).toEqual([422, "split_merchant_duplicate"]);
    expect(await ask(share(merchant.merchantId))).toEqual([422, "split_self"]);
    const tooMuch = [share(one.merchantId, 5000), share(other.merchantId, 5001)];
    expect(await ask(...tooMuch)).toEqual([422, "splits_exceed_total"]);
    const all = [share(one.merchantId, 5000), share(other.merchantId, 5000)];
    expect(await ask(...all)).toEqual([201, undefined]);
  });

  test("422 for a live share of a merchant that has not agreed, or no longer agrees", async () => {
    const [creator, partner] = [await newShop(service), await service.newMerchant()];
    const live = await service.newKey(creator, { environment: "live" });
    await accept(live, { cur_usdc: { chain_ids: [base] } });
    const ask = async (key = live) => {
      const order = { merchant_order_no: newOrder(), splits: [share(partner.merchantId)] };
      return outcome(await create(key, orderOf(order)));
    };
    const refused = [422, "split_merchant_not_found"];
    expect(await ask()).toEqual(refused);
    expect(await ask(creator)).toEqual([201, undefined]);
    const consent = { merchantId: partner.merchantId, creatorId: creator.merchantId };
    await service.consents.grant({
      merchantId: creator.merchantId,
      creatorId: partner.merchantId,
    });
    // The other way around is another consent.
    expect(await ask()).toEqual(refused);
    await service.consents.grant(consent);
    await service.consents.grant(consent);
    expect(await ask()).toEqual([201, undefined]);
    await service.consents.end(consent);
    expect(await ask()).toEqual(refused);
    expect(await ask(creator)).toEqual([201, undefined]);
    const told = await service.query(
      "select type, resource_id from events where merchant_id = $1 order by sequence",
      [partner.merchantId],
    );
    expect(told).toEqual([
      { type: "split_consent.granted", resource_id: creator.merchantId },
      { type: "split_consent.ended", resource_id: creator.merchantId },
    ]);
  });

  test("422 while deposits are off; of all accepted chains those that are on are enough", async () => {
    const merchant = await service.newMerchant();
    const chains = ["eip155:421614", "eip155:84532"];
    await accept(merchant, { cur_usdc: { chain_ids: chains } });
    const close = (chainId: string) =>
      service.query(
        `with one as (
            update deployments set deposit_enabled = false
            where currency_id = 'cur_usdc' and chain_id = $1 returning id)
          update catalog set version = version + 1 where exists (select from one)`,
        [chainId],
      );
    await close("eip155:84532");
    const listed = await create(merchant, orderOf(quote("cur_usdc", "1", chains)));
    expect(outcome(listed)).toEqual([422, "deposits_disabled"]);
    expect(errorOf(listed.body).details).toMatchObject({
      pointer: "/quotes/cur_usdc/chain_ids/1",
      chain_id: "eip155:84532",
      open_chain_ids: ["eip155:421614"],
    });
    const open = await created(merchant, orderOf(quote("cur_usdc", "1")));
    expect(objectAt(objectAt(open, "quotes"), "cur_usdc")["deployments"]).toHaveLength(1);
    await close("eip155:421614");
    const closed = await create(merchant, orderOf(quote("cur_usdc", "1")));
    expect(outcome(closed)).toEqual([422, "deposits_disabled"]);
  });

  test("201 for as many prices as a body holds, and no price on a test network for live", async () => {
    const merchant = await service.newMerchant();
    await accept(merchant, { cur_usdc: {}, cur_eth: {}, cur_dai: {}, cur_eurc: {} });
    const amount = amountText(2n ** 256n - 1n, 18);
    const quotes = {
      cur_usdc: { amount: amountText(2n ** 256n - 1n, 6) },
      cur_eth: { amount },
      cur_dai: { amount },
    };
    const order = orderOf({ quotes, merchant_order_no: `${newOrder()}${"\u0001".repeat(100)}` });
    const payment = await created(merchant, order);
    const [event] = await eventsOf(payment["id"]);
    expect(Buffer.byteLength(textOf(event?.["data"] as Json))).toBeLessThan(19_500);
    const live = await service.newKey(merchant, { environment: "live" });
    await accept(live, { cur_usdc: {} });
    const { deployments } = objectAt(objectAt(await created(live), "quotes"), "cur_usdc");
    const chains = (deployments as JsonObject[]).map((one) => one["chain_id"]);
    expect(chains).toEqual(expect.arrayContaining([base, ethereum]));
    expect(chains).not.toContain("eip155:84532");
    const testChain = orderOf(quote("cur_usdc", "1", ["eip155:84532"]));
    expect(outcome(await create(live, testChain))).toEqual([422, "chain_not_accepted"]);
  });

  test("400 for 65 prices (threat 75), and 422 for an amount with digits that nobody has", async () => {
    const merchant = await newShop(service);
    const many = Array.from({ length: 65 }, (_, index) => [`cur_${index}`, { amount: "1" }]);
    const quotes = Object.fromEntries(many) as JsonObject;
    const refused = await create(merchant, orderOf({ quotes }));
    expect(outcome(refused)).toEqual([400, "invalid_request"]);
    expect(briefly(refused)).toEqual(["body /quotes maxProperties"]);
    const exact = await created(merchant, orderOf(quote("cur_eth", "9007.199254740993000001")));
    const text = JSON.stringify(objectAt(exact, "quotes"));
    expect(text).toContain('"raw_amount":"9007199254740993000001"');
  });
}

describeOnEngines(describeOperation);
