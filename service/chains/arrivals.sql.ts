// Deposits that nobody found by reading blocks: somebody knows the transaction that brought them.

import { sql } from "kysely";
import { statement } from "../database/statement.ts";

interface ArrivalValues {
  /** null: nobody has handed an authorization in that could be kept */
  readonly settlementId: string | null;
  readonly chainId: string;
  readonly txHash: string;
  readonly logIndex: number;
  readonly deploymentId: string;
  readonly paymentId: string;
  readonly address: string;
  readonly sender: string;
  readonly amountRaw: bigint;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  /** null: it is not so deep that nobody can take it back */
  readonly finalTime: Date | null;
}

/**
 * What an authorization has brought, as a deposit. No row: the chain was not read as far as this
 * block, or has another one there by now, or it is written down already. Of a block that was read so
 * long ago that it is forgotten, and that is final, nobody says anything else any more.
 *
 * Of a token that may keep a part, what the watcher has measured counts, and until then nothing.
 *
 * What the watcher has seen there, and is nobody's, becomes the payment's; what is booked of it has to
 * be taken back before. What was found to be the payment's becomes the settlement's, unless it is
 * booked and the settlement would divide it otherwise. A sweep takes care of what came to an address, and of nothing
 * that has taken its place.
 */
export const recordX402Arrival = statement<ArrivalValues>("record_x402_arrival")(
  (p) => sql<{ payment_id: string }>`
    with measured as (
      select arrived_raw from measured_transfers
      where chain_id = ${p.chainId}::text and tx_hash = ${p.txHash}::text
        and log_index = ${p.logIndex}::integer and block_hash = ${p.blockHash}::text
    ), place as (
      select block_time from chain_blocks
      where chain_id = ${p.chainId}::text and block_number = ${p.blockNumber}::bigint
        and block_hash = ${p.blockHash}::text
      union all
      select ${p.finalTime}::timestamptz
      where ${p.finalTime}::timestamptz is not null and ${p.blockNumber}::bigint < (
        select min(block_number) from chain_blocks where chain_id = ${p.chainId}::text)
    )
    insert into deposits (
      chain_id, tx_hash, log_index, deployment_id, payment_id, address, sender, amount_raw,
      block_number, block_hash, block_time, status, source, settlement_id
    )
    select ${p.chainId}::text, ${p.txHash}::text, ${p.logIndex}::integer, ${p.deploymentId}::text,
      ${p.paymentId}::text, ${p.address}::text, ${p.sender}::text, coalesce((select arrived_raw from measured), ${p.amountRaw}::numeric),
      ${p.blockNumber}::bigint, ${p.blockHash}::text, place.block_time, 'seen',
      case when ${p.settlementId}::text is null then 'settlement' else 'x402' end,
      ${p.settlementId}::text
    from place
    where not exists (select from measured where arrived_raw is null or arrived_raw = 0)
    on conflict (chain_id, tx_hash, log_index) do update set
      deployment_id = excluded.deployment_id, payment_id = excluded.payment_id,
      address = excluded.address, sender = excluded.sender, amount_raw = excluded.amount_raw,
      block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time,
      status = case deposits.status when 'orphaned' then 'seen' else deposits.status end,
      source = excluded.source, settlement_id = excluded.settlement_id, sweep_id = null
    where deposits.status = 'orphaned'
      or (deposits.payment_id is null and deposits.bookings = deposits.reversals)
      or (deposits.payment_id = excluded.payment_id and deposits.settlement_id is null
        and excluded.settlement_id is not null
        and (deposits.bookings = deposits.reversals or exists (
          select from x402_settlements s
          where s.id = excluded.settlement_id and s.scheme = 'exact')))
    returning payment_id`,
);
