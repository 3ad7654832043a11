// Divides up what an upto authorization brought: what was used to whom it belongs, and the rest back
// to the payer. By EIP-3009 the whole authorized amount comes at once and is held until its usage is
// known and the chain is sure of it.
//
// Who bears the rest when a reorganisation takes the money away depends on what became of it. Our choice:
// as long as nothing has left, and nothing will, it is due no more: the payer has that money on the chain.
// What an operator has written off was the platform's, and is its loss. What is on its way, was sent, or
// was credited is the merchant's debt; the same money pays it when it comes again.

import assert from "node:assert";
import { allocate } from "./allocation.ts";
import { payBack } from "../ledger/borne-debts.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Posting } from "../ledger/model.ts";
import { outgoingValues } from "../sending/model.ts";
import { bookingReference, incomeOf } from "./facts.ts";
import type { DepositRecord, PaymentRecord } from "./facts.ts";
import type { AccountKind, RefundBearer } from "../database/words.ts";
import type { Database } from "../ports/database.ts";
import { balancesOf, creditsOf, posting, withoutEmpty } from "./share-postings.ts";
import type { PostedRow } from "./share-postings.ts";
import { queueOutgoingAgain, readOutgoing, withdrawOutgoing } from "../sending/queue.sql.ts";
import { chargeX402Settlement, listRefundExits, withdrawX402Refund } from "./charging.sql.ts";
import type { X402Settlement } from "./authorization-facts.ts";
import type { StampPorts } from "../ports/recording.ts";

/** In the transaction that has the payment locked. @returns the payment with it charged */
export async function chargeUsage(
  ports: StampPorts,
  database: Database,
  payment: PaymentRecord,
): Promise<PaymentRecord> {
  const { settlement, usage } = payment.x402;
  const deposit = payment.deposits.find(
    (one) => one.purpose === "held" && one.isBooked && one.settlementId === settlement?.id,
  );
  if (settlement === undefined || deposit === undefined) return payment;
  if (usage === undefined && !settlement.isClosed) return payment;
  const reference = bookingReference(deposit, deposit.bookings);
  if (settlement.chargedReference === reference) return payment;
  const actualRaw = usedOf(payment, deposit.amountRaw);
  const refundRaw = deposit.amountRaw - actualRaw;
  // What has left, or was given to somebody else, is never promised again, however often the chain changes.
  const bearer = await bearerOf(database, settlement);
  const promisedRaw = bearer === "due" ? refundRaw : (settlement.refundRaw ?? refundRaw);
  const credits = await creditsFor(database, payment, { deposit, actualRaw, refundRaw, bearer });
  const { owner } = payment;
  const { deploymentId, amountRaw } = deposit;
  const rows = await database.run(chargeX402Settlement, {
    id: settlement.id,
    reference,
    bearer,
    // What was promised before stays what it was, whatever has come this time.
    refundRaw: promisedRaw,
    now: ports.clock.now(),
    ...ledgerValues(ports, {
      kind: "x402_charged",
      reference,
      occurredAt: ports.clock.now(),
      postings: [
        posting("merchant:x402_hold", owner, amountRaw, deploymentId),
        ...withoutEmpty(credits),
      ],
    }),
  });
  assert(rows.length === 1, "the payment is locked, and so is its settlement");
  await payBack(ports, database, incomeOf(payment, deposit, credits));
  if (bearer === "due" && refundRaw > 0n) {
    await queueRelease(ports, database, { settlement, refundRaw });
  }
  const charged = {
    ...settlement,
    chargedReference: reference,
    chargedBearer: bearer,
    refundRaw: promisedRaw,
  };
  return { ...payment, x402: { ...payment.x402, settlement: charged } };
}

/**
 * What is the payment's of what is held: of the rest nobody knows, or it goes back. A token that keeps a part brings less
 * than was authorized: what came is all there is to divide up.
 */
export function usedOf({ x402: { usage } }: PaymentRecord, broughtRaw: bigint): bigint {
  const actualRaw = usage?.actualRaw ?? 0n;
  return actualRaw < broughtRaw ? actualRaw : broughtRaw;
}

const nothingBefore = { regularRaw: 0n, surplusRaw: 0n, feeRaw: 0n, sharesRaw: new Map() };

interface Division {
  readonly deposit: DepositRecord;
  readonly actualRaw: bigint;
  readonly refundRaw: bigint;
  readonly bearer: RefundBearer;
}

async function creditsFor(
  database: Database,
  payment: PaymentRecord,
  { deposit, actualRaw, refundRaw, bearer }: Division,
): Promise<readonly Posting[]> {
  const { owner } = payment;
  const { deploymentId } = deposit;
  const used = allocate(payment, nothingBefore, { regularRaw: actualRaw, surplusRaw: 0n });
  // After a reorganisation that came too late, the merchant owes what the payer has got meanwhile.
  const creatorRaw = used.creatorRaw + (bearer === "merchant" ? refundRaw : 0n);
  const merchants = [owner.merchantId, ...payment.splits.map(({ merchantId }) => merchantId)];
  const place = { environment: owner.environment, deploymentId };
  const balances = await balancesOf(database, merchants, place);
  return [
    ...creditsOf({ owner, allocation: { ...used, creatorRaw }, deploymentId }, balances),
    posting("payer:refund_due", owner, bearer === "due" ? -refundRaw : 0n, deploymentId),
    posting("platform:fees", null, bearer === "platform" ? -refundRaw : 0n, deploymentId),
  ];
}

/** One for each settlement, ever (threat 48): the queue takes no second one, and sends it once. */
async function queueRelease(
  ports: StampPorts,
  database: Database,
  release: { readonly settlement: X402Settlement; readonly refundRaw: bigint },
): Promise<void> {
  const { id, chainId, payTo, payer, asset, deploymentId } = release.settlement;
  if (!(await isReleasedByItself(database, id))) return;
  await database.run(
    queueOutgoingAgain,
    outgoingValues(ports, {
      chainId,
      account: payTo,
      signsAs: { role: "settlement" },
      purpose: "x402_release",
      subjectId: id,
      deploymentId,
      action: {
        kind: "transfer",
        to: payer,
        contractAddress: asset,
        amountRaw: release.refundRaw,
      },
    }),
  );
}

/** Who gets what was divided up before, and comes again. */
export async function bearerOf(
  inside: Database,
  { id, refundRaw }: Pick<X402Settlement, "id" | "refundRaw">,
): Promise<RefundBearer> {
  if (refundRaw === null || refundRaw === 0n) return "due";
  const exits = await inside.run(listRefundExits, { settlementId: id });
  const isKept = exits.some(({ way, status }) => way === "written_off" && status === "done");
  return isKept ? "platform" : "merchant";
}

/** In the transaction in which its deposit is taken back; what waits to be sent waits no more. */
export async function withdrawRefund(
  ports: StampPorts,
  inside: Database,
  { id, isReleased }: Pick<X402Settlement, "id" | "isReleased">,
): Promise<RefundBearer> {
  const exits = await inside.run(listRefundExits, { settlementId: id });
  const decided = exits.find(({ status }) => status !== "failed");
  if (decided !== undefined) return decided.way === "written_off" ? "platform" : "merchant";
  if (isReleased) return "merchant";
  const of = { purpose: "x402_release", subjectId: id } as const;
  const now = ports.clock.now();
  await inside.run(withdrawOutgoing, { ...of, now, problem: "its settlement is gone" });
  const [release] = await inside.run(readOutgoing, of);
  // One that has succeeded has brought the payer nothing, unless it has just been released.
  const mayLeave = release?.status === "queued" || release?.status === "broadcast";
  if (mayLeave) return "merchant";
  const withdrawn = await inside.run(withdrawX402Refund, { id, now });
  return withdrawn.length > 0 ? "due" : "merchant";
}

/**
 * Whether a booking has given the merchant what was not used. It does where that may have left to the payer
 * already; where it has not, it stayed due from before, and this booking says nothing of it.
 */
export function isRestGiven(
  payment: PaymentRecord,
  reference: string,
  posted: readonly PostedRow[],
): boolean {
  const { settlement } = payment.x402;
  if (settlement?.chargedReference !== reference) return false;
  if (settlement.chargedBearer !== null) return settlement.chargedBearer === "merchant";
  // Divided up before that was written down: the postings say it, where it was not all used.
  const of = (account: AccountKind): bigint =>
    posted
      .filter((row) => row.account_kind === account)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (of("payer:refund_due") !== 0n) return false;
  const regularRaw = usedOf(payment, of("chain:settlement"));
  const { feeRaw } = allocate(payment, nothingBefore, { regularRaw, surplusRaw: 0n });
  // Beside its fee the platform gets what an operator has written off.
  return -of("platform:fees") === feeRaw;
}

/** Whether it may be sent by itself: about what an operator has decided before, one decides again. */
export async function isReleasedByItself(inside: Database, id: string): Promise<boolean> {
  return (await inside.run(listRefundExits, { settlementId: id })).length === 0;
}
