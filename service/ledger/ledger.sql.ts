// Posting in the statement of the effect. The database adds up: see the trigger in
// adapters/database/migrations/0005_ledger.sql.

import { sql } from "kysely";
import type { QueryCreator } from "kysely";
import { oneRow } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
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

export const ledgerColumns: ColumnTypes<LedgerValues> = {
  ledgerTransactionId: "text",
  ledgerKind: "text",
  ledgerReference: "text",
  ledgerOccurredAt: "timestamptz",
  ledgerPostedAt: "timestamptz",
  ledgerPostings: "text",
};

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
  const due = adding(creator, (q) =>
    q.with("to_post", () => sql<object>`(${oneRow(p, ledgerColumns)} from ${sql.table(cause)})`),
  );
  return recordingPostingsOfEach(due, "to_post");
}

/** The same for each row of the CTE `due`, which has `ledgerColumns`. If one fails, all of them do. */
export function recordingPostingsOfEach<Known>(
  creator: QueryCreator<Known>,
  due: string,
): QueryCreator<Known> {
  return adding(creator, (q) =>
    q
      .with(
        "ledger_transaction",
        () => sql<object>`(
      insert into ledger_transactions (id, kind, reference, occurred_at, posted_at)
      select "ledgerTransactionId", "ledgerKind", "ledgerReference", "ledgerOccurredAt", "ledgerPostedAt"
      from ${sql.table(due)} order by "ledgerKind", "ledgerReference"
      returning id)`,
      )
      .with(
        "ledger_posting",
        () => sql<object>`(
      insert into ledger_postings (
        transaction_id, position, account_kind, deployment_id, merchant_id, environment, amount
      )
      select ledger_transaction.id, one.position, one.account_kind, one.deployment_id,
        one.merchant_id, one.environment, one.amount
      from ledger_transaction
      join ${sql.table(due)} t on t."ledgerTransactionId" = ledger_transaction.id,
      jsonb_to_recordset(t."ledgerPostings"::jsonb) as one (
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
