// The merchants: each takes USDC on the local chain, and has a key that creates payments and settles.

import { readFileSync } from "node:fs";
import { catalogWithLocalChain } from "../../../adapters/local-chain/local-catalog.ts";
import type { Credentials } from "../../client/canonical.ts";
import type { BenchService } from "../service/service.ts";
import { call } from "../service/shops.ts";
import { price } from "./payers.ts";

const chainId = "eip155:31337";
const catalog = new URL("../../../adapters/catalog/catalog.json", import.meta.url);

export async function openShops(
  service: BenchService,
  count: number,
): Promise<readonly Credentials[]> {
  const { operator } = service;
  const text = catalogWithLocalChain(readFileSync(catalog, "utf8"));
  await operator.applyCatalog({ name: "catalog.json", text }, { isDryRun: false });
  const shops: Credentials[] = [];
  for (let number = 0; number < count; number++) {
    const { id: merchantId } = await operator.merchants.create(`Shop ${number}`);
    const scopes = ["payments:write", "currencies:write", "x402:settle"] as const;
    const wish = { merchantId, environment: "test", scopes, cidrs: [], expiresAt: null } as const;
    const { key, secret } = await operator.apiKeys.create(wish);
    const shop = { key: key.id, secret };
    const body = { currencies: { cur_usdc: { chain_ids: [chainId] } } };
    await call(service, shop, { method: "PUT", path: "/v1/currency-acceptance", body });
    shops.push(shop);
  }
  return shops;
}

export function orderBody(orderNumber: string): object {
  return {
    merchant_order_no: orderNumber,
    quotes: { cur_usdc: { amount: price, chain_ids: [chainId] } },
    expires_in_secs: 3600,
  };
}
