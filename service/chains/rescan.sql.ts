// The statements of reading a chain again: what is stored of it, and what of that is put right.

import { sql } from "kysely";
import { queries, statement } from "../database/statement.ts";

interface FromBlock {
  readonly chainId: string;
  readonly fromNumber: bigint;
}

interface StoredDeposit {
  readonly tx_hash: string;
  readonly log_index: number;
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly deployment_id: string;
  readonly payment_id: string | null;
  readonly address: string;
  readonly sender: string | null;
  readonly amount_raw: string;
  /** what its log says: of a token that may keep a part, maybe more than came */
  readonly logged_raw: string;
  readonly is_measured: boolean;
  readonly source: "address" | "x402" | "settlement";
  readonly status: "seen" | "final";
}

/** Whatever counts now, of these blocks and all that come after them. */
export const readDepositsFromBlock = statement<FromBlock>("read_deposits_from_block")(
  (p) => sql<StoredDeposit>`
    select tx_hash, log_index, d.block_number, block_hash, d.deployment_id, payment_id,
      d.address, d.sender, amount_raw::text, coalesce(m.logged_raw, amount_raw)::text as logged_raw,
      m.logged_raw is not null as is_measured, source, status
    from deposits d left join measured_transfers m using (chain_id, tx_hash, log_index, block_hash)
    where chain_id = ${p.chainId}::text and status <> 'orphaned'
      and d.block_number >= ${p.fromNumber}::bigint
    order by d.block_number, tx_hash, log_index`,
);

export const readBlocksFrom = statement<FromBlock>("read_chain_blocks_from")((p) =>
  queries
    .selectFrom("chain_blocks")
    .select(["block_number", "block_hash"])
    .where("chain_id", "=", p.chainId)
    .where("block_number", ">=", p.fromNumber),
);

/** The newest block before that anything is stored of. */
export const readNewestBlockBelow = statement<FromBlock>("read_newest_chain_block_below")(
  (p) => sql<{ block_number: bigint; block_hash: string }>`
    select block_number, block_hash from (
      (select block_number, block_hash from chain_blocks
        where chain_id = ${p.chainId}::text and block_number < ${p.fromNumber}::bigint
        order by block_number desc limit 1)
      union all
      (select block_number, block_hash from deposits
        where chain_id = ${p.chainId}::text and block_number < ${p.fromNumber}::bigint
          and status <> 'orphaned'
        order by block_number desc limit 1)) as stored
    order by block_number desc limit 1`,
);

interface ChosenValues {
  readonly chainId: string;
  /** JSON text: objects with tx_hash and log_index; the next statement: and with their new block */
  readonly deposits: string;
}

/** One row for each. */
export const orphanChosenDeposits = statement<ChosenValues>("orphan_chosen_deposits")(
  (p) => sql<{ payment_id: string | null }>`
    update deposits set status = 'orphaned'
    from jsonb_to_recordset(${p.deposits}::jsonb) as one (tx_hash text, log_index integer)
    where deposits.chain_id = ${p.chainId}::text and deposits.tx_hash = one.tx_hash
      and deposits.log_index = one.log_index and deposits.status <> 'orphaned'
    returning deposits.payment_id`,
);

/** The same transfers in other blocks; what was final has to become so again. */
export const moveDeposits = statement<ChosenValues>("move_deposits")(
  (p) => sql<{ payment_id: string | null }>`
    update deposits set block_number = one.block_number, block_hash = one.block_hash,
      block_time = one.block_time, status = 'seen'
    from jsonb_to_recordset(${p.deposits}::jsonb) as one (
      tx_hash text, log_index integer, block_number bigint, block_hash text, block_time timestamptz
    )
    where deposits.chain_id = ${p.chainId}::text and deposits.tx_hash = one.tx_hash
      and deposits.log_index = one.log_index and deposits.status <> 'orphaned'
    returning deposits.payment_id`,
);
