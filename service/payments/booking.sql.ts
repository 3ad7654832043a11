// Deposits into the ledger and out of it again, what the ledger says of them, and how what is left is
// divided anew.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import type { AccountKind } from "../database/words.ts";
import { anyOf } from "../database/row-source.ts";
import { effectWith, statement } from "../database/statement.ts";

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
  effectWith(recordingPostings, p)("booked", (q) =>
    q
      .updateTable("deposits")
      .set({
        bookings: sql<number>`bookings + 1`,
        regular_raw: p.regularRaw,
        surplus_raw: p.surplusRaw,
        unmatched_raw: p.unmatchedRaw,
        booked_at: p.now,
        suspense_exit_id: null,
      })
      .where("chain_id", "=", p.chainId)
      .where("tx_hash", "=", p.txHash)
      .where("log_index", "=", p.logIndex)
      .where("status", "=", "final")
      .whereRef("bookings", "=", "reversals")
      .returning("bookings"),
  ).select("bookings"),
);

/** Out of it again. A row, if it was there. */
export const reverseDeposit = statement<LedgerValues & OfDeposit>("reverse_deposit")((p) =>
  effectWith(recordingPostings, p)("reversed", (q) =>
    q
      .updateTable("deposits")
      .set({ reversals: sql<number>`reversals + 1` })
      .where("chain_id", "=", p.chainId)
      .where("tx_hash", "=", p.txHash)
      .where("log_index", "=", p.logIndex)
      .where("status", "=", "orphaned")
      .where(sql<boolean>`bookings = reversals + 1`)
      .returning("reversals"),
  ).select("reversals"),
);

interface PostingRow {
  readonly account_kind: AccountKind;
  readonly deployment_id: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly amount: string;
}

/**
 * What was written when a deposit was booked, when what it brought was divided up, and when it was taken
 * out of suspense. Not that it was sent back: nobody takes back what is on its way, or has arrived.
 */
export const readDepositCredit = statement<
  OfDeposit & { readonly booking: number; readonly reference: string }
>("read_deposit_credit")(
  (p) => sql<PostingRow>`
    with written as (
      select id from ledger_transactions
      where kind in ('deposit_credited', 'x402_charged', 'unmatched_credited')
        and reference = ${p.reference}::text
      union all
      select t.id from suspense_exits e join ledger_transactions t
        on t.kind in ('suspense_taken_out', 'refund_failed') and t.reference = e.id
      where e.chain_id = ${p.chainId}::text and e.tx_hash = ${p.txHash}::text
        and e.log_index = ${p.logIndex}::integer and e.booking = ${p.booking}::integer
    )
    select o.account_kind, o.deployment_id, o.merchant_id, o.environment, sum(o.amount)::text as amount
    from written join ledger_postings o on o.transaction_id = written.id
    group by o.account_kind, o.deployment_id, o.merchant_id, o.environment
    having sum(o.amount) <> 0
    order by min(o.position), o.account_kind`,
);

interface AllocatedRow {
  /** null: the platform's fee */
  readonly merchant_id: string | null;
  /** Below zero between a reversal and the division that follows it. */
  readonly amount: string;
}

/**
 * What was given, and not taken back, of a payment's deposits in one deployment, and what was moved
 * when all of it was divided anew (`divideAnew`).
 */
export const readAllocated = statement<{
  readonly paymentId: string;
  readonly deploymentId: string;
}>("read_allocated")(
  (p) => sql<AllocatedRow>`
    with given as (
      select t.id from deposits d
      join ledger_transactions t on t.kind = 'deposit_credited' and t.reference =
        d.chain_id || '/' || d.tx_hash || '/' || d.log_index || '#' || d.bookings
      where d.payment_id = ${p.paymentId}::text and d.bookings > d.reversals
      union all
      select t.id from payments p cross join generate_series(1, p.divisions) as number
      join ledger_transactions t on t.kind = 'payment_divided_anew'
        and t.reference = p.id || '#' || number
      where p.id = ${p.paymentId}::text
    )
    select o.merchant_id, (-sum(o.amount))::text as amount
    from given join ledger_postings o on o.transaction_id = given.id
    where o.deployment_id = ${p.deploymentId}::text
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
    where merchant_id = ${anyOf(p.merchantIds)} and environment = ${p.environment}::text
      and deployment_id = ${p.deploymentId}::text`,
);

interface PartsValues {
  /** JSON text of objects with a deposit's key and its new parts, amounts as text */
  readonly deposits: string;
}

/** What of deposits that are booked pays the price, and what is too much. */
export const markDepositParts = statement<PartsValues>("mark_deposit_parts")(
  (p) => sql<object>`
    update deposits set regular_raw = one.regular_raw, surplus_raw = one.surplus_raw
    from jsonb_to_recordset(${p.deposits}::jsonb) as one (
      chain_id text, tx_hash text, log_index integer, regular_raw numeric, surplus_raw numeric
    )
    where deposits.chain_id = one.chain_id and deposits.tx_hash = one.tx_hash
      and deposits.log_index = one.log_index`,
);

/** In the transaction that has the payment locked. */
export const changeShares = statement<LedgerValues & { readonly id: string }>(
  "change_payment_shares",
)((p) =>
  effectWith(recordingPostings, p)("divided", (q) =>
    q
      .updateTable("payments")
      .set({ divisions: sql<number>`divisions + 1` })
      .where("id", "=", p.id)
      .returning("id"),
  ).select("id"),
);
