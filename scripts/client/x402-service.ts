// The payment service, as a seller by x402 asks it: its catalog, and what is written. Part of x402-facilitator.ts.

import type { Network, SupportedResponse } from "@x402/core/types";
import type { Credentials } from "./canonical.ts";
import { signingFetch, type SigningOptions } from "./signing-fetch.ts";

export interface ServiceOptions extends Credentials {
  /** of the service, as "https://pay.example" */
  readonly url: string;
  /** who else gets a part of each sale: of 10,000 parts, `bps` */
  readonly splits?: readonly { readonly merchantId: string; readonly bps: number }[];
  readonly signing?: SigningOptions;
}

export interface Written {
  readonly key: string;
  readonly body?: Members;
}

export interface Answer {
  readonly status: number;
  readonly body: Members;
  readonly headers: Headers;
}

export type Members = Readonly<Record<string, unknown>>;

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
  readonly #url: string;
  readonly #fetch: ReturnType<typeof signingFetch>;
  readonly #send: NonNullable<SigningOptions["fetch"]>;
  readonly #nowMilliseconds: () => number;
  #catalog: { readonly readAt: number; readonly tokens: Promise<readonly Token[]> } | undefined;
  /** of every payment */
  readonly splits: Members;

  constructor(options: ServiceOptions, nowMilliseconds: () => number) {
    const { url, splits = [], signing, ...credentials } = options;
    this.#nowMilliseconds = nowMilliseconds;
    this.#url = url.replace(/\/+$/, "");
    this.#fetch = signingFetch(credentials, signing);
    this.#send = signing?.fetch ?? ((request, init) => fetch(request, init));
    const type = "percentage";
    const parts = splits.map(({ merchantId, bps }) => ({ type, merchant_id: merchantId, bps }));
    this.splits = parts.length === 0 ? {} : { splits: parts };
  }

  async write(path: string, { key, body }: Written): Promise<Answer> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return this.#call(path, { method: "POST", headers, ...content });
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

export function refusal(what: string, { status, body }: Answer): Error {
  const said = `${status} ${textIn(body["code"])}: ${textIn(body["message"])}`;
  return new Error(`The payment service refuses ${what}: ${said}`, { cause: body["details"] });
}

export function textIn(value: unknown): string {
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

export function supportedBy(tokens: readonly Token[]): SupportedResponse {
  const networks = [...new Set(tokens.map(({ network }) => network as Network))];
  const kinds = networks.map((network) => ({ x402Version: 2, scheme: "exact", network }));
  return { kinds, extensions: [], signers: {} };
}
