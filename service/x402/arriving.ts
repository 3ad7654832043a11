// Writes down what an authorization has brought, as a deposit of its payment.

import { recordX402Arrival } from "../chains/arrivals.sql.ts";
import { findReplacedDeposits } from "../chains/recording.sql.ts";
import type { PaymentProgress } from "../payments/progress.ts";
import { takeUnmatched } from "../chains/unmatched.ts";
import type { ChainTransfer } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { StampPorts } from "../ports/recording.ts";
import type { SettlementReceipt } from "../ports/settlement-chain.ts";

export interface ArrivingPorts extends StampPorts {
  readonly progress: Pick<PaymentProgress, "refresh">;
}

/** Whose it is. */
export interface ArrivalOwner {
  readonly chainId: string;
  readonly deploymentId: string;
  readonly paymentId: string;
  /** null: of none that could be kept */
  readonly settlementId: string | null;
}

export interface Arrived {
  readonly receipt: SettlementReceipt;
  /** that fit, the best first */
  readonly transfers: readonly ChainTransfer[];
  /** its block does not change any more */
  readonly isFinal: boolean;
}

/** False: it is not to be written down yet, or is already. */
export async function recordArrived(
  ports: ArrivingPorts,
  inside: Database,
  ...[owner, found]: readonly [ArrivalOwner, Arrived]
): Promise<boolean> {
  const { chainId, deploymentId, paymentId } = owner;
  const { block, txHash } = found.receipt;
  // Of several that fit, each belongs to one authorization: the first that nobody has.
  for (const { logIndex, amountRaw, from, to } of found.transfers) {
    // Whoever booked another deposit at this place has to take it back while it says what it was.
    const text = { tx_hash: txHash, log_index: logIndex, deployment_id: deploymentId };
    const more = { payment_id: paymentId, amount_raw: amountRaw.toString() };
    const deposits = JSON.stringify([{ ...text, ...more }]);
    const replaced = await inside.run(findReplacedDeposits, { chainId, deposits });
    const others = replaced.flatMap(({ payment_id: id }) => (id === null ? [] : [id]));
    if (others.length > 0) await ports.progress.refresh(inside, others);
    await takeUnmatched(ports, inside, { chainId, txHash, logIndex });
    const rows = await inside.run(recordX402Arrival, {
      ...owner,
      txHash,
      logIndex,
      address: to,
      sender: from,
      amountRaw,
      blockNumber: block.number,
      blockHash: block.hash,
      finalTime: found.isFinal ? block.time : null,
    });
    if (rows.length > 0) return true;
  }
  return false;
}
