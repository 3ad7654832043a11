// What the confirmer asks a chain about what was sent.

import type { CatalogReader } from "../catalog/catalog.ts";
import { ServiceError } from "../errors.ts";
import { finalityOf, finalUpTo } from "../catalog/finality.ts";
import type { Chain, ChainHead, ChainReceipt } from "../ports/chain.ts";
import type { ChainView } from "./fate.ts";

interface Checks<Row> {
  /** True: it has ended. */
  readonly check: (head: ChainHead, row: Row) => Promise<boolean>;
  /** those that were not looked at for longest come first next time */
  readonly putOff: (row: Row) => Promise<void>;
}

/**
 * Gives how many have ended. Throws what the first check throws that does, after the others were
 * looked at too; only where the chain does not answer there is no point in going on.
 */
export async function checkEach<Row>(
  chain: Chain,
  rows: readonly Row[],
  { check, putOff }: Checks<Row>,
): Promise<number> {
  const head = await chain.head();
  if (head.chainId !== chain.chainId) {
    throw new ServiceError("chain_unavailable", "Another chain answers.");
  }
  let done = 0;
  const failures: unknown[] = [];
  for (const row of rows) {
    try {
      if (await check(head, row)) done += 1;
    } catch (error) {
      // One that cannot be decided must not hold up all the others.
      await putOff(row);
      if (error instanceof ServiceError) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

interface Moved {
  readonly deploymentId: string;
  readonly amountRaw: bigint;
}

/**
 * The same depth at which a deposit of the amount would be believed; below zero: none is deep enough.
 * Undefined: the catalog does not say.
 */
export async function finalNumberOf(
  { catalog }: { readonly catalog: Pick<CatalogReader, "allDeployments"> },
  { deploymentId, amountRaw }: Moved,
  head: ChainHead,
): Promise<bigint | undefined> {
  const deployment = (await catalog.allDeployments()).find(({ id }) => id === deploymentId);
  const finality = deployment === undefined ? undefined : finalityOf(deployment);
  if (finality === undefined) return undefined;
  const { numberMax, highNumberMax } = finalUpTo(finality, head);
  return amountRaw >= finality.highValueRaw ? highNumberMax : numberMax;
}

interface Sent {
  readonly head: ChainHead;
  readonly finalNumber: bigint;
  readonly account: string;
  readonly tx_hashes: readonly string[];
}

export async function viewOf(
  chain: Chain,
  { head, finalNumber, account, tx_hashes: txHashes }: Sent,
): Promise<ChainView> {
  const minedCount = await chain.minedCount(account);
  const receipt = await receiptOf(chain, txHashes);
  return { headNumber: head.number, minedCount, finalNumber, receipt };
}

/** They have one nonce, so one of them at most is mined, whichever: then the others do not matter. */
async function receiptOf(
  chain: Chain,
  txHashes: readonly string[],
): Promise<ChainReceipt | undefined> {
  const failures: unknown[] = [];
  for (const txHash of txHashes) {
    try {
      const receipt = await chain.receipt(txHash);
      if (receipt !== undefined) return receipt;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return undefined;
}
