// What is known of a payment: itself, its splits, its deposits, and its x402 authorization.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import type { SettlementStatus } from "../database/tables/x402.ts";
import type { PaymentStatus, RefundBearer } from "../database/words.ts";
import type { QuotedCurrency } from "../database/tables/payments.ts";
import { anyOf } from "../database/row-source.ts";
import { statement } from "../database/statement.ts";

/** With its splits and deposits; amounts are text, since they are read from JSON. */
export interface PaymentRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly merchant_order_no: string;
  readonly status: PaymentStatus;
  readonly version: bigint;
  readonly divisions: number;
  readonly quotes: readonly QuotedCurrency[];
  readonly overpay_policy: "pro_rata" | "to_primary";
  readonly fee_bps: number;
  readonly expires_at: Date;
  readonly user_id: string | null;
  readonly memo: string | null;
  readonly splits: readonly { readonly merchant_id: string; readonly bps: number }[];
  /** in the order in which they count */
  readonly deposits: readonly DepositJson[];
  /** of x402: the one that has not failed; if all have, the last */
  readonly settlement: SettlementJson | null;
  readonly usage: UsageJson | null;
  /** of one that bills a period: the payments of the other tries */
  readonly other_tries: readonly OtherTry[];
}

export interface OtherTry {
  readonly id: string;
  readonly status: PaymentStatus;
}

export interface SettlementJson {
  readonly id: string;
  readonly scheme: "exact" | "upto";
  readonly method: "eip3009" | "permit2";
  readonly status: SettlementStatus;
  readonly reason: string | null;
  readonly deployment_id: string;
  readonly chain_id: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  readonly pay_to: string;
  readonly authorized_raw: string;
  readonly amount_raw: string | null;
  readonly tx_hash: string | null;
  readonly is_closed: boolean;
  readonly charged_reference: string | null;
  readonly charged_bearer: RefundBearer | null;
  readonly refund_raw: string | null;
  readonly is_released: boolean;
}

export interface UsageJson {
  readonly usage_id: string;
  readonly max_raw: string;
  readonly actual_raw: string;
  readonly evidence_hash: string;
}

/** What decides what the deposit is to its payment. */
export type DepositAuthorization = Pick<SettlementJson, "scheme" | "method" | "status" | "reason">;

export interface DepositJson {
  readonly chain_id: string;
  readonly tx_hash: string;
  readonly log_index: number;
  readonly deployment_id: string;
  /** null: the chain does not say */
  readonly sender: string | null;
  readonly amount_raw: string;
  readonly block_time: string;
  readonly status: "seen" | "final" | "orphaned";
  readonly source: "address" | "x402" | "settlement";
  readonly settlement_id: string | null;
  /** that it came by; null: somebody sent it to an address */
  readonly authorization: DepositAuthorization | null;
  /** An operator has said that it belongs to the payment, whatever the rules say. */
  readonly is_accepted: boolean;
  readonly bookings: number;
  readonly reversals: number;
  readonly regular_raw: string | null;
  readonly surplus_raw: string | null;
  readonly unmatched_raw: string | null;
  /** blocks from the deposit's to the newest one, both included */
  readonly confirmations: string | null;
}

/** What a deposit has brought, and whether it counts. */
export type BroughtJson = Pick<
  DepositJson,
  | "tx_hash"
  | "deployment_id"
  | "amount_raw"
  | "block_time"
  | "status"
  | "authorization"
  | "is_accepted"
>;

/** Of `x` of x402_settlements, in a left join with deposits. */
export const depositAuthorization = sql<DepositAuthorization | null>`case when x.id is not null
      then jsonb_build_object('scheme', x.scheme, 'method', x.method, 'status', x.status,
        'reason', x.reason) end`;

const paymentRow = sql`
  p.id, p.merchant_id, p.environment, p.merchant_order_no, p.status, p.version,
  p.divisions, p.quotes, p.overpay_policy, p.fee_bps, p.expires_at, p.user_id, p.memo,
  (select coalesce(jsonb_agg(jsonb_build_object('merchant_id', s.merchant_id, 'bps', s.bps)
      order by s.position), '[]')
    from payment_splits s where s.payment_id = p.id) as splits,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'chain_id', d.chain_id, 'tx_hash', d.tx_hash, 'log_index', d.log_index,
      'deployment_id', d.deployment_id, 'sender', d.sender, 'amount_raw', d.amount_raw::text,
      'block_time', d.block_time, 'status', d.status,
      'source', d.source, 'settlement_id', d.settlement_id, 'authorization', ${depositAuthorization},
      'is_accepted', d.accepted_at is not null,
      'bookings', d.bookings, 'reversals', d.reversals,
      'regular_raw', d.regular_raw::text, 'surplus_raw', d.surplus_raw::text,
      'unmatched_raw', d.unmatched_raw::text,
      'confirmations', (k.block_number - d.block_number + 1)::text)
      order by d.block_time, d.chain_id, d.block_number, d.log_index, d.tx_hash), '[]')
    from deposits d left join chain_cursors k on k.chain_id = d.chain_id
    left join x402_settlements x on x.id = d.settlement_id
    where d.payment_id = p.id) as deposits,
  (select jsonb_build_object('id', x.id, 'scheme', x.scheme, 'method', x.method,
      'status', x.status, 'reason', x.reason, 'deployment_id', x.deployment_id,
      'chain_id', x.chain_id, 'asset', x.asset, 'payer', x.payer, 'nonce', x.nonce,
      'pay_to', x.pay_to, 'authorized_raw', x.authorized_raw::text,
      'amount_raw', x.amount_raw::text, 'tx_hash', x.tx_hash,
      'is_closed', x.closed_at is not null, 'charged_reference', x.charged_reference,
      'charged_bearer', x.charged_bearer,
      'refund_raw', x.refund_raw::text, 'is_released', x.released_at is not null)
    from x402_settlements x where x.payment_id = p.id
    order by x.status = 'failed', x.created_at desc, x.id desc limit 1) as settlement,
  (select jsonb_build_object('usage_id', u.usage_id, 'max_raw', u.max_raw::text,
      'actual_raw', u.actual_raw::text, 'evidence_hash', encode(u.evidence_hash, 'hex'))
    from x402_usages u where u.payment_id = p.id) as usage,
  (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'status', o.status) order by o.id), '[]')
    from subscription_bills mine
    join subscription_bills other on other.subscription_id = mine.subscription_id
      and other.period_start = mine.period_start and other.payment_id <> mine.payment_id
    join payments o on o.id = other.payment_id
    where mine.payment_id = p.id) as other_tries`;

interface WantedPayments {
  readonly ids: readonly string[];
}

/** Waits for whoever has one of them; always in the same order, so that nobody waits in a circle. */
export const lockPayments = statement<WantedPayments>("lock_payments")(
  (p) => sql<PaymentRow>`
    select ${paymentRow} from payments p where p.id = ${anyOf(p.ids)}
    order by p.id for no key update of p`,
);

/** Those that can expire, and that nobody else is at work on. */
export const lockIdlePayments = statement<WantedPayments>("lock_idle_payments")(
  (p) => sql<PaymentRow>`
    select ${paymentRow} from payments p
    where p.id = ${anyOf(p.ids)} and p.status in ('pending', 'partially_paid')
    order by p.id for no key update of p skip locked`,
);
