// What a route asks for by x402: the terms of a price, as the service has them. Part of x402-facilitator.ts.

import { randomUUID } from "node:crypto";
import type { Network, PaymentRequired } from "@x402/core/types";
import { refusal, type Service, textIn } from "./x402-service.ts";

/** What something costs. */
export interface X402Price {
  /** its code or id in the catalog: "USDC", "cur_usdc" */
  readonly currency: string;
  /** in that currency: "0.05" */
  readonly price: string;
  /** CAIP-2; all that you accept for the currency, and x402 can pay on, when left out */
  readonly networks?: readonly string[];
  /** how long a buyer may take, handler included; 300 when left out */
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

export async function acceptsOf(service: Service, wish: X402Price): Promise<X402Accepts[]> {
  const { currency, networks, maxTimeoutSeconds = 300, paymentFlow = "authorization" } = wish;
  const offers = await offersOf(service, wish);
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
async function offersOf(service: Service, { currency, price, networks }: X402Price) {
  const tokens = await service.tokens();
  const token = tokens.find(({ currencyId, code }) => currency === currencyId || currency === code);
  if (token === undefined)
    throw new Error(`The catalog has no ${currency} that x402 can pay with.`);
  const key = `x402-terms-${randomUUID()}`;
  const chains = networks === undefined ? {} : { chain_ids: networks };
  const quotes = { [token.currencyId]: { amount: price, ...chains } };
  const body = { merchant_order_no: key, quotes, ...service.splits };
  const made = await service.write("/v1/payments", { key, body });
  if (made.status !== 201) throw refusal(`a price of ${price} ${currency}`, made);
  const headers = { Accept: "application/json" };
  const page = await fetch(textIn(made.body["checkout_url"]), { headers });
  const id = textIn(made.body["id"]);
  await service.write(`/v1/payments/${id}/cancel`, { key: `cancel-${id}` });
  const text = page.headers.get("PAYMENT-REQUIRED");
  if (text === null) return [];
  const said = JSON.parse(Buffer.from(text, "base64").toString("utf8")) as PaymentRequired;
  return said.accepts.filter(({ scheme }) => scheme === "exact");
}
