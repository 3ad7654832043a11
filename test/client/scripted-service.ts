// A service that answers sales by x402 as it is told, and an API that sells by it with the official middleware.

import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactEvmServer } from "@x402/evm/exact/server";
import { x402Client, x402HTTPClient } from "@x402/fetch";
import { Hono } from "hono";
import { verifyTypedData } from "viem";
import type { VerifyTypedData } from "../../scripts/client/x402-authorization.ts";
import { x402Payments } from "../../scripts/client/x402-facilitator.ts";
import { testAccounts } from "../support/test-accounts.ts";
import { toldOf } from "./selling-api.ts";

export const [payer] = testAccounts;
export const network = "eip155:8453";
export const asset = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const payTo = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
export const transaction = `0x${"ab".repeat(32)}`;
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

export function catalogOf(...deployed: readonly Deployed[]) {
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

/** Of a seller, with that service. */
const credentials = { url: "https://pay.example/", key: "mk_test_1", secret: "sk_test_1" };

/** It answers settlements one after the other as it is told, payments by `refusals` first, and keeps what it is asked. */
export function scripted(...answers: readonly Settled[]) {
  return scriptedWith(verifyTypedData, ...answers);
}

export function scriptedWith(verify: VerifyTypedData, ...answers: readonly Settled[]) {
  const left = [...answers];
  const settlements: Asked[] = [];
  const payments: Asked[] = [];
  const refusals: Settled[] = [];
  const cancels: (string | null)[] = [];
  const pages: { readonly request: Request; readonly init: RequestInit }[] = [];
  const page = { answer: termsPage, cancelled: [200, {}] as Settled };
  const reads = { catalog: payable, status: 200, count: 0 };
  const clock = { milliseconds: Date.now() };
  const answer = async (request: Request, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/currencies") {
      reads.count += 1;
      return Response.json(reads.catalog, { status: reads.status });
    }
    if (pathname === "/checkout/pay_1") {
      pages.push({ request, init });
      return page.answer();
    }
    if (pathname === "/v1/payments/pay_1/cancel") {
      cancels.push(request.headers.get("Idempotency-Key"));
      return answerOf(page.cancelled);
    }
    const body: unknown = await request.json();
    const asked = { key: request.headers.get("Idempotency-Key"), body };
    if (pathname === "/v1/payments") {
      payments.push(asked);
      return answerOf(refusals.shift() ?? [201, { id: "pay_1", checkout_url: checkoutUrl }]);
    }
    settlements.push(asked);
    const next = left.shift();
    if (next === undefined) throw new Error("nobody said what to answer");
    return answerOf(next);
  };
  const facilitator = x402Payments({
    ...credentials,
    verifyTypedData: verify,
    signing: { fetch: answer, attemptsMax: 1, nowMilliseconds: () => clock.milliseconds },
  });
  return { facilitator, settlements, payments, refusals, cancels, pages, page, reads, clock };
}

const checkoutUrl = "https://pay.example/checkout/pay_1";

/** What the page of a payment answers to software. */
function termsPage(): Response {
  const offer = { scheme: "exact", network, asset, amount: "50000", payTo, maxTimeoutSeconds: 300 };
  const extra = { ...domain, nonce: `0x${"00".repeat(32)}`, validBefore: "1" };
  const required = { x402Version: 2, accepts: [{ ...offer, extra }] };
  const header = Buffer.from(JSON.stringify(required)).toString("base64");
  return new Response("{}", { status: 402, headers: { "PAYMENT-REQUIRED": header } });
}

function answerOf(told: Settled): Response {
  if (told === "broken") throw new TypeError("the connection broke");
  return Response.json(told[1], { status: told[0] });
}

/** An API that sells by it, and the headers of somebody who has signed its terms. */
export async function sold(facilitator: ReturnType<typeof scripted>["facilitator"]) {
  const server = new x402ResourceServer(facilitator).register("eip155:*", new ExactEvmServer());
  const app = new Hono();
  app.use(paymentMiddleware({ "/report": { accepts: terms } }, server));
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

export const done: Settled = [200, { success: true, tx_hash: transaction, payment_id: "pay_1" }];
export const waiting: Settled = [
  202,
  { success: false, tx_hash: transaction, payment_id: "pay_1" },
];
export const unsent: Settled = [202, { success: false, tx_hash: "", payment_id: "pay_1" }];
export const served = { status: 200, body: { report: "sunny" }, success: true, transaction };
export const open = { status: 402, body: {}, success: false };
export const errorOf = (status: number, code: string, details: object = {}): Settled => [
  status,
  { code, message: `It is ${code}.`, details },
];
