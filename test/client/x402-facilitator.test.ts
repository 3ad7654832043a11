// The facilitator client behind the official middleware, where the service answers what no chain can be made to
// answer in time; and what it says of what a buyer has signed.

import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactEvmServer } from "@x402/evm/exact/server";
import { x402Client, x402HTTPClient } from "@x402/fetch";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { Hono } from "hono";
import { verifyTypedData } from "viem";
import { describe, expect, test } from "vitest";
import { Claims } from "../../scripts/client/x402-authorization.ts";
import { x402Payments } from "../../scripts/client/x402-facilitator.ts";
import { testAccounts } from "../support/test-accounts.ts";
import { toldOf } from "./selling-api.ts";

const [payer, stranger] = testAccounts;
const network = "eip155:8453";
const asset = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const payTo = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
const transaction = `0x${"ab".repeat(32)}`;
const domain = { name: "USD Coin", version: "2" };
const terms = {
  scheme: "exact",
  network,
  payTo,
  price: { asset, amount: "50000", extra: domain },
} as const;

interface Deployed {
  readonly chainId?: string;
  readonly isEnabled?: boolean;
  /** scope, key and status */
  readonly capabilities: readonly string[];
}

function catalogOf(...deployed: readonly Deployed[]) {
  const deployments = deployed.map(({ chainId = network, isEnabled = true, capabilities }) => ({
    chain_id: chainId,
    asset_locator: `${chainId}/erc20:${asset}`,
    decimals: 6,
    deposit_enabled: isEnabled,
    capabilities: capabilities.map((text) => {
      const [scope, key, status] = text.split(" ");
      return { scope, key, status };
    }),
  }));
  return { catalog_version: 1, currencies: [{ id: "cur_usdc", code: "USDC", deployments }] };
}

const payable = catalogOf({ capabilities: ["x402 eip3009 supported"] });

interface Asked {
  readonly key: string | null;
  readonly body: unknown;
}

type Settled = readonly [status: number, body: object] | "broken";

/** It answers settlements one after the other as it is told, and keeps what it is asked. */
function scripted(...answers: readonly Settled[]) {
  const left = [...answers];
  const settlements: Asked[] = [];
  const payments: Asked[] = [];
  const reads = { catalog: payable, status: 200, count: 0 };
  const clock = { milliseconds: Date.now() };
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/currencies") {
      reads.count += 1;
      return Response.json(reads.catalog, { status: reads.status });
    }
    const body: unknown = await request.json();
    const asked = { key: request.headers.get("Idempotency-Key"), body };
    if (pathname === "/v1/payments") {
      payments.push(asked);
      return Response.json({ id: "pay_1" }, { status: 201 });
    }
    settlements.push(asked);
    const next = left.shift();
    if (next === undefined) throw new Error("nobody said what to answer");
    if (next === "broken") throw new TypeError("the connection broke");
    return Response.json(next[1], { status: next[0] });
  };
  const facilitator = x402Payments({
    url: "https://pay.example/",
    key: "mk_test_1",
    secret: "sk_test_1",
    verifyTypedData,
    signing: { fetch: answer, attemptsMax: 1, nowMilliseconds: () => clock.milliseconds },
  });
  return { facilitator, settlements, payments, reads, clock };
}

/** An API that sells by it, and the headers of somebody who has signed its terms. */
async function sold(facilitator: ReturnType<typeof scripted>["facilitator"]) {
  const server = new x402ResourceServer(facilitator).register("eip155:*", new ExactEvmServer());
  const app = new Hono();
  app.use(paymentMiddleware({ "GET /report": { accepts: terms } }, server));
  app.get("/report", (context) => context.json({ report: "sunny" }));
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(payer));
  const http = new x402HTTPClient(client);
  const url = "https://api.example/report";
  const { headers: asked } = await app.request(url);
  const required = http.getPaymentRequiredResponse((name) => asked.get(name));
  const signed = await http.createPaymentPayload(required);
  const headers = http.encodePaymentSignatureHeader(signed);
  const buy = async () => {
    const answer = await app.request(url, { headers });
    const { success, errorReason, errorMessage, transaction: hash } = toldOf(answer);
    const told = { success, errorReason, errorMessage, transaction: hash };
    return { status: answer.status, body: await answer.json(), ...told };
  };
  return { buy, app, headers, signed };
}

const done: Settled = [200, { success: true, tx_hash: transaction, payment_id: "pay_1" }];
const waiting: Settled = [202, { success: false, tx_hash: transaction, payment_id: "pay_1" }];
const unsent: Settled = [202, { success: false, tx_hash: "", payment_id: "pay_1" }];
const served = { status: 200, body: { report: "sunny" }, success: true, transaction };
const open = { status: 402, body: {}, success: false };
const errorOf = (status: number, code: string, details: object = {}): Settled => [
  status,
  { code, message: `It is ${code}.`, details },
];

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
    ["by a key in use", [errorOf(409, "idempotency_in_progress")], "unexpected_settle_error", ""],
  ] as const)("%s gives nothing, and is found by the same payment again", async (...row) => {
    const [, answers, errorReason, hash] = row;
    const { facilitator, settlements } = scripted(...answers, done);
    const { buy } = await sold(facilitator);
    const first = await buy();
    expect(first).toMatchObject({ ...open, errorReason, transaction: hash });
    expect(first.errorMessage).toMatch(/the same payment sent again is charged once\.$/);
    expect(await buy()).toMatchObject(served);
    for (const asked of settlements) expect(asked).toEqual(settlements[0]);
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
    [errorOf(402, "x402_reverted", { tx_hash: transaction }), "x402_reverted"],
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

/** What the buyer has signed, changed. */
type Change = (payload: PaymentPayload, requirements: PaymentRequirements) => void;

function authorizationIn({ payload }: PaymentPayload) {
  return payload["authorization"] as Record<string, unknown>;
}

const seconds = (more: number): string => String(Math.floor(Date.now() / 1000) + more);

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
    (payload) => (authorizationIn(payload)["validAfter"] = seconds(60)),
  ],
  [
    "invalid_exact_evm_payload_authorization_valid_before",
    (payload) => (authorizationIn(payload)["validBefore"] = seconds(19)),
  ],
  [
    "invalid_exact_evm_signature",
    (payload) => (authorizationIn(payload)["from"] = stranger.address),
  ],
  ["invalid_exact_evm_signature", (_, requirements) => (requirements.extra["version"] = "1")],
];

test.each(wrongs)("%s is said without asking anybody (%#)", async (reason, change) => {
  const { facilitator, payments } = scripted();
  const { signed } = await sold(facilitator);
  const payload = structuredClone(signed);
  const requirements = structuredClone(signed.accepted);
  expect(await facilitator.verify(payload, requirements)).toEqual({
    isValid: true,
    payer: payer.address,
  });
  change(payload, requirements);
  expect(await facilitator.verify(payload, requirements)).toEqual({
    isValid: false,
    invalidReason: reason,
  });
  const settled = await facilitator.settle(payload, requirements);
  expect(settled).toEqual({ success: false, errorReason: reason, transaction: "", network });
  expect(payments).toEqual([]);
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
    await facilitator.getSupported();
    clock.milliseconds += 299_999;
    await facilitator.getSupported();
    expect(reads.count).toBe(2);
    clock.milliseconds += 1;
    await facilitator.getSupported();
    expect(reads.count).toBe(3);
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
