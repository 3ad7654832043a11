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
import type { RecordingPorts } from "../ports/recording.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";
import type { Database } from "../ports/database.ts";
import type { CreatedPayment } from "../payments/payments.ts";
import { openSecondsMax } from "../payments/rules.ts";
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

/** A bill a minute late bothers nobody. */
const everyMilliseconds = 60_000;
/** Subscriptions in one run of the job. */
const billsMax = 50;
const daySeconds = 86_400;
/** Before a subscription is past due. */
const dunningTries = 3;
/** The payment that stays open while it is past due. */
const lastTry = dunningTries + 1;
/** Past due for so long, it expires. */
export const pastDueDaysMax = 14;

export interface BillerPorts extends RecordingPorts, WatchedChains {
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

/** Several processes may run it at once. */
export function billingJob(ports: BillerPorts): Job {
  return { name: "bill-subscriptions", everyMilliseconds, run: () => billDue(ports) };
}

async function billDue(ports: BillerPorts): Promise<JobRun> {
  const now = ports.clock.now();
  const pastDueBefore = new Date(now.getTime() - pastDueDaysMax * daySeconds * 1000);
  const chainIds = [...ports.watchedChainIds];
  const values = { now, pastDueBefore, chainIds, rowsMax: billsMax };
  const rows = await ports.database.run(listToBill, values);
  return doPage({ rows, rowsMax: billsMax, now, since: (row) => row.due_at }, (row) =>
    billOne(ports, row),
  );
}

/**
 * False: somebody else has it, or there is nothing to do any more. What is called from here gets the
 * database of the transaction in its ports.
 */
function billOne(
  ports: BillerPorts,
  { id, merchant_id: merchantId, environment }: ToBill,
): Promise<boolean> {
  return ports.database.transaction(async (database) => {
    const inside = { ...ports, database };
    const locked = await database.run(lockSubscription, { id });
    const [row] =
      locked.length === 0
        ? []
        : await database.run(findSubscription, { merchantId, environment, id });
    if (row === undefined) return false;
    const subscription = subscriptionOf(row);
    const { open, nextBillAt } = subscription;
    if (open !== null) return follow(inside, subscription, open);
    if (nextBillAt === null || nextBillAt > ports.clock.now()) return false;
    const { periodStart, missed } = periodToBill(subscription, nextBillAt, ports.clock.now());
    const amountRaw = subscription.amountRaw;
    await makeTry(inside, subscription, { periodStart, try: 1, missed, amountRaw });
    return true;
  });
}

/** What became of the period that is being billed. */
async function follow(
  ports: BillerPorts,
  subscription: Subscription,
  open: OpenBill,
): Promise<boolean> {
  const { id, pastDueSince } = subscription;
  const now = ports.clock.now();
  const bills = await ports.database.run(listBills, { id, periodStart: open.periodStart });
  const leftRaw = subscription.amountRaw - receivedRawOf(bills);
  if (bills.some(isPaid) || leftRaw <= subscription.toleranceRaw) {
    await endPaid(ports, subscription, { open, bills });
    return true;
  }
  const waitedMilliseconds = now.getTime() - (pastDueSince ?? now).getTime();
  if (waitedMilliseconds >= pastDueDaysMax * daySeconds * 1000) {
    // All of the price is on its way: what becomes of it decides.
    if (bills.some((bill) => bill.payment_status === "confirming")) return false;
    await expire(ports, subscription, bills);
    return true;
  }
  const current = bills.find((bill) => bill.try === open.try);
  if (current === undefined || !isOver(current, now) || open.try === lastTry) return false;
  if (open.try < dunningTries) {
    const next = { ...open, try: open.try + 1, missed: 0, amountRaw: leftRaw };
    await makeTry(ports, subscription, next);
    return true;
  }
  await giveUpTries(ports, subscription, { open, bills });
  return true;
}

/** Makes the payment and tells the merchant where the customer can pay. */
async function makeTry(ports: BillerPorts, subscription: Subscription, wanted: Try): Promise<void> {
  const { id, decimals } = subscription;
  const { missed, amountRaw } = wanted;
  const open: OpenBill = { periodStart: wanted.periodStart, try: wanted.try };
  const now = ports.clock.now();
  const openSeconds = openSecondsOf(subscription, open.try);
  const made = await makePayment(ports, subscription, wanted);
  const isRefused = made instanceof ServiceError;
  await ports.database.run(recordBill, {
    id,
    ...open,
    missed,
    amountRaw,
    paymentId: isRefused ? null : made.id,
    refused: isRefused ? made.code : null,
    endsAt: new Date(now.getTime() + openSeconds * 1000),
    now,
  });
  const nextBillAt =
    open.try === 1 ? pointAfter(subscription, open.periodStart) : subscription.nextBillAt;
  const billed: Subscription = { ...subscription, nextBillAt, open };
  const facts = {
    period_start: open.periodStart.toISOString(),
    try: open.try,
    missed_periods: missed,
    bill_amount: amountOf(amountRaw, decimals),
  };
  const draft = subscriptionEvent("subscription.billed", billed, {
    ...facts,
    ...(isRefused
      ? { payment_id: null, refused: made.code }
      : { payment_id: made.id, checkout_url: made.checkoutUrl }),
  });
  await changeLocked(ports, billed, draft);
}

/** A payment to be made: what it is for, and what it asks for. */
interface Try extends OpenBill {
  /** periods before that nobody billed, and for which this one stands */
  readonly missed: number;
  readonly amountRaw: bigint;
}

/** A refusal is a value: the currency may no longer be accepted, and the try counts all the same. */
async function makePayment(
  ports: BillerPorts,
  subscription: Subscription,
  { amountRaw, ...open }: Try,
): Promise<CreatedPayment | ServiceError> {
  const { owner, id, currencyId, chainId, decimals, userId } = subscription;
  try {
    return await ports.payments.createInTransaction(ports.database, owner, {
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

/** A period, and the bills of all that were tried for it. */
interface Tried {
  readonly open: OpenBill;
  readonly bills: readonly BillRow[];
}

async function endPaid(
  ports: BillerPorts,
  subscription: Subscription,
  { open, bills }: Tried,
): Promise<void> {
  const now = ports.clock.now();
  const { owner, pastDueSince } = subscription;
  // Another try of the same period may be open, and nobody is to pay twice.
  await cancelOpen(ports, owner, bills);
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
  const rows = await ports.database.run(changeSubscriptionQuietly, stateValues(paid, now));
  assert(rows.length === 1, "the row is locked");
}

/** Nobody paid in any of the tries. */
async function giveUpTries(
  ports: BillerPorts,
  subscription: Subscription,
  { open, bills }: Tried,
): Promise<void> {
  const now = ports.clock.now();
  if (nextSubscriptionStatus(subscription.status, "tries_exhausted") === "expired") {
    await expire(ports, subscription, bills);
    return;
  }
  const pastDue: Subscription = { ...subscription, status: "past_due", pastDueSince: now };
  const facts = { period_start: open.periodStart.toISOString() };
  const draft = subscriptionEvent("subscription.past_due", pastDue, facts);
  await changeLocked(ports, pastDue, draft);
  const written = { ...pastDue, version: pastDue.version + 1n };
  const amountRaw = subscription.amountRaw - receivedRawOf(bills);
  await makeTry(ports, written, { ...open, try: lastTry, missed: 0, amountRaw });
}

async function expire(
  ports: BillerPorts,
  subscription: Subscription,
  bills: readonly BillRow[],
): Promise<void> {
  const { owner, status } = subscription;
  await cancelOpen(ports, owner, bills);
  const trigger = status === "past_due" ? "waited_too_long" : "tries_exhausted";
  const expired: Subscription = {
    ...subscription,
    status: nextSubscriptionStatus(status, trigger),
    nextBillAt: null,
    open: null,
    pastDueSince: null,
  };
  const draft = subscriptionEvent("subscription.expired", expired);
  await changeLocked(ports, expired, draft);
}

/** Locked when it was read, so nobody can have been faster. */
async function changeLocked(
  ports: BillerPorts,
  changed: Subscription,
  draft: EventDraft,
): Promise<void> {
  const rows = await ports.database.run(changeSubscription, {
    ...stateValues(changed, ports.clock.now()),
    ...eventValues(ports, draft),
  });
  assert(rows.length === 1, "the row is locked");
}

async function cancelOpen(
  ports: BillerPorts,
  owner: Owner,
  bills: readonly BillRow[],
): Promise<void> {
  for (const { payment_id: id, payment_status: status } of bills) {
    if (id === null || status !== "pending") continue;
    await ports.payments.cancelInTransaction(ports.database, owner, id);
  }
}

/** On all tries of a period. */
function receivedRawOf(bills: readonly BillRow[]): bigint {
  return bills.reduce((sum, { received_raw: raw }) => sum + BigInt(raw), 0n);
}

function isPaid({ payment_status: status }: BillRow): boolean {
  return status !== null && paidStatuses.has(status);
}

/**
 * It cannot be paid any more, or could never be, and its time is up. What was sent by then and is not
 * final decides first what the next try asks for.
 */
function isOver(bill: BillRow, now: Date): boolean {
  const { payment_status: status, ends_at: endsAt, is_unsettled: isUnsettled } = bill;
  if (isUnsettled) return false;
  return status === null ? endsAt <= now : unpaidStatuses.has(status);
}

/** The period that is billed next, and how many before it are left out by the subscription's rule. */
export function periodToBill(
  { intervalSeconds, missedPeriods }: Pick<Subscription, "intervalSeconds" | "missedPeriods">,
  nextBillAt: Date,
  now: Date,
): { readonly periodStart: Date; readonly missed: number } {
  const intervalMilliseconds = intervalSeconds * 1000;
  const behind = Math.floor((now.getTime() - nextBillAt.getTime()) / intervalMilliseconds);
  const missed = missedPeriods === "each" ? 0 : Math.max(0, behind);
  return { periodStart: new Date(nextBillAt.getTime() + missed * intervalMilliseconds), missed };
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
