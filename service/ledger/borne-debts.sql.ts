// The statements of debts that the platform has borne.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
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
}

/**
 * Borne for these merchants before, and something of the payment, or of the transaction, was taken from
 * them before that; so it is behind the debt. They stay as they are until the end of the transaction.
 */
export const lockBorneDebts = statement<{
  readonly merchantIds: readonly string[];
  readonly environment: Environment;
  readonly deploymentId: string;
  /** null: of no payment */
  readonly paymentId: string | null;
  readonly chainId: string;
  readonly txHash: string;
}>("lock_borne_debts")(
  (p) => sql<OpenRow>`
    select b.id, b.merchant_id, (b.borne_raw - b.paid_back_raw)::text as left_raw
    from debts_borne b
    where b.merchant_id = any(${p.merchantIds}::text[]) and b.environment = ${p.environment}::text
      and b.deployment_id = ${p.deploymentId}::text and b.paid_back_raw < b.borne_raw
      and exists (
        select from (
          select o.chain_id, o.tx_hash, o.log_index, o.reversals from deposits o
          where o.payment_id = ${p.paymentId}::text
          union all
          select o.chain_id, o.tx_hash, o.log_index, o.reversals from deposits o
          where o.chain_id = ${p.chainId}::text and o.tx_hash = ${p.txHash}::text
        ) as d
        cross join lateral generate_series(1, d.reversals) as number
        join ledger_transactions t on t.kind in ('deposit_reversed', 'unmatched_reversed')
          and t.reference = d.chain_id || '/' || d.tx_hash || '/' || d.log_index || '#' || number
          and t.posted_at <= b.borne_at
        join ledger_postings posted on posted.transaction_id = t.id
          and posted.merchant_id = b.merchant_id and posted.environment = b.environment
          and posted.deployment_id = b.deployment_id
          and posted.account_kind in ('merchant:available', 'merchant:debt'))
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

interface UntoldRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly deployment_id: string;
  readonly borne_raw: string;
  readonly paid_back_raw: string;
  readonly told_raw: string;
  readonly borne_at: Date;
}

/** Paid back, at least in part, and nobody was told. */
export const listUntoldDebts = statement<{ readonly rowsMax: number }>("list_untold_debts")(
  (p) => sql<UntoldRow>`
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
