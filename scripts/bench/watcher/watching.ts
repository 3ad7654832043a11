// The watcher of the service on a chain of this benchmark, put together as the service does it.

import { randomFillSync } from "node:crypto";
import { openEvmChain } from "../../../adapters/evm/chain.ts";
import { openPostgres } from "../../../adapters/database/postgres.ts";
import { systemClock } from "../../../adapters/system/clock.ts";
import { buildIdentifiers } from "../../../adapters/system/identifiers.ts";
import { CatalogReader } from "../../../service/catalog/catalog.ts";
import { ChainWatcher } from "../../../service/chains/watcher.ts";
import { Cursors } from "../../../service/cursor.ts";
import { PaymentProgress } from "../../../service/payments/progress.ts";
import { catalogOf, putCatalog } from "../../../test/support/catalog.ts";
import { chainId } from "./prepared-chain.ts";

export interface Watching {
  /** until there is nothing more to do */
  readonly catchUp: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param databaseUrl an empty database */
export async function openWatching(
  databaseUrl: string,
  nodeUrls: readonly string[],
): Promise<Watching> {
  const clock = systemClock;
  const database = await openPostgres({ url: databaseUrl });
  const identifiers = buildIdentifiers({
    clock,
    fillRandom: (bytes) => void randomFillSync(bytes),
  });
  // Tokens: what they cost is logs. Coins are read from traces, which are another subject.
  const catalog = catalogOf().map((currency) => ({
    ...currency,
    deployments: currency.deployments.filter((one) => one.contractAddress !== null),
  }));
  await putCatalog(
    { database, clock },
    catalog.filter(({ deployments }) => deployments.length > 0),
  );
  const log = {
    info: () => undefined,
    warn: (fields: object, text: string) => console.error(text, fields),
    error: (fields: object, text: string) => console.error(text, fields),
  };
  const chain = await openEvmChain({ chainId, urls: nodeUrls, clock, log });
  const progress = new PaymentProgress({ clock, identifiers });
  const watcher = new ChainWatcher({
    database,
    clock,
    catalog: new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) }),
    chain,
    onTouched: (inside, ids) => progress.refresh(inside, ids),
  });
  return {
    catchUp: async () => {
      let isMore = true;
      while (isMore) ({ isMore } = await watcher.run());
    },
    close: () => database.close(),
  };
}
