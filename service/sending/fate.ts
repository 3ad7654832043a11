// What the chain's answers mean for a transaction that was signed and sent, whatever it is for.

import type { ChainReceipt } from "../ports/chain.ts";

export interface SentNonce {
  readonly nonce: bigint;
  /** the head of the chain when the nonce was first seen used by none of ours */
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

export type Fate =
  | { readonly kind: "waits"; readonly lostSinceBlock: bigint | null }
  /** for good */
  | { readonly kind: "mined"; readonly receipt: ChainReceipt }
  /** for good: its nonce was used by a transaction that none of ours is */
  | { readonly kind: "replaced" };

export function fateOf(sent: SentNonce, view: ChainView): Fate {
  const { receipt, finalNumber } = view;
  if (receipt === undefined) return fateWithoutReceipt(sent, view);
  if (receipt.block.number > finalNumber) return { kind: "waits", lostSinceBlock: null };
  return { kind: "mined", receipt };
}

/**
 * Not mined yet; or its nonce was used by a transaction that none of ours is. One look is not enough
 * for that, since a node may know the count and not yet the receipt, and a reorganisation may bring
 * ours back: it has to stay so until the block where it was first seen is final.
 */
function fateWithoutReceipt({ nonce, lostSinceBlock }: SentNonce, view: ChainView): Fate {
  if (view.minedCount <= nonce) return { kind: "waits", lostSinceBlock: null };
  if (lostSinceBlock !== null && lostSinceBlock <= view.finalNumber) return { kind: "replaced" };
  return { kind: "waits", lostSinceBlock: lostSinceBlock ?? view.headNumber };
}

/**
 * One of ours has the nonce, or it is free, and was so at the look before: a node that lags says so once. Whatever people
 * were to say of it, or have said, is over.
 *
 * @param lostBefore as the look before has left `lostSinceBlock`
 */
export function isClear(
  lostBefore: bigint | null,
  { receipt }: Pick<ChainView, "receipt">,
  { lostSinceBlock }: Extract<Fate, { readonly kind: "waits" }>,
): boolean {
  if (lostSinceBlock !== null) return false;
  return receipt !== undefined || lostBefore === null;
}

/**
 * However it is spelled: money that was not recognised would be given back although it has left. No
 * two addresses of one transaction differ in the case of their letters alone.
 */
export function isSameAddress(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}
