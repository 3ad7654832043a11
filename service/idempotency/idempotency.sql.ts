// Idempotency keys in the database: finishing one together with its effect, and reading it.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { oneRow } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";
import type { Tables } from "../database/tables.ts";
import type { Environment, Owner } from "../owner.ts";

/** What is kept of a finished request. */
export interface KeyRow {
  readonly fingerprint: Uint8Array;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
  readonly body_sealed: Uint8Array | null;
  readonly body_expires_at: Date | null;
}

/** The same from a left join: all of the row is there, or nothing. */
export type JoinedKeyRow = { readonly [Name in keyof KeyRow]: KeyRow[Name] | null };

export function keyRowOf(joined: JoinedKeyRow): KeyRow | undefined {
  const { fingerprint, status, headers, body, body_sealed, body_expires_at } = joined;
  if (fingerprint === null || status === null) return undefined;
  return { fingerprint, status, headers, body, body_sealed, body_expires_at };
}

/** The row of a key. One past its time that was not swept yet counts as absent. */
export const readKey = statement<Owner & { readonly key: string; readonly now: Date }>(
  "read_idempotency_key",
)((p) =>
  queries
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "status", "headers", "body", "body_sealed", "body_expires_at"])
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("key", "=", p.key)
    .where("expires_at", ">", p.now),
);

/** What `finishing` writes; `Fence.finish` makes them. */
export interface FinishingValues {
  readonly fenceMerchantId: string;
  readonly fenceEnvironment: Environment;
  readonly fenceKey: string;
  readonly fenceOperationId: string;
  readonly fenceFingerprint: Uint8Array;
  readonly answerStatus: number;
  /** JSON text */
  readonly answerHeaders: string | null;
  readonly answerBody: string | null;
  readonly answerBodySealed: Uint8Array | null;
  readonly answerBodyExpiresAt: Date | null;
  readonly finishedAt: Date;
  /** when the key is free again */
  readonly answerExpiresAt: Date;
}

export const finishingColumns: ColumnTypes<FinishingValues> = {
  fenceMerchantId: "text",
  fenceEnvironment: "text",
  fenceKey: "text",
  fenceOperationId: "text",
  fenceFingerprint: "bytea",
  answerStatus: "integer",
  answerHeaders: "text",
  answerBody: "text",
  answerBodySealed: "bytea",
  answerBodyExpiresAt: "timestamptz",
  finishedAt: "timestamptz",
  answerExpiresAt: "timestamptz",
};

/**
 * The fence of a statement: `.with("fence", () => finishing(p))`. It stores the answer under the
 * key if the key is free, and then has one row, `(is_finished)`. Every effect of the statement must
 * be made `from fence`, so that a run whose key was finished by another one writes nothing. If
 * another one is about to finish it, this waits until that is decided.
 *
 * If the effect depends on something else too, that has to be part of the fence, or the key would
 * be finished without its effect: lock and check it in a CTE before (`for no key update`), and hand
 * in sql<boolean>`exists (select from that_one)` as `condition`.
 */
export function finishing(p: FinishingValues, condition: RawBuilder<boolean> = sql`true`) {
  const one = sql<never>`(${oneRow(p, finishingColumns)} where ${condition})`;
  return finishingAll(one).returning(sql<boolean>`true`.as("is_finished"));
}

/**
 * The same for many requests at once, each a row with `finishingColumns`. No key may come twice,
 * since `on conflict` does not take the same row twice. They are taken in the order of their keys,
 * or two such statements might wait for each other.
 */
export function finishingAll(rows: RawBuilder<never>) {
  return queries
    .insertInto("idempotency_keys")
    .columns([
      "merchant_id",
      "environment",
      "key",
      "operation_id",
      "fingerprint",
      "status",
      "headers",
      "body",
      "body_sealed",
      "created_at",
      "body_expires_at",
      "expires_at",
    ])
    .expression(
      sql<never>`
        select "fenceMerchantId", "fenceEnvironment", "fenceKey", "fenceOperationId",
          "fenceFingerprint", "answerStatus", "answerHeaders"::jsonb, "answerBody",
          "answerBodySealed", "finishedAt", "answerBodyExpiresAt", "answerExpiresAt"
        from ${rows} finished order by "fenceMerchantId", "fenceEnvironment", "fenceKey"`,
    )
    .onConflict((conflict) =>
      conflict
        .columns(["merchant_id", "environment", "key"])
        .doUpdateSet((e) => ({
          operation_id: e.ref("excluded.operation_id"),
          fingerprint: e.ref("excluded.fingerprint"),
          status: e.ref("excluded.status"),
          headers: e.ref("excluded.headers"),
          body: e.ref("excluded.body"),
          body_sealed: e.ref("excluded.body_sealed"),
          created_at: e.ref("excluded.created_at"),
          body_expires_at: e.ref("excluded.body_expires_at"),
          expires_at: e.ref("excluded.expires_at"),
        }))
        .where(sql<boolean>`idempotency_keys.expires_at <= excluded.created_at`),
    );
}

/**
 * The CTE `todo`: those of the rows whose keys are free, whole. Each row has `finishingColumns` and
 * whatever else it is about.
 */
export function fencedSets(rows: RawBuilder<never>) {
  return queries
    .with("sets", () => sql<object>`(${rows})`)
    .with("fence", () => finishingAll(sql`sets`).returning(["merchant_id", "environment", "key"]))
    .with(
      "todo",
      () => sql<{ readonly set: number; readonly id: string }>`(
      select sets.* from sets
      join fence on fence.merchant_id = sets."fenceMerchantId"
        and fence.environment = sets."fenceEnvironment" and fence.key = sets."fenceKey")`,
    );
}

/**
 * The fence of a change that counts only while the CTE `current` before it has its row: the one that
 * the change was decided on, locked.
 */
export function finishingIfCurrent(p: FinishingValues) {
  return finishing(p, sql<boolean>`exists (select from current)`);
}

/**
 * The CTE `current` of such a change: the row that it was decided on, if it still is as it was read.
 * Its lock is the weaker one: what only refers to the row, such as an event, need not wait for it.
 */
export function currentRow(
  table: keyof Tables,
  p: Owner & { readonly id: string },
  isAsRead: RawBuilder<boolean>,
) {
  return sql<{ id: string }>`(
    select id from ${sql.table(table)}
    where merchant_id = ${p.merchantId} and environment = ${p.environment} and id = ${p.id}
      and ${isAsRead}
    for no key update)`;
}

export const isFenced = sql<boolean>`exists (select from fence)`;

/** How such a change went. Not `is_current`: what it was decided on has changed. */
export interface ChangeFacts {
  readonly is_current: boolean;
  /** it was made */
  readonly is_finished: boolean;
}

/** The columns of `ChangeFacts`. */
export const changeFacts = [
  sql<boolean>`exists (select from current)`.as("is_current"),
  isFenced.as("is_finished"),
] as const;

/** For work that turned out to change nothing. One row if the key was free. */
export const finishKey = statement<FinishingValues>("finish_idempotency_key")((p) => finishing(p));
