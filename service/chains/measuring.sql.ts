// The statements of what transfers of tokens that may keep a part have really brought.

import { sql } from "kysely";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

interface OfChain {
  readonly chainId: string;
}

interface MeasuredRow {
  readonly tx_hash: string;
  readonly log_index: number;
  readonly block_hash: string;
  /** null: the chain has not said it yet */
  readonly arrived_raw: string | null;
}

/** What was found of these blocks, and what the chain has said of it already. */
export const readMeasuredTransfers = statement<OfChain & { readonly hashes: readonly string[] }>(
  "read_measured_transfers",
)(
  (p) => sql<MeasuredRow>`
    select tx_hash, log_index, block_hash, arrived_raw::text from measured_transfers
    where chain_id = ${p.chainId}::text and block_hash = ${anyOf(p.hashes)}`,
);

interface RecordValues extends OfChain {
  /** JSON text of objects with the columns below, amounts as text */
  readonly measured: string;
  readonly isAnew: boolean;
  readonly now: Date;
}

/** What the chain has said once stays as it is, unless it was asked anew. */
export const recordMeasuredTransfers = statement<RecordValues>("record_measured_transfers")(
  (p) => sql`
    insert into measured_transfers (
      chain_id, tx_hash, log_index, block_hash, block_number, deployment_id, address, logged_raw,
      arrived_raw, found_at, asked_at
    )
    select ${p.chainId}::text, tx_hash, log_index, block_hash, block_number, deployment_id, address,
      logged_raw, arrived_raw, ${p.now}::timestamptz, ${p.now}::timestamptz
    from jsonb_to_recordset(${p.measured}::jsonb) as one (
      tx_hash text, log_index integer, block_hash text, block_number bigint, deployment_id text,
      address text, logged_raw numeric, arrived_raw numeric
    )
    on conflict (chain_id, tx_hash, log_index, block_hash) do update set
      arrived_raw = excluded.arrived_raw, asked_at = excluded.asked_at, told_little_at = case
        when measured_transfers.arrived_raw = excluded.arrived_raw
        then measured_transfers.told_little_at end
    where measured_transfers.arrived_raw is null
      or (${p.isAnew}::boolean and excluded.arrived_raw is not null)`,
);

interface WaitingBlock {
  readonly block_number: bigint;
  readonly block_hash: string;
}

/**
 * Blocks with transfers that the chain has not said it of, as far as they are due: the newest first, since
 * nodes forget the oldest first, or who was asked about longest ago.
 */
export const listWaitingBlocks = statement<
  OfChain & {
    readonly now: Date;
    /** a block waits as long again as it has waited when it was asked about last: at least, and at most */
    readonly leastSeconds: number;
    readonly mostSeconds: number;
    readonly isNewestFirst: boolean;
    readonly rowsMax: number;
  }
>("list_waiting_blocks")(
  (p) => sql<WaitingBlock>`
    select block_number, block_hash from measured_transfers
    where chain_id = ${p.chainId}::text and arrived_raw is null
    group by block_number, block_hash
    having max(asked_at) + greatest(
      least(max(asked_at) - min(found_at), ${p.mostSeconds}::integer * interval '1 second'),
      ${p.leastSeconds}::integer * interval '1 second') <= ${p.now}::timestamptz
    order by case when ${p.isNewestFirst}::boolean then block_number end desc, max(asked_at), block_hash
    limit ${p.rowsMax}::integer`,
);

interface OfBlock extends OfChain {
  readonly hash: string;
}

export const markWaitingAsked = statement<OfBlock & { readonly now: Date }>("mark_waiting_asked")(
  (p) =>
    queries
      .updateTable("measured_transfers")
      .set({ asked_at: p.now })
      .where("chain_id", "=", p.chainId)
      .where("block_hash", "=", p.hash)
      .where("arrived_raw", "is", null),
);

interface WaitingTransfer {
  readonly tx_hash: string;
  readonly log_index: number;
  readonly logged_raw: string;
}

/** What of a block the chain has not said yet. */
export const listWaitingTransfers = statement<OfBlock>("list_waiting_transfers")(
  (p) => sql<WaitingTransfer>`
    select tx_hash, log_index, logged_raw::text from measured_transfers
    where chain_id = ${p.chainId}::text and block_hash = ${p.hash}::text and arrived_raw is null`,
);

/** Only those that were asked about; if their block comes back, they are found anew. */
export const forgetWaiting = statement<OfBlock & { readonly places: readonly string[] }>(
  "forget_waiting",
)(
  (p) => sql`
    delete from measured_transfers
    where chain_id = ${p.chainId}::text and block_hash = ${p.hash}::text and arrived_raw is null
      and tx_hash || ' ' || log_index = ${anyOf(p.places)}`,
);

interface LateRow {
  readonly tx_hash: string;
  readonly log_index: number;
  readonly block_hash: string;
  readonly deployment_id: string;
  readonly address: string;
  readonly logged_raw: string;
}

/** They have waited for long, and nobody was told. */
export const listLateTransfers = statement<
  OfChain & { readonly foundBefore: Date; readonly rowsMax: number }
>("list_late_transfers")(
  (p) => sql<LateRow>`
    select tx_hash, log_index, block_hash, deployment_id, address, logged_raw::text
    from measured_transfers
    where chain_id = ${p.chainId}::text and arrived_raw is null and told_at is null
      and found_at <= ${p.foundBefore}::timestamptz
    order by found_at, tx_hash, log_index
    limit ${p.rowsMax}::integer`,
);

/** Far less has come than their logs say, and nobody was told. */
export const listLittleTransfers = statement<OfChain & { readonly rowsMax: number }>(
  "list_little_transfers",
)(
  (p) => sql<LateRow & { block_number: bigint; arrived_raw: string }>`
    select tx_hash, log_index, block_hash, block_number, deployment_id, address, logged_raw::text,
      arrived_raw::text
    from measured_transfers
    where chain_id = ${p.chainId}::text and arrived_raw * 10 < logged_raw * 9
      and told_little_at is null
    order by block_number, tx_hash, log_index
    limit ${p.rowsMax}::integer`,
);

interface ToldValues extends OfBlock {
  readonly txHash: string;
  readonly logIndex: number;
  readonly now: Date;
}

function markTold(p: ToldValues, when: "told_at" | "told_little_at") {
  return queries
    .updateTable("measured_transfers")
    .set({ [when]: p.now })
    .where("chain_id", "=", p.chainId)
    .where("tx_hash", "=", p.txHash)
    .where("log_index", "=", p.logIndex)
    .where("block_hash", "=", p.hash);
}

export const markLateTransferTold = statement<ToldValues>("mark_late_transfer_told")((p) =>
  markTold(p, "told_at"),
);

export const markLittleTransferTold = statement<ToldValues>("mark_little_transfer_told")((p) =>
  markTold(p, "told_little_at"),
);
