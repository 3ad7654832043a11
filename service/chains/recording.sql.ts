// The statements of writing down what came to addresses of ours, as it stands in blocks that were read.

import { sql } from "kysely";
import { statement } from "../database/statement.ts";

interface OfChain {
  readonly chainId: string;
}

/** JSON text of objects with the columns that `deposits` has below, amounts as text, and the least that is a deposit. */
interface DepositValues extends OfChain {
  readonly deposits: string;
}

function depositRows(p: DepositValues) {
  return sql`jsonb_to_recordset(${p.deposits}::jsonb) as one (
    tx_hash text, log_index integer, deployment_id text, payment_id text, address text, sender text,
    amount_raw numeric, least_raw numeric, block_number bigint, block_hash text, block_time timestamptz, source text
  )`;
}

/** What is known at the place of each. The limit makes it a step in the index for each, however many there are. */
function knownDeposit(p: OfChain) {
  return sql`lateral (
    select * from deposits known
    where known.chain_id = ${p.chainId}::text and known.tx_hash = one.tx_hash
      and known.log_index = one.log_index
    limit 1
  )`;
}

/** What has really come of each in its block, where that is measured: nothing as long as nobody knows. */
function measuredThere(p: OfChain) {
  return sql`lateral (
    select coalesce(arrived_raw, 0) as arrived_raw from measured_transfers m
    where m.chain_id = ${p.chainId}::text and m.tx_hash = one.tx_hash
      and m.log_index = one.log_index and m.block_hash = one.block_hash
    limit 1
  )`;
}

/** It came to a settlement account, comes back there, and is still whose it was. */
const isTheSame = sql`(one.payment_id is null and d.source <> 'address'
  and (d.deployment_id, d.address, d.sender, d.amount_raw)
    is not distinct from (one.deployment_id, one.address, one.sender, one.amount_raw))`;

/**
 * Payments with a deposit that is still booked, and about to become another one: after a
 * reorganisation the same place may hold another transfer of the same transaction.
 */
export const findReplacedDeposits = statement<DepositValues>("find_replaced_deposits")(
  (p) => sql<{ payment_id: string | null }>`
    select distinct d.payment_id from ${depositRows(p)} cross join ${knownDeposit(p)} d
    where d.status = 'orphaned' and d.bookings > d.reversals
      and not ${isTheSame}
      and (d.payment_id, d.deployment_id, d.amount_raw)
        is distinct from (one.payment_id, one.deployment_id, one.amount_raw)`,
);

/** When it was accepted for its payment, before a reorganisation moved it to another place. */
function acceptedElsewhere(p: DepositValues) {
  return sql`(
    select gone.accepted_at from deposits gone
    where gone.chain_id = ${p.chainId}::text and gone.tx_hash = one.tx_hash
      and gone.status = 'orphaned' and gone.accepted_at is not null
      and (gone.payment_id, gone.deployment_id, gone.address, gone.sender, gone.amount_raw)
        is not distinct from (one.payment_id, one.deployment_id, one.address, one.sender, one.amount_raw)
      and (gone.tx_hash, gone.log_index) not in (select tx_hash, log_index from ${depositRows(p)})
    order by gone.log_index limit 1)`;
}

/**
 * Seen, or seen again; what is known already stays as it is. A row for each that changed. What was measured in its
 * block counts, and what brought too little there is none, nor what nobody can say anything of, also when the catalog
 * does not say any more that its token may keep a part.
 */
export const recordDeposits = statement<DepositValues>("record_deposits")(
  (p) => sql<{ payment_id: string | null }>`
    with arrived as (
      select one.tx_hash, one.log_index, one.deployment_id, one.payment_id, one.address, one.sender,
        coalesce(m.arrived_raw, one.amount_raw) as amount_raw,
        one.block_number, one.block_hash, one.block_time, one.source
      from ${depositRows(p)}
      left join ${measuredThere(p)} m on true
      where m.arrived_raw is null or m.arrived_raw >= greatest(one.least_raw, 1)
    ), found as (
      select one.*, coalesce(${isTheSame}, false) as is_same, d.payment_id as own_payment_id,
        d.settlement_id as own_settlement_id, d.source as own_source, ${acceptedElsewhere(p)} as accepted_at
      from arrived one left join ${knownDeposit(p)} d on true
    )
    insert into deposits (
      chain_id, tx_hash, log_index, deployment_id, payment_id, address, sender, amount_raw,
      block_number, block_hash, block_time, status, source, settlement_id, accepted_at
    )
    select ${p.chainId}::text, tx_hash, log_index, deployment_id,
      case when is_same then own_payment_id else payment_id end,
      address, sender, amount_raw, block_number, block_hash, block_time, 'seen',
      case when is_same then own_source else source end,
      case when is_same then own_settlement_id end, accepted_at
    from found
    on conflict (chain_id, tx_hash, log_index) do update set
      deployment_id = excluded.deployment_id, payment_id = excluded.payment_id,
      address = excluded.address, sender = excluded.sender, amount_raw = excluded.amount_raw,
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, status = 'seen', source = excluded.source,
      settlement_id = excluded.settlement_id, looked_at = null,
      sweep_id = case when (deposits.deployment_id, deposits.address, deposits.amount_raw)
          is not distinct from (excluded.deployment_id, excluded.address, excluded.amount_raw)
        then deposits.sweep_id end,
      accepted_at = case when (deposits.deployment_id, deposits.payment_id, deposits.amount_raw)
          is not distinct from (excluded.deployment_id, excluded.payment_id, excluded.amount_raw)
        then coalesce(deposits.accepted_at, excluded.accepted_at) else excluded.accepted_at end
    where deposits.status = 'orphaned'
    returning payment_id`,
);
