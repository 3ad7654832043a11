// What follows for a payment from a change of its deposits, and from the end of its time: the ledger,
// the status, and the events about both, in the transaction of whoever noticed.

import assert from "node:assert";
import { bookDeposit, reverseDeposit } from "./booking.ts";
import { divideAnew } from "./dividing-anew.ts";
import { dataAbout, eventValues } from "../events/events.ts";
import type { EventType, EventTypeAbout } from "../events/types.ts";
import { eventDataOf, isUnmatched, paymentOf } from "./facts.ts";
import type { DepositRecord, PaymentRecord } from "./facts.ts";
import { isGone, stepsOf, timingOf } from "./rules.ts";
import { paymentEdge } from "./states.ts";
import type { PaymentEdge, PaymentTrigger } from "./states.ts";
import type { Database } from "../ports/database.ts";
import { lockIdlePayments, lockPayments } from "./facts.sql.ts";
import type { PaymentRow } from "./facts.sql.ts";
import { changePayment } from "./progress.sql.ts";
import { finishX402Settlement } from "./charging.sql.ts";
import type { PaymentStatus } from "../database/words.ts";
import { chargeUsage } from "./charging.ts";
import { x402FactOf } from "./authorization-facts.ts";
import type { StampPorts } from "../ports/recording.ts";

/** Payments that are read at once: each brings its prices and deposits. */
const paymentsAtOnce = 100;

/** Something a merchant hears of, with the status that it has then. */
interface Notice {
  readonly event: EventTypeAbout<"payment">;
  readonly status: PaymentStatus;
  readonly subject: DepositRecord | undefined;
}

/** Why it is looked at now, beside its deposits. */
export interface Occasion {
  readonly isTimeOver?: boolean;
  /** of x402: told unless a step of the payment tells it already */
  readonly news?: X402Event;
}

export type X402Event = Extract<EventType, `x402.${string}`>;

/** States in which a deposit is expected; in all others the merchant has to be told of it. */
const openStatuses: ReadonlySet<PaymentStatus> = new Set([
  "pending",
  "partially_paid",
  "confirming",
]);

/** Of several tries to bill a period, the one that has or gets its price: no other one is completed. */
const claiming: ReadonlySet<PaymentStatus> = new Set([
  "partially_paid",
  "confirming",
  "authorized",
  "paid",
  "overpaid",
  "paid_late",
]);

export class PaymentProgress {
  readonly #ports: StampPorts;

  constructor(ports: StampPorts) {
    this.#ports = ports;
  }

  /**
   * In the transaction that changed deposits of these payments. It may be asked at any time: what was
   * done already is not done again.
   */
  async refresh(database: Database, paymentIds: readonly string[]): Promise<void> {
    // In the order in which everybody locks payments, so that nobody waits in a circle.
    const ids = [...new Set(paymentIds)].toSorted();
    for (let from = 0; from < ids.length; from += paymentsAtOnce) {
      const some = ids.slice(from, from + paymentsAtOnce);
      const rows = await database.run(lockPayments, { ids: some });
      for (const row of rows) await this.#advance(database, await this.#current(database, row), {});
    }
  }

  /**
   * Of those that were read together, one that came before may have changed another try to bill the same
   * period, and this one with it.
   */
  async #current(database: Database, row: PaymentRow): Promise<PaymentRow> {
    if (row.other_tries.length === 0) return row;
    const [current] = await database.run(lockPayments, { ids: [row.id] });
    assert(current !== undefined, "a payment stays");
    return current;
  }

  /** In the transaction in which something has happened to the payment's x402 authorization. */
  async tell(database: Database, paymentId: string, news: X402Event): Promise<void> {
    const rows = await database.run(lockPayments, { ids: [paymentId] });
    for (const row of rows) await this.#advance(database, row, { news });
  }

  /**
   * In a transaction, for payments whose time is over, with everything that was sent in time seen.
   * Those that another process has locked are left to it. @returns how many have changed
   */
  async expire(database: Database, paymentIds: readonly string[]): Promise<number> {
    assert(paymentIds.length <= paymentsAtOnce, "a batch is small");
    const rows = await database.run(lockIdlePayments, { ids: paymentIds });
    let changed = 0;
    for (const row of rows) {
      const current = await this.#current(database, row);
      const isTold = await this.#advance(database, current, { isTimeOver: true });
      changed += isTold ? 1 : 0;
    }
    return changed;
  }

  /** @returns whether the merchant has heard of anything */
  async #advance(database: Database, row: PaymentRow, occasion: Occasion): Promise<boolean> {
    const read = paymentOf(row);
    const { isTimeOver = false, news } = occasion;
    const x402 = x402FactOf(read.x402, read.deposits, news === "x402.settlement_failed");
    const steps = stepsOf({ ...read, isTimeOver, x402, isReplaced: isReplaced(read) });
    const gone = read.deposits.filter(isGone);
    const fresh = read.deposits.filter(({ state, isBooked }) => state === "final" && !isBooked);
    const inside = { ...this.#ports, database };
    let payment = read;
    // First what is no longer there: what comes after it may have to fill the gap.
    for (const deposit of gone) payment = await reverseDeposit(inside, payment, deposit);
    if (gone.length > 0) payment = await divideAnew(inside, payment);
    for (const deposit of fresh) payment = await bookDeposit(inside, payment, deposit);
    for (const { settlementId } of fresh) await this.#finish(database, settlementId);
    payment = await chargeUsage(this.#ports, database, payment);
    const notices = noticesOf(read, { steps, gone, fresh, news });
    for (const notice of notices) payment = await this.#notify(database, payment, notice);
    await this.#turnToOthers(database, read, steps.at(-1)?.to ?? read.status);
    return notices.length > 0;
  }

  /** Of the tries to bill a period one is completed: no other is open then, or counts instead. */
  async #turnToOthers(
    database: Database,
    { status: before, otherTries }: PaymentRecord,
    status: PaymentStatus,
  ): Promise<void> {
    if (otherTries.length === 0 || claiming.has(before) === claiming.has(status)) return;
    for (const { id } of otherTries) {
      // Each is read when its turn comes: the one before may have cancelled it.
      const [row] = await database.run(lockPayments, { ids: [id] });
      assert(row !== undefined, "a payment stays");
      if (!claiming.has(status)) {
        // Its money is gone, or too little: what came on another one meanwhile may be the price.
        await this.#advance(database, row, {});
      } else if (row.status === "pending") {
        const { event, to } = paymentEdge(row.status, "cancelled", "cancelled");
        await this.#notify(database, paymentOf(row), { event, status: to, subject: undefined });
      }
    }
  }

  async #finish(database: Database, settlementId: string | null): Promise<void> {
    if (settlementId === null) return;
    const now = this.#ports.clock.now();
    await database.run(finishX402Settlement, { id: settlementId, now });
  }

  async #notify(
    database: Database,
    payment: PaymentRecord,
    { event, status, subject }: Notice,
  ): Promise<PaymentRecord> {
    const { id, owner, version } = payment;
    const next = { ...payment, status, version: version + 1n };
    const rows = await database.run(changePayment, {
      id,
      status,
      versionRead: version,
      now: this.#ports.clock.now(),
      ...eventValues(this.#ports, {
        ...owner,
        type: event,
        resource: { type: "payment", id },
        data: dataAbout("payment", eventDataOf(next, subject)),
      }),
    });
    assert(rows.length === 1, "the payment is locked");
    return next;
  }
}

function isReplaced({ otherTries }: PaymentRecord): boolean {
  return otherTries.some(({ status }) => claiming.has(status));
}

interface Changes {
  readonly steps: readonly PaymentEdge[];
  /** taken out of the ledger */
  readonly gone: readonly DepositRecord[];
  /** put into the ledger */
  readonly fresh: readonly DepositRecord[];
  readonly news: X402Event | undefined;
}

/**
 * Each step has its event. Beside those: money that was final and went, or that came when nobody
 * expected it, is told even where the status stays.
 *
 * Our choice: more money for a payment that has its price, and money that does not complete one that
 * has expired, is `payment.deposit_after_close` as well. Unlike unmatched money it is shared out, as
 * surplus or as part of the price; `deposit.is_unmatched` in the event tells the two apart.
 */
function noticesOf(
  payment: PaymentRecord,
  { steps, gone, fresh, news }: Changes,
): readonly Notice[] {
  const { status } = payment;
  const isNewsTold = news === undefined || steps.some(({ event }) => event === news);
  const isGoneTold = steps.some(({ event }) => goneEvents.has(event));
  const isCompletingTold = steps.some(({ trigger }) => completing.has(trigger));
  const last = steps.at(-1)?.to ?? status;
  const isExpected = (deposit: DepositRecord): boolean => {
    // What an upto authorization brings is expected; x402.settled has told of it.
    if (isOfUpto(deposit)) return status === "authorized" || isCompletingTold;
    if (isUnmatched(payment, deposit)) return false;
    if (isCompletingTold) return true;
    return openStatuses.has(status) && timingOf(payment, deposit.blockTime) === "in_time";
  };
  return [
    ...(isNewsTold ? [] : [news]).map((event): Notice => ({ event, status, subject: undefined })),
    ...(isGoneTold ? [] : gone).map((subject): Notice => ({
      event: "payment.reorged",
      status,
      subject,
    })),
    ...steps.map((step): Notice => ({
      event: step.event,
      status: step.to,
      subject: subjectOf(payment, step),
    })),
    ...fresh
      .filter((deposit) => !isExpected(deposit))
      .map((subject): Notice => ({
        event: "payment.deposit_after_close",
        status: last,
        subject,
      })),
  ];
}

/** The event of such a step tells of the money that has made it. */
const completing: ReadonlySet<PaymentTrigger> = new Set(["late_price_final", "price_back"]);

function isOfUpto({ purpose }: DepositRecord): boolean {
  return purpose === "held" || purpose === "charged";
}

const goneEvents: ReadonlySet<EventType> = new Set(["payment.reorged", "payment.reversed"]);

/** The newest of the deposits that the step is about. */
function subjectOf(payment: PaymentRecord, { trigger }: PaymentEdge): DepositRecord | undefined {
  const { deposits } = payment;
  switch (trigger) {
    case "final_deposit_gone":
      return deposits.findLast(isGone);
    case "deposit_gone":
      return deposits.findLast(({ state }) => state === "orphaned");
    default:
      return deposits.findLast((one) => one.state !== "orphaned" && !isUnmatched(payment, one));
  }
}
