// The payment service, as a seller by x402 asks it: its catalog, and what is written. Part of x402-facilitator.ts.

import type { Network, SupportedResponse } from "@x402/core/types";
import type { Client, types } from "../../generated/client/client.ts";
import type { Credentials } from "./canonical.ts";
import { merchantPayments, ResponseError } from "./merchant-payments.ts";
import type { SigningOptions } from "./signing-fetch.ts";

export interface ServiceOptions extends Credentials {
  /** of the service, as "https://pay.example" */
  readonly url: string;
  /** who else gets a part of each sale: of 10,000 parts, `bps` */
  readonly splits?: readonly { readonly merchantId: string; readonly bps: number }[];
  readonly signing?: SigningOptions;
}

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
const pageMilliseconds = 30_000;

export class Service {
  /** its operations, as this seller */
  readonly pay: Client;
  /** of every payment */
  readonly splits: Pick<types.CreatePaymentRequest, "splits">;
  readonly #send: NonNullable<SigningOptions["fetch"]>;
  readonly #nowMilliseconds: () => number;
  #catalog: { readonly readAt: number; readonly tokens: Promise<readonly Token[]> } | undefined;

  constructor(options: ServiceOptions, nowMilliseconds: () => number) {
    const { url, splits = [], signing, ...credentials } = options;
    this.#nowMilliseconds = nowMilliseconds;
    this.pay = merchantPayments({ url, ...credentials, ...signing });
    this.#send = signing?.fetch ?? ((request, init) => fetch(request, init));
    const parts = splits.map(({ merchantId, bps }) => ({
      type: "percentage" as const,
      merchant_id: merchantId,
      bps,
    }));
    this.splits = parts.length === 0 ? {} : { splits: parts };
  }

  /** What the page of a payment answers to software: nobody signs that. Throws what `fetch` throws, after 30 s too. */
  async page(url: string): Promise<Response> {
    const headers = { Accept: "application/json" };
    const signal = AbortSignal.timeout(pageMilliseconds);
    return this.#send(new Request(url, { headers, redirect: "manual" }), { signal });
  }

  /** At most five minutes old. */
  async tokens(): Promise<readonly Token[]> {
    const known = this.#catalog;
    const now = this.#nowMilliseconds();
    const isNew = known !== undefined && Math.abs(now - known.readAt) < catalogMilliseconds;
    if (isNew) return known.tokens;
    const read = { readAt: now, tokens: unlessRefused("the catalog", this.#readTokens()) };
    this.#catalog = read;
    return read.tokens.catch((error: unknown) => {
      if (this.#catalog === read) this.#catalog = undefined;
      throw error;
    });
  }

  async #readTokens(): Promise<readonly Token[]> {
    const tokens: Token[] = [];
    for await (const currency of this.pay.currencies.listCurrencies.items({ limit: 100 })) {
      tokens.push(...tokensOf(currency));
    }
    return tokens;
  }
}

/** Throws what a call throws; of a refusal an Error that says what is refused, and why. */
export async function unlessRefused<Body>(what: string, call: Promise<Body>): Promise<Body> {
  try {
    return await call;
  } catch (cause) {
    if (!(cause instanceof ResponseError)) throw cause;
    const { code, message } = Object(cause.body) as Partial<types.ApiError>;
    const said = [`${cause.status} ${code ?? ""}`.trim(), message].filter(Boolean).join(": ");
    throw new Error(`The payment service refuses ${what}: ${said}`, { cause });
  }
}

function tokensOf({ id, code, deployments }: types.Currency): readonly Token[] {
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

export function supportedBy(tokens: readonly Token[]): SupportedResponse {
  const networks = [...new Set(tokens.map(({ network }) => network as Network))];
  const kinds = networks.map((network) => ({ x402Version: 2, scheme: "exact", network }));
  return { kinds, extensions: [], signers: {} };
}
