// The statements of what came to a settlement account and is nobody's: into the ledger, and out again.

import { sql } from "kysely";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { effectWith, statement } from "../database/statement.ts";

/** Where a deposit is. */
export interface DepositPlace {
  readonly chainId: string;
  readonly txHash: string;
  readonly logIndex: number;
}

interface UnmatchedRow {
  readonly chain_id: string;
  readonly tx_hash: string;
  readonly log_index: number;
  readonly deployment_id: string;
  readonly address: string;
  readonly sender: string | null;
  readonly amount_raw: string;
  readonly block_time: Date;
  readonly bookings: number;
}

function isOthers(alias: "d" | "twin") {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<boolean | null>`(${of("accepted_at")} is not null or ${of("settlement_id")} is not null
    or ${of("bookings")} > ${of("reversals")} and ${of("unmatched_raw")} = 0)`;
}

/**
 * Of `d` of deposits: it was sent back before a reorganisation took it away, and it came again, maybe at
 * another place of its transaction. The platform has paid for it, so it is nobody's to be credited with.
 * Of equal transfers of one transaction as many as were sent back, the first ones of those that are not
 * known to be others': an authorization's, accepted for a payment, or booked as one's price.
 *
 * Only the transaction is compared in a way that an index is used for: all that was ever settled lies at
 * one address, and a planner may think that it is as little.
 */
export const sentBackBefore = sql<string | null>`(
  select e.id from suspense_exits e
  join deposits gone on gone.chain_id = e.chain_id and gone.tx_hash = e.tx_hash
    and gone.log_index = e.log_index and gone.sender is not distinct from d.sender
  where e.chain_id = d.chain_id and e.tx_hash = d.tx_hash and e.deployment_id = d.deployment_id
    and e.amount_raw = d.amount_raw and e.way = 'sent_back' and e.status <> 'failed'
    and e.booking <= gone.reversals and ${isOthers("d")} is not true
  order by e.id limit 1 offset (
    select count(*) from deposits twin
    where twin.chain_id = d.chain_id and twin.tx_hash = d.tx_hash
      and (twin.address, twin.deployment_id, twin.amount_raw)
        is not distinct from (d.address, d.deployment_id, d.amount_raw)
      and twin.sender is not distinct from d.sender and twin.status <> 'orphaned'
      and twin.log_index < d.log_index and ${isOthers("twin")} is not true))`;

const unmatchedRow = sql`d.chain_id, d.tx_hash, d.log_index, d.deployment_id, d.address, d.sender,
  d.amount_raw::text, d.block_time, d.bookings`;

/**
 * Final, and the chain was asked what brought it. Not while an authorization of its payer is under
 * way, whose money it may be, or is settled and has not taken its money yet.
 */
export const listUnmatched = statement<{ readonly rowsMax: number }>("list_unmatched")(
  (p) => sql<UnmatchedRow>`
    select ${unmatchedRow} from deposits d
    where d.payment_id is null and d.status = 'final' and d.bookings = d.reversals
      and d.looked_at is not null
      and not exists (
        select from x402_settlements s
        where s.chain_id = d.chain_id and s.payer = d.sender and s.deployment_id = d.deployment_id
          and (s.status in ('queued', 'refused')
            or s.status = 'settled' and not exists (
              select from deposits own
              where own.settlement_id = s.id and own.status <> 'orphaned')))
    order by d.block_time, d.tx_hash, d.log_index
    limit ${p.rowsMax}::integer`,
);

export const bookUnmatched = statement<LedgerValues & DepositPlace & { readonly now: Date }>(
  "book_unmatched",
)((p) =>
  effectWith(recordingPostings, p)("booked", (q) =>
    q
      .updateTable("deposits")
      .set({ bookings: sql<number>`bookings + 1`, regular_raw: 0n, surplus_raw: 0n })
      .set({ unmatched_raw: sql<bigint>`amount_raw`, booked_at: p.now, suspense_exit_id: null })
      .where("chain_id", "=", p.chainId)
      .where("tx_hash", "=", p.txHash)
      .where("log_index", "=", p.logIndex)
      .where("payment_id", "is", null)
      .where("status", "=", "final")
      .whereRef("bookings", "=", "reversals")
      .returning("bookings"),
  ).select("bookings"),
);

/**
 * Booked as nobody's, and nobody has taken it out; the row stays as it is until the end of the
 * transaction.
 */
export const lockUnmatched = statement<DepositPlace>("lock_unmatched")(
  (p) => sql<UnmatchedRow>`
    select ${unmatchedRow} from deposits d
    where d.chain_id = ${p.chainId}::text and d.tx_hash = ${p.txHash}::text
      and d.log_index = ${p.logIndex}::integer
      and d.payment_id is null and d.bookings > d.reversals and d.suspense_exit_id is null
    for no key update of d`,
);

/** Booked as nobody's, and the chain no longer has it. */
export const lockGoneUnmatched = statement<{ readonly chainId: string }>("lock_gone_unmatched")(
  (p) => sql<UnmatchedRow>`
    select ${unmatchedRow} from deposits d
    where d.chain_id = ${p.chainId}::text and d.payment_id is null and d.status = 'orphaned'
      and d.bookings > d.reversals
    order by d.tx_hash, d.log_index
    for no key update of d`,
);

export const takeBackUnmatched = statement<LedgerValues & DepositPlace>("take_back_unmatched")(
  (p) =>
    effectWith(recordingPostings, p)("reversed", (q) =>
      q
        .updateTable("deposits")
        .set({ reversals: sql<number>`reversals + 1` })
        .where("chain_id", "=", p.chainId)
        .where("tx_hash", "=", p.txHash)
        .where("log_index", "=", p.logIndex)
        .where("payment_id", "is", null)
        .where(sql<boolean>`bookings = reversals + 1`)
        .returning("reversals"),
    ).select("reversals"),
);

/** The chain was asked what brought it. */
export const markUnmatchedLooked = statement<DepositPlace & { readonly now: Date }>(
  "mark_unmatched_looked",
)(
  (p) => sql`
    update deposits set looked_at = ${p.now}::timestamptz
    where chain_id = ${p.chainId}::text and tx_hash = ${p.txHash}::text
      and log_index = ${p.logIndex}::integer and payment_id is null`,
);

interface ArrivalRow {
  readonly tx_hash: string;
  readonly log_index: number;
  readonly deployment_id: string;
  readonly sender: string;
  readonly amount_raw: string;
  readonly block_time: Date;
}

/**
 * Nobody's, and the chain has not said yet which authorization brought it; what has waited longest since
 * it came, or was last asked about, comes first: what is new holds up nothing old. Whatever becomes of them now, next time others come first.
 */
export const takeUnlookedArrivals = statement<{
  readonly chainId: string;
  readonly triedBefore: Date;
  readonly now: Date;
  readonly rowsMax: number;
}>("take_unlooked_arrivals")(
  (p) => sql<ArrivalRow>`
    with due as (
      select chain_id, tx_hash, log_index, tried_at from deposits
      where chain_id = ${p.chainId}::text and payment_id is null and status <> 'orphaned'
        and looked_at is null and sender is not null
        and (tried_at is null or tried_at <= ${p.triedBefore}::timestamptz)
      order by coalesce(tried_at, block_time), tried_at nulls first, block_number, tx_hash, log_index
      limit ${p.rowsMax}::integer
      for no key update skip locked
    ), taken as (
      update deposits d set tried_at = ${p.now}::timestamptz from due
      where d.chain_id = due.chain_id and d.tx_hash = due.tx_hash and d.log_index = due.log_index
      returning d.tx_hash, d.log_index, d.deployment_id, d.sender, d.amount_raw::text, d.block_time,
        d.block_number, due.tried_at
    )
    select tx_hash, log_index, deployment_id, sender, amount_raw, block_time from taken
    order by coalesce(tried_at, block_time), tried_at nulls first, block_number, tx_hash, log_index`,
);

/** Of those, what has been there for long, and one of them. */
export const countUnlookedArrivals = statement<{
  readonly chainId: string;
  readonly before: Date;
}>("count_unlooked_arrivals")(
  (p) => sql<{ count: number; tx_hash: string | null }>`
    select count(*)::integer as count, min(tx_hash) as tx_hash from deposits
    where chain_id = ${p.chainId}::text and payment_id is null and status <> 'orphaned'
      and looked_at is null and sender is not null and block_time < ${p.before}::timestamptz`,
);

/**
 * A row, if it is nobody's, and not booked as that; never what was sent back before. What an operator has
 * accepted for the payment stays so at another place of its transaction.
 */
export const claimUnmatched = statement<DepositPlace & { readonly paymentId: string }>(
  "claim_unmatched",
)(
  (p) => sql<{ payment_id: string }>`
    update deposits d set payment_id = ${p.paymentId}::text, accepted_at = coalesce(d.accepted_at, (
      select gone.accepted_at from deposits gone
      where gone.chain_id = d.chain_id and gone.tx_hash = d.tx_hash and gone.status = 'orphaned'
        and gone.payment_id = ${p.paymentId}::text and gone.accepted_at is not null
        and (gone.deployment_id, gone.address, gone.amount_raw, gone.sender)
          is not distinct from (d.deployment_id, d.address, d.amount_raw, d.sender)
      order by gone.log_index limit 1))
    where d.chain_id = ${p.chainId}::text and d.tx_hash = ${p.txHash}::text
      and d.log_index = ${p.logIndex}::integer and d.payment_id is null and d.status <> 'orphaned'
      and d.bookings = d.reversals and ${sentBackBefore} is null
    returning d.payment_id`,
);
