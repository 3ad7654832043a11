// Which chains a service of the tests says it watches, where it has none: those of the shipped catalog,
// and the local one. A test that is about chains that nobody watches names its own.

import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import { catalogOf, shippedCatalogText } from "./catalog.ts";

const currencies = catalogOf(catalogWithLocalChain(shippedCatalogText));

export const watchedChains: readonly string[] = [
  ...new Set(currencies.flatMap(({ deployments }) => deployments.map(({ chainId }) => chainId))),
];
export const watchedChainIds: ReadonlySet<string> = new Set(watchedChains);
