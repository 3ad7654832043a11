// The facilitator client behind the official middleware, where the service answers what no chain can be made to
// answer in time; and what it says of what a buyer has signed.

import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { describe, expect, test } from "vitest";
import { Claims } from "../../scripts/client/x402-authorization.ts";
import { testAccounts } from "../support/test-accounts.ts";
import {
  asset,
  catalogOf,
  done,
  errorOf,
  network,
  open,
  payer,
  payTo,
  scripted,
  scriptedWith,
  served,
  sold,
  transaction,
  unsent,
  waiting,
} from "./scripted-service.ts";

const [, stranger] = testAccounts;
const whatIsOpen = /Whether it is charged is open: the same payment sent again is charged once\.$/;

describe("what is not known yet", () => {
  test("is asked again by the middleware itself, by the same request", async () => {
    const { facilitator, settlements, payments } = scripted(waiting, done);
    const { buy } = await sold(facilitator);
    expect(await buy()).toMatchObject(served);
    expect(settlements).toHaveLength(2);
    expect(settlements[1]).toEqual(settlements[0]);
    expect(payments[1]).toEqual(payments[0]);
  });

  test.each([
    ["after a while", [waiting, waiting], "settlement_pending", transaction],
    ["before it was sent", [unsent], "settlement_pending", ""],
    ["by a connection that broke", ["broken"], "unexpected_settle_error", ""],
    [
      "by a server that is busy",
      [errorOf(503, "service_unavailable")],
      "unexpected_settle_error",
      "",
    ],
    ["by a proxy's page", [[502, ["<html>"]]], "unexpected_settle_error", ""],
    ["by a gateway's 503", [[503, { message: "No." }]], "unexpected_settle_error", ""],
    ["by a gateway's 200", [[200, {}]], "unexpected_settle_error", ""],
    ["by a key in use", [errorOf(409, "idempotency_in_progress")], "unexpected_settle_error", ""],
  ] as const)("%s gives nothing, and is found by the same payment again", async (...row) => {
    const [, answers, errorReason, hash] = row;
    const { facilitator, settlements } = scripted(...answers, done);
    const { buy } = await sold(facilitator);
    const first = await buy();
    expect(first).toMatchObject({ ...open, errorReason, transaction: hash });
    expect(first.errorMessage).toMatch(whatIsOpen);
    expect(await buy()).toMatchObject(served);
    for (const asked of settlements) expect(asked).toEqual(settlements[0]);
  });
});

describe("before a settlement is sent", () => {
  const unmade = [
    ["a body that is refused", errorOf(400, "invalid_request")],
    ["a scope that is missing", errorOf(403, "insufficient_scope")],
    ["a split that is wrong", errorOf(422, "split_merchant_not_found")],
    ["a limit", errorOf(429, "rate_limited")],
    ["a server that is busy", errorOf(503, "service_unavailable")],
    ["a connection that broke", "broken"],
  ] as const;

  test.each(unmade)("nothing is charged, nor open, by %s", async (_what, refusal) => {
    const { facilitator, settlements, refusals, clock } = scripted(done);
    const { buy, signed } = await sold(facilitator);
    refusals.push(refusal);
    const first = await buy();
    expect(first).toMatchObject({ ...open, errorReason: "unexpected_settle_error" });
    expect(first.errorMessage).toMatch(/Nothing was charged by this request\.$/);
    expect(first.errorMessage).not.toMatch(/may have been done/);
    expect(settlements).toEqual([]);
    clock.milliseconds += 3_600_000;
    expect((await facilitator.verify(signed, signed.accepted)).isValid).toBe(false);
    clock.milliseconds -= 3_600_000;
    expect(await buy()).toMatchObject(served);
  });

  test.each(unmade)("what was open before stays open, by %s", async (_what, refusal) => {
    const { facilitator, settlements, refusals } = scripted("broken", done);
    const { buy } = await sold(facilitator);
    await buy();
    refusals.push(refusal);
    const second = await buy();
    expect(second).toMatchObject({ ...open, errorReason: "unexpected_settle_error" });
    expect(second.errorMessage).toMatch(whatIsOpen);
    expect(await buy()).toMatchObject(served);
    expect(settlements[1]).toEqual(settlements[0]);
  });

  test("what was open before stays open, by a catalog that cannot be read", async () => {
    const { facilitator, reads, clock } = scripted("broken", done);
    const { buy } = await sold(facilitator);
    await buy();
    clock.milliseconds += 300_000;
    reads.status = 503;
    expect((await buy()).errorMessage).toMatch(whatIsOpen);
    reads.status = 200;
    expect(await buy()).toMatchObject(served);
  });

  test("what is open is still found after it was handed in for other terms", async () => {
    const { facilitator, refusals } = scripted("broken", done);
    const { buy, signed } = await sold(facilitator);
    await buy();
    refusals.push(errorOf(422, "idempotency_key_reused"));
    const elsewhere = { ...signed.accepted, maxTimeoutSeconds: 900 };
    const errorReason = "invalid_exact_evm_nonce_already_used";
    expect(await facilitator.settle(signed, elsewhere)).toMatchObject({ errorReason });
    expect(await buy()).toMatchObject(served);
  });
});

describe("when an authorization has ended", () => {
  const expired = "invalid_exact_evm_payload_authorization_valid_before";

  test.each([
    ["the same payment again still finds it", [waiting, waiting], done, served],
    ["the service still says that it is refused", [unsent], errorOf(402, "x402_expired"), open],
  ] as const)("%s, where it was open", async (...row) => {
    const [, answers, last, told] = row;
    const { facilitator, settlements, clock } = scripted(...answers, last);
    const { buy, signed } = await sold(facilitator);
    expect(await buy()).toMatchObject({ ...open, errorReason: "settlement_pending" });
    clock.milliseconds += 3_600_000;
    expect(await buy()).toMatchObject(told);
    expect(settlements.at(-1)).toEqual(settlements[0]);
    // Decided, it is as any other that has ended.
    expect(await facilitator.verify(signed, signed.accepted)).toMatchObject({
      invalidReason: expired,
    });
  });

  test("who did not sign cannot ask what became of it", async () => {
    const { facilitator, settlements, clock } = scripted(unsent);
    const { buy, signed } = await sold(facilitator);
    await buy();
    clock.milliseconds += 3_600_000;
    const copied = structuredClone(signed);
    copied.payload["signature"] = `0x${"1b".repeat(65)}`;
    const errorReason = "invalid_exact_evm_signature";
    expect(await facilitator.settle(copied, signed.accepted)).toMatchObject({ errorReason });
    expect(settlements).toHaveLength(1);
  });

  test("it is refused where it was never handed in", async () => {
    const { facilitator, payments, clock } = scripted();
    const { signed } = await sold(facilitator);
    clock.milliseconds += 3_600_000;
    const settled = await facilitator.settle(signed, signed.accepted);
    expect(settled).toMatchObject({ success: false, errorReason: expired });
    expect(payments).toEqual([]);
  });
});

describe("what is refused", () => {
  test.each([
    [
      errorOf(402, "x402_insufficient_funds", {
        x402_reason: "invalid_exact_evm_insufficient_balance",
      }),
      "invalid_exact_evm_insufficient_balance",
    ],
    [
      errorOf(402, "x402_reverted", {
        x402_reason: "invalid_transaction_state",
        tx_hash: transaction,
      }),
      "invalid_transaction_state",
    ],
    [errorOf(422, "idempotency_key_reused"), "invalid_exact_evm_nonce_already_used"],
    [errorOf(409, "payment_already_settled"), "invalid_exact_evm_nonce_already_used"],
    [errorOf(409, "payment_not_payable"), "invalid_transaction_state"],
    [errorOf(403, "insufficient_scope"), "unexpected_settle_error"],
  ])("by %j is told as %s", async (answer, errorReason) => {
    const { facilitator } = scripted(answer);
    const { buy } = await sold(facilitator);
    expect(await buy()).toMatchObject({ ...open, errorReason });
  });

  test("and may be put right is settled anew, by a request of its own", async () => {
    const { facilitator, settlements } = scripted(errorOf(402, "x402_insufficient_funds"), done);
    const { buy } = await sold(facilitator);
    expect((await buy()).status).toBe(402);
    expect(await buy()).toMatchObject(served);
    const [first, second] = settlements;
    expect(second?.key).toBe(first?.key);
    expect(second?.body).not.toEqual(first?.body);
  });
});

test("the payment is named after the authorization, and priced as it was asked", async () => {
  const { facilitator, payments, settlements } = scripted(done);
  const { buy, signed } = await sold(facilitator);
  await buy();
  const { authorization } = signed.payload as { authorization: Record<string, string> };
  const [payment] = payments;
  expect(payment).toEqual({
    key: expect.stringMatching(/^x402-[0-9a-f]{64}$/) as string,
    body: {
      merchant_order_no: payment?.key,
      quotes: { cur_usdc: { amount: "0.05", chain_ids: [network] } },
      expires_in_secs: 300,
    },
  });
  expect(settlements[0]?.body).toMatchObject({
    payment_id: "pay_1",
    payment_payload: { authorization: { from: payer.address, nonce: authorization["nonce"] } },
    payment_requirements: { pay_to: payTo, max_amount_required: "50000", asset, network },
  });
});

/** What the buyer has signed, changed; `soon` is so many seconds from the seller's clock. */
type Change = (
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  soon: (seconds: number) => string,
) => void;

function authorizationIn({ payload }: PaymentPayload) {
  return payload["authorization"] as Record<string, unknown>;
}

const wrongs: readonly (readonly [string, Change])[] = [
  ["invalid_x402_version", (payload) => (payload.x402Version = 1)],
  ["unsupported_scheme", (payload) => (payload.accepted.scheme = "upto")],
  ["unsupported_scheme", (_, requirements) => (requirements.scheme = "upto")],
  ["invalid_network", (payload) => (payload.accepted.network = "eip155:1")],
  ["invalid_payload", (payload) => (payload.payload = {})],
  ["invalid_payload", (payload) => (payload.payload["signature"] = "0x12")],
  ["invalid_payload", (payload) => (authorizationIn(payload)["value"] = 50_000)],
  ["invalid_payload", (payload) => (authorizationIn(payload)["nonce"] = "1")],
  ["invalid_payload", (payload) => (authorizationIn(payload)["validBefore"] = "9".repeat(78))],
  ["invalid_exact_evm_recipient_mismatch", (payload) => (authorizationIn(payload)["to"] = asset)],
  [
    "invalid_exact_evm_payload_authorization_value_mismatch",
    (_, requirements) => (requirements.amount = "50001"),
  ],
  [
    "invalid_exact_evm_payload_authorization_valid_after",
    (payload, _, soon) => (authorizationIn(payload)["validAfter"] = soon(60)),
  ],
  [
    "invalid_exact_evm_payload_authorization_valid_before",
    (payload, _, soon) => (authorizationIn(payload)["validBefore"] = soon(19)),
  ],
  [
    "invalid_exact_evm_signature",
    (payload) => (authorizationIn(payload)["from"] = stranger.address),
  ],
  ["invalid_exact_evm_signature", (_, requirements) => (requirements.extra["version"] = "1")],
  [
    "invalid_exact_evm_signature",
    (_, requirements) => Reflect.deleteProperty(requirements, "extra"),
  ],
  ["invalid_payload", (_, requirements) => Reflect.deleteProperty(requirements, "payTo")],
];

test.each(wrongs)("%s is said without asking anybody (%#)", async (reason, change) => {
  const { facilitator, payments, clock } = scripted();
  const { signed } = await sold(facilitator);
  const payload = structuredClone(signed);
  const requirements = structuredClone(signed.accepted);
  expect(await facilitator.verify(payload, requirements)).toEqual({
    isValid: true,
    payer: payer.address,
  });
  const now = Math.floor(clock.milliseconds / 1000);
  change(payload, requirements, (seconds) => String(now + seconds));
  expect(await facilitator.verify(payload, requirements)).toEqual({
    isValid: false,
    invalidReason: reason,
  });
  const settled = await facilitator.settle(payload, requirements);
  expect(settled).toEqual({ success: false, errorReason: reason, transaction: "", network });
  expect(payments).toEqual([]);
});

describe("nothing is thrown", () => {
  test.each([null, undefined, "0x", 1, []])("at a payload that is %j", async (payload) => {
    const { facilitator, payments } = scripted();
    const { signed } = await sold(facilitator);
    const sent = payload as unknown as PaymentPayload;
    const { isValid } = await facilitator.verify(sent, signed.accepted);
    const { success, errorReason } = await facilitator.settle(sent, signed.accepted);
    expect([isValid, success, payments]).toEqual([false, false, []]);
    expect(errorReason).toMatch(/^invalid_(?:payload|x402_version)$/);
  });

  test("at requirements that are none", async () => {
    const { facilitator } = scripted();
    const { signed } = await sold(facilitator);
    const none = null as unknown as PaymentRequirements;
    const errorReason = "invalid_payload";
    expect(await facilitator.settle(signed, none)).toMatchObject({ success: false, errorReason });
  });

  test("where the verifier does, at once: then nobody has signed", async () => {
    const { facilitator } = scriptedWith(() => {
      throw new RangeError("no point of the curve");
    });
    const { signed } = await sold(facilitator);
    const reason = "invalid_exact_evm_signature";
    const { accepted } = signed;
    expect(await facilitator.verify(signed, accepted)).toEqual({
      isValid: false,
      invalidReason: reason,
    });
    expect(await facilitator.settle(signed, accepted)).toMatchObject({ errorReason: reason });
  });
});

describe("what is supported", () => {
  test("is what the catalog has as supported, and the service settles", async () => {
    const { facilitator, reads } = scripted();
    reads.catalog = catalogOf(
      { capabilities: ["x402 eip3009 supported", "x402 permit2 supported"] },
      { chainId: "eip155:10", capabilities: ["x402 permit2 supported"] },
      { chainId: "eip155:1", capabilities: ["x402 eip3009 unverified"] },
      { chainId: "eip155:2", capabilities: ["deposit finality supported"] },
      { chainId: "eip155:3", isEnabled: false, capabilities: ["x402 eip3009 supported"] },
      {
        chainId: "eip155:4",
        capabilities: ["x402 eip3009 supported", "deposit transfer_fee supported"],
      },
    );
    expect(await facilitator.getSupported()).toEqual({
      kinds: [
        { x402Version: 2, scheme: "exact", network },
        { x402Version: 2, scheme: "exact", network: "eip155:10" },
      ],
      extensions: [],
      signers: {},
    });
  });

  test("is read again after five minutes, and at once after a failure", async () => {
    const { facilitator, reads, clock } = scripted();
    reads.status = 403;
    await expect(facilitator.getSupported()).rejects.toThrow("refuses the catalog: 403");
    reads.status = 200;
    // Of whatever stands in front.
    const catalog = reads.catalog;
    reads.catalog = { ...catalog, currencies: "none" } as never;
    await expect(facilitator.getSupported()).rejects.toThrow("without the list of a page");
    reads.catalog = catalog;
    await facilitator.getSupported();
    clock.milliseconds += 299_999;
    await facilitator.getSupported();
    expect(reads.count).toBe(3);
    clock.milliseconds += 1;
    await facilitator.getSupported();
    expect(reads.count).toBe(4);
  });
});

test("of claims the oldest that are not under way are forgotten", () => {
  const claims = new Claims();
  const first = claims.take("running");
  for (let count = 0; count < 10_000; count += 1) {
    claims.take(`over ${count}`);
    claims.leave(`over ${count}`, "over");
  }
  expect(first?.state).toBe("running");
  expect(claims.isFree("running")).toBe(false);
  expect(claims.isFree("over 0")).toBe(true);
  expect(claims.isFree("over 1")).toBe(false);
});
