// The merchants of the benchmark: each with a catalog to choose from, currencies that it accepts,
// one active webhook endpoint and a key. And what they ask for.

import { readFileSync } from "node:fs";
import { signingFetch } from "../../client/signing-client.ts";
import type { Credentials } from "../../client/signing-client.ts";
import type { BenchService } from "./service.ts";

export interface Shop extends Credentials {
  readonly merchantId: string;
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

export async function openShops(
  service: BenchService,
  { count, webhookUrl }: Wish,
): Promise<readonly Shop[]> {
  const { operator } = service;
  const text = readFileSync(catalog, "utf8");
  await operator.applyCatalog({ name: "catalog.json", text }, { isDryRun: false });
  const shops: Shop[] = [];
  for (let number = 0; number < count; number++) {
    const { id: merchantId } = await operator.merchants.create(`Shop ${number}`);
    const scopes = ["payments:write", "currencies:write", "webhooks:write"] as const;
    const wish = { merchantId, environment: "test", scopes, cidrs: [], expiresAt: null } as const;
    const { key, secret } = await operator.apiKeys.create(wish);
    const shop = { merchantId, key: key.id, secret };
    await call(service, shop, { method: "PUT", path: "/v1/currency-acceptance", body: acceptance });
    const endpoint = { url: `${webhookUrl}?shop=${number}`, event_types: ["*"] };
    await call(service, shop, { method: "POST", path: "/v1/webhook-endpoints", body: endpoint });
    shops.push(shop);
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

interface Call {
  readonly method: "PUT" | "POST";
  readonly path: string;
  readonly body: object;
}

/** For the way there; the load has its own client. */
export async function call(
  { url }: BenchService,
  credentials: Credentials,
  { method, path, body }: Call,
): Promise<void> {
  const response = await signingFetch(credentials)(`${url}${path}`, {
    method,
    headers: { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
}
