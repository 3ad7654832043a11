// Putting a transaction of ours into the queue of the sender, taking it out again before anything is
// signed, and reading what became of it. `outgoingValues` makes the values.

import { sql } from "kysely";
import type { StoredAction } from "../database/tables/outgoing.ts";
import type { OutgoingPurpose } from "../database/words.ts";
import type { QueryCreator } from "kysely";
import type { OutgoingValues } from "./model.ts";
import { adding, effectWith, queries, statement } from "../database/statement.ts";

/**
 * Adds to a statement one transaction that is to be sent. `cause` is the name of a CTE before: no row
 * there, nothing is queued. It must not have two. The CTE that this adds is `outgoing`.
 *
 *     queueingOutgoing(queries.with("changed", ...), "changed", p).selectFrom("changed")...
 *
 * The statement fails with `UniqueViolation("outgoing_transactions_once")` if there is one of this
 * purpose and subject.
 */
export function queueingOutgoing<Known>(
  creator: QueryCreator<Known>,
  cause: string,
  p: OutgoingValues,
): QueryCreator<Known> {
  return adding(creator, (q) =>
    q.with(
      "outgoing",
      () => sql<{ id: string }>`(
      insert into outgoing_transactions (
        id, chain_id, account, account_role, account_index, purpose, subject_id, deployment_id,
        amount_raw, action, not_before, created_at, updated_at
      )
      select ${p.outgoingId}::text, ${p.outgoingChainId}::text, ${p.outgoingAccount}::text,
        ${p.outgoingRole}::text, ${p.outgoingIndex}::bigint, ${p.outgoingPurpose}::text,
        ${p.outgoingSubjectId}::text, ${p.outgoingDeploymentId}::text,
        ${p.outgoingAmountRaw}::numeric, ${p.outgoingAction}::jsonb, ${p.outgoingNow}::timestamptz,
        ${p.outgoingSince}::timestamptz, ${p.outgoingNow}::timestamptz
      from ${sql.table(cause)}
      returning id)`,
    ),
  );
}

/** By itself, in a transaction with other statements. */
export const queueOutgoing = statement<OutgoingValues>("queue_outgoing")((p) =>
  effectWith(queueingOutgoing, p)("cause", () => sql<{ one: number }>`(select 1 as one)`).select(
    "one",
  ),
);

/**
 * By itself: again if it was taken out, as what it is now, and from this account if it was to leave from
 * another one. What has kept it before is over. No row: it has its nonce.
 */
export const queueOutgoingAgain = statement<OutgoingValues>("queue_outgoing_again")((p) =>
  queueingOutgoing(
    queries
      .with("known", (q) =>
        q
          .updateTable("outgoing_transactions")
          .set({
            status: "queued",
            account: p.outgoingAccount,
            amount_raw: sql<string>`${p.outgoingAmountRaw}::numeric`,
            action: sql<StoredAction>`${p.outgoingAction}::jsonb`,
            last_problem: null,
            not_before: p.outgoingNow,
            updated_at: p.outgoingNow,
          })
          .where("purpose", "=", p.outgoingPurpose)
          .where("subject_id", "=", p.outgoingSubjectId)
          .where("status", "in", ["queued", "withdrawn"])
          .where("reserved_nonce", "is", null)
          .returning("id"),
      )
      .with(
        "cause",
        () => sql<{ one: number }>`(
        select 1 as one where not exists (select from outgoing_transactions
          where purpose = ${p.outgoingPurpose}::text and subject_id = ${p.outgoingSubjectId}::text))`,
      ),
    "cause",
    p,
  ).selectNoFrom(sql<number>`1`.as("one")),
);

interface SubjectValues {
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
}

/** No row: it was signed already, or is being signed, or there is none; then only the chain decides. */
export const withdrawOutgoing = statement<
  SubjectValues & { readonly now: Date; readonly problem: string | null }
>("withdraw_outgoing")((p) =>
  queries
    .updateTable("outgoing_transactions")
    .set({
      status: "withdrawn",
      updated_at: p.now,
      last_problem: sql`coalesce(left(${p.problem}::text, 400), last_problem)`,
    })
    .where("purpose", "=", p.purpose)
    .where("subject_id", "=", p.subjectId)
    .where("status", "=", "queued")
    .where("reserved_nonce", "is", null)
    .returning("id"),
);

/** It is wanted again after all. No row: it was not taken out. */
export const reviveOutgoing = statement<SubjectValues & { readonly now: Date }>("revive_outgoing")(
  (p) =>
    queries
      .updateTable("outgoing_transactions")
      .set({ status: "queued", not_before: p.now, updated_at: p.now })
      .where("purpose", "=", p.purpose)
      .where("subject_id", "=", p.subjectId)
      .where("status", "=", "withdrawn")
      .returning("id"),
);

/** With the hashes of all that was signed for it, the newest first; one of them at most is mined. */
export const readOutgoing = statement<SubjectValues>("read_outgoing")((p) =>
  queries
    .selectFrom("outgoing_transactions as o")
    .select(["o.id", "o.chain_id", "o.account", "o.status", "o.action", "o.tx_hash"])
    .select(["o.last_problem", "o.gas_raw", "o.created_at", "o.signed_at", "o.unmeasured_at"])
    .select(
      sql<readonly string[]>`array(
        select tx_hash from outgoing_attempts a where a.outgoing_id = o.id order by attempt desc)`.as(
        "tx_hashes",
      ),
    )
    .where("purpose", "=", p.purpose)
    .where("subject_id", "=", p.subjectId),
);
