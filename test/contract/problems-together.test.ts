// What the rules say of a body is listed together with what the contract says of it: one answer, and
// everything can be repaired in one go.

import { describe, expect } from "vitest";
import { errorOf } from "../support/contract-answers.ts";
import type { Json, JsonObject } from "../support/contract-document.ts";
import { send, validRequest, withHeader } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { type Merchant, type TestService, useService } from "../support/service.ts";
import { base, newShop, orderOf, share } from "./payment-calls.ts";
import { testWith } from "./scene.ts";

type Case = readonly [operationId: string, body: JsonObject, problems: readonly string[]];

const nobody = "mer_00000000000000000000000000";
const somebody = "mer_00000000000000000000000001";

const orders: readonly Case[] = [
  [
    "createPayment",
    orderOf({
      memo: 1,
      user_id: "u\0",
      redirect_url: "http://shop.example/",
      expires_in_secs: 604_801,
      splits: [
        { ...share(nobody, 6_000), bps: "60 %" },
        share(nobody, 5_000),
        share(somebody, 6_000),
      ],
      quotes: {
        cur_no: { amount: "1" },
        cur_usdt: { amount: "-1" },
        cur_usdc: { amount: "0.0000001", chain_ids: [base] },
        cur_eth: { amount: "1", chain_ids: ["eip155:1", "eip155:1"] },
        cur_dai: 1,
      },
    }),
    [
      "body /expires_in_secs expires_in_out_of_range",
      "body /memo type",
      "body /quotes/cur_dai type",
      "body /quotes/cur_eth/chain_ids uniqueItems",
      "body /quotes/cur_no currency_not_found",
      "body /quotes/cur_usdc/amount amount_precision",
      "body /quotes/cur_usdt currency_not_accepted",
      "body /quotes/cur_usdt/amount pattern",
      "body /redirect_url https",
      "body /splits splits_exceed_total",
      "body /splits/0/bps type",
      "body /splits/0/merchant_id split_merchant_not_found",
      "body /splits/1/merchant_id split_merchant_duplicate",
      "body /splits/1/merchant_id split_merchant_not_found",
      "body /splits/2/merchant_id split_merchant_not_found",
      "body /user_id unicode",
    ],
  ],
  [
    "createPayment",
    { quotes: { cur_usdc: { amount: "0" } } },
    ["body /merchant_order_no required", "body /quotes/cur_usdc/amount amount_too_small"],
  ],
];

const others: readonly Case[] = [
  [
    "requestWithdrawal",
    { currency_id: "cur_no", withdraw_address_id: "wad_1", amount: "1", target_chain_id: 1 },
    [
      "body /currency_id currency_not_found",
      "body /target_chain_id type",
      "body /withdraw_address_id withdraw_address_not_found",
    ],
  ],
  [
    "requestWithdrawal",
    { currency_id: "cur_usdc", target_chain_id: base, amount: "0.0000001" },
    ["body /amount amount_precision", "body /withdraw_address_id required"],
  ],
  [
    "registerWithdrawAddress",
    {
      chain_id: base,
      address: "0x52908400098527886e0f7030069857D2E4169EE7",
      destination_type: "?",
    },
    ["body /address invalid_address", "body /destination_type enum"],
  ],
  [
    "registerWithdrawAddress",
    { chain_id: "eip155:999999", address: 1 },
    ["body /address type", "body /chain_id chain_not_accepted"],
  ],
  [
    "registerWithdrawAddress",
    { chain_id: base, address: `0x${"0".repeat(40)}`, label: 1 },
    ["body /address address_not_allowed", "body /label type"],
  ],
  [
    "createPayoutSchedule",
    {
      currency_id: "cur_usdc",
      target_chain_id: "eip155:999999",
      withdraw_address_id: "wad_1",
      interval_secs: 1,
      min_send_amount: "-1",
      mode: "notify_only",
      first_run_at: "2020-01-01T00:00:00Z",
    },
    [
      "body /first_run_at first_run_in_past",
      "body /interval_secs interval_out_of_range",
      "body /min_send_amount pattern",
      "body /target_chain_id chain_not_accepted",
      "body /withdraw_address_id withdraw_address_not_found",
    ],
  ],
  [
    "replaceCurrencyAcceptance",
    {
      currencies: {
        cur_no: {},
        cur_usdc: { chain_ids: ["eip155:999999"] },
        cur_dai: { chain_ids: [1] },
      },
    },
    [
      "body /currencies/cur_dai/chain_ids/0 type",
      "body /currencies/cur_no currency_not_found",
      "body /currencies/cur_usdc/chain_ids/0 chain_not_accepted",
    ],
  ],
  [
    "registerWebhookEndpoint",
    { url: "https://10.0.0.1/hooks", event_types: ["payment.no", 1, "payment.created"] },
    ["body /event_types/0 known", "body /event_types/1 type", "body /url url_policy"],
  ],
  [
    "registerWebhookEndpoint",
    { url: 1, event_types: [] },
    ["body /event_types minItems", "body /url type"],
  ],
];

async function refused(
  [operationId, body]: Case,
  merchant: Merchant,
): Promise<readonly [number, string, readonly string[]]> {
  const request = validRequest(operationBy(operationId), { body });
  const response = await send(merchant, request);
  const { code, details } = errorOf((await response.json()) as Json);
  const { violations = [] } = details;
  const problems = violations.map((one) => `${one.in} ${one.pointer} ${one.rule}`);
  return [response.status, code, problems.toSorted()];
}

function describeTogether(service: TestService): void {
  const test = testWith(service);

  test.each(orders)("%s lists both, case %#", async (...one) => {
    expect(await refused(one, await newShop(service))).toEqual([400, "invalid_request", one[2]]);
  });

  test.each(others)("%s lists both", async (...one) => {
    const merchant = await service.newMerchant();
    expect(await refused(one, merchant)).toEqual([400, "invalid_request", one[2]]);
  });

  test("the contract's violations come first and decide the code, and a hundred are all", async () => {
    const merchant = await newShop(service);
    const quotes = Object.fromEntries(
      Array.from({ length: 64 }, (_, index) => [`cur_no${index}`, { amount: "1" }] as const),
    );
    const splits = Array.from({ length: 32 }, () => share(nobody));
    const request = validRequest(operationBy("createPayment"), {
      body: orderOf({ quotes, splits, memo: 1 }),
    });
    const answer = (await (await send(merchant, request)).json()) as Json;
    const { code, details } = errorOf(answer);
    expect([code, details.violations?.length]).toEqual(["invalid_request", 100]);
    expect(details.violations?.[0]).toMatchObject({ pointer: "/memo", rule: "type" });
  });

  test("who may not ask hears nothing of the body", async ({ merchant }) => {
    const body = orderOf({ memo: 1, quotes: { cur_no: { amount: "1" } } });
    const request = validRequest(operationBy("createPayment"), { body });
    const stranger = await send(merchant, withHeader(request, "X-Signature", "0".repeat(64)));
    const reader = await service.newKey(merchant, { scopes: ["currencies:read"] });
    const unable = await send(reader, request);
    const heard = await Promise.all([stranger.json(), unable.json()]);
    expect([stranger.status, unable.status]).toEqual([401, 403]);
    expect(JSON.stringify(heard)).not.toContain("cur_no");
    expect(JSON.stringify(heard)).not.toContain("violations");
  });

  test("of another merchant's address no more is said than that it is not there", async ({
    merchant,
  }) => {
    const operation = operationBy("registerWithdrawAddress");
    const address = `0x${"7".repeat(40)}`;
    const made = await send(
      merchant,
      validRequest(operation, { body: { chain_id: base, address } }),
    );
    const { id } = (await made.json()) as { readonly id: string };
    const body = { currency_id: "cur_usdc", target_chain_id: base, withdraw_address_id: id };
    const stranger = await service.newMerchant();
    expect(await refused(["requestWithdrawal", body, []], stranger)).toEqual([
      400,
      "invalid_request",
      ["body /amount required", "body /withdraw_address_id withdraw_address_not_found"],
    ]);
  });
}

describe.each(engines)("on %s", (engine) => {
  describeTogether(useService(engine));
});
