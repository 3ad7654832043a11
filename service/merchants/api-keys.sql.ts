// Statements about API keys.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

/** Everything about a key but its secret. */
const shown = [
  "id",
  "merchant_id",
  "environment",
  "scopes",
  "cidrs",
  "created_at",
  "expires_at",
  "revoked_at",
  "revoked_for_cause",
  "rotated_from",
] as const;

/** What never changes of a key; whether it may be used at all is read with its nonce. */
export const findKeySecret = statement<{ keyId: string }>("find_api_key_secret")((p) =>
  queries
    .selectFrom("api_keys")
    .select(["merchant_id", "secret_sealed", "cidrs"])
    .where("id", "=", p.keyId),
);

export const findKey = statement<{ keyId: string }>("find_api_key")((p) =>
  queries.selectFrom("api_keys").select(shown).where("id", "=", p.keyId),
);

export const listKeys = statement<{ merchantId: string | null }>("list_api_keys")((p) =>
  queries
    .selectFrom("api_keys")
    .select(shown)
    .where(sql<boolean>`merchant_id = coalesce(${p.merchantId}::text, merchant_id)`)
    .orderBy("created_at")
    .orderBy("id"),
);

export interface NewKeyValues extends AuditValues {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly secretSealed: Uint8Array;
  readonly scopes: readonly string[];
  readonly cidrs: readonly string[];
  readonly now: Date;
  readonly expiresAt: Date | null;
}

export const insertKey = statement<NewKeyValues>("insert_api_key")((p) =>
  effectWith(recordingAudit, p)("made", (q) =>
    q
      .insertInto("api_keys")
      .values({
        id: p.id,
        merchant_id: p.merchantId,
        environment: p.environment,
        secret_sealed: p.secretSealed,
        scopes: p.scopes,
        cidrs: p.cidrs,
        created_at: p.now,
        expires_at: p.expiresAt,
      })
      .returning(shown),
  ).select(shown),
);

export interface RotateKeyValues extends AuditValues {
  readonly oldId: string;
  readonly oldExpiresAt: Date;
  readonly id: string;
  readonly secretSealed: Uint8Array;
  readonly now: Date;
  readonly expiresAt: Date | null;
}

/** Nothing when the old key was revoked, or has expired, in the meantime. */
export const rotateKey = statement<RotateKeyValues>("rotate_api_key")((p) =>
  recordingAudit(
    queries.with("old", () => ending(p)).with("made", () => following(p)),
    "made",
    p,
  )
    .selectFrom("made")
    .select(shown),
);

function ending(p: RotateKeyValues) {
  return queries
    .updateTable("api_keys")
    .set({ expires_at: sql<Date>`least(expires_at, ${p.oldExpiresAt}::timestamptz)` })
    .where("id", "=", p.oldId)
    .where("revoked_at", "is", null)
    .where(sql<boolean>`coalesce(expires_at > ${p.now}::timestamptz, true)`)
    .returningAll();
}

function following(p: RotateKeyValues) {
  return queries
    .insertInto("api_keys")
    .columns([
      "id",
      "merchant_id",
      "environment",
      "secret_sealed",
      "scopes",
      "cidrs",
      "created_at",
      "expires_at",
      "rotated_from",
    ])
    .expression(
      sql<never>`select ${p.id}::text, merchant_id, environment, ${p.secretSealed}::bytea, scopes,
        cidrs, ${p.now}::timestamptz, ${p.expiresAt}::timestamptz, id from old`,
    )
    .returning(shown);
}

/** Payout schedules that it has made and that have not ended. */
export const countKeySchedules = statement<{ readonly keyId: string }>("count_api_key_schedules")(
  (p) =>
    queries
      .selectFrom("payout_schedules")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("api_key_id", "=", p.keyId)
      .where("status", "<>", "retired"),
);

/** Keys that it came from by rotation, and that have made payout schedules which are not over. */
export const listOlderKeySchedules = statement<{ readonly keyId: string }>(
  "list_older_key_schedules",
)(
  (p) => sql<{ id: string; count: number }>`
    with recursive older as (
      select rotated_from as id from api_keys where id = ${p.keyId}::text
      union
      select k.rotated_from from api_keys k join older o on o.id = k.id)
    select o.id, count(*)::int as count
    from older o
      join api_keys k on k.id = o.id and not k.revoked_for_cause
      join payout_schedules s on s.api_key_id = o.id and s.status <> 'retired'
    group by o.id
    order by o.id`,
);

interface RevokeKeyValues extends AuditValues {
  readonly keyId: string;
  readonly now: Date;
  readonly isForCause: boolean;
}

/**
 * The time of the first revocation counts. It has an entry, and so has the one that says for the
 * first time that there was a cause: that may come out later.
 */
export const revokeKey = statement<RevokeKeyValues>("revoke_api_key")((p) =>
  recordingAudit(
    queries
      .with("old", (q) =>
        q.selectFrom("api_keys").select(shown).where("id", "=", p.keyId).forNoKeyUpdate(),
      )
      .with("changed", (q) =>
        q
          .updateTable("api_keys as k")
          .from("old")
          .set({
            revoked_at: sql<Date>`coalesce(old.revoked_at, ${p.now}::timestamptz)`,
            revoked_for_cause: sql<boolean>`old.revoked_for_cause or ${p.isForCause}::boolean`,
          })
          .whereRef("k.id", "=", "old.id")
          .where(
            sql<boolean>`(old.revoked_at is null
              or ${p.isForCause}::boolean and not old.revoked_for_cause)`,
          )
          .returning("k.id"),
      ),
    "changed",
    p,
  )
    .selectFrom("old")
    .select(shown.filter((name) => name !== "revoked_at" && name !== "revoked_for_cause"))
    .select(sql<Date>`coalesce(revoked_at, ${p.now}::timestamptz)`.as("revoked_at"))
    .select(sql<boolean>`revoked_for_cause or ${p.isForCause}::boolean`.as("revoked_for_cause")),
);
