// Deposits into the ledger when they are final, and out of it again when the chain takes them back.

import assert from "node:assert";
import { allocate } from "./allocation.ts";
import type { DepositAllocation, Received } from "./allocation.ts";
import { payBack } from "../ledger/borne-debts.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Posting } from "../ledger/model.ts";
import { bookingReference, incomeOf, isUnmatched } from "./facts.ts";
import type { DepositRecord, PaymentRecord } from "./facts.ts";
import { regularPart } from "./rules.ts";
import type { Database } from "../ports/database.ts";
import { isRestGiven, usedOf, withdrawRefund } from "./charging.ts";
import { asIfDue, balancesOf, creditsOf, opposites } from "./share-postings.ts";
import { posting, withoutEmpty } from "./share-postings.ts";
import type { AccountKind, RefundBearer } from "../database/words.ts";
import * as store from "./booking.sql.ts";
import type { StampPorts } from "../ports/recording.ts";

/** With the database of the transaction that has the payment locked. */
export interface BookingPorts extends StampPorts {
  readonly database: Database;
}

/** @returns the payment with the deposit booked */
export async function bookDeposit(
  ports: BookingPorts,
  payment: PaymentRecord,
  deposit: DepositRecord,
): Promise<PaymentRecord> {
  const { chainId, txHash, logIndex, deploymentId, amountRaw } = deposit;
  const bookings = deposit.bookings + 1;
  const parts = partsOf(payment, deposit);
  const credits = await creditsFor(ports, payment, { deposit, parts });
  const rows = await ports.database.run(store.bookDeposit, {
    chainId,
    txHash,
    logIndex,
    ...parts,
    now: ports.clock.now(),
    ...ledgerValues(ports, {
      kind: "deposit_credited",
      reference: bookingReference(deposit, bookings),
      occurredAt: deposit.minedAt,
      postings: [
        posting(holderOf(deposit), null, amountRaw, deploymentId),
        ...withoutEmpty(credits),
      ],
    }),
  });
  assert(rows.length === 1, "the payment is locked, and so are its deposits");
  await payBack(ports, ports.database, incomeOf(payment, { ...deposit, bookings }, credits));
  return replaced(payment, deposit, { ...parts, bookings, isBooked: true });
}

/**
 * The exact opposite of what was written when it was booked; but what a merchant no longer has is
 * written down as its debt. @returns the payment with the deposit reversed
 */
export async function reverseDeposit(
  ports: BookingPorts,
  payment: PaymentRecord,
  deposit: DepositRecord,
): Promise<PaymentRecord> {
  const { chainId, txHash, logIndex, bookings } = deposit;
  const reference = bookingReference(deposit, bookings);
  // With what was made of a held one since.
  const posted = await ports.database.run(store.readDepositCredit, {
    chainId,
    txHash,
    logIndex,
    reference,
    booking: bookings,
  });
  assert(posted.length > 0, `${reference} was booked`);
  const owners = new Set([
    payment.owner.merchantId,
    ...posted.flatMap(({ merchant_id: id }) => (id === null ? [] : [id])),
  ]);
  // The deployment of the booking: the chain may say another one now.
  const deploymentId = posted[0]?.deployment_id ?? deposit.deploymentId;
  const { owner } = payment;
  const place = { environment: owner.environment, deploymentId };
  const balances = await balancesOf(ports.database, [...owners], place);
  const bearer = await refundGone(ports, payment, deposit);
  const isGiven =
    bearer !== undefined && bearer !== "merchant" && isRestGiven(payment, reference, posted);
  const refundRaw = payment.x402.settlement?.refundRaw ?? 0n;
  const undone = isGiven ? asIfDue(posted, owner, refundRaw) : posted;
  const of = { owner, deploymentId, refundBearer: bearer ?? "merchant" };
  const postings = withoutEmpty(opposites(undone, of, balances));
  const rows = await ports.database.run(store.reverseDeposit, {
    chainId,
    txHash,
    logIndex,
    ...ledgerValues(ports, {
      kind: "deposit_reversed",
      reference,
      occurredAt: ports.clock.now(),
      postings,
    }),
  });
  assert(rows.length === 1, "the payment is locked, and so are its deposits");
  // Where a booking has brought less than was due, the merchant gets what it has borne of that.
  const income = incomeOf(payment, deposit, postings);
  await payBack(ports, ports.database, { ...income, reference: `${reference} reversed` });
  const left = bearer === "due" ? withoutRefund(payment) : payment;
  return replaced(left, deposit, { ...nothing, isBooked: false });
}

/** Who bears what was due to the payer of it; undefined: nothing was. */
function refundGone(
  ports: BookingPorts,
  { x402: { settlement } }: PaymentRecord,
  { purpose, settlementId }: DepositRecord,
): Promise<RefundBearer | undefined> {
  const isDue = purpose === "held" && (settlement?.refundRaw ?? 0n) > 0n;
  if (settlement === undefined || settlement.id !== settlementId || !isDue) {
    return Promise.resolve(undefined);
  }
  return withdrawRefund(ports, ports.database, settlement);
}

function withoutRefund(payment: PaymentRecord): PaymentRecord {
  const { settlement } = payment.x402;
  if (settlement === undefined) return payment;
  return { ...payment, x402: { ...payment.x402, settlement: { ...settlement, refundRaw: null } } };
}

interface Part {
  readonly deposit: DepositRecord;
  readonly parts: Received;
}

async function creditsFor(
  ports: BookingPorts,
  payment: PaymentRecord,
  { deposit, parts }: Part,
): Promise<readonly Posting[]> {
  const { owner } = payment;
  const { amountRaw, deploymentId, purpose } = deposit;
  if (isUnmatched(payment, deposit)) {
    return [posting("merchant:unmatched", owner, -amountRaw, deploymentId)];
  }
  if (purpose === "held") {
    return [posting("merchant:x402_hold", owner, -amountRaw, deploymentId)];
  }
  const allocation = await allocationOf(ports, payment, { deposit, parts });
  const merchants = [owner.merchantId, ...payment.splits.map((one) => one.merchantId)];
  const place = { environment: owner.environment, deploymentId };
  const balances = await balancesOf(ports.database, merchants, place);
  return creditsOf({ owner, allocation, deploymentId }, balances);
}

async function allocationOf(
  ports: BookingPorts,
  payment: PaymentRecord,
  { deposit, parts }: Part,
): Promise<DepositAllocation> {
  const { deploymentId } = deposit;
  const given = await allocatedOf(ports.database, payment, deploymentId);
  const feeRaw = given.get(null) ?? 0n;
  const sharesRaw = new Map(
    payment.splits.map(({ merchantId }) => [merchantId, given.get(merchantId) ?? 0n]),
  );
  // What is held is given to nobody here.
  const before = payment.deposits.filter(
    (one) => one.deploymentId === deploymentId && one.purpose !== "held",
  );
  const regularRaw = before.reduce((sum, one) => sum + one.regularRaw, 0n);
  const surplusRaw = before.reduce((sum, one) => sum + one.surplusRaw, 0n);
  return allocate(payment, { regularRaw, surplusRaw, feeRaw, sharesRaw }, parts);
}

/** What was given of the payment in a deployment, by merchant; null: the platform's fee. */
export async function allocatedOf(
  database: Database,
  payment: PaymentRecord,
  deploymentId: string,
): Promise<ReadonlyMap<string | null, bigint>> {
  const rows = await database.run(store.readAllocated, { paymentId: payment.id, deploymentId });
  return new Map(rows.map((row) => [row.merchant_id, BigInt(row.amount)]));
}

type Parts = Received & { readonly unmatchedRaw: bigint };

const nothing: Parts = { regularRaw: 0n, surplusRaw: 0n, unmatchedRaw: 0n };

/** Where its money is. */
function holderOf({ source }: DepositRecord): AccountKind {
  return source === "address" ? "chain:deposit_addresses" : "chain:settlement";
}

function partsOf(payment: PaymentRecord, deposit: DepositRecord): Parts {
  const { deploymentId, amountRaw } = deposit;
  if (isUnmatched(payment, deposit)) return { ...nothing, unmatchedRaw: amountRaw };
  if (deposit.purpose === "held") return { ...nothing, regularRaw: amountRaw };
  const before = payment.deposits.map((one) => ({
    deploymentId: one.deploymentId,
    // What is held, or went back, pays for nothing: a partner would lose its share of what does.
    amountRaw: one.purpose === "held" ? usedOf(payment, one.regularRaw) : one.regularRaw,
  }));
  const regularRaw = regularPart(payment.quotes, before, { deploymentId, amountRaw });
  return { ...nothing, regularRaw, surplusRaw: amountRaw - regularRaw };
}

export function replaced(
  payment: PaymentRecord,
  deposit: DepositRecord,
  change: Partial<DepositRecord>,
): PaymentRecord {
  const deposits = payment.deposits.map((one) =>
    one.chainId === deposit.chainId &&
    one.txHash === deposit.txHash &&
    one.logIndex === deposit.logIndex
      ? { ...one, ...change }
      : one,
  );
  return { ...payment, deposits };
}
