// Which chains a service of the tests says it watches, where it has none: those of the shipped catalog,
// and the local one. A test that is about chains that nobody watches names its own.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCatalogFile } from "../../service/catalog/file.ts";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import { projectRoot } from "../programs/child.ts";

const path = join(projectRoot, "adapters", "catalog", "catalog.json");
const currencies = parseCatalogFile(catalogWithLocalChain(readFileSync(path, "utf8")), path);

export const watchedChains: readonly string[] = [
  ...new Set(currencies.flatMap(({ deployments }) => deployments.map(({ chainId }) => chainId))),
];
export const watchedChainIds: ReadonlySet<string> = new Set(watchedChains);
