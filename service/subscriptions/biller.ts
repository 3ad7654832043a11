// Bills subscriptions. Each period is billed once, whoever bills: a try is a payment like any other,
// made in the transaction that writes down the try. Up to three tries follow each other; then the
// subscription is past due, and one last payment stays open for the customer to come back.

import assert from "node:assert";
import { amountOf } from "../amounts.ts";
import { doPage } from "../jobs/batch.ts";
import { ServiceError } from "../errors.ts";
import { eventValues } from "../events/events.ts";
import type { EventDraft } from "../events/events.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import type { Owner } from "../owner.ts";
import type { PaymentOrder } from "../payments/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import type { CreatedPayment } from "../payments/payments.ts";
import {
  changeSubscription,
  changeSubscriptionQuietly,
  findSubscription,
  listBills,
  listToBill,
  lockSubscription,
  recordBill,
} from "./subscriptions.sql.ts";
import type { BillRow } from "./subscriptions.sql.ts";
import { subscriptionEvent } from "./model.ts";
import type { OpenBill, Subscription } from "./model.ts";
import type { PaymentStatus } from "../database/words.ts";
import { nextSubscriptionStatus } from "./states.ts";
import { stateValues, subscriptionOf } from "./subscriptions.ts";
import type { SubscriptionPorts } from "./subscriptions.ts";

/** Subscriptions in one run of the job. */
const billsMax = 50;
const daySeconds = 86_400;
/** Before a subscription is past due. */
const dunningTries = 3;
/** The payment that stays open while it is past due. */
const lastTry = dunningTries + 1;
/** Past due for so long, it expires. */
export const pastDueDaysMax = 14;
/** The longest that a payment can be open. */
const openSecondsMax = 7 * daySeconds;

export interface BillerPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly payments: SubscriptionPorts["payments"] & {
    readonly createInTransaction: (
      database: Database,
      owner: Owner,
      order: PaymentOrder,
    ) => Promise<CreatedPayment>;
  };
}

/**
 * How long a try can be paid. Our choice: a quarter of the period, a week at most, so that all that
 * come before it is past due fit into the period they are for. The payment that stays open then is
 * for a week; whoever pays it later than that has still paid, as with any payment.
 */
export function openSecondsOf(
  { intervalSeconds }: Pick<Subscription, "intervalSeconds">,
  tryNumber: number,
): number {
  if (tryNumber >= lastTry) return openSecondsMax;
  return Math.min(Math.floor(intervalSeconds / 4), openSecondsMax);
}

const paidStatuses: ReadonlySet<PaymentStatus> = new Set(["paid", "overpaid", "paid_late"]);
const unpaidStatuses: ReadonlySet<PaymentStatus> = new Set([
  "expired",
  "underpaid",
  "cancelled",
  "reversed",
]);

type ToBill = NonNullable<(typeof listToBill)["row"]>;

export class Biller {
  readonly #ports: BillerPorts;

  constructor(ports: BillerPorts) {
    this.#ports = ports;
  }

  /** Several processes may do this at once. */
  async run(): Promise<JobRun> {
    const now = this.#ports.clock.now();
    const pastDueBefore = new Date(now.getTime() - pastDueDaysMax * daySeconds * 1000);
    const values = { now, pastDueBefore, rowsMax: billsMax };
    const rows = await this.#ports.database.run(listToBill, values);
    return doPage({ rows, rowsMax: billsMax, now, since: (row) => row.due_at }, (row) =>
      this.#billOne(row),
    );
  }

  /** False: somebody else has it, or there is nothing to do any more. */
  #billOne({ id, merchant_id: merchantId, environment }: ToBill): Promise<boolean> {
    return this.#ports.database.transaction(async (database) => {
      const locked = await database.run(lockSubscription, { id });
      const [row] =
        locked.length === 0
          ? []
          : await database.run(findSubscription, { merchantId, environment, id });
      if (row === undefined) return false;
      const subscription = subscriptionOf(row);
      const { open, nextBillAt } = subscription;
      if (open !== null) return this.#follow(database, subscription, open);
      if (nextBillAt === null || nextBillAt > this.#ports.clock.now()) return false;
      await this.#try(database, subscription, { periodStart: nextBillAt, try: 1 });
      return true;
    });
  }

  /** What became of the period that is being billed. */
  async #follow(database: Database, subscription: Subscription, open: OpenBill): Promise<boolean> {
    const { id, pastDueSince } = subscription;
    const now = this.#ports.clock.now();
    const bills = await database.run(listBills, { id, periodStart: open.periodStart });
    if (bills.some(isPaid)) {
      await this.#paid(database, subscription, { open, bills });
      return true;
    }
    const waitedMilliseconds = now.getTime() - (pastDueSince ?? now).getTime();
    if (waitedMilliseconds >= pastDueDaysMax * daySeconds * 1000) {
      // All of the price is on its way: what becomes of it decides.
      if (bills.some((bill) => bill.payment_status === "confirming")) return false;
      await this.#end(database, subscription, bills);
      return true;
    }
    const current = bills.find((bill) => bill.try === open.try);
    if (current === undefined || !isOver(current, now) || open.try === lastTry) return false;
    if (open.try < dunningTries) {
      await this.#try(database, subscription, { ...open, try: open.try + 1 });
      return true;
    }
    await this.#exhausted(database, subscription, { open, bills });
    return true;
  }

  /** Makes the payment and tells the merchant where the customer can pay. */
  async #try(database: Database, subscription: Subscription, open: OpenBill): Promise<void> {
    const { id } = subscription;
    const now = this.#ports.clock.now();
    const openSeconds = openSecondsOf(subscription, open.try);
    const made = await this.#makePayment(database, subscription, open);
    const isRefused = made instanceof ServiceError;
    await database.run(recordBill, {
      id,
      ...open,
      paymentId: isRefused ? null : made.id,
      refused: isRefused ? made.code : null,
      endsAt: new Date(now.getTime() + openSeconds * 1000),
      now,
    });
    const nextBillAt =
      open.try === 1 ? pointAfter(subscription, open.periodStart) : subscription.nextBillAt;
    const billed: Subscription = { ...subscription, nextBillAt, open };
    const facts = { period_start: open.periodStart.toISOString(), try: open.try };
    const draft = subscriptionEvent("subscription.billed", billed, {
      ...facts,
      ...(isRefused
        ? { payment_id: null, refused: made.code }
        : { payment_id: made.id, checkout_url: made.checkoutUrl }),
    });
    await this.#change(database, billed, draft);
  }

  /** A refusal is a value: the currency may no longer be accepted, and the try counts all the same. */
  async #makePayment(
    database: Database,
    subscription: Subscription,
    open: OpenBill,
  ): Promise<CreatedPayment | ServiceError> {
    const { owner, id, currencyId, chainId, amountRaw, decimals, userId } = subscription;
    try {
      return await this.#ports.payments.createInTransaction(database, owner, {
        merchantOrderNo: `${id}/${open.periodStart.toISOString()}/${open.try}`,
        quotes: [{ currencyId, amount: amountOf(amountRaw, decimals), chainIds: [chainId] }],
        splits: [],
        overpayPolicy: "to_primary",
        expiresInSeconds: openSecondsOf(subscription, open.try),
        userId,
        memo: null,
        redirectUrl: null,
      });
    } catch (error) {
      // Refused before anything was written; whether the database is there is another matter.
      const isRefusal = error instanceof ServiceError && error.code !== "service_unavailable";
      if (!isRefusal) throw error;
      return error;
    }
  }

  async #paid(
    database: Database,
    subscription: Subscription,
    { open, bills }: { readonly open: OpenBill; readonly bills: readonly BillRow[] },
  ): Promise<void> {
    const now = this.#ports.clock.now();
    const { owner, pastDueSince } = subscription;
    // Another try of the same period may be open, and nobody is to pay twice.
    await this.#cancelOpen(database, owner, bills);
    // Our choice: who was past due is not billed for the periods that went by meanwhile.
    const nextBillAt =
      pastDueSince === null
        ? subscription.nextBillAt
        : pointAfter(subscription, open.periodStart, now);
    const status = nextSubscriptionStatus(subscription.status, "bill_paid");
    const paid: Subscription = {
      ...subscription,
      status,
      nextBillAt,
      open: null,
      pastDueSince: null,
    };
    const rows = await database.run(changeSubscriptionQuietly, stateValues(paid, now));
    assert(rows.length === 1, "the row is locked");
  }

  /** Nobody paid in any of the tries. */
  async #exhausted(
    database: Database,
    subscription: Subscription,
    { open, bills }: { readonly open: OpenBill; readonly bills: readonly BillRow[] },
  ): Promise<void> {
    const now = this.#ports.clock.now();
    if (nextSubscriptionStatus(subscription.status, "tries_exhausted") === "expired") {
      await this.#end(database, subscription, bills);
      return;
    }
    const pastDue: Subscription = { ...subscription, status: "past_due", pastDueSince: now };
    const facts = { period_start: open.periodStart.toISOString() };
    const draft = subscriptionEvent("subscription.past_due", pastDue, facts);
    await this.#change(database, pastDue, draft);
    const written = { ...pastDue, version: pastDue.version + 1n };
    await this.#try(database, written, { ...open, try: lastTry });
  }

  async #end(
    database: Database,
    subscription: Subscription,
    bills: readonly BillRow[],
  ): Promise<void> {
    const { owner, status } = subscription;
    await this.#cancelOpen(database, owner, bills);
    const trigger = status === "past_due" ? "waited_too_long" : "tries_exhausted";
    const expired: Subscription = {
      ...subscription,
      status: nextSubscriptionStatus(status, trigger),
      nextBillAt: null,
      open: null,
      pastDueSince: null,
    };
    const draft = subscriptionEvent("subscription.expired", expired);
    await this.#change(database, expired, draft);
  }

  /** Locked when it was read, so nobody can have been faster. */
  async #change(database: Database, changed: Subscription, draft: EventDraft): Promise<void> {
    const rows = await database.run(changeSubscription, {
      ...stateValues(changed, this.#ports.clock.now()),
      ...eventValues(this.#ports, draft),
    });
    assert(rows.length === 1, "the row is locked");
  }

  async #cancelOpen(database: Database, owner: Owner, bills: readonly BillRow[]): Promise<void> {
    for (const { payment_id: id, payment_status: status } of bills) {
      if (id === null || status !== "pending") continue;
      await this.#ports.payments.cancelInTransaction(database, owner, id);
    }
  }
}

function isPaid({ payment_status: status }: BillRow): boolean {
  return status !== null && paidStatuses.has(status);
}

/** It cannot be paid any more, or could never be, and its time is up. */
function isOver({ payment_status: status, ends_at: endsAt }: BillRow, now: Date): boolean {
  return status === null ? endsAt <= now : unpaidStatuses.has(status);
}

/** The first point of the grid of periods after `from`, and not before `notBefore`. */
function pointAfter(
  { intervalSeconds }: Pick<Subscription, "intervalSeconds">,
  from: Date,
  notBefore: Date = from,
): Date {
  const intervalMilliseconds = intervalSeconds * 1000;
  const behind = Math.max(0, notBefore.getTime() - from.getTime());
  const steps = Math.max(1, Math.ceil(behind / intervalMilliseconds));
  return new Date(from.getTime() + steps * intervalMilliseconds);
}

/** A bill a minute late bothers nobody. */
const everyMilliseconds = 60_000;

export function billingJob(biller: Biller): Job {
  return { name: "bill-subscriptions", everyMilliseconds, run: () => biller.run() };
}
