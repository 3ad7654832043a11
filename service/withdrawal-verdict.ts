// What the chain's answers mean for a withdrawal that was sent.

import type { ChainReceipt } from "./ports/chain.ts";

export interface SentWithdrawal {
  readonly account: string;
  readonly address: string;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  readonly sendAmountRaw: bigint;
  readonly nonce: bigint;
  readonly lostSinceBlock: bigint | null;
}

export interface ChainView {
  readonly headNumber: bigint;
  /** read before the receipt: what was mined in between has one */
  readonly minedCount: bigint;
  /** what is in this block or before it does not change any more */
  readonly finalNumber: bigint;
  /** of the one transaction of all that were signed which is mined, if one is */
  readonly receipt: ChainReceipt | undefined;
}

export type Verdict =
  | { readonly kind: "waits"; readonly lostSinceBlock: bigint | null }
  | { readonly kind: "confirmed"; readonly receipt: ChainReceipt }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly receipt?: ChainReceipt }
  /** something else than what was asked for has happened: only people can say what */
  | { readonly kind: "unclear"; readonly receipt: ChainReceipt };

export type FailureReason = "reverted" | "nothing_moved" | "number_used_by_another";

export function verdictOf(sent: SentWithdrawal, view: ChainView): Verdict {
  const { receipt, finalNumber } = view;
  if (receipt === undefined) return verdictWithoutReceipt(sent, view);
  if (receipt.block.number > finalNumber) return { kind: "waits", lostSinceBlock: null };
  if (!receipt.isSuccess) return { kind: "failed", reason: "reverted", receipt };
  // The chain's own coin moves with a successful transaction; a token only says so in its log.
  if (sent.contractAddress === null) return { kind: "confirmed", receipt };
  const moved = receipt.transfers.filter(
    ({ contractAddress, from }) =>
      isSame(contractAddress, sent.contractAddress) && isSame(from, sent.account),
  );
  if (moved.length === 0) return { kind: "failed", reason: "nothing_moved", receipt };
  const [only] = moved;
  const isExact =
    moved.length === 1 &&
    only !== undefined &&
    isSame(only.to, sent.address) &&
    only.amountRaw === sent.sendAmountRaw;
  return isExact ? { kind: "confirmed", receipt } : { kind: "unclear", receipt };
}

/**
 * However it is spelled: money that was not recognised would be given back although it has left. No
 * two addresses of one transaction differ in the case of their letters alone.
 */
function isSame(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/**
 * Not mined yet; or its number was used by a transaction that none of ours is. One look is not enough
 * for that, since a node may know the count and not yet the receipt, and a reorganisation may bring
 * ours back: it has to stay so until the block where it was first seen is final.
 */
function verdictWithoutReceipt(sent: SentWithdrawal, view: ChainView): Verdict {
  if (view.minedCount <= sent.nonce) return { kind: "waits", lostSinceBlock: null };
  const { lostSinceBlock } = sent;
  if (lostSinceBlock !== null && lostSinceBlock <= view.finalNumber) {
    return { kind: "failed", reason: "number_used_by_another" };
  }
  return { kind: "waits", lostSinceBlock: lostSinceBlock ?? view.headNumber };
}
