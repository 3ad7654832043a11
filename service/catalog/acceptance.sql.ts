// The statements of what merchants accept.

import { type RawBuilder, sql } from "kysely";
import type { Environment } from "../owner.ts";
import { recordingEvent, type EventValues } from "../events/events.sql.ts";
import { finishing, type FinishingValues } from "../idempotency/idempotency.sql.ts";
import { queries, statement } from "../database/statement.ts";

export interface ReplaceValues extends FinishingValues, EventValues {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly catalogVersion: bigint;
  readonly now: Date;
  /** pairs, by position: the currency and the chain it is accepted on */
  readonly currencyIds: readonly string[];
  readonly chainIds: readonly string[];
}

/**
 * Replaces everything, records the event and stores the answer. The row of the merchant is locked
 * while it counts up, so each replacement has a revision of its own and only the highest counts:
 * what one statement cannot see of another one that runs at the same time does no harm.
 *
 * No row: the idempotency key is taken, and nothing was written.
 */
export const replaceAcceptance = statement<ReplaceValues>("replace_acceptance")((p) => {
  const replacing = queries
    .with("fence", () => finishing(p))
    .with("replaced", (q) =>
      q
        .insertInto("currency_acceptances")
        .columns(["merchant_id", "environment", "revision", "catalog_version", "updated_at"])
        .expression((e) =>
          e
            .selectFrom("fence")
            .select([
              sql<string>`${p.merchantId}::text`.as("merchant_id"),
              sql<Environment>`${p.environment}::text`.as("environment"),
              sql<bigint>`1::bigint`.as("revision"),
              sql<bigint>`${p.catalogVersion}::bigint`.as("catalog_version"),
              sql<Date>`${p.now}::timestamptz`.as("updated_at"),
            ]),
        )
        .onConflict((conflict) =>
          conflict.columns(["merchant_id", "environment"]).doUpdateSet((e) => ({
            revision: sql<bigint>`currency_acceptances.revision + 1`,
            catalog_version: e.ref("excluded.catalog_version"),
            updated_at: e.ref("excluded.updated_at"),
          })),
        )
        .returning(["merchant_id", "environment", "revision"]),
    )
    .with(
      "added",
      () => sql<{ chain_id: string }>`(
        insert into accepted_chains (merchant_id, environment, revision, currency_id, chain_id)
        select merchant_id, environment, revision, pair.currency_id, pair.chain_id
        from replaced,
          unnest(${p.currencyIds}::text[], ${p.chainIds}::text[]) as pair (currency_id, chain_id)
        returning chain_id)`,
    )
    // Rows of a replacement that ran at the same time may be left over; the next one removes them.
    .with(
      "removed",
      () => sql<{ chain_id: string }>`(
        delete from accepted_chains using replaced
        where accepted_chains.merchant_id = replaced.merchant_id
          and accepted_chains.environment = replaced.environment
          and accepted_chains.revision < replaced.revision
        returning accepted_chains.chain_id)`,
    );
  return recordingEvent(replacing, "replaced", p).selectFrom("replaced").select("revision");
});

interface AcceptedRow {
  readonly currency_id: string;
  readonly chain_ids: readonly string[];
}

/** What a statement reads of an acceptance. */
export interface AcceptanceColumns {
  /** which one it is; null: nothing was ever accepted */
  readonly acceptance: string | null;
  /** null when it is the one that the caller has already */
  readonly accepted: readonly AcceptedRow[] | null;
}

/**
 * Which acceptance it is. The rows of a revision never change; the time stands beside the number, since a database
 * that was restored counts on from an older one.
 */
export const acceptanceStamp = sql<string | null>`
  currency_acceptances.merchant_id || ' ' || currency_acceptances.environment || ' ' ||
  currency_acceptances.revision || ' ' || extract(epoch from currency_acceptances.updated_at)`;

/** For the `select` of a statement with the table `currency_acceptances`, of which there may be no row. */
export function acceptanceUnless(known: RawBuilder<unknown>) {
  const rows = sql<readonly AcceptedRow[]>`(
    select coalesce(jsonb_agg(to_jsonb(one)), '[]')
    from (select currency_id, chain_ids from currency_acceptance
      where merchant_id = currency_acceptances.merchant_id
        and environment = currency_acceptances.environment) one)`;
  return [
    acceptanceStamp.as("acceptance"),
    sql<readonly AcceptedRow[] | null>`
      case when ${acceptanceStamp} = ${known} then null else ${rows} end`.as("accepted"),
  ] as const;
}

export const readAcceptance = statement<{
  readonly merchantId: string;
  readonly environment: Environment;
}>("read_acceptance")((p) =>
  queries
    .selectFrom("currency_acceptance")
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .select(["currency_id", "chain_ids"])
    .orderBy(sql`currency_id collate "C"`),
);
