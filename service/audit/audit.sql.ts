// The audit log: adding an entry in the statement or the transaction of its effect, and reading it.
// What numbers and chains the entries is a trigger in the database.

import { sql } from "kysely";
import type { QueryCreator } from "kysely";
import type { Environment } from "../owner.ts";
import { adding, effectWith, queries, statement } from "../database/statement.ts";

/** Flat, since a statement's values are; `auditValues` makes them. */
export interface AuditValues {
  readonly auditOccurredAt: Date;
  readonly auditActor: string;
  readonly auditAction: string;
  readonly auditMerchantId: string | null;
  readonly auditEnvironment: Environment | null;
  readonly auditSubjectType: string;
  readonly auditSubjectId: string;
  /** canonical JSON text */
  readonly auditDetails: string;
}

/**
 * Adds to a statement the entry of its effect. `cause` is the name of a CTE before: no row there, no
 * entry. It must not have two.
 *
 *     recordingAudit(queries.with("changed", ...), "changed", p).selectFrom(...)
 *
 * All that record an entry take turns from there to their commit, so it belongs at the end of a
 * transaction, and nowhere near what merchants do many times a second.
 */
export function recordingAudit<Known>(
  creator: QueryCreator<Known>,
  cause: string,
  p: AuditValues,
): QueryCreator<Known> {
  return adding(creator, (q) =>
    q.with(
      "audit_entry",
      () => sql<{ sequence: bigint }>`(
      insert into audit_entries (
        occurred_at, actor, action, merchant_id, environment, subject_type, subject_id, details
      )
      select ${p.auditOccurredAt}::timestamptz, ${p.auditActor}::text, ${p.auditAction}::text,
        ${p.auditMerchantId}::text, ${p.auditEnvironment}::text, ${p.auditSubjectType}::text,
        ${p.auditSubjectId}::text, ${p.auditDetails}::text
      from ${sql.table(cause)}
      returning sequence)`,
    ),
  );
}

/** For an effect that is a transaction of several statements. */
export const recordAudit = statement<AuditValues>("record_audit")((p) =>
  effectWith(recordingAudit, p)("effect", () => sql<{ one: number }>`(select 1 as one)`).select(
    "one",
  ),
);

interface PageValues {
  readonly after: bigint;
  readonly rowsMax: number;
}

/**
 * Entries in their order, each with the head of the chain at that moment; one row without an entry
 * when there are no more. The time as microseconds, since that is what was hashed: a Date would hide
 * the last three digits.
 */
export const readAuditPage = statement<PageValues>("read_audit_page")((p) =>
  queries
    .selectFrom(sql<{ one: number }>`(select 1 as one)`.as("always"))
    // Even of a chain without its head the entries are to be looked at.
    .leftJoin("audit_head as head", (join) => join.onTrue())
    .leftJoin(
      (q) =>
        q
          .selectFrom("audit_entries")
          .selectAll()
          .select(
            sql<bigint | null>`case when isfinite(occurred_at)
              then (extract(epoch from occurred_at) * 1000000)::bigint end`.as("microseconds"),
          )
          .where("sequence", ">", p.after)
          .orderBy("sequence")
          .limit(p.rowsMax)
          .as("entry"),
      (join) => join.onTrue(),
    )
    .select(["head.sequence as head_sequence", "head.hash as head_hash"])
    .select(["entry.sequence", "entry.microseconds", "entry.actor", "entry.action"])
    .select(["entry.merchant_id", "entry.environment", "entry.subject_type", "entry.subject_id"])
    .select(["entry.details", "entry.previous_hash", "entry.hash"])
    .orderBy("entry.sequence"),
);

const shown = [
  "sequence",
  "occurred_at",
  "actor",
  "action",
  "merchant_id",
  "environment",
  "subject_type",
  "subject_id",
  "details",
] as const;

export const listAuditEntries = statement<PageValues>("list_audit_entries")((p) =>
  queries
    .selectFrom("audit_entries")
    .select(shown)
    .where("sequence", ">", p.after)
    .orderBy("sequence")
    .limit(p.rowsMax),
);

/** The newest, in the order in which they were made. */
export const listNewestAuditEntries = statement<{ rowsMax: number }>("list_newest_audit_entries")(
  (p) =>
    queries
      .selectFrom((q) =>
        q
          .selectFrom("audit_entries")
          .select(shown)
          .orderBy("sequence", "desc")
          .limit(p.rowsMax)
          .as("newest"),
      )
      .selectAll()
      .orderBy("sequence"),
);
