// What a fresh database needs before it can take a payment: the shipped catalog, which is there from the
// first start, and all the rest, which is named.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCatalogFile } from "../../service/catalog/file.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { missingForPayments } from "../../service/checkout/first-payment.ts";
import type { Missing } from "../../service/checkout/first-payment.ts";
import type { StoragePorts } from "../../service/ports/recording.ts";
import type { WatchedChains } from "../../service/ports/watched-chains.ts";
import type { Logger } from "../system/logging.ts";
import { catalogWithLocalChain } from "../local-chain/local-catalog.ts";

const catalogFile = join(import.meta.dirname, "..", "catalog", "catalog.json");

export interface FirstCatalogOptions {
  /** This machine has a chain of its own, whose tokens belong into it. */
  readonly hasLocalChain: boolean;
}

/** Into a database that never had one; whatever an operator has applied stays what it is. */
export async function applyFirstCatalog(
  ports: StoragePorts & { readonly log: Pick<Logger, "info"> },
  { hasLocalChain }: FirstCatalogOptions,
): Promise<void> {
  const shipped = readFileSync(catalogFile, "utf8");
  const text = hasLocalChain ? catalogWithLocalChain(shipped) : shipped;
  const version = await new CatalogWriter(ports).applyFirst(parseCatalogFile(text, catalogFile));
  if (version === undefined) return;
  ports.log.info({ catalog_version: Number(version) }, "the catalog that is shipped was applied");
}

/** Once nothing is missing, nobody asks the database for it again. */
export function buildReadMissing(
  ports: StoragePorts & WatchedChains,
): () => Promise<readonly Missing[]> {
  let isComplete = false;
  return async () => {
    if (isComplete) return [];
    const missing = await missingForPayments(ports);
    isComplete = missing.length === 0;
    return missing;
  };
}
