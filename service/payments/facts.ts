// What is known of a payment and its deposits, and how an event tells it.

import type { AllocationTerms } from "./allocation.ts";
import type { Income } from "../ledger/borne-debts.ts";
import type { Posting } from "../ledger/model.ts";
import type { Owner } from "../owner.ts";
import { paymentEventData } from "./model.ts";
import type { DepositOfEvent, PaymentEventData } from "./model.ts";
import { duesOf, graceMilliseconds, timingOf, totalsOf } from "./rules.ts";
import type { DepositFact, PaymentTerms } from "./rules.ts";
import type { DepositJson, OtherTry, PaymentRow } from "./facts.sql.ts";
import { publishedX402, purposeOf, x402Of } from "./authorization-facts.ts";
import type { DepositPurpose, X402Record } from "./authorization-facts.ts";

export interface DepositRecord extends DepositFact {
  readonly chainId: string;
  readonly txHash: string;
  readonly logIndex: number;
  /** null: the chain does not say */
  readonly sender: string | null;
  /** of its block; `blockTime` is when it counts from, which may be before */
  readonly minedAt: Date;
  readonly source: "address" | "x402" | "settlement";
  readonly settlementId: string | null;
  readonly purpose: DepositPurpose;
  /** how often it was booked */
  readonly bookings: number;
  /** of the amount, while it is booked */
  readonly regularRaw: bigint;
  readonly surplusRaw: bigint;
  readonly unmatchedRaw: bigint;
  /** An operator has said that it belongs to the payment, whatever the rules say. */
  readonly isAccepted: boolean;
  /** zero when its block is gone */
  readonly confirmations: number;
}

export interface PaymentRecord extends PaymentTerms, AllocationTerms {
  readonly id: string;
  readonly owner: Owner;
  readonly version: bigint;
  /** how often what was left of it was divided anew */
  readonly divisions: number;
  readonly merchantOrderNo: string;
  readonly userId: string | null;
  readonly memo: string | null;
  /** in the order in which they count */
  readonly deposits: readonly DepositRecord[];
  readonly x402: X402Record;
  readonly otherTries: readonly OtherTry[];
}

export function paymentOf(row: PaymentRow): PaymentRecord {
  return {
    id: row.id,
    owner: { merchantId: row.merchant_id, environment: row.environment },
    status: row.status,
    version: row.version,
    divisions: row.divisions,
    quotes: row.quotes,
    merchantOrderNo: row.merchant_order_no,
    expiresAt: row.expires_at,
    userId: row.user_id,
    memo: row.memo,
    overpayPolicy: row.overpay_policy,
    feeBps: row.fee_bps,
    splits: row.splits.map(({ merchant_id, bps }) => ({ merchantId: merchant_id, bps })),
    deposits: row.deposits.map((one) => depositOf(one, row.expires_at)),
    x402: x402Of(row),
    otherTries: row.other_tries,
  };
}

function depositOf(json: DepositJson, expiresAt: Date): DepositRecord {
  const fact = depositFactOf(json, expiresAt);
  const booked = (raw: string | null) => (fact.isBooked && raw !== null ? BigInt(raw) : 0n);
  const confirmations = Math.max(0, Number(json.confirmations ?? 0));
  return {
    ...fact,
    chainId: json.chain_id,
    txHash: json.tx_hash,
    logIndex: json.log_index,
    sender: json.sender,
    minedAt: new Date(json.block_time),
    source: json.source,
    settlementId: json.settlement_id,
    purpose: purposeIn(json),
    isAccepted: json.is_accepted,
    bookings: json.bookings,
    regularRaw: booked(json.regular_raw),
    surplusRaw: booked(json.surplus_raw),
    unmatchedRaw: booked(json.unmatched_raw),
    confirmations: json.status === "orphaned" ? 0 : confirmations,
  };
}

/** As the rules take it. */
export function depositFactOf(
  json: Pick<
    DepositJson,
    | "deployment_id"
    | "amount_raw"
    | "block_time"
    | "status"
    | "authorization"
    | "bookings"
    | "reversals"
  > &
    Accepted,
  expiresAt: Date,
): DepositFact {
  return {
    deploymentId: json.deployment_id,
    amountRaw: BigInt(json.amount_raw),
    blockTime: countedFrom(json, expiresAt),
    state: json.status,
    isBooked: json.bookings > json.reversals,
    isApart: purposeIn(json) !== "price",
  };
}

type Accepted = Partial<Pick<DepositJson, "is_accepted">>;

/** What an operator has given to the payment pays for it. */
function purposeIn(json: Pick<DepositJson, "authorization"> & Accepted): DepositPurpose {
  const purpose = purposeOf(json.authorization);
  return purpose === "unmatched" && json.is_accepted === true ? "price" : purpose;
}

/**
 * An authorization was accepted in time, however long its transaction took; and what an operator has
 * accepted came at the last moment that counts, however late it was.
 */
export function countedFrom(
  {
    authorization,
    block_time,
    is_accepted,
  }: Pick<DepositJson, "authorization" | "block_time"> & Accepted,
  expiresAt: Date,
): Date {
  const minedAt = new Date(block_time);
  const lastMoment = new Date(expiresAt.getTime() + graceMilliseconds);
  if (is_accepted === true && minedAt > lastMoment) return lastMoment;
  const isInTime = authorization !== null && purposeOf(authorization) !== "unmatched";
  return isInTime && minedAt > expiresAt ? expiresAt : minedAt;
}

/**
 * In the ledger, of what was written when a deposit was booked. The same text is made in
 * `readAllocated`.
 */
export function bookingReference(
  { chainId, txHash, logIndex }: Pick<DepositRecord, "chainId" | "txHash" | "logIndex">,
  booking: number,
): string {
  return `${chainId}/${txHash}/${logIndex}#${booking}`;
}

/** What merchants got of a deposit, by its newest booking. */
export function incomeOf(
  { id: paymentId, owner: { environment } }: PaymentRecord,
  deposit: DepositRecord,
  postings: readonly Posting[],
): Income {
  const { chainId, txHash, deploymentId, minedAt: occurredAt } = deposit;
  const reference = bookingReference(deposit, deposit.bookings);
  const of = { environment, deploymentId, paymentId, chainId, txHash };
  return { reference, ...of, postings, occurredAt };
}

/**
 * Money that has nothing to do with the price: it came after the payment was cancelled, more than
 * seven days late, or in a currency or on a chain that was not asked for. It waits in an account of
 * its own, without fee and splits, until the merchant decides about it.
 */
export function isUnmatched(payment: PaymentRecord, deposit: DepositRecord): boolean {
  if (deposit.isBooked) return deposit.unmatchedRaw > 0n;
  if (deposit.isAccepted) return false;
  if (deposit.purpose !== "price") return deposit.purpose === "unmatched";
  return (
    payment.status === "cancelled" ||
    timingOf(payment, deposit.blockTime) === "too_late" ||
    !duesOf(payment.quotes).has(deposit.deploymentId)
  );
}

/** What goes back to the payer of it, or went back, is not received. */
function receivedOf({ x402: { settlement } }: PaymentRecord, deposit: DepositRecord) {
  const { deploymentId, amountRaw, purpose, settlementId } = deposit;
  const isHeld = purpose === "held" && settlement !== undefined && settlementId === settlement.id;
  const refundRaw = isHeld ? (settlement.refundRaw ?? 0n) : 0n;
  return { deploymentId, amountRaw: refundRaw < amountRaw ? amountRaw - refundRaw : 0n };
}

/**
 * The data of an event of the payment as it is now. `received_raw` in it is all that counts for the
 * payment and is not gone, whether final or not. `subject` is the deposit that the event is about;
 * with its sender, so that a merchant can prepare to give it back.
 */
export function eventDataOf(
  payment: PaymentRecord,
  subject: DepositRecord | undefined,
): PaymentEventData {
  const counted = payment.deposits.filter(
    (one) => one.state !== "orphaned" && !isUnmatched(payment, one),
  );
  const deposit: DepositOfEvent | null =
    subject === undefined
      ? null
      : {
          currency_chain_id: subject.deploymentId,
          chain_id: subject.chainId,
          amount_raw: subject.amountRaw.toString(),
          is_unmatched: isUnmatched(payment, subject),
          sender: subject.sender,
        };
  const tx_hash = subject?.txHash ?? null;
  const confirmations = subject?.confirmations ?? null;
  const x402 = publishedX402(payment.x402);
  return paymentEventData(payment, {
    receivedRaw: totalsOf(counted.map((one) => receivedOf(payment, one))),
    more: { tx_hash, confirmations, deposit, ...(x402 === undefined ? {} : { x402 }) },
  });
}
