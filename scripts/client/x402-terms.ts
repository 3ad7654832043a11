// What a route asks for by x402: the terms of a price, as the service has them. Part of x402-facilitator.ts.

import { randomUUID } from "node:crypto";
import type { Network, PaymentRequired } from "@x402/core/types";
import { type Service, unlessRefused } from "./x402-service.ts";

/** What something costs. */
export interface X402Price {
  /** its code or id in the catalog: "USDC", "cur_usdc" */
  readonly currency: string;
  /** in that currency: "0.05" */
  readonly price: string;
  /** CAIP-2; all that you accept for the currency, and x402 can pay on, when left out */
  readonly networks?: readonly string[];
  /** how long a buyer may take, handler included: 60 to 604,800; 300 when left out */
  readonly maxTimeoutSeconds?: number;
  /** "upfront": the money comes before your handler runs; after it when left out */
  readonly paymentFlow?: "authorization" | "upfront";
}

/** An entry of `accepts` of a route. */
export interface X402Accepts {
  readonly scheme: "exact";
  readonly network: Network;
  readonly payTo: string;
  readonly price: { asset: string; amount: string; extra: Record<string, unknown> };
  readonly maxTimeoutSeconds: number;
  readonly extra: Record<string, unknown>;
}

const defaultSeconds = 300;
/** Below, an authorization has ended by the time it is handed in; above, the service makes no payment. */
const [timeoutSecondsMin, timeoutSecondsMax] = [60, 604_800];
/** So long a payment is open at least: an authorization may outlive it by ten minutes. */
const openSecondsMin = 300;

/** `expires_in_secs` of a payment for what may take a buyer so long. */
export function openSeconds(maxTimeoutSeconds: number): number {
  return Math.max(openSecondsMin, maxTimeoutSeconds);
}

export async function acceptsOf(service: Service, wish: X402Price): Promise<X402Accepts[]> {
  const { currency, networks, paymentFlow = "authorization" } = wish;
  const { maxTimeoutSeconds = defaultSeconds } = wish;
  const isPossible =
    maxTimeoutSeconds >= timeoutSecondsMin && maxTimeoutSeconds <= timeoutSecondsMax;
  if (!Number.isSafeInteger(maxTimeoutSeconds) || !isPossible) {
    const bounds = `from ${timeoutSecondsMin} to ${timeoutSecondsMax}`;
    throw new Error(`maxTimeoutSeconds is ${maxTimeoutSeconds}: write a whole number ${bounds}.`);
  }
  const offers = await offersOf(service, { ...wish, maxTimeoutSeconds });
  const missing = (networks ?? []).find((one) => !offers.some(({ network }) => network === one));
  if (offers.length === 0 || missing !== undefined) {
    const where = missing === undefined ? "" : ` on ${missing}`;
    const why = "it costs more gas than it brings, or the catalog has no x402 there";
    throw new Error(`${wish.price} ${currency} cannot be paid by x402${where}: ${why}.`);
  }
  return offers.map(({ network, payTo, asset, amount, extra }) => {
    // These two are of the payment that was asked about.
    const { nonce: _nonce, validBefore: _validBefore, ...domain } = extra;
    const flow = paymentFlow === "authorization" ? {} : { paymentFlow };
    const price = { asset, amount, extra: domain };
    return { scheme: "exact", network, payTo, price, maxTimeoutSeconds, extra: flow };
  });
}

/** What the page of a payment of this price asks of software. The payment is cancelled again. */
async function offersOf(
  service: Service,
  wish: X402Price & { readonly maxTimeoutSeconds: number },
) {
  const { currency, price, networks, maxTimeoutSeconds } = wish;
  const tokens = await service.tokens();
  const token = tokens.find(({ currencyId, code }) => currency === currencyId || currency === code);
  if (token === undefined)
    throw new Error(`The catalog has no ${currency} that x402 can pay with.`);
  const key = `x402-terms-${randomUUID()}`;
  const chains = networks === undefined ? {} : { chain_ids: [...networks] };
  const quotes = { [token.currencyId]: { amount: price, ...chains } };
  const expires_in_secs = openSeconds(maxTimeoutSeconds);
  const body = { merchant_order_no: key, quotes, ...service.splits, expires_in_secs };
  const { createPayment, cancelPayment } = service.pay.payments;
  const { id, checkout_url } = await unlessRefused(
    `a price of ${price} ${currency}`,
    createPayment(body, { idempotencyKey: key }),
  );
  try {
    return await offersAt(service, checkout_url);
  } finally {
    const cancelled = cancelPayment({ id }, { idempotencyKey: `cancel-${id}` });
    // Where that fails, nothing is lost: nobody was told of the payment, and it expires by itself.
    await cancelled.catch(() => undefined);
  }
}

/** Throws an Error that says what has answered, and how, where that is no page of a payment. */
async function offersAt(service: Service, url: string) {
  try {
    const page = await service.page(url);
    // A page without terms of this version has no such header.
    if (page.status !== 402) throw new Error(`it answers ${page.status}, and not 402`);
    const text = page.headers.get("PAYMENT-REQUIRED");
    if (text === null) return [];
    const said = JSON.parse(Buffer.from(text, "base64").toString("utf8")) as PaymentRequired;
    return said.accepts.filter(({ scheme }) => scheme === "exact");
  } catch (cause) {
    const message = `The terms cannot be read at the payment's checkout_url, "${url}": ${String(cause)}`;
    throw new Error(message, { cause });
  }
}
