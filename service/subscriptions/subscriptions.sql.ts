// The statements of subscriptions and their bills.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Owner } from "../owner.ts";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import {
  changeFacts,
  currentRow,
  finishingIfCurrent,
  isFenced,
} from "../idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import type { MissedPeriodRule, PaymentStatus, SubscriptionStatus } from "../database/words.ts";
import { anyOf } from "../database/row-source.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

/**
 * What need not be paid of the price of the subscription `s` in the deployment `d` of the currency `c`:
 * as much as with any payment, the smallest amount that people see, and never more than a hundredth.
 */
const toleranceRaw = sql<string>`least(
  trunc(power(10::numeric, greatest(0, d.decimals - c.accounting_decimals))), div(s.amount_raw, 100))`;

export type SubscriptionRow = NonNullable<(typeof findSubscription)["row"]>;

function subscriptions() {
  return queries
    .selectFrom("subscriptions as s")
    .innerJoin("deployments as d", "d.id", "s.deployment_id")
    .innerJoin("currencies as c", "c.id", "d.currency_id")
    .select(sql<string>`${toleranceRaw}::text`.as("tolerance_raw"))
    .select(["s.id", "s.merchant_id", "s.environment", "s.status", "s.version", "s.currency_id"])
    .select(["s.deployment_id", "s.chain_id", "s.interval_seconds", "s.user_id", "s.next_bill_at"])
    .select(["s.open_period", "s.open_try", "s.past_due_since", "s.created_at", "d.decimals"])
    .select("s.missed_periods")
    .select(sql<string>`s.amount_raw::text`.as("amount_raw"));
}

export const findSubscription = statement<Owner & { readonly id: string }>("find_subscription")(
  (p) =>
    subscriptions()
      .where("s.merchant_id", "=", p.merchantId)
      .where("s.environment", "=", p.environment)
      .where("s.id", "=", p.id),
);

export const listSubscriptions = statement<{
  readonly merchantId: string;
  readonly rowsMax: number;
}>("list_subscriptions")((p) =>
  subscriptions()
    .where("s.merchant_id", "=", p.merchantId)
    .orderBy("s.created_at")
    .orderBy("s.id")
    .limit(p.rowsMax),
);

/** What a new subscription is decided on; no row: no such merchant, currency or chain. */
export const findBillableDeployment = statement<
  Owner & { readonly currencyId: string; readonly chainId: string }
>("find_billable_deployment")((p) =>
  queries
    .selectFrom("deployments as d")
    .innerJoin("merchants as m", (join) => join.on("m.id", "=", p.merchantId))
    .select(["d.id", "d.decimals", "d.deposit_enabled"])
    .where("d.currency_id", "=", p.currencyId)
    .where("d.chain_id", "=", p.chainId)
    .where(sql<boolean>`(not d.is_test_network or ${p.environment}::text = 'test')`),
);

export interface NewSubscriptionValues extends AuditValues, Owner {
  readonly id: string;
  readonly currencyId: string;
  readonly deploymentId: string;
  readonly chainId: string;
  readonly amountRaw: bigint;
  readonly intervalSeconds: number;
  readonly missedPeriods: MissedPeriodRule;
  readonly userId: string | null;
  readonly nextBillAt: Date;
  readonly now: Date;
}

export const createSubscription = statement<NewSubscriptionValues>("create_subscription")((p) => {
  const created = queries.with("created", (q) =>
    q
      .insertInto("subscriptions")
      .values({
        id: p.id,
        merchant_id: p.merchantId,
        environment: p.environment,
        currency_id: p.currencyId,
        deployment_id: p.deploymentId,
        chain_id: p.chainId,
        amount_raw: p.amountRaw,
        interval_seconds: sql<bigint>`${p.intervalSeconds}::bigint`,
        missed_periods: p.missedPeriods,
        user_id: p.userId,
        next_bill_at: p.nextBillAt,
        created_at: p.now,
        updated_at: p.now,
      })
      .returning("id"),
  );
  return recordingAudit(created, "created", p).selectFrom("created").select("id");
});

/**
 * Of one payment, in the currency of the subscription `s`: what is in the ledger for its price. What is only held for an
 * authorization may go back; what was used of it makes its payment paid.
 */
const receivedRaw = (paymentId: string): RawBuilder<string> => sql<string>`
  coalesce((select sum(d.regular_raw + d.surplus_raw) from deposits d
    where d.payment_id = ${sql.ref(paymentId)} and d.deployment_id = s.deployment_id
      and d.bookings > d.reversals
      and not exists (select from x402_settlements held
        where held.id = d.settlement_id and held.scheme = 'upto' and held.method = 'eip3009')), 0)`;

/** All tries of the open period of `s` together have brought its price. */
const isCovered = sql<boolean>`(
  select s.amount_raw - coalesce(sum(${receivedRaw("bill.payment_id")}), 0) <= ${toleranceRaw}
  from subscription_bills bill
  where bill.subscription_id = s.id and bill.period_start = s.open_period)`;

/**
 * On some try of the open period of `s` something was sent by the end of its current try `b` that is not
 * final yet, in the currency of the subscription: nothing else counts for its price, and what never
 * becomes final would hold it up for ever. What is sent later keeps the next try waiting no more, or a grain of dust in each minute
 * would hold it up for ever.
 */
const isUnsettled = sql<boolean>`exists (
  select from subscription_bills bill
  join deposits d on d.payment_id = bill.payment_id
  where bill.subscription_id = s.id and bill.period_start = s.open_period
    and d.deployment_id = s.deployment_id and d.status = 'seen' and d.block_time <= b.ends_at)`;

/** Subscriptions for which the biller has something to do, the oldest first. */
export const listToBill = statement<{
  readonly now: Date;
  /** a subscription that is past due since then has waited long enough */
  readonly pastDueBefore: Date;
  /** that somebody watches: on the others nobody could pay, and nobody is blamed for it */
  readonly chainIds: readonly string[];
  readonly rowsMax: number;
}>("list_subscriptions_to_bill")((p) =>
  queries
    .selectFrom("subscriptions as s")
    // A customer is not to pay a merchant that could not even cancel; its periods wait.
    .innerJoin("merchants as m", (join) =>
      join.onRef("m.id", "=", "s.merchant_id").on("m.status", "=", "active"),
    )
    .innerJoin("deployments as d", "d.id", "s.deployment_id")
    .innerJoin("currencies as c", "c.id", "d.currency_id")
    .leftJoin("subscription_bills as b", (join) =>
      join
        .onRef("b.subscription_id", "=", "s.id")
        .onRef("b.period_start", "=", "s.open_period")
        .onRef("b.try", "=", "s.open_try"),
    )
    .select(["s.id", "s.merchant_id", "s.environment"])
    .select(sql<Date>`coalesce(s.open_period, s.next_bill_at)`.as("due_at"))
    .where("s.chain_id", "=", anyOf(p.chainIds))
    .where(
      sql<boolean>`(
        (s.open_period is null and s.next_bill_at <= ${p.now})
        or (s.open_period is not null and (
          (s.past_due_since <= ${p.pastDueBefore} and not exists (
            select from subscription_bills bill join payments on payments.id = bill.payment_id
            where bill.subscription_id = s.id and bill.period_start = s.open_period
              and payments.status = 'confirming'))
          or (b.refused is not null and b.ends_at <= ${p.now} and s.open_try < 4
            and not ${isUnsettled})
          or ${isCovered}
          or exists (
            select from subscription_bills bill join payments on payments.id = bill.payment_id
            where bill.subscription_id = s.id and bill.period_start = s.open_period
              and (payments.status in ('paid', 'overpaid', 'paid_late')
                or (bill.try = s.open_try and s.open_try < 4 and not ${isUnsettled}
                  and payments.status in ('expired', 'underpaid', 'cancelled', 'reversed')))))))`,
    )
    .orderBy("due_at")
    .orderBy("s.id")
    .limit(p.rowsMax),
);

/** One row if nobody else has it. */
export const lockSubscription = statement<{ readonly id: string }>("lock_subscription")((p) =>
  queries
    .selectFrom("subscriptions")
    .select("version")
    .where("id", "=", p.id)
    .forNoKeyUpdate()
    .skipLocked(),
);

export interface BillRow {
  readonly try: number;
  readonly payment_id: string | null;
  readonly payment_status: PaymentStatus | null;
  readonly ends_at: Date;
  /** final, and in the ledger */
  readonly received_raw: string;
  /** Something was sent, by the time that this try was over, that is not final yet. */
  readonly is_unsettled: boolean;
}

/** The tries of one period, in their order. */
export const listBills = statement<{ readonly id: string; readonly periodStart: Date }>(
  "list_subscription_bills",
)((p) =>
  queries
    .selectFrom("subscription_bills as b")
    .innerJoin("subscriptions as s", "s.id", "b.subscription_id")
    .leftJoin("payments", "payments.id", "b.payment_id")
    .select(sql<string>`${receivedRaw("b.payment_id")}::text`.as("received_raw"))
    .select(isUnsettled.as("is_unsettled"))
    .select(["b.try", "b.payment_id", "payments.status as payment_status", "b.ends_at"])
    .where("b.subscription_id", "=", p.id)
    .where("b.period_start", "=", p.periodStart)
    .orderBy("b.try"),
);

export interface RecordBillValues {
  readonly id: string;
  readonly periodStart: Date;
  readonly try: number;
  readonly paymentId: string | null;
  readonly refused: string | null;
  readonly missed: number;
  readonly amountRaw: bigint;
  readonly endsAt: Date;
  readonly now: Date;
}

export const recordBill = statement<RecordBillValues>("record_subscription_bill")((p) =>
  queries
    .insertInto("subscription_bills")
    .values({
      subscription_id: p.id,
      period_start: p.periodStart,
      try: p.try,
      payment_id: p.paymentId,
      refused: p.refused,
      missed: p.missed,
      amount_raw: p.amountRaw,
      created_at: p.now,
      ends_at: p.endsAt,
    })
    .returning("try"),
);

interface StateValues extends Owner {
  readonly id: string;
  readonly versionRead: bigint;
  readonly status: SubscriptionStatus;
  readonly nextBillAt: Date | null;
  readonly openPeriod: Date | null;
  readonly openTry: number | null;
  readonly pastDueSince: Date | null;
  readonly now: Date;
}

function changing(p: StateValues) {
  return queries
    .updateTable("subscriptions")
    .set({
      status: p.status,
      version: sql<bigint>`version + 1`,
      next_bill_at: p.nextBillAt,
      open_period: p.openPeriod,
      open_try: p.openTry,
      past_due_since: p.pastDueSince,
      updated_at: p.now,
    })
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("id", "=", p.id)
    .where("version", "=", p.versionRead)
    .returning("id");
}

/** One row if the subscription was still what had been read. */
export const changeSubscription = statement<StateValues & EventValues>("change_subscription")((p) =>
  effectWith(recordingEvent, p)("changed", () => changing(p)).select("id"),
);

/** The same for a change that no event tells of. */
export const changeSubscriptionQuietly = statement<StateValues>("change_subscription_quietly")(
  (p) => changing(p),
);

/** One row that says how it went; it was cancelled if `is_finished`. */
export const cancelSubscription = statement<StateValues & EventValues & FinishingValues>(
  "cancel_subscription",
)((p) => {
  const cancelled = queries
    .with("current", () => currentRow("subscriptions", p, sql`version = ${p.versionRead}`))
    .with("fence", () => finishingIfCurrent(p))
    .with("changed", () => changing(p).where(isFenced));
  return recordingEvent(cancelled, "changed", p).selectNoFrom(changeFacts);
});
