// Posting in the statement of the effect. The database adds up: see the trigger in
// adapters/database/migrations/0005_ledger.sql.

import { sql } from "kysely";
import type { QueryCreator } from "kysely";
import { adding, queries, statement } from "../database/statement.ts";

/** Flat, since a statement's values are; `ledgerValues` makes them. */
export interface LedgerValues {
  readonly ledgerTransactionId: string;
  readonly ledgerKind: string;
  readonly ledgerReference: string;
  readonly ledgerOccurredAt: Date;
  readonly ledgerPostedAt: Date;
  /** JSON text of the rows of ledger_postings, amounts as text */
  readonly ledgerPostings: string;
}

/**
 * Adds to a statement one transaction of the ledger. `cause` is the name of a CTE before: no row
 * there, no transaction. It must not have two.
 *
 *     recordingPostings(queries.with("fence", ...).with("changed", ...), "changed", p).selectFrom(...)
 *
 * The statement fails with `CheckViolation("ledger_accounts_not_negative")` if somebody would spend
 * what is not there, and with `UniqueViolation("ledger_transactions_once")` if it was posted before.
 */
export function recordingPostings<Known>(
  creator: QueryCreator<Known>,
  cause: string,
  p: LedgerValues,
): QueryCreator<Known> {
  return adding(creator, (q) =>
    q
      .with(
        "ledger_transaction",
        () => sql<{ id: string }>`(
      insert into ledger_transactions (id, kind, reference, occurred_at, posted_at)
      select ${p.ledgerTransactionId}::text, ${p.ledgerKind}::text, ${p.ledgerReference}::text,
        ${p.ledgerOccurredAt}::timestamptz, ${p.ledgerPostedAt}::timestamptz
      from ${sql.table(cause)}
      returning id)`,
      )
      .with(
        "ledger_posting",
        () => sql<{ position: number }>`(
      insert into ledger_postings (
        transaction_id, position, account_kind, deployment_id, merchant_id, environment, amount
      )
      select ledger_transaction.id, one.position, one.account_kind, one.deployment_id,
        one.merchant_id, one.environment, one.amount
      from ledger_transaction, jsonb_to_recordset(${p.ledgerPostings}::jsonb) as one (
        position integer, account_kind text, deployment_id text, merchant_id text,
        environment text, amount numeric
      )
      returning position)`,
      ),
  );
}

/** By itself, in a transaction with other statements. */
export const postTransaction = statement<LedgerValues>("post_ledger_transaction")((p) =>
  recordingPostings(
    queries.with("cause", () => sql<{ one: number }>`(select 1 as one)`),
    "cause",
    p,
  ).selectNoFrom(sql<string>`${p.ledgerTransactionId}::text`.as("id")),
);
