// Divides up what an upto authorization brought: what was used to whom it belongs, and the rest back
// to the payer. By EIP-3009 the whole authorized amount comes at once and is held until its usage is
// known and the chain is sure of it.

import assert from "node:assert";
import { allocate } from "./allocation.ts";
import { payBack } from "../ledger/borne-debts.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Posting } from "../ledger/model.ts";
import { outgoingValues } from "../sending/model.ts";
import { incomeOf } from "./booking.ts";
import { bookingReference } from "./facts.ts";
import type { DepositRecord, PaymentRecord } from "./facts.ts";
import type { Database } from "../ports/database.ts";
import { balancesOf, creditsOf, posting, withoutEmpty } from "./share-postings.ts";
import { queueOutgoing } from "../sending/queue.sql.ts";
import { chargeX402Settlement } from "./charging.sql.ts";
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
  const actualRaw = usage?.actualRaw ?? 0n;
  assert(actualRaw <= deposit.amountRaw, "a usage is at most what was authorized");
  const refundRaw = deposit.amountRaw - actualRaw;
  // What was promised to the payer once is never promised again, however often the chain changes.
  const isFirst = settlement.chargedReference === null;
  const credits = await creditsFor(database, payment, { deposit, actualRaw, refundRaw, isFirst });
  const { owner } = payment;
  const { deploymentId, amountRaw } = deposit;
  const rows = await database.run(chargeX402Settlement, {
    id: settlement.id,
    reference,
    refundRaw,
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
  if (isFirst && refundRaw > 0n) await queueRelease(ports, database, { settlement, refundRaw });
  const charged = { ...settlement, chargedReference: reference, refundRaw };
  return { ...payment, x402: { ...payment.x402, settlement: charged } };
}

interface Division {
  readonly deposit: DepositRecord;
  readonly actualRaw: bigint;
  readonly refundRaw: bigint;
  readonly isFirst: boolean;
}

async function creditsFor(
  database: Database,
  payment: PaymentRecord,
  { deposit, actualRaw, refundRaw, isFirst }: Division,
): Promise<readonly Posting[]> {
  const { owner } = payment;
  const { deploymentId } = deposit;
  const before = { regularRaw: 0n, surplusRaw: 0n, feeRaw: 0n, sharesRaw: new Map() };
  const used = allocate(payment, before, { regularRaw: actualRaw, surplusRaw: 0n });
  // After a reorganisation that came too late, the merchant owes what the payer has got meanwhile.
  const creatorRaw = used.creatorRaw + (isFirst ? 0n : refundRaw);
  const merchants = [owner.merchantId, ...payment.splits.map(({ merchantId }) => merchantId)];
  const place = { environment: owner.environment, deploymentId };
  const balances = await balancesOf(database, merchants, place);
  return [
    ...creditsOf({ owner, allocation: { ...used, creatorRaw }, deploymentId }, balances),
    posting("payer:refund_due", owner, isFirst ? -refundRaw : 0n, deploymentId),
  ];
}

/** One for each settlement, ever (threat 48): the queue takes no second one. */
async function queueRelease(
  ports: StampPorts,
  database: Database,
  release: { readonly settlement: X402Settlement; readonly refundRaw: bigint },
): Promise<void> {
  const { id, chainId, payTo, payer, asset, deploymentId } = release.settlement;
  await database.run(
    queueOutgoing,
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
