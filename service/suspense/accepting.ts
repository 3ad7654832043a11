// Money in suspense that an operator gives to a payment: from then on it counts there, whatever the rules
// say, also after a reorganisation. What follows is what follows from any deposit: fee and shares, the
// status, the events.
//
// Our choice: a payment that was cancelled stays cancelled, and what was too late for it counts as late.

import { auditValues } from "../audit/audit.ts";
import { recordAudit } from "../audit/audit.sql.ts";
import { amountOf } from "../amounts.ts";
import type { Balance } from "../ledger/by-hand.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { PaymentStatus } from "../database/words.ts";
import { bookingReference } from "../payments/facts.ts";
import { posting } from "../payments/share-postings.ts";
import { OperatorError } from "../operator-error.ts";
import type { PaymentProgress } from "../payments/progress.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import { markDepositAccepted, findPaymentFor, readAcceptedBooking } from "./accepting.sql.ts";
import { lockItem, refuseSentBefore } from "./items.ts";
import type { ItemSource, SuspenseItem } from "./items.ts";
import { lockItemPayment } from "./items.sql.ts";

export interface SuspensePorts extends RecordingPorts {
  readonly progress: Pick<PaymentProgress, "refresh">;
}

interface Acceptance {
  readonly item: string;
  readonly paymentId: string;
  readonly evidence: string;
}

export interface Accepted {
  readonly item: SuspenseItem;
  readonly paymentId: string;
  readonly status: PaymentStatus;
  readonly postings: readonly Balance[];
}

export function acceptItem(ports: SuspensePorts, wish: Acceptance): Promise<Accepted> {
  return ports.database.transaction((inside) => accept(ports, inside, wish));
}

async function accept(
  ports: SuspensePorts,
  inside: Database,
  { item: id, paymentId, evidence }: Acceptance,
): Promise<Accepted> {
  await inside.run(lockItemPayment, { id: paymentId });
  const item = await lockItem(inside, id);
  const { source, owner } = item;
  if (source.kind === "refund") {
    throw new OperatorError(
      `${id} is what a payer did not get back: it goes to a balance, is sent, or is written off.`,
    );
  }
  await checkPayment(inside, item, paymentId);
  await refuseSentBefore(inside, item);
  await takeIn(ports, inside, { item, source, paymentId });
  await ports.progress.refresh(inside, [paymentId]);
  const booked = bookingReference(source.place, source.booking + 1);
  const rows = await inside.run(readAcceptedBooking, { reference: booked, paymentId });
  const { deploymentId, decimals, amountRaw } = item;
  const details = {
    item: id,
    amount_raw: amountRaw.toString(),
    deployment_id: deploymentId,
    evidence,
  };
  const audit = auditValues({
    occurredAt: ports.clock.now(),
    actor: "operator",
    action: "suspense.credited",
    ...owner,
    subject: { type: "payment", id: paymentId },
    details,
  });
  await inside.run(recordAudit, audit);
  const status = rows[0]?.status;
  if (status === undefined) throw new Error(`${booked} was not booked`);
  const postings = rows.map((row) => {
    const raw = BigInt(row.amount);
    const { account_kind: account, merchant_id: merchantId, environment } = row;
    return { account, deploymentId, merchantId, environment, raw, amount: amountOf(raw, decimals) };
  });
  return { item, paymentId, status, postings };
}

async function checkPayment(
  inside: Database,
  item: SuspenseItem,
  paymentId: string,
): Promise<void> {
  if (item.paymentId !== null && item.paymentId !== paymentId) {
    throw new OperatorError(
      `${item.id} came to the address of ${item.paymentId}: it goes to that payment, or to the balance ` +
        "of its merchant.",
    );
  }
  const [payment] = await inside.run(findPaymentFor, { paymentId });
  if (payment === undefined) throw new OperatorError(`There is no payment ${paymentId}.`);
  if (payment.environment === "live" && item.isTestNetwork) {
    throw new OperatorError("Coins of a test network pay no live payment.");
  }
}

interface TakingIn {
  readonly item: SuspenseItem;
  readonly source: Extract<ItemSource, { readonly kind: "deposit" }>;
  readonly paymentId: string;
}

/** Out of the books; the payment's own rules put it into them again. */
async function takeIn(
  ports: SuspensePorts,
  inside: Database,
  { item, source, paymentId }: TakingIn,
): Promise<void> {
  const { account, owner, amountRaw, deploymentId } = item;
  const { place, booking, holder } = source;
  const now = ports.clock.now();
  const rows = await inside.run(markDepositAccepted, {
    ...place,
    booking,
    paymentId,
    now,
    ...ledgerValues(ports, {
      kind: owner === null ? "unmatched_reversed" : "deposit_reversed",
      reference: bookingReference(place, booking),
      occurredAt: now,
      postings: [
        posting(account, owner, amountRaw, deploymentId),
        posting(holder, null, -amountRaw, deploymentId),
      ],
    }),
  });
  if (rows.length === 0) throw new Error(`${item.id} is locked, and was changed`);
}
