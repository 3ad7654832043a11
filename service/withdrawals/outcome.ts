// What the end of its transaction means for a withdrawal.

import type { OutgoingOutcome } from "../sending/confirmer.ts";
import { isSameAddress } from "../sending/fate.ts";

export type Verdict =
  | { readonly kind: "confirmed" }
  | { readonly kind: "failed"; readonly reason: FailureReason }
  /** what has happened is something else than what was asked for, or not known: only people can say what */
  | { readonly kind: "unclear" };

export type FailureReason = "given_up" | "reverted" | "nothing_moved" | "number_used_by_another";

type Ended = Pick<OutgoingOutcome, "account" | "action" | "receipt" | "sendsNothing" | "measured">;

/**
 * Our choice: of a token that may keep a part, what has left the account decides, by its balance; how
 * much the recipient has got of it is between them and the token. Logs that nothing stands behind are
 * no proof that nothing has left.
 */
export function verdictOf({ account, action, receipt, sendsNothing, measured }: Ended): Verdict {
  if (action.kind !== "transfer") throw new Error(`a withdrawal is no ${action.kind}`);
  // In a database from a backup it may be our own, with fees that were raised since: then the money has left.
  if (receipt === undefined) return { kind: "unclear" };
  const { contractAddress, to, amountRaw } = action;
  const moved = receipt.transfers.filter(
    (one) =>
      isSameAddress(one.contractAddress, contractAddress) && isSameAddress(one.from, account),
  );
  // One that an operator has remembered after a restore is not bound to what is known here.
  const isNothing = moved.every((one) => one.amountRaw === 0n);
  if (sendsNothing && isNothing) return failed("given_up");
  if (!receipt.isSuccess) return failed("reverted");
  if (moved.length === 0) return failed("nothing_moved");
  if (measured !== undefined) {
    const isSent = moved.some((one) => isSameAddress(one.to, to)) && measured.leftRaw === amountRaw;
    return { kind: isSent ? "confirmed" : "unclear" };
  }
  const [only] = moved;
  const isExact =
    moved.length === 1 &&
    only !== undefined &&
    isSameAddress(only.to, to) &&
    only.amountRaw === amountRaw;
  return { kind: isExact ? "confirmed" : "unclear" };
}

function failed(reason: FailureReason): Verdict {
  return { kind: "failed", reason };
}

/** What has left beside what was asked for: a token may charge its sender. */
export function chargedRaw({ action, measured }: Pick<Ended, "action" | "measured">): bigint {
  if (measured === undefined || action.kind !== "transfer") return 0n;
  const raw = measured.leftRaw - action.amountRaw;
  return raw > 0n ? raw : 0n;
}

/** For people who have to say what it was. */
export function measuredFacts({ action, measured }: Pick<Ended, "action" | "measured">) {
  if (measured === undefined || action.kind !== "transfer") return {};
  return { amount_raw: action.amountRaw.toString(), left_raw: measured.leftRaw.toString() };
}
