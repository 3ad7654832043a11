// The statements of what the chain says of authorizations that were accepted, whoever's they are.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { sentBackBefore } from "../chains/unmatched.sql.ts";
import { reading } from "../database/reading.ts";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";
import type { SettlementStatus, X402SettlementsTable } from "../database/tables/x402.ts";
import type { OutgoingStatus } from "../database/words.ts";

export const findSettlement = statement<{ readonly id: string }>("find_x402_settlement")((p) =>
  queries.selectFrom("x402_settlements").selectAll().where("id", "=", p.id),
);

/** With what has come of it, and its transaction. */
export interface StandingRow extends X402SettlementsTable {
  /** of the deposit that it is in a block; null: it is in none */
  readonly shown_status: "seen" | "final" | null;
  /** null: there is no transaction of ours for it */
  readonly outgoing_status: OutgoingStatus | null;
  /** of all that was signed for it, the newest first; one of them at most is mined */
  readonly outgoing_hashes: readonly string[];
}

export const readStanding = reading<{ readonly id: string }>(
  { one: "read_x402_standing", many: "read_x402_standings" },
  { id: "text" },
)(
  (p) => sql<StandingRow>`
    select s.*,
      (select d.status from deposits d
        where d.settlement_id = s.id and d.source = 'x402' and d.status <> 'orphaned'
        order by d.block_number limit 1) as shown_status,
      o.status as outgoing_status,
      array(select a.tx_hash from outgoing_attempts a
        where a.outgoing_id = o.id order by a.attempt desc) as outgoing_hashes
    from x402_settlements s
    left join outgoing_transactions o on o.purpose = 'x402_settlement' and o.subject_id = s.id
    where s.id = ${p.id}::text`,
);

/** For those who wait for the end of them. */
export const readSettlementStates = statement<{ readonly ids: readonly string[] }>(
  "read_x402_settlement_states",
)((p) =>
  queries.selectFrom("x402_settlements").select(["id", "status"]).where("id", "=", anyOf(p.ids)),
);

/** No row: nothing is due of it, or it is there. */
export const readUndueRefund = statement<{ readonly id: string }>("read_undue_x402_refund")(
  (p) => sql<UndueRow>`
    select s.refund_raw::text, s.deployment_id, s.chain_id, (
        select coalesce(sum(d.reversals), 0)::integer from deposits d
        where d.settlement_id = s.id and d.source = 'x402') as reversals
    from x402_settlements s
    where s.id = ${p.id}::text and s.refund_raw > 0 and s.released_at is null
      and not exists (select from deposits d
        where d.settlement_id = s.id and d.source = 'x402' and d.bookings > d.reversals)`,
);

interface UndueRow {
  readonly refund_raw: string;
  readonly deployment_id: string;
  readonly chain_id: string;
  /** how often its deposits were taken back */
  readonly reversals: number;
}

/** Wait to be sent, have no nonce, and may not leave: what they are a part of is gone. */
export const listVainReleases = statement<{ readonly rowsMax: number }>("list_vain_x402_releases")(
  (p) => sql<{ id: string; updated_at: Date }>`
    select s.id, o.updated_at
    from outgoing_transactions o join x402_settlements s on s.id = o.subject_id
    where o.purpose = 'x402_release' and o.status = 'queued' and o.reserved_nonce is null
      and s.refund_raw > 0 and s.released_at is null
      and not exists (select from deposits d
        where d.settlement_id = s.id and d.source = 'x402' and d.bookings > d.reversals)
    order by o.updated_at, s.id
    limit ${p.rowsMax}::integer`,
);

interface OpenValues {
  readonly chainId: string;
  readonly now: Date;
  readonly checkedBefore: Date;
  /** unix seconds: of what waits for its usage, only what has ended is looked at */
  readonly nowSeconds: bigint;
  /** unix seconds: what has failed and ended before is not looked at any more */
  readonly endsAfter: bigint;
  /** those that have failed are looked at less often */
  readonly failedCheckedBefore: Date;
  readonly rowsMax: number;
}

/**
 * Everything that the chain may still have something to say about; who was asked about longest ago
 * comes first, and next time others: one that cannot be decided must not hold them up. What has failed may
 * still be used by somebody, and then its money is here. What is settled and in a block is the watcher's business.
 */
export const takeOpenSettlements = statement<OpenValues>("take_open_x402_settlements", {
  isDurable: false,
})(
  (p) => sql<{ id: string; created_at: Date }>`
    with due as (select s.id, s.checked_at as checked_before
    from (
      select own.* from x402_settlements own
      where own.chain_id = ${p.chainId}::text
        and (own.status in ('queued', 'settled', 'refused')
            and (own.status <> 'settled' or not exists (
              select from deposits d
              where d.settlement_id = own.id and d.source = 'x402' and d.status <> 'orphaned'))
          or own.status = 'waiting' and own.valid_before <= ${p.nowSeconds}::bigint)
      union all
      select * from x402_settlements
      where chain_id = ${p.chainId}::text and status = 'failed'
        and valid_before > ${p.endsAfter}::bigint
        and (checked_at is null or checked_at <= ${p.failedCheckedBefore}::timestamptz)
      union all
      select one.* from x402_settlements one
      where one.chain_id = ${p.chainId}::text and one.id in (
          select d.settlement_id from deposits d
          where d.chain_id = ${p.chainId}::text and d.source = 'x402' and d.status = 'orphaned')
        and (one.status in ('final', 'unused')
          or one.status = 'waiting' and one.valid_before > ${p.nowSeconds}::bigint
          or one.status = 'failed' and (one.valid_before <= ${p.endsAfter}::bigint
            or one.checked_at > ${p.failedCheckedBefore}::timestamptz))
    ) s
    where s.checked_at is null or s.checked_at <= ${p.checkedBefore}::timestamptz
    order by s.checked_at nulls first, s.created_at, s.id
    limit ${p.rowsMax}::integer
    ), taken as (${takenSettlements(sql`in (select id from due)`, p.now)} returning s.id, s.created_at)
    select taken.id, taken.created_at from taken join due on due.id = taken.id
    order by due.checked_before nulls first, taken.created_at, taken.id`,
);

/** Waits for nobody: whoever has one of them is at work on it. */
function takenSettlements(among: RawBuilder<unknown>, now: Date) {
  return sql`
    update x402_settlements s set checked_at = ${now}::timestamptz
    from (select id from x402_settlements where id ${among} order by id
      for no key update skip locked) free
    where s.id = free.id`;
}

/** The jobs leave them alone for a while. */
export const markSettlementsChecked = statement<{
  readonly ids: readonly string[];
  readonly now: Date;
}>("mark_x402_settlements_checked", { isDurable: false })((p) =>
  takenSettlements(sql`= ${anyOf(p.ids)}`, p.now),
);

interface ChangeValues {
  readonly id: string;
  readonly from: SettlementStatus;
  /** which transfer was its money then; before there is one, the sender may write its hash meanwhile */
  readonly fromTxHash: string | null;
  readonly fromTransferLog: number | null;
  readonly status: SettlementStatus;
  readonly reason: string | null;
  readonly txHash: string | null;
  /** of the transfer that is its money, where that is settled */
  readonly transferLog: number | null;
  readonly now: Date;
}

/**
 * A row, if it still was what the decision was made on; and whether this is the first time. Throws
 * `UniqueViolation("x402_settlements_transfer")` where another authorization has this transfer.
 */
export const changeSettlement = statement<ChangeValues>("change_x402_settlement")(
  (p) => sql<{ payment_id: string; is_first: boolean }>`
    with before as (
      select id, settled_at is null as is_first from x402_settlements
      where id = ${p.id}::text and status = ${p.from}::text
        and (status not in ('settled', 'final') or (tx_hash is not distinct from ${p.fromTxHash}::text
          and transfer_log is not distinct from ${p.fromTransferLog}::integer))
      for no key update
    )
    update x402_settlements s
    set status = ${p.status}::text, reason = ${p.reason}::text,
      tx_hash = coalesce(${p.txHash}::text, s.tx_hash),
      transfer_log = ${p.transferLog}::integer, updated_at = ${p.now}::timestamptz,
      settled_at = case when ${p.status}::text = 'settled'
        then coalesce(s.settled_at, ${p.now}::timestamptz) else s.settled_at end
    from before where s.id = before.id
    returning s.payment_id, before.is_first`,
);

/** Its transaction was signed: a row the first time. */
export const markSettlementSubmitted = statement<{
  readonly id: string;
  readonly txHash: string;
  readonly now: Date;
}>("mark_x402_settlement_submitted")((p) =>
  queries
    .updateTable("x402_settlements")
    .set({ submitted_at: p.now, tx_hash: p.txHash, updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "in", ["queued", "settled", "refused"])
    .where("submitted_at", "is", null)
    .returning("payment_id"),
);

interface ClaimsValues {
  readonly id: string;
  readonly paymentId: string;
  readonly chainId: string;
  readonly txHash: string;
}

/**
 * Transfers of a transaction that are the money of other authorizations. Not what was found to be the
 * payment's with no authorization handed in, nor what is nobody's so far; but what an operator has
 * taken out of suspense, which is with somebody else, also where it came again after a reorganisation.
 */
export const listClaims = reading<ClaimsValues>(
  { one: "list_x402_claims", many: "list_x402_claims_of_many" },
  { id: "text", paymentId: "text", chainId: "text", txHash: "text" },
)(
  (p) => sql<{ log_index: number }>`
    select s.transfer_log as log_index from x402_settlements s
    where s.chain_id = ${p.chainId}::text and s.tx_hash = ${p.txHash}::text
      and s.status in ('settled', 'final') and s.transfer_log is not null
      and s.id <> ${p.id}::text
    union
    select d.log_index from deposits d
    where d.chain_id = ${p.chainId}::text and d.tx_hash = ${p.txHash}::text
      and d.status <> 'orphaned' and d.settlement_id is distinct from ${p.id}::text
      and (d.settlement_id is not null or d.payment_id <> ${p.paymentId}::text
        or d.suspense_exit_id is not null and d.bookings > d.reversals
        or ${sentBackBefore} is not null)`,
);

interface BlockValues {
  readonly chainId: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
}

/** A row: the watcher has read this very block. */
export const findReadBlock = reading<BlockValues>(
  { one: "find_read_x402_block", many: "find_read_x402_blocks" },
  { chainId: "text", blockNumber: "bigint", blockHash: "text" },
)((p) =>
  queries
    .selectFrom("chain_blocks")
    .select("block_number")
    .where("chain_id", "=", p.chainId)
    .where("block_number", "=", p.blockNumber)
    .where("block_hash", "=", p.blockHash),
);

interface PlaceValues {
  readonly chainId: string;
  readonly since: Date;
}

/** The newest block that was read and is not younger; null: none is that old. */
export const findBlockBefore = reading<PlaceValues>(
  { one: "find_x402_block_before", many: "find_x402_blocks_before" },
  { chainId: "text", since: "timestamptz" },
)((p) =>
  queries
    .selectFrom("chain_blocks")
    .select((e) => e.fn.max<bigint | null>("block_number").as("number"))
    .where("chain_id", "=", p.chainId)
    .where("block_time", "<=", p.since),
);

interface PayerValues {
  readonly chainId: string;
  readonly payer: string;
  readonly since: Date;
}

/** Of authorizations that cost us something and moved nothing. */
export const countPayerFailures = reading<PayerValues>(
  { one: "count_x402_payer_failures", many: "count_x402_failures_of_payers" },
  { chainId: "text", payer: "text", since: "timestamptz" },
)((p) =>
  queries
    .selectFrom("x402_settlements")
    .select((e) => e.fn.countAll<bigint>().as("count"))
    .select((e) => e.fn.max<Date | null>("updated_at").as("last"))
    .where("chain_id", "=", p.chainId)
    .where("payer", "=", p.payer)
    .where("status", "in", ["failed", "refused"])
    .where("submitted_at", "is not", null)
    .where("updated_at", ">", p.since),
);

interface UnreportedValues {
  readonly before: Date;
  readonly rowsMax: number;
}

/** Held, and nobody has said how much of it was used. */
export const listUnreported = statement<UnreportedValues>("list_unreported_x402")(
  (p) => sql<{ id: string; payment_id: string; created_at: Date }>`
    select s.id, s.payment_id, s.created_at from x402_settlements s
    where s.scheme = 'upto' and s.method = 'eip3009' and s.status in ('settled', 'final')
      and s.charged_reference is null and s.closed_at is null
      and s.created_at <= ${p.before}::timestamptz
      and not exists (select from x402_usages u where u.payment_id = s.payment_id)
    order by s.created_at, s.id limit ${p.rowsMax}::integer`,
);

/** A row, if no usage was reported in between. */
export const closeSettlement = statement<{ readonly id: string; readonly now: Date }>(
  "close_x402_settlement",
)(
  (p) => sql<{ payment_id: string }>`
    update x402_settlements s set closed_at = ${p.now}::timestamptz,
      updated_at = ${p.now}::timestamptz
    where s.id = ${p.id}::text and s.closed_at is null and s.charged_reference is null
      and s.status in ('settled', 'final')
      and not exists (select from x402_usages u where u.payment_id = s.payment_id)
    returning payment_id`,
);
