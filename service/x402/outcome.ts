// What the chain's answers mean for an authorization that was accepted. Pure.

import type { ChainBlock, ChainTransfer } from "../ports/chain.ts";
import type { AuthorizationUse, SettlementReceipt } from "../ports/settlement-chain.ts";
import type { PaymentAuthorization } from "../ports/signer.ts";
import { isSameAddress } from "./model.ts";
import type { X402Code } from "./refusals.ts";

/** What was found out about it at one moment. */
export interface SettlementView {
  /** of the transaction that it was used in, or of one of ours that was mined */
  readonly receipt: SettlementReceipt | undefined;
  /** by somebody else, or undefined: nobody has used or cancelled it, or it was ours */
  readonly use: AuthorizationUse | undefined;
  /** where it was cancelled */
  readonly cancelledAt: ChainBlock | undefined;
  /** of the transaction that was to be sent; undefined: there is none */
  readonly outgoing: "queued" | "broadcast" | "ended" | undefined;
  readonly head: ChainBlock;
  /** what is in this block or before it does not change any more */
  readonly finalNumber: bigint;
}

export interface Expected {
  readonly authorization: PaymentAuthorization;
  readonly amountRaw: bigint;
  /** unix seconds */
  readonly validBefore: bigint;
}

export type SettlementVerdict =
  /** nothing is known yet */
  | { readonly kind: "open" }
  /** It was used, and one answer has not caught up with another: whoever asks again sees where. */
  | { readonly kind: "unclear" }
  /** `transfers`: those that fit; usually one */
  | {
      readonly kind: "settled";
      readonly receipt: SettlementReceipt;
      readonly transfers: readonly ChainTransfer[];
      readonly isFinal: boolean;
    }
  /** The chain says no, and may say otherwise while `isFinal` is false. */
  | {
      readonly kind: "refused";
      readonly code: X402Code;
      readonly txHash: string | null;
      readonly isFinal: boolean;
      /** what came all the same, and where */
      readonly receipt: SettlementReceipt | undefined;
      readonly transfers: readonly ChainTransfer[];
    }
  /** Nothing was signed for it, and it is too late to do so. */
  | { readonly kind: "too_late" };

export function verdictOf(expected: Expected, view: SettlementView): SettlementVerdict {
  const { receipt, use, cancelledAt, outgoing, head, finalNumber } = view;
  if (receipt !== undefined && receipt.isSuccess && receipt.isAuthorizationUsed) {
    return usedVerdict(expected, receipt, finalNumber);
  }
  const isDeep = (block: ChainBlock): boolean => block.number <= finalNumber;
  if (use?.kind === "cancelled" && cancelledAt !== undefined) {
    const isFinal = isDeep(cancelledAt);
    return refused("x402_authorization_cancelled", { txHash: use.txHash, isFinal });
  }
  if (receipt !== undefined) {
    const { txHash, block } = receipt;
    return refused("x402_reverted", { txHash, isFinal: isDeep(block) });
  }
  if (use !== undefined) return { kind: "unclear" };
  const isOver = BigInt(Math.floor(head.time.getTime() / 1000)) > expected.validBefore;
  if (outgoing === "queued") return isOver ? { kind: "too_late" } : { kind: "open" };
  // A transaction that is none of ours has its number, and nobody has used the authorization.
  if (outgoing === "ended")
    return refused("x402_simulation_failed", { txHash: null, isFinal: true });
  return { kind: "open" };
}

function usedVerdict(
  { authorization, amountRaw }: Expected,
  receipt: SettlementReceipt,
  finalNumber: bigint,
): SettlementVerdict {
  const { contractAddress, from, to } = authorization;
  const arrived = receipt.transfers.filter(
    (one) => isSameAddress(one.contractAddress, contractAddress) && isSameAddress(one.to, to),
  );
  // Where the transaction says which transfer it made, no other one is its money.
  const exact = arrived.filter(
    (one) =>
      one.amountRaw === amountRaw &&
      isSameAddress(one.from, from) &&
      (receipt.transferLog === null || receipt.transferLog === one.logIndex),
  );
  const isFinal = receipt.block.number <= finalNumber;
  if (exact.length > 0) return { kind: "settled", receipt, transfers: exact, isFinal };
  // A token that keeps a part of it, or sends it elsewhere: what did come is somebody's (threat 31).
  const transfers = arrived.filter(
    (one) =>
      isSameAddress(one.from, from) &&
      one.amountRaw > 0n &&
      (receipt.transferLog === null || receipt.transferLog === one.logIndex),
  );
  return mismatch(receipt, transfers, isFinal);
}

/**
 * Of the transfers of a transaction only those count that are nobody else's: it may use several
 * authorizations, and what was moved once pays once.
 */
export function withoutClaimed(
  verdict: SettlementVerdict,
  claimed: ReadonlySet<number>,
): SettlementVerdict {
  if (verdict.kind !== "settled" && verdict.kind !== "refused") return verdict;
  const transfers = verdict.transfers.filter(({ logIndex }) => !claimed.has(logIndex));
  if (verdict.kind === "refused" || transfers.length > 0) return { ...verdict, transfers };
  return mismatch(verdict.receipt, transfers, verdict.isFinal);
}

function mismatch(
  receipt: SettlementReceipt,
  transfers: readonly ChainTransfer[],
  isFinal: boolean,
) {
  const { txHash } = receipt;
  return { ...refused("x402_transfer_mismatch", { txHash, isFinal }), receipt, transfers };
}

function refused(
  code: X402Code,
  { txHash, isFinal }: { readonly txHash: string | null; readonly isFinal: boolean },
) {
  return { kind: "refused", code, txHash, isFinal, receipt: undefined, transfers: [] } as const;
}
