// The statements of a payment's life after its creation: what is known of it, its deposits into the
// ledger and out of it again, and every change of its status with its event.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import type { SettlementStatus } from "../database/tables/x402.ts";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { PaymentStatus, AccountKind } from "../database/words.ts";
import type { QuotedCurrency } from "../database/tables/payments.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { queries, statement } from "../database/statement.ts";

/** With its splits and deposits; amounts are text, since they are read from JSON. */
export interface PaymentRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly merchant_order_no: string;
  readonly status: PaymentStatus;
  readonly version: bigint;
  readonly quotes: readonly QuotedCurrency[];
  readonly overpay_policy: "pro_rata" | "to_primary";
  readonly fee_bps: number;
  readonly expires_at: Date;
  readonly splits: readonly { readonly merchant_id: string; readonly bps: number }[];
  /** in the order in which they count */
  readonly deposits: readonly DepositJson[];
  /** of x402: the one that has not failed; if all have, the last */
  readonly settlement: SettlementJson | null;
  readonly usage: UsageJson | null;
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
  readonly amount_raw: string;
  readonly block_time: string;
  readonly status: "seen" | "final" | "orphaned";
  readonly source: "address" | "x402";
  readonly settlement_id: string | null;
  /** that it came by; null: somebody sent it to an address */
  readonly authorization: DepositAuthorization | null;
  readonly bookings: number;
  readonly reversals: number;
  readonly regular_raw: string | null;
  readonly surplus_raw: string | null;
  readonly unmatched_raw: string | null;
  /** blocks from the deposit's to the newest one, both included */
  readonly confirmations: string | null;
}

/** Of `x` of x402_settlements, in a left join with deposits. */
export const depositAuthorization = sql<DepositAuthorization | null>`case when x.id is not null
      then jsonb_build_object('scheme', x.scheme, 'method', x.method, 'status', x.status,
        'reason', x.reason) end`;

const paymentRow = sql`
  p.id, p.merchant_id, p.environment, p.merchant_order_no, p.status, p.version, p.quotes,
  p.overpay_policy, p.fee_bps, p.expires_at,
  (select coalesce(jsonb_agg(jsonb_build_object('merchant_id', s.merchant_id, 'bps', s.bps)
      order by s.position), '[]')
    from payment_splits s where s.payment_id = p.id) as splits,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'chain_id', d.chain_id, 'tx_hash', d.tx_hash, 'log_index', d.log_index,
      'deployment_id', d.deployment_id, 'amount_raw', d.amount_raw::text,
      'block_time', d.block_time, 'status', d.status,
      'source', d.source, 'settlement_id', d.settlement_id, 'authorization', ${depositAuthorization},
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
      'refund_raw', x.refund_raw::text, 'is_released', x.released_at is not null)
    from x402_settlements x where x.payment_id = p.id
    order by x.status = 'failed', x.created_at desc, x.id desc limit 1) as settlement,
  (select jsonb_build_object('usage_id', u.usage_id, 'max_raw', u.max_raw::text,
      'actual_raw', u.actual_raw::text, 'evidence_hash', encode(u.evidence_hash, 'hex'))
    from x402_usages u where u.payment_id = p.id) as usage`;

interface WantedPayments {
  readonly ids: readonly string[];
}

/** Waits for whoever has one of them; always in the same order, so that nobody waits in a circle. */
export const lockPayments = statement<WantedPayments>("lock_payments")(
  (p) => sql<PaymentRow>`
    select ${paymentRow} from payments p where p.id = any(${p.ids}::text[])
    order by p.id for no key update of p`,
);

/** Those that can expire, and that nobody else is at work on. */
export const lockIdlePayments = statement<WantedPayments>("lock_idle_payments")(
  (p) => sql<PaymentRow>`
    select ${paymentRow} from payments p
    where p.id = any(${p.ids}::text[]) and p.status in ('pending', 'partially_paid')
    order by p.id for no key update of p skip locked`,
);

interface DueValues {
  readonly now: Date;
  /** chains that somebody reads for us */
  readonly connectedChainIds: readonly string[];
  /** those of them that are not stale, and all others of them */
  readonly freshChainIds: readonly string[];
  readonly staleChainIds: readonly string[];
  readonly rowsMax: number;
}

/**
 * Payments whose time is over for sure: each of their connected chains was read past it, and is not
 * stale. Where none of the chains is connected there is only the clock.
 */
export const findDuePayments = statement<DueValues>("find_due_payments")(
  (p) => sql<{ id: string; expires_at: Date }>`
    select p.id, p.expires_at from payments p
    where p.status in ('pending', 'partially_paid')
      -- those that have failed wait for another try
      and not exists (select from payment_troubles t
        where t.payment_id = p.id and t.next_try_at > ${p.now}::timestamptz)
      -- none of the others can be due: this is where the walk through the index ends
      and p.expires_at < greatest(${p.now}::timestamptz, (
        select max(block_time) from chain_cursors
        where chain_id = any(${p.connectedChainIds}::text[])))
      -- Said below as well; but while a chain is silent its payments heap up, and each is looked at
      and not p.chain_ids && ${p.staleChainIds}::text[]
      and case when p.chain_ids && ${p.connectedChainIds}::text[]
        then not exists (
          select from unnest(p.chain_ids) as own (chain_id)
          left join chain_cursors k on k.chain_id = own.chain_id
            and k.block_time > p.expires_at and k.chain_id = any(${p.freshChainIds}::text[])
          where own.chain_id = any(${p.connectedChainIds}::text[]) and k.chain_id is null)
        else p.expires_at < ${p.now}::timestamptz end
    order by p.expires_at
    limit ${p.rowsMax}::integer`,
);

interface OfDeposit {
  readonly chainId: string;
  readonly txHash: string;
  readonly logIndex: number;
}

interface BookingValues extends LedgerValues, OfDeposit {
  readonly regularRaw: bigint;
  readonly surplusRaw: bigint;
  readonly unmatchedRaw: bigint;
  readonly now: Date;
}

/** Into the ledger. A row, if it was not there. */
export const bookDeposit = statement<BookingValues>("book_deposit")((p) =>
  recordingPostings(
    queries.with("booked", (q) =>
      q
        .updateTable("deposits")
        .set({
          bookings: sql<number>`bookings + 1`,
          regular_raw: p.regularRaw,
          surplus_raw: p.surplusRaw,
          unmatched_raw: p.unmatchedRaw,
          booked_at: p.now,
        })
        .where("chain_id", "=", p.chainId)
        .where("tx_hash", "=", p.txHash)
        .where("log_index", "=", p.logIndex)
        .where("status", "=", "final")
        .whereRef("bookings", "=", "reversals")
        .returning("bookings"),
    ),
    "booked",
    p,
  )
    .selectFrom("booked")
    .select("bookings"),
);

/** Out of it again. A row, if it was there. */
export const reverseDeposit = statement<LedgerValues & OfDeposit>("reverse_deposit")((p) =>
  recordingPostings(
    queries.with("reversed", (q) =>
      q
        .updateTable("deposits")
        .set({ reversals: sql<number>`reversals + 1` })
        .where("chain_id", "=", p.chainId)
        .where("tx_hash", "=", p.txHash)
        .where("log_index", "=", p.logIndex)
        .where("status", "=", "orphaned")
        .where(sql<boolean>`bookings = reversals + 1`)
        .returning("reversals"),
    ),
    "reversed",
    p,
  )
    .selectFrom("reversed")
    .select("reversals"),
);

interface PostingRow {
  readonly account_kind: AccountKind;
  readonly deployment_id: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly amount: string;
}

/** What was written when a deposit was booked, and when what it brought was divided up. */
export const readDepositCredit = statement<{ readonly reference: string }>("read_deposit_credit")(
  (p) => sql<PostingRow>`
    select o.account_kind, o.deployment_id, o.merchant_id, o.environment, sum(o.amount)::text as amount
    from ledger_transactions t join ledger_postings o on o.transaction_id = t.id
    where t.kind in ('deposit_credited', 'x402_charged') and t.reference = ${p.reference}::text
    group by o.account_kind, o.deployment_id, o.merchant_id, o.environment
    having sum(o.amount) <> 0
    order by min(o.position), o.account_kind`,
);

interface AllocatedRow {
  /** null: the platform's fee */
  readonly merchant_id: string | null;
  /** above zero */
  readonly amount: string;
}

/** What was given, and not taken back, of a payment's deposits in one deployment. */
export const readAllocated = statement<{
  readonly paymentId: string;
  readonly deploymentId: string;
}>("read_allocated")(
  (p) => sql<AllocatedRow>`
    select o.merchant_id, (-sum(o.amount))::text as amount
    from deposits d
    join ledger_transactions t on t.kind = 'deposit_credited' and t.reference =
      d.chain_id || '/' || d.tx_hash || '/' || d.log_index || '#' || d.bookings
    join ledger_postings o on o.transaction_id = t.id
    where d.payment_id = ${p.paymentId}::text and d.deployment_id = ${p.deploymentId}::text
      and d.bookings > d.reversals
      -- a share may have gone to pay a debt of the merchant
      and o.account_kind in ('platform:fees', 'merchant:available', 'merchant:debt')
    group by o.merchant_id`,
);

interface BalanceValues {
  readonly merchantIds: readonly string[];
  readonly environment: Environment;
  readonly deploymentId: string;
}

interface BalanceRow {
  readonly kind: AccountKind;
  readonly merchant_id: string;
  readonly balance: string;
}

/** Accounts of merchants; one that is not here has nothing. */
export const readMerchantBalances = statement<BalanceValues>("read_merchant_balances")(
  (p) => sql<BalanceRow>`
    select kind, merchant_id, balance::text from ledger_accounts
    where merchant_id = any(${p.merchantIds}::text[]) and environment = ${p.environment}::text
      and deployment_id = ${p.deploymentId}::text`,
);

interface ChangeValues extends EventValues {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly versionRead: bigint;
  readonly now: Date;
}

/** A new status, or the one it has, and the event about it. A row, if it still was what was read. */
export const changePayment = statement<ChangeValues>("change_payment")((p) =>
  recordingEvent(
    queries.with("changed", (q) =>
      q
        .updateTable("payments")
        .set({ status: p.status, version: sql<bigint>`version + 1`, updated_at: p.now })
        .where("id", "=", p.id)
        .where("version", "=", p.versionRead)
        .returning("version"),
    ),
    "changed",
    p,
  )
    .selectFrom("changed")
    .select("version"),
);
