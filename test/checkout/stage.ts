// One server of checkout pages for a file or a describe block, with a chain that it watches. Who imports
// these two sees what stands there while a test runs.

import { afterAll, beforeAll } from "vitest";
import { type Engine, makeDatabase } from "../support/engines.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";
import {
  base,
  type CheckoutOptions,
  type CheckoutServer,
  startCheckout,
} from "./checkout-server.ts";

export let server: CheckoutServer;
export let chain: ScriptedChain;

export interface StageWish extends Partial<Omit<CheckoutOptions, "database" | "chains">> {
  readonly genesisTime?: Date;
  /** a second chain, on which nothing happens */
  readonly otherChainId?: string;
}

export function useCheckout(engine: Engine, wish: StageWish = {}): void {
  const { genesisTime, otherChainId, ...options } = wish;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const made = await makeDatabase(engine);
    ({ remove } = made);
    const chainOf = (chainId: string) =>
      new ScriptedChain({ chainId, ...(genesisTime === undefined ? {} : { genesisTime }) });
    chain = chainOf(base);
    const chains = otherChainId === undefined ? [chain] : [chain, chainOf(otherChainId)];
    server = await startCheckout({ database: made.database, chains, ...options });
    await server.watch();
  });
  afterAll(async () => {
    await server.close();
    await remove();
  });
}
