// Payments: in parts over the page, and by x402.

import { randomUUID } from "node:crypto";
import type { types } from "../client/merchant-payments.ts";
import { usd } from "../client/tool/test-usd.ts";
import type { Cast } from "./cast.ts";
import { rawAmount, readPage } from "../client/tool/checkout-page.ts";
import { demand, show, tell } from "./narration.ts";
import { settleBody } from "./settle-body.ts";
import { readTerms, signTerms, uptoTerms } from "./x402-client.ts";

interface MadePayment {
  readonly id: string;
  readonly pageUrl: string;
}

export async function makePayment(
  { shop }: Cast,
  amount: string,
  more: Partial<types.CreatePaymentRequest> = {},
): Promise<MadePayment> {
  const { id, checkout_url: pageUrl } = await shop.payments.createPayment({
    merchant_order_no: `order-${randomUUID().slice(0, 8)}`,
    quotes: { [usd.currencyId]: { amount, chain_ids: [usd.chainId] } },
    ...more,
  });
  return { id, pageUrl };
}

export async function acceptMoney({ shop, receiver }: Cast): Promise<void> {
  tell("The shop registers its webhook endpoint and says what it accepts");
  const url = await receiver.start();
  const { id, secret } = await shop.webhookEndpoints.registerWebhookEndpoint({ url });
  receiver.trust(secret);
  show(`POST /v1/webhook-endpoints 201: ${id} at ${url}`);
  const currencies = { [usd.currencyId]: { chain_ids: [usd.chainId] } };
  await shop.currencyAcceptance.replaceCurrencyAcceptance({ currencies });
  show(`PUT /v1/currency-acceptance 200: USDC on ${usd.chainId}`);
}

/** @returns the page, for whoever wants to look at it */
export async function payInParts(cast: Cast): Promise<void> {
  const { receiver, payer, partnerId, token } = cast;
  tell("A payment of 25 USDC; a fifth of it goes to the brand owner");
  const splits = [{ type: "percentage", merchant_id: partnerId, bps: 2000 } as const];
  const payment = await makePayment(cast, "25.00", { splits, overpay_policy: "pro_rata" });
  show(`POST /v1/payments 201: ${payment.id}\nits page: ${payment.pageUrl}`);

  tell("The customer reads the address from the page and pays 10 of the 25");
  const first = await readPage(payment.pageUrl, usd.deploymentId);
  show(`the page says: ${first.amount} USDC to ${first.address}`);
  demand(rawAmount(first.amount, usd.decimals) === 25_000_000n, "the page asks for 25");
  show(`transaction ${await payer.sendToken(token, first.address, 10_000_000n)}`);
  await receiver.waitFor("payment.partially_paid", payment.id);
  show("webhook payment.partially_paid");
  const rest = await readPage(payment.pageUrl, usd.deploymentId);
  show(`the page says now: ${rest.amount} USDC remain`);
  const restRaw = rawAmount(rest.amount, usd.decimals);
  demand(restRaw === 15_000_000n, "15 remain");
  demand(rest.address === first.address, "the address stays the same");

  tell("The customer pays the rest");
  show(`transaction ${await payer.sendToken(token, rest.address, restRaw)}`);
  await receiver.waitFor("payment.confirming", payment.id);
  show("webhook payment.confirming: seen, not final yet");
  await receiver.waitFor("payment.paid", payment.id);
  show("webhook payment.paid: final");
}

export async function payExact(cast: Cast): Promise<void> {
  const { shop, receiver, payer, token } = cast;
  tell("x402, scheme exact: a program pays 2 USDC with the official client");
  const payment = await makePayment(cast, "2.00");
  const before = await payer.balance(token);
  const signed = await signTerms(payer, await readTerms(payment.pageUrl));
  show("the page answers software 402 with its terms; the client signs them (EIP-3009)");
  const body = settleBody(payment.id, payment.pageUrl, signed);
  const settled = await shop.x402.settleX402Payment(body);
  show(`POST /v1/x402/settle 200: ${JSON.stringify(settled)}`);
  demand(settled.success, "it is settled");
  demand((await payer.balance(token)) === before - 2_000_000n, "the payer has 2 less");
  const again = await shop.x402.settleX402Payment(body);
  demand(again.tx_hash === settled.tx_hash, "the same again settles nothing anew");
  demand((await payer.balance(token)) === before - 2_000_000n, "and charges nothing");
  show("the same request again: the same answer, nothing charged");
  await receiver.waitFor("payment.paid", payment.id);
  show("webhook payment.paid");
}

export async function payUpto(cast: Cast): Promise<void> {
  const { shop, receiver, payer, token } = cast;
  tell("x402, scheme upto: a program authorizes up to 5 USDC and uses 1.25 of it");
  await payer.allowPermit2(token);
  const payment = await makePayment(cast, "5.00");
  const before = await payer.balance(token);
  const signed = await signTerms(payer, uptoTerms(await readTerms(payment.pageUrl)));
  show("the shop's own server asks for upto, with what the page names; the client signs (Permit2)");
  const body = settleBody(payment.id, payment.pageUrl, signed);
  const settled = await shop.x402.settleX402Payment.answer(body);
  demand(settled.status === 202, "it waits for usage");
  show(`POST /v1/x402/settle 202: ${JSON.stringify(settled.body)}: it waits for usage`);
  await receiver.waitFor("x402.authorized", payment.id);
  const usage = {
    actual_amount: "1.25",
    usage_id: "meter-1",
    evidence: { tokens: 1250, model: "demo" },
  };
  const used = await shop.x402.reportX402Usage({ payment_id: payment.id, ...usage });
  show(`POST /v1/x402/{payment_id}/usage 201: ${JSON.stringify(used)}`);
  await receiver.waitFor("payment.paid", payment.id);
  demand((await payer.balance(token)) === before - 1_250_000n, "1.25 was charged, and no more");
  show("webhook payment.paid; the payer has 1.25 less");
}
