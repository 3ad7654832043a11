// A withdrawal: what is sent to whom, what it costs, and how it is shown.

import type { EventTypeAbout } from "../events/types.ts";
import { dataAbout } from "../events/events.ts";
import type { EventDraft } from "../events/events.ts";
import type { LedgerTransaction } from "../ledger/model.ts";
import type { WithdrawalStatus } from "../database/words.ts";
import type { Owner } from "../owner.ts";

export interface Withdrawal {
  readonly id: string;
  readonly owner: Owner;
  readonly currencyId: string;
  readonly deploymentId: string;
  /** CAIP-2 */
  readonly chainId: string;
  /** what the recipient gets */
  readonly sendAmountRaw: bigint;
  /** in the same asset, on top */
  readonly feeRaw: bigint;
  readonly status: WithdrawalStatus;
  readonly txHash: string | null;
  /** why it was rejected or has failed */
  readonly reason: string | null;
}

export function totalDebitRaw({ sendAmountRaw, feeRaw }: Withdrawal): bigint {
  return sendAmountRaw + feeRaw;
}

/** What cannot be an id of ours need not be asked for (and the database keeps no U+0000). */
export function isWithdrawalId(text: string): boolean {
  return /^wdr_[0-9A-Za-z]{1,64}$/.test(text);
}

/** In wire names: the service needs them too, for the data of events. */
export interface PublishedWithdrawal {
  readonly id: string;
  readonly currency_id: string;
  readonly currency_chain_id: string;
  readonly target_chain_id: string;
  readonly send_amount_raw: string;
  readonly withdrawal_fee_raw: string;
  readonly total_debit_raw: string;
  readonly status: WithdrawalStatus;
}

export function publishedWithdrawal(withdrawal: Withdrawal): PublishedWithdrawal {
  return {
    id: withdrawal.id,
    currency_id: withdrawal.currencyId,
    currency_chain_id: withdrawal.deploymentId,
    target_chain_id: withdrawal.chainId,
    send_amount_raw: withdrawal.sendAmountRaw.toString(),
    withdrawal_fee_raw: withdrawal.feeRaw.toString(),
    total_debit_raw: totalDebitRaw(withdrawal).toString(),
    status: withdrawal.status,
  };
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly withdrawal: PublishedWithdrawal & {
      readonly tx_hash: string | null;
      readonly reason?: string;
    };
  }
}

/** `withdrawal` as it is after what the event says. */
export function withdrawalEvent(
  type: EventTypeAbout<"withdrawal">,
  withdrawal: Withdrawal,
): EventDraft {
  const { id, owner, txHash, reason } = withdrawal;
  const facts = reason === null ? {} : { reason };
  return {
    ...owner,
    type,
    resource: { type: "withdrawal", id },
    data: dataAbout("withdrawal", {
      ...publishedWithdrawal(withdrawal),
      tx_hash: txHash,
      ...facts,
    }),
  };
}

/** What was available is set aside. */
export function reservation(withdrawal: Withdrawal, occurredAt: Date): LedgerTransaction {
  return moving(withdrawal, occurredAt, { kind: "withdrawal_reserved", direction: 1n });
}

/** What was set aside is available again: it was not sent, and never will be. */
export function release(withdrawal: Withdrawal, occurredAt: Date): LedgerTransaction {
  return moving(withdrawal, occurredAt, { kind: "withdrawal_released", direction: -1n });
}

function moving(
  withdrawal: Withdrawal,
  occurredAt: Date,
  { kind, direction }: { readonly kind: string; readonly direction: 1n | -1n },
): LedgerTransaction {
  const { id, owner, deploymentId } = withdrawal;
  const amountRaw = direction * totalDebitRaw(withdrawal);
  return {
    kind,
    reference: id,
    occurredAt,
    postings: [
      { account: "merchant:available", deploymentId, owner, amountRaw },
      { account: "merchant:withdrawing", deploymentId, owner, amountRaw: -amountRaw },
    ],
  };
}

/**
 * What was set aside has left the chain's account, but for the fee, which is ours. What a token has
 * taken beside is an expense, like gas.
 */
export function settlement(
  withdrawal: Withdrawal,
  occurredAt: Date,
  takenRaw: bigint,
): LedgerTransaction {
  const { id, owner, deploymentId, sendAmountRaw, feeRaw } = withdrawal;
  const total = totalDebitRaw(withdrawal);
  const fee = { account: "platform:fees", deploymentId, owner: null, amountRaw: -feeRaw } as const;
  const taken = {
    account: "platform:gas",
    deploymentId,
    owner: null,
    amountRaw: takenRaw,
  } as const;
  return {
    kind: "withdrawal_settled",
    reference: id,
    occurredAt,
    postings: [
      { account: "merchant:withdrawing", deploymentId, owner, amountRaw: total },
      { account: "chain:hot", deploymentId, owner: null, amountRaw: -sendAmountRaw - takenRaw },
      ...(feeRaw === 0n ? [] : [fee]),
      ...(takenRaw === 0n ? [] : [taken]),
    ],
  };
}
