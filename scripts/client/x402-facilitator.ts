// Sells an API of yours by x402: the official middleware (`@x402/hono`, `@x402/express`), unchanged, with this
// service as its facilitator.
//
//   const payments = x402Payments({ url: "https://pay.example", key, secret });
//   const accepts = await payments.accepts({ currency: "USDC", price: "0.05" });
//   const server = new x402ResourceServer(payments).register("eip155:*", new ExactEvmScheme());
//   app.use(paymentMiddleware({ "GET /report": { accepts } }, server));
//
// Each sale is a payment of yours, made when its buyer has signed, with your splits and your ledger: its
// `merchant_order_no` is named after the authorization, so an authorization is one payment and one settlement,
// however often it is handed in. See docs/running/x402.md.
//
// Protocol: x402 version 2, scheme exact, by EIP-3009 or Permit2 (coinbase/x402, specs/x402-specification-v2.md and
// specs/schemes/exact/scheme_exact_evm.md). Reasons of refusals are those of its lists and of @x402/evm.

import { randomUUID } from "node:crypto";
import type { FacilitatorClient } from "@x402/core/server";
import type {
  Network,
  PaymentPayload,
  PaymentRequired,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from "@x402/core/types";
import type { Credentials } from "./canonical.ts";
import { signingFetch, type SigningOptions } from "./signing-fetch.ts";
import {
  checked,
  Claims,
  decimalOf,
  isSame,
  settlementOf,
  usedReason,
} from "./x402-authorization.ts";
import type { Checked, Claim, Signed, VerifyTypedData } from "./x402-authorization.ts";

export interface X402PaymentsOptions extends Credentials {
  /** of the service, as "https://pay.example" */
  readonly url: string;
  /** who else gets a part of each sale: of 10,000 parts, `bps` */
  readonly splits?: readonly { readonly merchantId: string; readonly bps: number }[];
  /** `verifyTypedData` of viem, which @x402/evm brings; left out: only a settlement looks at signatures */
  readonly verifyTypedData?: VerifyTypedData;
  readonly signing?: SigningOptions;
}

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

export interface X402Payments extends FacilitatorClient {
  /**
   * What a route asks for. Asks the service, by a payment that is made and cancelled: so what is too little to be
   * settled, is not accepted, or has wrong splits is found at the start.
   *
   * Throws an Error that says what the service has refused.
   */
  readonly accepts: (price: X402Price) => Promise<X402Accepts[]>;
}

/**
 * `getSupported` says where the catalog has x402 now; it asks again after five minutes.
 *
 * `verify` says what can be said without a chain: the form, recipient, amount, times, that it was not used here,
 * and, with `verifyTypedData`, that the payer has signed. It does not know whether the payer has the money: `settle`
 * does. The middleware gives nothing away before `settle` has succeeded, but runs your handler before it. What is
 * costly to make takes `paymentFlow: "upfront"`.
 *
 * `settle` never throws. An authorization is answered with success once: whoever comes with it again, to this process
 * or to another one, is refused.
 */
export function x402Payments(options: X402PaymentsOptions): X402Payments {
  const { verifyTypedData, signing = {} } = options;
  const nowMilliseconds = signing.nowMilliseconds ?? Date.now;
  const service = new Service(options, nowMilliseconds);
  const claims = new Claims();
  const check = (payload: PaymentPayload, requirements: PaymentRequirements): Promise<Checked> =>
    checked(payload, requirements, { verifyTypedData, nowMilliseconds });
  return {
    accepts: (price) => acceptsOf(service, price),
    getSupported: async () => supportedBy(await service.tokens()),
    verify: async (payload, requirements) => {
      const { signed, reason } = await check(payload, requirements);
      if (signed === undefined) return refusedAs(reason);
      if (claims.isFree(signed.id)) return { isValid: true, payer: signed.from };
      return { ...refusedAs(usedReason(signed)), payer: signed.from };
    },
    settle: async (payload, requirements) => {
      const { network } = requirements;
      const { signed, reason } = await check(payload, requirements);
      if (signed === undefined) return failure(network, reason);
      const claim = claims.take(signed.id);
      const about = { network, payer: signed.from };
      if (claim === undefined) return failure(network, usedReason(signed), about);
      const outcome = await outcomeOf(service, { signed, requirements, claim });
      claims.leave(signed.id, outcome.claim);
      return { ...outcome.response, ...about };
    },
  };
}

function refusedAs(invalidReason: string): VerifyResponse {
  return { isValid: false, invalidReason };
}

function failure(network: Network, errorReason: string, more: Partial<SettleResponse> = {}) {
  return { success: false, errorReason, transaction: "", network, ...more };
}

// ---------------------------------------------------------------------------------------------
// A sale

interface Sale {
  readonly signed: Signed;
  readonly requirements: PaymentRequirements;
  readonly claim: Claim;
}

interface Outcome {
  readonly response: SettleResponse;
  readonly claim: "open" | "over" | undefined;
}

/** A payment is made for the authorization, and settled by it. Both find what was there before. */
async function outcomeOf(service: Service, sale: Sale): Promise<Outcome> {
  const { network, amount } = sale.requirements;
  let isSent = false;
  try {
    const payment = await service.write("/v1/payments", await orderOf(service, sale));
    if (payment.status !== 201) return refusedOutcome(sale, payment);
    isSent = true;
    const settled = await service.write("/v1/x402/settle", settleOf(sale, payment.body["id"]));
    const { body, status } = settled;
    const transaction = textIn(body["tx_hash"]);
    if (status === 200) {
      const extra = { payment_id: body["payment_id"] };
      return { response: { success: true, transaction, network, amount, extra }, claim: "over" };
    }
    if (status !== 202) return refusedOutcome(sale, settled);
    // With the transaction's hash, the middleware asks once more by itself.
    const errorMessage = `It was sent, and is not confirmed yet. ${isOpen}`;
    const more = { errorMessage, transaction };
    return { response: failure(network, "settlement_pending", more), claim: "open" };
  } catch (error) {
    const what = isSent ? isOpen : "Nothing was charged by this request.";
    const errorMessage = `The payment service did not answer (${String(error)}). ${what}`;
    const response = failure(network, "unexpected_settle_error", { errorMessage });
    return { response, claim: "open" };
  }
}

const isOpen = "Whether it is charged is open: the same payment sent again is charged once.";
const usedCodes = new Set(["idempotency_key_reused", "payment_already_settled"]);

function refusedOutcome({ requirements, signed }: Sale, { status, body }: Answer): Outcome {
  const { network } = requirements;
  const [code, said] = [textIn(body["code"]), textIn(body["message"])];
  const details = Object(body["details"]) as Members;
  const transaction = textIn(details["tx_hash"]);
  const answered = (claim: Outcome["claim"], reason: string, errorMessage: string): Outcome => ({
    response: failure(network, reason, { errorMessage, transaction }),
    claim,
  });
  // What was decided on the chain is decided; anything else may be put right, and come again.
  if (status === 402) {
    const claim = transaction === "" ? undefined : "over";
    return answered(claim, textIn(details["x402_reason"]) || code, said);
  }
  if (usedCodes.has(code)) {
    const message = "This authorization was handed in by another request, and pays once.";
    return answered("over", usedReason(signed), message);
  }
  if (code === "payment_not_payable") return answered("over", "invalid_transaction_state", said);
  const message = `The payment service answered ${status} ${code}. ${isOpen}`;
  return answered("open", "unexpected_settle_error", message);
}

/** So long a payment is open at least: an authorization may outlive it by ten minutes. */
const openSecondsMin = 300;

async function orderOf(service: Service, { signed, requirements }: Sale): Promise<Written> {
  const { network, asset, amount, maxTimeoutSeconds } = requirements;
  const tokens = await service.tokens();
  const token = tokens.find((one) => one.network === network && isSame(one.asset, asset));
  if (token === undefined) throw new Error(`the catalog has no ${asset} of ${network} for x402`);
  const price = { amount: decimalOf(amount, token.decimals), chain_ids: [network] };
  return {
    key: `x402-${signed.id}`,
    body: {
      merchant_order_no: `x402-${signed.id}`,
      quotes: { [token.currencyId]: price },
      ...service.splits,
      expires_in_secs: Math.max(openSecondsMin, maxTimeoutSeconds),
    },
  };
}

function settleOf({ signed, requirements, claim }: Sale, paymentId: unknown): Written {
  return {
    key: `x402-settle-${signed.id}`,
    // By its resource the request is another one than anybody else's with the same authorization.
    body: {
      payment_id: paymentId,
      ...settlementOf({ signed, resource: `urn:uuid:${claim.attempt}` }, requirements),
    },
  };
}

// ---------------------------------------------------------------------------------------------
// The service

interface Written {
  readonly key: string;
  readonly body?: Members;
}

interface Answer {
  readonly status: number;
  readonly body: Members;
  readonly headers: Headers;
}

type Members = Readonly<Record<string, unknown>>;

/** A token that x402 can pay with, as the catalog has it. */
interface Token {
  readonly currencyId: string;
  readonly code: string;
  /** CAIP-2 */
  readonly network: string;
  readonly asset: string;
  readonly decimals: number;
}

const catalogMilliseconds = 300_000;

class Service {
  readonly #url: string;
  readonly #fetch: ReturnType<typeof signingFetch>;
  readonly #nowMilliseconds: () => number;
  #catalog: { readonly readAt: number; readonly tokens: Promise<readonly Token[]> } | undefined;
  /** of every payment */
  readonly splits: Members;

  constructor(options: X402PaymentsOptions, nowMilliseconds: () => number) {
    const { url, splits = [], signing, ...credentials } = options;
    this.#nowMilliseconds = nowMilliseconds;
    this.#url = url.replace(/\/+$/, "");
    this.#fetch = signingFetch(credentials, signing);
    const type = "percentage";
    const parts = splits.map(({ merchantId, bps }) => ({ type, merchant_id: merchantId, bps }));
    this.splits = parts.length === 0 ? {} : { splits: parts };
  }

  async write(path: string, { key, body }: Written): Promise<Answer> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.#call(path, { method: "POST", headers, ...content });
  }

  /** At most five minutes old. */
  async tokens(): Promise<readonly Token[]> {
    const known = this.#catalog;
    const now = this.#nowMilliseconds();
    const isNew = known !== undefined && Math.abs(now - known.readAt) < catalogMilliseconds;
    if (isNew) return known.tokens;
    const read = { readAt: now, tokens: this.#readTokens() };
    this.#catalog = read;
    return read.tokens.catch((error: unknown) => {
      if (this.#catalog === read) this.#catalog = undefined;
      throw error;
    });
  }

  async #readTokens(): Promise<readonly Token[]> {
    const tokens: Token[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const answer: Answer = await this.#call(`/v1/currencies?limit=100${query}`, {});
      if (answer.status !== 200) throw refusal("the catalog", answer);
      tokens.push(...(answer.body["currencies"] as readonly Currency[]).flatMap(tokensOf));
      cursor = answer.headers.get("X-Next-Cursor");
    }
    return tokens;
  }

  async #call(path: string, init: RequestInit): Promise<Answer> {
    const response = await this.#fetch(this.#url + path, init);
    const { status, headers } = response;
    // A proxy in front may answer with a page.
    const body: unknown = await response.json().catch(() => ({}));
    return { status, headers, body: Object(body) as Members };
  }
}

function refusal(what: string, { status, body }: Answer): Error {
  const said = `${status} ${textIn(body["code"])}: ${textIn(body["message"])}`;
  return new Error(`The payment service refuses ${what}: ${said}`, { cause: body["details"] });
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Of the contract's `Currency`, what is read of it. */
interface Currency {
  readonly id: string;
  readonly code: string;
  readonly deployments: readonly {
    readonly chain_id: string;
    readonly asset_locator: string;
    readonly decimals: number;
    readonly deposit_enabled: boolean;
    readonly capabilities: readonly Readonly<Record<"scope" | "key" | "status", string>>[];
  }[];
}

function tokensOf({ id, code, deployments }: Currency): readonly Token[] {
  return deployments.flatMap((deployment) => {
    const { chain_id: network, asset_locator, decimals, capabilities } = deployment;
    const [, asset = ""] = asset_locator.split("/erc20:");
    // As the service has it: what is not `supported` is not settled, nor what may keep a part.
    const isPayable = capabilities.some(
      ({ scope, key, status }) =>
        scope === "x402" && /^(?:eip3009|permit2)$/.test(key) && status === "supported",
    );
    const keepsPart = capabilities.some(({ key }) => key === "transfer_fee");
    if (asset === "" || !isPayable || keepsPart || !deployment.deposit_enabled) return [];
    return [{ currencyId: id, code, network, asset, decimals }];
  });
}

function supportedBy(tokens: readonly Token[]): SupportedResponse {
  const networks = [...new Set(tokens.map(({ network }) => network as Network))];
  const kinds = networks.map((network) => ({ x402Version: 2, scheme: "exact", network }));
  return { kinds, extensions: [], signers: {} };
}

async function acceptsOf(service: Service, wish: X402Price): Promise<X402Accepts[]> {
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
