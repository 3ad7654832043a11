// What is missing before a first payment can be taken, in the order in which it is put right. A server
// that lacks some of it is up all the same: a merchant accepts its currencies through it.

import assert from "node:assert";
import type { StoragePorts } from "../ports/recording.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";
import { readPaymentNeeds } from "./first-payment.sql.ts";

export interface Missing {
  readonly need: "chain" | "catalog" | "deployment" | "merchant" | "api_key" | "acceptance";
  /** what it is, and what to do */
  readonly text: string;
}

export async function missingForPayments({
  database,
  clock,
  watchedChainIds,
}: StoragePorts & WatchedChains): Promise<readonly Missing[]> {
  const chainIds = [...watchedChainIds];
  const [row] = await database.run(readPaymentNeeds, { chainIds, now: clock.now() });
  assert(row !== undefined, "the statement has one row");
  const hasChain = chainIds.length > 0;
  const place = `a chain that is watched (${chainIds.join(", ")})`;
  // What cannot be there before something else is not named beside it.
  const all: readonly (Missing & { readonly isThere: boolean })[] = [
    {
      need: "chain",
      isThere: hasChain,
      text: "No chain is watched: name the nodes of one in EVM_RPC_URLS, and start again.",
    },
    {
      need: "catalog",
      isThere: row.has_catalog,
      text: "The catalog is empty: npm run admin -- catalog apply adapters/catalog/catalog.json",
    },
    {
      need: "deployment",
      isThere: row.has_deployment || !hasChain || !row.has_catalog,
      text: `No currency of the catalog takes deposits on ${place}: apply a catalog that has one.`,
    },
    {
      need: "merchant",
      isThere: row.has_merchant,
      text: "There is no active merchant: npm run admin -- merchant create",
    },
    {
      need: "api_key",
      isThere: row.has_key || !row.has_merchant,
      text: "No API key of an active merchant may create payments: npm run admin -- key create",
    },
    {
      need: "acceptance",
      isThere: row.has_acceptance || !row.has_deployment || !row.has_key,
      text: `No merchant with such a key accepts a currency on ${place}: PUT /v1/currency-acceptance`,
    },
  ];
  return all.filter(({ isThere }) => !isThere).map(({ need, text }) => ({ need, text }));
}
