// The statements of sweeps: what there is to bring together, one sweep for each address and
// deployment at a time, and its end.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { OutgoingValues } from "../sending/model.ts";
import { queueingOutgoing } from "../sending/queue.sql.ts";
import { queries, statement } from "../database/statement.ts";
import type { SweepsTable } from "../database/tables/sweeps.ts";

interface OfChain {
  readonly chainId: string;
}

interface SweepableValues extends OfChain {
  /** JSON text: for each deployment what is worth it at least */
  readonly rules: string;
  /** nothing that failed since then; null: failures do not count */
  readonly failedSince: Date | null;
  readonly afterDeployment: string;
  readonly afterAddress: string;
  readonly rowsMax: number;
}

interface Sweepable {
  readonly deployment_id: string;
  readonly address: string;
  readonly derivation_index: bigint;
  readonly raw: string;
}

/** What final deposits of payments that are over have brought, and nobody takes care of. */
export const listSweepable = statement<SweepableValues>("list_sweepable")(
  (p) => sql<Sweepable>`
    select d.deployment_id, d.address, a.derivation_index, sum(d.amount_raw)::text as raw
    from deposits d
    join payments p on p.id = d.payment_id
    join deposit_addresses a on a.chain_family = 'evm' and a.address = d.address
    join jsonb_to_recordset(${p.rules}::jsonb) as rule (deployment_id text, minimum_raw numeric)
      on rule.deployment_id = d.deployment_id
    where d.chain_id = ${p.chainId}::text and d.sweep_id is null and d.source = 'address'
      and d.status = 'final' and d.bookings > d.reversals
      and p.status not in ('pending', 'authorized', 'partially_paid', 'confirming')
      and (d.deployment_id, d.address) > (${p.afterDeployment}::text, ${p.afterAddress}::text)
      and not exists (
        select from sweeps s
        where s.deployment_id = d.deployment_id and s.address = d.address
          and s.status in ('gas', 'moving'))
      and not exists (
        select from sweeps s
        where s.deployment_id = d.deployment_id and s.address = d.address
          and s.status = 'failed' and s.updated_at > ${p.failedSince}::timestamptz)
    group by d.deployment_id, d.address, a.derivation_index, rule.minimum_raw
    having sum(d.amount_raw) >= rule.minimum_raw
    order by d.deployment_id, d.address
    limit ${p.rowsMax}::integer`,
);

export interface SweepValues extends OfChain {
  readonly id: string;
  readonly kind: SweepsTable["kind"];
  readonly deploymentId: string;
  readonly address: string;
  readonly index: bigint | null;
  readonly method: SweepsTable["method"];
  readonly target: SweepsTable["target"];
  readonly targetAddress: string;
  readonly amountRaw: bigint;
  readonly coveredRaw: bigint;
  readonly status: "gas" | "moving";
  readonly now: Date;
}

/** `covered` may be a column of the source. */
export const insertedSweep = (
  p: Omit<SweepValues, "coveredRaw">,
  source: string,
  covered: RawBuilder<unknown>,
) => sql<{ id: string }>`(
  insert into sweeps (
    id, kind, chain_id, deployment_id, address, derivation_index, method, target, target_address,
    amount_raw, covered_raw, status, created_at, updated_at
  )
  select ${p.id}::text, ${p.kind}::text, ${p.chainId}::text, ${p.deploymentId}::text,
    ${p.address}::text, ${p.index}::bigint, ${p.method}::text, ${p.target}::text,
    ${p.targetAddress}::text, ${p.amountRaw}::numeric, ${covered},
    ${p.status}::text, ${p.now}::timestamptz, ${p.now}::timestamptz
  from ${sql.table(source)}
  on conflict (deployment_id, address) where status in ('gas', 'moving') do nothing
  returning id)`;

/** The deposits of the CTE `source` are those of the CTE `sweep`. */
export const coveringDeposits = (source: "due" | "first") => {
  const from = sql.raw(source);
  return sql<{ tx_hash: string }>`(
        update deposits set sweep_id = sweep.id from ${from}, sweep
        where deposits.chain_id = ${from}.chain_id and deposits.tx_hash = ${from}.tx_hash
          and deposits.log_index = ${from}.log_index
        returning deposits.tx_hash)`;
};

const inserted = (p: SweepValues, source: string) =>
  insertedSweep(p, source, sql`${p.coveredRaw}::numeric`);

/**
 * The sweep, its deposits, and the first transaction for it in one commit. No row: somebody else was
 * faster, or there is not exactly so much any more.
 */
export const planSweep = statement<SweepValues & OutgoingValues>("plan_sweep")((p) =>
  queueingOutgoing(
    queries
      .with(
        "due",
        () => sql<{ amount_raw: string }>`(
        select chain_id, tx_hash, log_index, amount_raw from deposits
        where chain_id = ${p.chainId}::text and deployment_id = ${p.deploymentId}::text
          and address = ${p.address}::text and sweep_id is null and source = 'address'
          and status = 'final' and bookings > reversals
        for no key update)`,
      )
      .with(
        "exact",
        () => sql<{ one: number }>`(
        select 1 as one from due having sum(amount_raw) = ${p.coveredRaw}::numeric)`,
      )
      .with("sweep", () => inserted(p, "exact"))
      .with("covered", () => coveringDeposits("due")),
    "sweep",
    p,
  )
    .selectFrom("sweep")
    .select("id"),
);

/** The same for what lies on the settlement account, where no deposit is asked for. */
export const planConsolidation = statement<SweepValues & OutgoingValues>("plan_consolidation")(
  (p) =>
    queueingOutgoing(
      queries
        .with("cause", () => sql<{ one: number }>`(select 1 as one)`)
        .with("sweep", () => inserted(p, "cause")),
      "sweep",
      p,
    )
      .selectFrom("sweep")
      .select("id"),
);

export const readSweep = statement<{ readonly id: string }>("read_sweep")((p) =>
  queries.selectFrom("sweeps").selectAll().where("id", "=", p.id),
);

/** The address has its coin: what follows is queued beside it. */
export const moveSweep = statement<{ readonly id: string; readonly now: Date }>("move_sweep")((p) =>
  queries
    .updateTable("sweeps")
    .set({ status: "moving", updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "=", "gas")
    .returning("id"),
);

export const endSweep = statement<{
  readonly id: string;
  readonly leftRaw: bigint;
  readonly arrivedRaw: bigint;
  readonly now: Date;
}>("end_sweep")((p) =>
  queries
    .updateTable("sweeps")
    .set({
      status: "moved",
      left_raw: sql`${p.leftRaw}::numeric`,
      arrived_raw: sql`${p.arrivedRaw}::numeric`,
      updated_at: p.now,
    })
    .where("id", "=", p.id)
    .where("status", "=", "moving")
    .returning("id"),
);

/** Its deposits are free for another one. */
export const failSweep = statement<{
  readonly id: string;
  readonly problem: string;
  readonly now: Date;
}>("fail_sweep")(
  (p) => sql<{ id: string }>`
    with failed as (
      update sweeps
      set status = 'failed', problem = left(${p.problem}::text, 400),
        updated_at = ${p.now}::timestamptz
      where id = ${p.id}::text and status in ('gas', 'moving')
      returning id
    ), freed as (
      update deposits set sweep_id = null from failed where sweep_id = failed.id
    )
    select id from failed`,
);

export const findFailedCollection = statement<{
  readonly deploymentId: string;
  readonly address: string;
}>("find_failed_collection")((p) =>
  queries
    .selectFrom("sweeps")
    .select("id")
    .where("deployment_id", "=", p.deploymentId)
    .where("address", "=", p.address)
    .where("status", "=", "failed")
    .where("method", "=", "collect")
    .limit(sql.lit(1)),
);

/** What sweeps bring to the hot account that is not there yet, as far as is known. */
export const sumOnTheWay = statement<{ readonly deploymentId: string }>("sum_sweeps_on_the_way")(
  (p) =>
    queries
      .selectFrom("sweeps")
      .select(sql<string>`coalesce(sum(amount_raw), 0)::text`.as("raw"))
      .where("deployment_id", "=", p.deploymentId)
      .where("target", "=", "hot")
      .where("status", "in", ["gas", "moving"]),
);

/**
 * What the settlement account has that nobody needs there: payers get back from it what was not used,
 * and what is held for them, or nobody's, stays until it is known. What goes back from the hot account is
 * brought there, so that it can. Nothing while one is on its way, or failed since
 * then.
 */
export const readSettlementSurplus = statement<{
  readonly deploymentId: string;
  readonly failedSince: Date | null;
}>("read_settlement_surplus")(
  (p) => sql<{ raw: string }>`
    select (coalesce(sum(
      case kind when 'chain:settlement' then balance else -balance end), 0)
      - (select coalesce(sum(e.amount_raw), 0) from suspense_exits e
        where e.deployment_id = ${p.deploymentId}::text and e.status = 'waiting'
          and e.signs_as = 'settlement'))::text as raw
    from ledger_accounts
    where deployment_id = ${p.deploymentId}::text
      and kind in ('chain:settlement', 'merchant:x402_hold', 'payer:refund_due', 'payer:unmatched')
      and not exists (
        select from sweeps s
        where s.deployment_id = ${p.deploymentId}::text and s.kind = 'consolidation'
          and s.status in ('gas', 'moving'))
      and not exists (
        select from sweeps s
        where s.deployment_id = ${p.deploymentId}::text and s.kind = 'consolidation'
          and s.status = 'failed' and s.updated_at > ${p.failedSince}::timestamptz)`,
);

export const readSweepOrder = statement<OfChain>("read_sweep_order")((p) =>
  queries.selectFrom("sweep_orders").select("ordered_at").where("chain_id", "=", p.chainId),
);

/** Not one that came in the meantime. */
export const fulfilSweepOrder = statement<OfChain & { readonly orderedAt: Date }>(
  "fulfil_sweep_order",
)((p) =>
  queries
    .deleteFrom("sweep_orders")
    .where("chain_id", "=", p.chainId)
    .where("ordered_at", "<=", p.orderedAt),
);
