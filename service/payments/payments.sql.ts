// The statements of payments as merchants ask for them: creating one, and cancelling it.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Owner } from "../owner.ts";
import type { Split } from "./splits.ts";
import { catalogUnless } from "../catalog/catalog.sql.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { finishing } from "../idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import { createPayments } from "./payments-batch.sql.ts";
import type { PaymentsTable } from "../database/tables/payments.ts";
import { queries, statement } from "../database/statement.ts";

export interface TermsValues extends Owner {
  readonly merchantOrderNo: string;
  readonly splitMerchantIds: readonly string[];
  /** of the catalog: see `CatalogLook` */
  readonly known: bigint;
}

interface AcceptedRow {
  readonly currency_id: string;
  readonly chain_ids: readonly string[];
}

/**
 * Everything that a new payment is decided on, in one row: the catalog, what is accepted, the fee,
 * which of the merchants with a share are active, and the payment with this order number, if there
 * is one. No row: no such merchant.
 */
export const readPaymentTerms = statement<TermsValues>("read_payment_terms")((p) =>
  queries
    .selectFrom("merchants")
    .leftJoin("catalog", (join) => join.onTrue())
    .where("merchants.id", "=", p.merchantId)
    .select(["merchants.fee_bps", "catalog.version", catalogUnless(p.known)])
    .select([
      sql<readonly AcceptedRow[]>`(
        select coalesce(jsonb_agg(to_jsonb(one)), '[]')
        from (select currency_id, chain_ids from currency_acceptance
          where merchant_id = ${p.merchantId} and environment = ${p.environment}) one)`.as(
        "accepted",
      ),
      sql<readonly string[]>`array(
        select id from merchants
        where id = any (${p.splitMerchantIds}::text[]) and status = 'active')`.as("active_ids"),
      sql<string | null>`(
        select id from payments
        where merchant_id = ${p.merchantId} and environment = ${p.environment}
          and merchant_order_no = ${p.merchantOrderNo})`.as("payment_id"),
    ]),
);

export const findPaymentByOrder = statement<Owner & { readonly merchantOrderNo: string }>(
  "find_payment_by_order",
)((p) =>
  queries
    .selectFrom("payments")
    .select("id")
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("merchant_order_no", "=", p.merchantOrderNo),
);

export interface NewPaymentValues extends EventValues, Owner {
  readonly id: string;
  readonly merchantOrderNo: string;
  /** JSON text */
  readonly quotes: string;
  readonly chainIds: readonly string[];
  readonly overpayPolicy: PaymentsTable["overpay_policy"];
  readonly feeBps: number;
  readonly userId: string | null;
  readonly memo: string | null;
  readonly redirectUrl: string | null;
  readonly checkoutToken: string;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly splitMerchantIds: readonly Split["merchantId"][];
  /** in the same order */
  readonly splitBps: readonly Split["bps"][];
}

export type CreatePaymentValues = NewPaymentValues & FinishingValues;

/**
 * No row: the idempotency key is taken, and nothing was written. Throws `UniqueViolation` if the
 * order number or the key made a payment before.
 */
export const createPayment = statement<CreatePaymentValues>("create_payment")(
  (p) => creating(p, finishing(p), sql`${p.fenceKey}::text`),
  createPayments,
);

/** For whoever has no request to answer, in a transaction of its own. */
export const createPaymentWithoutRequest = statement<NewPaymentValues>(
  "create_payment_without_request",
)((p) => creating(p, sql<Fence>`(select true as is_finished)`, sql`null`));

interface Fence {
  readonly is_finished: boolean;
}

/** The payment, its shares and its event, if the fence has a row. */
function creating(
  p: NewPaymentValues,
  fence: ReturnType<typeof finishing> | RawBuilder<Fence>,
  idempotencyKey: RawBuilder<unknown>,
) {
  const made = queries
    .with("fence", () => fence)
    .with(
      "payment",
      () => sql<{ id: string }>`(
      insert into payments (
        id, merchant_id, environment, merchant_order_no, status, quotes, chain_ids, overpay_policy,
        fee_bps, user_id, memo, redirect_url, checkout_token, created_at, expires_at, updated_at,
        idempotency_key
      )
      select ${p.id}::text, ${p.merchantId}::text, ${p.environment}::text,
        ${p.merchantOrderNo}::text, 'pending', ${p.quotes}::jsonb, ${p.chainIds}::text[],
        ${p.overpayPolicy}::text, ${p.feeBps}::integer, ${p.userId}::text, ${p.memo}::text,
        ${p.redirectUrl}::text, ${p.checkoutToken}::text, ${p.now}::timestamptz,
        ${p.expiresAt}::timestamptz, ${p.now}::timestamptz, ${idempotencyKey}
      from fence
      returning id)`,
    )
    .with(
      "splits",
      () => sql<{ position: number }>`(
      insert into payment_splits (payment_id, position, merchant_id, bps)
      select payment.id, share.place - 1, share.merchant_id, share.bps
      from payment, unnest(${p.splitMerchantIds}::text[], ${p.splitBps}::integer[])
        with ordinality as share (merchant_id, bps, place)
      returning position)`,
    );
  return recordingEvent(made, "payment", p).selectFrom("payment").select("id");
}

const shown = [
  "id",
  "merchant_order_no",
  "status",
  "version",
  "quotes",
  "expires_at",
] as const satisfies readonly (keyof PaymentsTable)[];

export const findPayment = statement<Owner & { readonly id: string }>("find_payment")((p) =>
  queries
    .selectFrom("payments")
    .select(shown)
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("id", "=", p.id),
);

export interface CancelPaymentValues extends FinishingValues, EventValues, Owner {
  readonly id: string;
  /** that the decision was made on */
  readonly versionRead: bigint;
  readonly now: Date;
}

/** Whether the payment was still what it was decided on, and whether it is cancelled now. */
export interface CancelPaymentFacts {
  readonly is_current: boolean;
  readonly is_finished: boolean;
}

export const cancelPayment = statement<CancelPaymentValues>("cancel_payment")((p) => {
  const changed = queries
    .with("current", (q) =>
      q
        .selectFrom("payments")
        .select("id")
        .where("merchant_id", "=", p.merchantId)
        .where("environment", "=", p.environment)
        .where("id", "=", p.id)
        .where("version", "=", p.versionRead)
        .where("status", "=", sql.lit("pending"))
        .forNoKeyUpdate(),
    )
    .with("fence", () => finishing(p, sql<boolean>`exists (select from current)`))
    .with("changed", (q) =>
      q
        .updateTable("payments")
        .set({ status: sql.lit("cancelled"), version: sql<bigint>`version + 1` })
        .set("updated_at", p.now)
        .where("id", "=", p.id)
        .where(sql<boolean>`exists (select from fence)`)
        .returning("id"),
    );
  return recordingEvent(changed, "changed", p).selectNoFrom([
    sql<boolean>`exists (select from current)`.as("is_current"),
    sql<boolean>`exists (select from fence)`.as("is_finished"),
  ]);
});

/**
 * For whoever has no request to answer, in a transaction of its own. One row if it was still pending.
 */
export const cancelPaymentWithoutRequest = statement<
  EventValues & Owner & Pick<CancelPaymentValues, "id" | "now">
>("cancel_payment_without_request")((p) => {
  const changed = queries.with("changed", (q) =>
    q
      .updateTable("payments")
      .set({ status: sql.lit("cancelled"), version: sql<bigint>`version + 1` })
      .set("updated_at", p.now)
      .where("merchant_id", "=", p.merchantId)
      .where("environment", "=", p.environment)
      .where("id", "=", p.id)
      .where("status", "=", sql.lit("pending"))
      .returning("id"),
  );
  return recordingEvent(changed, "changed", p).selectFrom("changed").select("id");
});
