// The statements of what the operator decides about withdrawals.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";
import { reasonBeforeOthers } from "../sending/accounts.sql.ts";
import { rejecting, withdrawalColumns } from "./withdrawals.sql.ts";
import type { RejectionValues } from "./withdrawals.sql.ts";

const shown = [
  ...withdrawalColumns,
  "address",
  "held_because",
  "approved_at",
  "created_at",
] as const;

export const findWithdrawalById = statement<{ readonly id: string }>("find_withdrawal_by_id")((p) =>
  queries.selectFrom("withdrawals").select(shown).where("id", "=", p.id),
);

export const listHeldWithdrawals = statement<{ readonly rowsMax: number }>("list_held_withdrawals")(
  (p) =>
    queries
      .selectFrom("withdrawals")
      .select(shown)
      .where("status", "=", "pending")
      .where("held_because", "is not", null)
      .where("approved_at", "is", null)
      .orderBy("created_at")
      .orderBy("id")
      .limit(p.rowsMax),
);

interface DecisionValues extends AuditValues {
  readonly id: string;
  readonly now: Date;
}

/** No row: it was not sent, has ended, or nobody has to say anything, since the chain will. */
export const decideWithdrawal = statement<
  DecisionValues & { readonly decidedAs: "confirmed" | "failed" }
>("decide_withdrawal")((p) =>
  effectWith(recordingAudit, p)("decided", (q) =>
    q
      .updateTable("withdrawals")
      .set({ decided_as: p.decidedAs, updated_at: p.now })
      .where("id", "=", p.id)
      .where("status", "=", "broadcast")
      .where(
        sql<boolean>`exists (select from outgoing_transactions o
            where o.purpose = 'withdrawal' and o.subject_id = withdrawals.id
              and o.status = 'broadcast' and o.unclear_at is not null)`,
      )
      .returning("id"),
  ).select("id"),
);

/** No row: it does not wait for that, or no longer. */
export const approveWithdrawal = statement<DecisionValues>("approve_withdrawal")((p) =>
  effectWith(recordingAudit, p)("approved", (q) =>
    q
      .updateTable("withdrawals")
      .set({ approved_at: p.now, updated_at: p.now })
      .where("id", "=", p.id)
      .where("status", "=", "pending")
      .where("held_because", "is not", null)
      .where("approved_at", "is", null)
      .returning("id"),
  ).select("id"),
);

/** No row: it is not pending. */
export const rejectWithdrawal = statement<AuditValues & RejectionValues>("reject_withdrawal")((p) =>
  recordingAudit(rejecting(p), "rejected", p).selectFrom("rejected").select("id"),
);

interface StopValues extends AuditValues {
  /** `*`: all */
  readonly chainId: string;
}

interface NewStopValues extends StopValues {
  readonly reason: string;
  readonly now: Date;
  /** A stop that stands gets one more reason; otherwise it stays as it is. */
  readonly isAdded: boolean;
}

/** What stands behind the newest reason of a stop, where an operator has said that. */
const saidNewest = sql.lit(
  "^( \\(said \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\\); before that: .*)?$",
);
const saysOther = sql<boolean>`(not starts_with(withdrawal_stops.reason, excluded.reason)
  or substr(withdrawal_stops.reason, length(excluded.reason) + 1) !~ ${saidNewest})`;

/** No row: a stop stands, and it stays as it is, since nothing is to be added or it says this already. */
export const stopWithdrawals = statement<NewStopValues>("stop_withdrawals")((p) =>
  effectWith(recordingAudit, p)("stopped", (q) =>
    q
      .insertInto("withdrawal_stops")
      .values({ chain_id: p.chainId, reason: p.reason, since: p.now })
      .onConflict((conflict) =>
        conflict
          .column("chain_id")
          .doUpdateSet({ reason: reasonBeforeOthers("said") })
          .where(sql<boolean>`${p.isAdded}::boolean and ${saysOther}`),
      )
      .returning(["chain_id", "reason"]),
  ).select("reason"),
);

/** Who has stopped them is looked for among so many entries: more are not read for that. */
const auditEntriesMax = 100_000;

/**
 * `stopped_by` are all who have said or found a reason of it, the newest first; null where the audit log has not said it
 * for long, or not with the same time.
 */
export const listWithdrawalStops = statement<object>("list_withdrawal_stops")(() =>
  queries
    .with(
      "entries",
      () => sql<{ sequence: bigint }>`(
        select e.sequence, e.occurred_at, e.actor, e.subject_id from (
          select sequence, occurred_at, actor, action, subject_type, subject_id
          from audit_entries order by sequence desc limit ${sql.lit(auditEntriesMax)}
        ) e
        where e.action = 'withdrawals.stopped' and e.subject_type = 'chain')`,
    )
    .selectFrom("withdrawal_stops as s")
    .select(["s.chain_id", "s.reason", "s.since"])
    .select(
      sql<string | null>`(
        select string_agg(a.actor, ', ' order by a.newest desc) from (
          select e.actor, max(e.sequence) as newest from entries e
          where e.subject_id = s.chain_id and e.sequence >= (
            select min(f.sequence) from entries f
            where f.subject_id = s.chain_id and f.occurred_at = s.since)
          group by e.actor) a)`.as("stopped_by"),
    )
    .orderBy("s.chain_id"),
);

interface ResumeValues extends StopValues {
  /** of the stop that somebody has looked at: what others have done meanwhile has another reason or time */
  readonly reason: string;
  readonly since: Date;
}

/** No row: they were not stopped, or it is another stop. */
export const resumeWithdrawals = statement<ResumeValues>("resume_withdrawals")((p) =>
  effectWith(recordingAudit, p)("resumed", (q) =>
    q
      .deleteFrom("withdrawal_stops")
      .where("chain_id", "=", p.chainId)
      .where("reason", "=", p.reason)
      .where("since", "=", p.since)
      .returning("chain_id"),
  ).select("chain_id"),
);

/** The next version; two at once get a `UniqueViolation`. */
export const addWithdrawalFee = statement<
  AuditValues & { readonly deploymentId: string; readonly feeRaw: bigint; readonly now: Date }
>("add_withdrawal_fee")((p) =>
  effectWith(recordingAudit, p)(
    "added",
    () => sql<{ version: bigint }>`(
      insert into withdrawal_fees (deployment_id, version, fee_raw, since)
      select ${p.deploymentId}::text,
        coalesce((select max(version) from withdrawal_fees
          where deployment_id = ${p.deploymentId}), 0) + 1,
        ${p.feeRaw}::numeric, ${p.now}::timestamptz
      returning version)`,
  ).select("version"),
);

export const setWithdrawalLimits = statement<
  AuditValues & {
    readonly deploymentId: string;
    readonly singleMaxRaw: bigint | null;
    readonly dailyMaxRaw: bigint | null;
    readonly now: Date;
  }
>("set_withdrawal_limits")((p) =>
  effectWith(recordingAudit, p)(
    "set_limits",
    () => sql<{ deployment_id: string }>`(
      insert into withdrawal_limits (deployment_id, single_max_raw, daily_max_raw, updated_at)
      values (${p.deploymentId}::text, ${p.singleMaxRaw}::numeric, ${p.dailyMaxRaw}::numeric,
        ${p.now}::timestamptz)
      on conflict (deployment_id) do update set single_max_raw = excluded.single_max_raw,
        daily_max_raw = excluded.daily_max_raw, updated_at = excluded.updated_at
      returning deployment_id)`,
  ).select("deployment_id"),
);
