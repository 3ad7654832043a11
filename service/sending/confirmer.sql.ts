// The statements of what the chain says about transactions of ours.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

/**
 * Of whose lost nonces people say what became of them here. Withdrawals and refunds have words of their own for it, and of
 * a settlement the chain says whether its authorization was used.
 */
export const undecidedPurposes = ["sweep", "sweep_gas", "consolidation", "x402_release"] as const;

/** Everything that is not decided, whoever sent it; who was asked about longest ago comes first. */
export const listSentOutgoing = statement<{
  readonly chainId: string;
  readonly now: Date;
  readonly checkedBefore: Date;
  /** What the chain does not say waits as long again as it has waited, and at most so long. */
  readonly unmeasuredSecondsMax: number;
  readonly rowsMax: number;
}>("list_sent_outgoing")((p) =>
  queries
    .selectFrom("outgoing_transactions as o")
    .innerJoin("sender_nonces as n", (join) => join.onRef("n.outgoing_id", "=", "o.id"))
    .select(["o.id", "o.chain_id", "o.account", "o.account_role", "o.account_index", "o.purpose"])
    .select(["o.subject_id", "o.deployment_id", "o.amount_raw", "o.action", "o.tx_hash"])
    .select(["o.sends_nothing", "o.lost_since_block", "o.created_at", "o.updated_at", "n.nonce"])
    .select(["o.unmeasured_at", "o.unmeasured_told_at", "o.unclear_at", "o.decided_at"])
    .select(["o.measured_tx_hash", "o.measured_block_hash", "o.left_raw", "o.arrived_raw"])
    .select(
      sql<readonly string[]>`array(
        select tx_hash from outgoing_attempts a
        where a.outgoing_id = o.id order by attempt desc)`.as("tx_hashes"),
    )
    .where("o.chain_id", "=", p.chainId)
    .where("o.status", "=", "broadcast")
    .where((e) => e.or([e("o.checked_at", "is", null), e("o.checked_at", "<=", p.checkedBefore)]))
    .where(
      sql<boolean>`(o.checked_at is null or o.unmeasured_at is null or o.checked_at + least(o.checked_at - o.unmeasured_at,
        ${p.unmeasuredSecondsMax}::integer * interval '1 second') <= ${p.now}::timestamptz)`,
    )
    .orderBy(sql`o.checked_at nulls first`)
    .orderBy("n.account")
    .orderBy("n.nonce")
    .limit(p.rowsMax),
);

export interface WaitingOutgoing {
  readonly id: string;
  /** its newest transaction when the chain was asked */
  readonly seenTxHash: string | null;
  readonly now: Date;
  readonly lostSinceBlock: bigint | null;
  /** Somebody has to say what became of it; null: as before. */
  readonly isUnclear: boolean | null;
  /** since when the chain does not say what it has moved, and when people were told of that */
  readonly unmeasuredAt: Date | null;
  readonly unmeasuredToldAt: Date | null;
}

/** No change: another transaction was signed or remembered for it since, and nobody has asked about that one yet. */
export const markOutgoingChecked = statement<WaitingOutgoing>("mark_outgoing_checked")((p) =>
  queries
    .updateTable("outgoing_transactions")
    .set({ checked_at: p.now, lost_since_block: p.lostSinceBlock })
    .set({ unmeasured_at: p.unmeasuredAt, unmeasured_told_at: p.unmeasuredToldAt })
    .set({
      unclear_at: sql<Date | null>`case ${p.isUnclear}::boolean
        when true then coalesce(unclear_at, ${p.now}::timestamptz)
        when false then null else unclear_at end`,
      decided_at: sql<Date | null>`case ${p.isUnclear}::boolean when false then null else decided_at end`,
    })
    .where("id", "=", p.id)
    .where("status", "=", "broadcast")
    .where(sql<boolean>`tx_hash is not distinct from ${p.seenTxHash}::text`),
);

/** What it has moved by the balances of a block: the newest measurement stands. */
export const recordMeasuredMove = statement<{
  readonly id: string;
  readonly txHash: string;
  readonly blockHash: string;
  readonly leftRaw: bigint;
  readonly arrivedRaw: bigint | null;
}>("record_measured_move")((p) =>
  queries
    .updateTable("outgoing_transactions")
    .set({ measured_tx_hash: p.txHash, measured_block_hash: p.blockHash })
    .set({ left_raw: sql`${p.leftRaw}::numeric`, arrived_raw: sql`${p.arrivedRaw}::numeric` })
    .where("id", "=", p.id)
    .where("status", "=", "broadcast"),
);

/**
 * The end of what was sent. No row: somebody else was faster; or another transaction was signed for
 * it since and none is mined, so nobody has asked about that one yet.
 */
export const endOutgoing = statement<{
  readonly id: string;
  readonly status: "succeeded" | "reverted" | "replaced";
  readonly txHash: string | null;
  readonly seenTxHash: string | null;
  /** null: none of ours was mined */
  readonly gasRaw: bigint | null;
  readonly now: Date;
}>("end_outgoing")((p) =>
  queries
    .updateTable("outgoing_transactions")
    .set({
      status: p.status,
      tx_hash: p.txHash,
      gas_raw: sql`${p.gasRaw}::numeric`,
      checked_at: p.now,
      updated_at: p.now,
    })
    .where("id", "=", p.id)
    .where("status", "=", "broadcast")
    .where(
      sql<boolean>`(${p.gasRaw}::numeric is not null
        or tx_hash is not distinct from ${p.seenTxHash}::text)`,
    )
    .returning("id"),
);

/** Whose nonce was lost, while nobody has said what became of it. */
export const findUndecided = statement<{ readonly subjectId: string }>("find_undecided")((p) =>
  queries
    .selectFrom("outgoing_transactions as o")
    .innerJoin("sender_nonces as n", "n.outgoing_id", "o.id")
    .select(["o.id", "o.purpose", "o.chain_id", "o.account", "o.action", "n.nonce"])
    .select((e) => e.ref("o.unclear_at").$notNull().as("unclear_at"))
    .where("o.subject_id", "=", p.subjectId)
    .where("o.purpose", "in", undecidedPurposes)
    .where("o.status", "=", "broadcast")
    .where("o.unclear_at", "is not", null)
    .where("o.decided_at", "is", null),
);

/**
 * Somebody says that none of ours was sent by its nonce. No row: nobody has to say anything, since the chain will; or
 * somebody has.
 */
export const decideOutgoing = statement<
  AuditValues & { readonly outgoingId: string; readonly unclearAt: Date; readonly now: Date }
>("decide_outgoing")((p) =>
  effectWith(recordingAudit, p)("decided", (q) =>
    q
      .updateTable("outgoing_transactions")
      .set({ decided_at: p.now, checked_at: null })
      .where("id", "=", p.outgoingId)
      .where("purpose", "in", undecidedPurposes)
      .where("status", "=", "broadcast")
      .where("unclear_at", "=", p.unclearAt)
      .where("decided_at", "is", null)
      .returning("id"),
  ).select("id"),
);

/** What leaves us and is not decided takes this out of our accounts, or has done so already. */
export const sumInFlight = statement<{ readonly deploymentId: string }>("sum_outgoing_in_flight")(
  (p) =>
    queries
      .selectFrom("outgoing_transactions")
      .select(sql<string>`coalesce(sum(amount_raw), 0)::text`.as("total_raw"))
      .where("deployment_id", "=", p.deploymentId)
      .where("purpose", "in", ["withdrawal", "x402_release", "refund"])
      .where("status", "=", "broadcast")
      .where("sends_nothing", "=", false),
);
