// The statements of debts that the platform has borne.

import { sql } from "kysely";
import type { DebtsBorneTable } from "../database/tables/ledger.ts";
import type { Environment } from "../owner.ts";
import { anyOf } from "../database/row-source.ts";
import { statement } from "../database/statement.ts";

interface BorneValues {
  /** of the ledger's transaction that wrote it off */
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly deploymentId: string;
  readonly borneRaw: bigint;
  readonly now: Date;
}

export const recordBorneDebt = statement<BorneValues>("record_borne_debt")(
  (p) => sql`
    insert into debts_borne (id, merchant_id, environment, deployment_id, borne_raw, borne_at)
    values (${p.id}::text, ${p.merchantId}::text, ${p.environment}::text, ${p.deploymentId}::text,
      ${p.borneRaw}::numeric, ${p.now}::timestamptz)`,
);

interface OpenRow {
  readonly id: string;
  readonly merchant_id: string;
  /** borne, and not paid back */
  readonly left_raw: string;
  /** of what was taken from the merchant before that, and lacks still */
  readonly missing_raw: string;
}

interface IncomeValues {
  /** of the income itself, which may be posted already */
  readonly reference: string;
  /** null: of no payment */
  readonly paymentId: string | null;
  readonly chainId: string;
  readonly txHash: string;
}

/** Everything that gives merchants something of a deposit, or takes it from them again. */
const moneyKinds = sql`array['deposit_credited', 'deposit_reversed', 'unmatched_reversed',
  'x402_charged', 'payment_divided_anew', 'suspense_taken_out', 'refund_failed',
  'x402_release_undue']`;

/** The references in the ledger of all that was written about the payment, or about the transaction. */
function relatedTo(p: IncomeValues) {
  return sql`
    select d.chain_id || '/' || d.tx_hash || '/' || d.log_index || '#' || number as reference
    from related d cross join lateral generate_series(1, d.bookings) as number
    union
    select e.id from related d join suspense_exits e
      on e.chain_id = d.chain_id and e.tx_hash = d.tx_hash and e.log_index = d.log_index
    union
    select e.id from x402_settlements s join suspense_exits e on e.settlement_id = s.id
    where s.payment_id = ${p.paymentId}::text
    union
    select s.id from x402_settlements s where s.payment_id = ${p.paymentId}::text
    union
    select d.settlement_id || '#' || number
    from related d cross join lateral generate_series(1, d.reversals) as number
    where d.source = 'x402'
    union
    select y.id || '#' || number
    from payments y cross join lateral generate_series(1, y.divisions) as number
    where y.id = ${p.paymentId}::text`;
}

/**
 * What the merchant of the debt `b` had of the payment, by time. What was written at one time is one
 * step: nothing says in which order that was.
 */
function heldBy(p: IncomeValues) {
  return sql`
    select t.posted_at, sum(-sum(o.amount)) over (order by t.posted_at) as held
    from reference r
    join ledger_transactions t on t.kind = any(${moneyKinds}) and t.reference = r.reference
    join ledger_postings o on o.transaction_id = t.id
      and o.merchant_id = b.merchant_id and o.environment = b.environment
      and o.deployment_id = b.deployment_id
      and o.account_kind in ('merchant:available', 'merchant:debt')
    where t.reference <> ${p.reference}::text
      and (t.kind <> 'deposit_reversed' or t.reference || ' reversed' <> ${p.reference}::text)
    group by t.posted_at`;
}

/** What the merchant owed before the debt `b` was written off, by time. */
const owed = sql`
  select t.posted_at, sum(sum(o.amount)) over (order by t.posted_at) as owed
  from ledger_postings o join ledger_transactions t on t.id = o.transaction_id
  where ledger_account_key(o.account_kind, o.deployment_id, o.merchant_id, o.environment) =
      ledger_account_key('merchant:debt', b.deployment_id, b.merchant_id, b.environment)
    and t.id <> b.id and t.posted_at <= b.borne_at
  group by t.posted_at`;

/**
 * Borne for these merchants before, with what lacks them of the payment, or of the transaction, since the
 * debt began: the most that they had of it since then, without what they had left when it was borne, and
 * without what has come again since. What lacked before the debt began they have paid themselves. The
 * debts stay as they are until the end of the transaction.
 */
export const lockBorneDebts = statement<
  IncomeValues & {
    readonly merchantIds: readonly string[];
    readonly environment: Environment;
    readonly deploymentId: string;
  }
>("lock_borne_debts")(
  (p) => sql<OpenRow>`
    select b.id, b.merchant_id, (b.borne_raw - b.paid_back_raw)::text as left_raw,
      lost.missing_raw::text
    from debts_borne b
    cross join lateral (
      with transactions as (
        select ${p.chainId}::text as chain_id, ${p.txHash}::text as tx_hash
        union
        select o.chain_id, o.tx_hash from deposits o where o.payment_id = ${p.paymentId}::text
      ), related as (
        select o.* from deposits o where o.payment_id = ${p.paymentId}::text
        union all
        select o.* from transactions x join deposits o
          on o.chain_id = x.chain_id and o.tx_hash = x.tx_hash
        where o.payment_id is null or ${p.paymentId}::text is null
      ), reference as (${relatedTo(p)}
      ), held as (${heldBy(p)}
      ), owed as (${owed}
      ), began as (
        select min(posted_at) as at from owed
        where posted_at > (
          select coalesce(max(posted_at), '-infinity') from owed where owed.owed = 0)
      ), before as (
        select coalesce((select h.held from held h, began where h.posted_at < began.at
          order by h.posted_at desc limit 1), 0) as held
      ), since as (
        select h.posted_at, h.held from held h, began where h.posted_at >= began.at
      )
      select greatest(before.held,
          (select max(held) from since where posted_at <= b.borne_at))
        - greatest(
          coalesce((select held from since where posted_at <= b.borne_at
            order by posted_at desc limit 1), before.held),
          (select max(held) from since where posted_at > b.borne_at)) as missing_raw
      from before
    ) as lost
    where b.merchant_id = ${anyOf(p.merchantIds)} and b.environment = ${p.environment}::text
      and b.deployment_id = ${p.deploymentId}::text and b.paid_back_raw < b.borne_raw
      and lost.missing_raw > 0
    order by b.borne_at, b.id
    for no key update of b`,
);

/** A row, if so much is left. */
export const addPaidBack = statement<{ readonly id: string; readonly paidRaw: bigint }>(
  "add_paid_back",
)(
  (p) => sql<{ id: string }>`
    update debts_borne set paid_back_raw = paid_back_raw + ${p.paidRaw}::numeric
    where id = ${p.id}::text and paid_back_raw + ${p.paidRaw}::numeric <= borne_raw
    returning id`,
);

/** Paid back, at least in part, and nobody was told. */
export const listUntoldDebts = statement<{ readonly rowsMax: number }>("list_untold_debts")(
  (p) => sql<DebtsBorneTable>`
    select id, merchant_id, environment, deployment_id, borne_raw::text, paid_back_raw::text,
      told_raw::text, borne_at
    from debts_borne where told_raw < paid_back_raw
    order by borne_at, id
    limit ${p.rowsMax}::integer`,
);

/** A row, if nobody was faster. */
export const markDebtTold = statement<{
  readonly id: string;
  readonly toldBeforeRaw: string;
  readonly toldRaw: string;
}>("mark_debt_told")(
  (p) => sql<{ id: string }>`
    update debts_borne set told_raw = ${p.toldRaw}::numeric
    where id = ${p.id}::text and told_raw = ${p.toldBeforeRaw}::numeric
    returning id`,
);
