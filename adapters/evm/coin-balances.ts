// Where nodes give no traces, coin that a contract pays out is seen by nothing but the balance of who
// got it: what an address has more after a block than its transactions account for.

import type { ChainTransfer } from "../../service/ports/chain.ts";
import { NodeError, quantity } from "./answers.ts";
import type { CoinTransaction, Header } from "./headers.ts";
import type { BlockReceipt } from "./receipts.ts";
import type { Asked } from "./rpc.ts";

export interface KnownMoves {
  readonly transactions: readonly CoinTransaction[];
  /** in the same order */
  readonly receipts: readonly BlockReceipt[];
}

/** Nobody in particular: which of the block's transactions it was is not known. */
const nobody = "0x0000000000000000000000000000000000000000";

/**
 * Each as a transfer of its own, named by its block in place of a transaction. Undefined: the node
 * does not know any more what they had then.
 */
export async function unexplainedCoin(
  endpoint: Asked,
  block: Header,
  wish: KnownMoves & { readonly addresses: readonly string[] },
): Promise<readonly ChainTransfer[] | undefined> {
  const { addresses } = wish;
  const balanceAt = async (address: string, blockHash: string): Promise<bigint> =>
    quantity(await endpoint.call("eth_getBalance", [address, { blockHash }]), "a balance");
  try {
    const balances = await Promise.all(
      addresses.map((address) =>
        Promise.all([balanceAt(address, block.parentHash), balanceAt(address, block.hash)]),
      ),
    );
    const taken = new Set<number>();
    return addresses.flatMap((to, index) => {
      const [before, after] = balances[index] ?? [0n, 0n];
      const amountRaw = after - before - explained(to, wish);
      if (amountRaw <= 0n) return [];
      const logIndex = placeOf(to, taken);
      return [{ txHash: block.hash, logIndex, contractAddress: null, from: nobody, to, amountRaw }];
    });
  } catch (error) {
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

function explained(address: string, { transactions, receipts }: KnownMoves): bigint {
  let sum = 0n;
  for (const [index, { from, to, amountRaw }] of transactions.entries()) {
    const receipt = receipts[index];
    if (receipt === undefined) continue;
    const moved = receipt.isSuccess ? amountRaw : 0n;
    if (to === address) sum += moved;
    if (from === address) sum -= moved + receipt.gasCostRaw;
  }
  return sum;
}

/** The same whenever the block is read, whoever else is looked at: below zero, from the address. */
function placeOf(address: string, taken: Set<number>): number {
  let place = Number.parseInt(address.slice(-7), 16) + 1;
  while (taken.has(place)) place += 1;
  taken.add(place);
  return -place;
}
