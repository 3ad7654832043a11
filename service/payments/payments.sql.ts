// The statements of payments as merchants ask for them: creating one, and cancelling it.

import { sql } from "kysely";
import type { QueryCreator, RawBuilder } from "kysely";
import type { Owner } from "../owner.ts";
import type { Split } from "./splits.ts";
import { acceptanceUnless } from "../catalog/acceptance.sql.ts";
import { catalogUnless } from "../catalog/catalog.sql.ts";
import { eventColumns, recordingEvent, recordingEvents } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import {
  changeFacts,
  fencedSets,
  finishingColumns,
  currentRow,
  finishingIfCurrent,
  isFenced,
} from "../idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import { oneRow, together } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import type { PaymentsTable } from "../database/tables/payments.ts";
import { queries, statement } from "../database/statement.ts";

export interface TermsValues extends Owner {
  readonly merchantOrderNo: string;
  readonly splitMerchantIds: readonly string[];
  /** of the catalog: see `CatalogLook` */
  readonly known: string;
  /** see `AcceptanceLook` */
  readonly knownAcceptance: string;
}

const termsColumns: ColumnTypes<TermsValues> = {
  merchantId: "text",
  environment: "text",
  merchantOrderNo: "text",
  splitMerchantIds: "text[]",
  known: "text",
  knownAcceptance: "text",
};

/** `asked`: a row for each call. */
function terms(asked: RawBuilder<never>) {
  return queries
    .with("asked", () => sql<TermsValues & { readonly set: number }>`(${asked})`)
    .selectFrom("asked")
    .innerJoin("merchants", "merchants.id", "asked.merchantId")
    .leftJoin("catalog", (join) => join.onTrue())
    .leftJoin("currency_acceptances", (join) =>
      join
        .onRef("currency_acceptances.merchant_id", "=", "asked.merchantId")
        .onRef("currency_acceptances.environment", "=", "asked.environment"),
    )
    .select("merchants.fee_bps")
    .select(catalogUnless(sql.ref("asked.known")))
    .select(acceptanceUnless(sql.ref("asked.knownAcceptance")))
    .select([
      sql<readonly string[]>`array(
        select id from merchants
        where id = any (asked."splitMerchantIds") and status = 'active'
          and (asked.environment = 'test' or id = asked."merchantId" or exists (
            select from split_consents
            where partner_id = id and creator_id = asked."merchantId")))`.as("active_ids"),
      sql<string | null>`(
        select id from payments
        where merchant_id = asked."merchantId" and environment = asked.environment
          and merchant_order_no = asked."merchantOrderNo")`.as("payment_id"),
    ]);
}

/**
 * Everything that a new payment is decided on, in one row: the catalog, what is accepted, the fee,
 * which of the merchants with a share are active and have agreed to it, and the payment with this order number, if there
 * is one. No row: no such merchant.
 */
export const readPaymentTerms = statement<TermsValues>("read_payment_terms")(
  (p) => terms(oneRow(p, termsColumns)),
  together<TermsValues>(
    "read_payments_terms",
    termsColumns,
  )((rows) => terms(rows).select("asked.set")),
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

const newPaymentColumns: ColumnTypes<NewPaymentValues> = {
  id: "text",
  merchantId: "text",
  environment: "text",
  merchantOrderNo: "text",
  quotes: "text",
  chainIds: "text[]",
  overpayPolicy: "text",
  feeBps: "integer",
  userId: "text",
  memo: "text",
  redirectUrl: "text",
  checkoutToken: "text",
  now: "timestamptz",
  expiresAt: "timestamptz",
  splitMerchantIds: "text[]",
  splitBps: "integer[]",
  ...eventColumns,
};

export type CreatePaymentValues = NewPaymentValues & FinishingValues;

const columns: ColumnTypes<CreatePaymentValues> = { ...newPaymentColumns, ...finishingColumns };

/**
 * Payments that are created at one moment, by one statement. Sets whose key was taken give no row,
 * and the others do not notice. An order number that was taken undoes the statement; then each set
 * is written by itself.
 */
const createPayments = together<CreatePaymentValues>(
  "create_payments",
  columns,
)((rows) => creating(fencedSets(rows)).selectFrom("todo").select(["set", "id"]));

/**
 * No row: the idempotency key is taken, and nothing was written. Throws `UniqueViolation` if the
 * order number or the key made a payment before.
 */
export const createPayment = statement<CreatePaymentValues>("create_payment")(
  (p) =>
    creating(fencedSets(oneRow(p, columns)))
      .selectFrom("todo")
      .select("id"),
  createPayments,
);

/** For whoever has no request to answer, in a transaction of its own. */
export const createPaymentWithoutRequest = statement<NewPaymentValues>(
  "create_payment_without_request",
)((p) =>
  creating(
    queries.with(
      "todo",
      () => sql<Todo>`(${oneRow(p, newPaymentColumns)}, null::text as "fenceKey")`,
    ),
  )
    .selectFrom("todo")
    .select("id"),
);

/** A payment to create, with `newPaymentColumns`; `set` only among many. */
interface Todo {
  readonly set: number;
  readonly id: string;
}

/** The payments of `todo`, their shares and their events. */
function creating<Tables>(creator: QueryCreator<Tables>) {
  const made = creator
    .with(
      "payment",
      () => sql<object>`(
      insert into payments (
        id, merchant_id, environment, merchant_order_no, status, quotes, chain_ids, overpay_policy,
        fee_bps, user_id, memo, redirect_url, checkout_token, created_at, expires_at, updated_at,
        idempotency_key
      )
      select id, "merchantId", environment, "merchantOrderNo", 'pending', quotes::jsonb, "chainIds",
        "overpayPolicy", "feeBps", "userId", memo, "redirectUrl", "checkoutToken", now, "expiresAt",
        now, "fenceKey"
      from todo order by "merchantId", environment, "merchantOrderNo")`,
    )
    .with(
      "splits",
      () => sql<object>`(
      insert into payment_splits (payment_id, position, merchant_id, bps)
      select todo.id, share.place - 1, share.merchant_id, share.bps
      from todo, unnest(todo."splitMerchantIds", todo."splitBps")
        with ordinality as share (merchant_id, bps, place))`,
    );
  // Nobody needs the columns of these CTEs.
  return recordingEvents(made as unknown as QueryCreator<Tables>, "todo");
}

const shown = [
  "id",
  "merchant_order_no",
  "status",
  "version",
  "quotes",
  "expires_at",
  "user_id",
  "memo",
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

export const cancelPayment = statement<CancelPaymentValues>("cancel_payment")((p) => {
  const changed = queries
    .with("current", () =>
      currentRow("payments", p, sql`version = ${p.versionRead} and status = 'pending'`),
    )
    .with("fence", () => finishingIfCurrent(p))
    .with("changed", (q) =>
      q
        .updateTable("payments")
        .set({ status: sql.lit("cancelled"), version: sql<bigint>`version + 1` })
        .set("updated_at", p.now)
        .where("id", "=", p.id)
        .where(isFenced)
        .returning("id"),
    );
  return recordingEvent(changed, "changed", p).selectNoFrom(changeFacts);
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
