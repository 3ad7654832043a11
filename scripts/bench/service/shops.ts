// The merchants of the benchmark: each with a catalog to choose from, currencies that it accepts,
// one active webhook endpoint and a key. And what they ask for.

import { readFileSync } from "node:fs";
import { signingFetch } from "../../client/signing-fetch.ts";
import type { Credentials } from "../../client/canonical.ts";
import type { PlannedRequest } from "./load-plan.ts";
import type { BenchService } from "./service.ts";

export interface Shop extends Credentials {
  readonly merchantId: string;
  /** of its webhook endpoint */
  readonly endpointId: string;
}

interface Wish {
  readonly count: number;
  /** where events are sent to, if they are */
  readonly webhookUrl: string;
}

const catalog = new URL("../../../adapters/catalog/catalog.json", import.meta.url);
const [base, ethereum] = ["eip155:8453", "eip155:1"] as const;
const acceptance = {
  currencies: { cur_usdc: { chain_ids: [base, ethereum] }, cur_eth: { chain_ids: [ethereum] } },
};

interface OneWish {
  readonly name: string;
  /** of its key, beside those to create payments and to say what is accepted */
  readonly scope: "webhooks:write" | "x402:settle";
  /** for `PUT /v1/currency-acceptance` */
  readonly acceptance: object;
}

/** A merchant with a key, that accepts something. */
export async function openShop(
  service: BenchService,
  { name, scope, acceptance: body }: OneWish,
): Promise<Credentials & { readonly merchantId: string }> {
  const { merchants, apiKeys } = service.operator;
  const { id: merchantId } = await merchants.create(name);
  const scopes = ["payments:write", "currencies:write", scope] as const;
  const wish = { merchantId, environment: "test", scopes, cidrs: [], expiresAt: null } as const;
  const { key, secret } = await apiKeys.create(wish);
  const credentials = { key: key.id, secret };
  await call(service, credentials, { method: "PUT", path: "/v1/currency-acceptance", body });
  return { merchantId, ...credentials };
}

export async function openShops(
  service: BenchService,
  { count, webhookUrl }: Wish,
): Promise<readonly Shop[]> {
  const { operator } = service;
  const text = readFileSync(catalog, "utf8");
  await operator.applyCatalog({ name: "catalog.json", text }, { isDryRun: false });
  const shops: Shop[] = [];
  for (let number = 0; number < count; number++) {
    const { merchantId, ...credentials } = await openShop(service, {
      name: `Shop ${number}`,
      scope: "webhooks:write",
      acceptance,
    });
    const url = `${webhookUrl}?shop=${number}`;
    const endpointId = await make(service, credentials, {
      path: "/v1/webhook-endpoints",
      body: { url, event_types: ["*"] },
    });
    shops.push({ merchantId, ...credentials, endpointId });
  }
  return shops;
}

/** Two prices of one order, the first on two chains. */
export function orderBody(orderNumber: string): object {
  return {
    merchant_order_no: orderNumber,
    quotes: {
      cur_usdc: { amount: "120.50", chain_ids: [base, ethereum] },
      cur_eth: { amount: "0.04", chain_ids: [ethereum] },
    },
    user_id: "customer-77",
    expires_in_secs: 3600,
    memo: "autumn campaign",
    redirect_url: "https://shop.example/orders",
  };
}

/** Creates one, as a load is told to do it. */
export const creating: PlannedRequest = {
  method: "POST",
  target: "/v1/payments",
  body: JSON.stringify(orderBody("order-{number}")),
  idempotencyKey: "new",
  answer: {
    status: 201,
    isReplay: false,
    body: { pattern: String.raw`^\{"id":"(pay_[0-9A-Z]+)".*"status":"pending"` },
  },
};

interface Call {
  readonly method: "GET" | "PUT" | "POST";
  /** as on the request line */
  readonly path: string;
  readonly body?: object;
  /** a new one when left out */
  readonly idempotencyKey?: string;
}

/** Gives the text of the answer. For the way there; the load has its own client. */
export async function call(
  { url }: Pick<BenchService, "url">,
  credentials: Credentials,
  { method, path, body, idempotencyKey = crypto.randomUUID() }: Call,
): Promise<string> {
  const writing = { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
  const response = await signingFetch(credentials)(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: writing, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
}

/** Gives the id of what was made. */
export async function make(
  service: Pick<BenchService, "url">,
  credentials: Credentials,
  wish: Omit<Call, "method">,
): Promise<string> {
  const text = await call(service, credentials, { ...wish, method: "POST" });
  const { id } = JSON.parse(text) as { readonly id?: unknown };
  if (typeof id === "string") return id;
  throw new Error(`${wish.path} made nothing that has an id: ${text}`);
}
