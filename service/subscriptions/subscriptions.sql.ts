// The statements of subscriptions and their bills.

import { sql } from "kysely";
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
import type { PaymentStatus, SubscriptionStatus } from "../database/words.ts";
import { queries, statement } from "../database/statement.ts";

export type SubscriptionRow = NonNullable<(typeof findSubscription)["row"]>;

function subscriptions() {
  return queries
    .selectFrom("subscriptions as s")
    .innerJoin("deployments as d", "d.id", "s.deployment_id")
    .select(["s.id", "s.merchant_id", "s.environment", "s.status", "s.version", "s.currency_id"])
    .select(["s.deployment_id", "s.chain_id", "s.interval_seconds", "s.user_id", "s.next_bill_at"])
    .select(["s.open_period", "s.open_try", "s.past_due_since", "s.created_at", "d.decimals"])
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
        user_id: p.userId,
        next_bill_at: p.nextBillAt,
        created_at: p.now,
        updated_at: p.now,
      })
      .returning("id"),
  );
  return recordingAudit(created, "created", p).selectFrom("created").select("id");
});

/** Subscriptions for which the biller has something to do, the oldest first. */
export const listToBill = statement<{
  readonly now: Date;
  /** a subscription that is past due since then has waited long enough */
  readonly pastDueBefore: Date;
  readonly rowsMax: number;
}>("list_subscriptions_to_bill")((p) =>
  queries
    .selectFrom("subscriptions as s")
    // A customer is not to pay a merchant that could not even cancel; its periods wait.
    .innerJoin("merchants as m", (join) =>
      join.onRef("m.id", "=", "s.merchant_id").on("m.status", "=", "active"),
    )
    .leftJoin("subscription_bills as b", (join) =>
      join
        .onRef("b.subscription_id", "=", "s.id")
        .onRef("b.period_start", "=", "s.open_period")
        .onRef("b.try", "=", "s.open_try"),
    )
    .select(["s.id", "s.merchant_id", "s.environment"])
    .select(sql<Date>`coalesce(s.open_period, s.next_bill_at)`.as("due_at"))
    .where(
      sql<boolean>`(
        (s.open_period is null and s.next_bill_at <= ${p.now})
        or (s.open_period is not null and (
          (s.past_due_since <= ${p.pastDueBefore} and not exists (
            select from subscription_bills bill join payments on payments.id = bill.payment_id
            where bill.subscription_id = s.id and bill.period_start = s.open_period
              and payments.status = 'confirming'))
          or (b.refused is not null and b.ends_at <= ${p.now} and s.open_try < 4)
          or exists (
            select from subscription_bills bill join payments on payments.id = bill.payment_id
            where bill.subscription_id = s.id and bill.period_start = s.open_period
              and (payments.status in ('paid', 'overpaid', 'paid_late')
                or (bill.try = s.open_try and s.open_try < 4
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
}

/** The tries of one period, in their order. */
export const listBills = statement<{ readonly id: string; readonly periodStart: Date }>(
  "list_subscription_bills",
)((p) =>
  queries
    .selectFrom("subscription_bills as b")
    .leftJoin("payments", "payments.id", "b.payment_id")
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
  recordingEvent(
    queries.with("changed", () => changing(p)),
    "changed",
    p,
  )
    .selectFrom("changed")
    .select("id"),
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
