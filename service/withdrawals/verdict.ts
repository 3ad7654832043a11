// What the chain's answers mean for a withdrawal that was sent.

import type { ChainReceipt } from "../ports/chain.ts";
import { fateOf, isSameAddress } from "../sending/fate.ts";
import type { ChainView, SentNumber } from "../sending/fate.ts";

export interface SentWithdrawal extends SentNumber {
  readonly account: string;
  readonly address: string;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  readonly sendAmountRaw: bigint;
  /** it was given up, and what was signed for it moves nothing */
  readonly sendsNothing: boolean;
}

export type Verdict =
  | { readonly kind: "waits"; readonly lostSinceBlock: bigint | null }
  | { readonly kind: "confirmed"; readonly receipt: ChainReceipt }
  | { readonly kind: "failed"; readonly reason: FailureReason; readonly receipt?: ChainReceipt }
  /** something else than what was asked for has happened: only people can say what */
  | { readonly kind: "unclear"; readonly receipt: ChainReceipt };

export type FailureReason = "given_up" | "reverted" | "nothing_moved" | "number_used_by_another";

export function verdictOf(sent: SentWithdrawal, view: ChainView): Verdict {
  const fate = fateOf(sent, view);
  if (fate.kind === "waits") return fate;
  if (fate.kind === "replaced") return { kind: "failed", reason: "number_used_by_another" };
  const { receipt } = fate;
  if (sent.sendsNothing) return { kind: "failed", reason: "given_up", receipt };
  if (!receipt.isSuccess) return { kind: "failed", reason: "reverted", receipt };
  // The chain's own coin moves with a successful transaction; a token only says so in its log.
  if (sent.contractAddress === null) return { kind: "confirmed", receipt };
  const moved = receipt.transfers.filter(
    ({ contractAddress, from }) =>
      isSameAddress(contractAddress, sent.contractAddress) && isSameAddress(from, sent.account),
  );
  if (moved.length === 0) return { kind: "failed", reason: "nothing_moved", receipt };
  const [only] = moved;
  const isExact =
    moved.length === 1 &&
    only !== undefined &&
    isSameAddress(only.to, sent.address) &&
    only.amountRaw === sent.sendAmountRaw;
  return isExact ? { kind: "confirmed", receipt } : { kind: "unclear", receipt };
}
