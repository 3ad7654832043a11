// The merchants: each takes USDC on the local chain, and has a key that creates payments and settles.

import { readFileSync } from "node:fs";
import { catalogWithLocalChain } from "../../../adapters/local-chain/local-catalog.ts";
import type { Credentials } from "../../client/canonical.ts";
import type { BenchService } from "../service/service.ts";
import { openShop } from "../service/shops.ts";
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
    const acceptance = { currencies: { cur_usdc: { chain_ids: [chainId] } } };
    const wish = { name: `Shop ${number}`, scope: "x402:settle", acceptance } as const;
    const { key, secret } = await openShop(service, wish);
    shops.push({ key, secret });
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
