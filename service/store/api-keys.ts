// Statements about API keys.

import { sql } from "kysely";
import { queries, statement } from "./statement.ts";

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
  "rotated_from",
] as const;

/** What never changes of a key; whether it may be used at all is read with its nonce. */
export const findKeySecret = statement<{ keyId: string }>("find_key_secret")((p) =>
  queries
    .selectFrom("api_keys")
    .select(["merchant_id", "secret_sealed", "cidrs"])
    .where("id", "=", p.keyId),
);

export const findKey = statement<{ keyId: string }>("find_key")((p) =>
  queries.selectFrom("api_keys").select(shown).where("id", "=", p.keyId),
);

export const listKeys = statement<{ merchantId: string | null }>("list_keys")((p) =>
  queries
    .selectFrom("api_keys")
    .select(shown)
    .where(sql<boolean>`merchant_id = coalesce(${p.merchantId}::text, merchant_id)`)
    .orderBy("created_at")
    .orderBy("id"),
);

export interface NewKeyValues {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: "live" | "test";
  readonly secretSealed: Uint8Array;
  readonly scopes: readonly string[];
  readonly cidrs: readonly string[];
  readonly now: Date;
  readonly expiresAt: Date | null;
}

export const insertKey = statement<NewKeyValues>("insert_key")((p) =>
  queries
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
);

export interface RotateKeyValues {
  readonly oldId: string;
  readonly oldExpiresAt: Date;
  readonly id: string;
  readonly secretSealed: Uint8Array;
  readonly now: Date;
  readonly expiresAt: Date | null;
}

/** Nothing when the old key was revoked, or has expired, in the meantime. */
export const rotateKey = statement<RotateKeyValues>("rotate_key")((p) =>
  queries
    .with("old", (q) =>
      q
        .updateTable("api_keys")
        .set({
          expires_at: sql<Date>`least(expires_at, ${p.oldExpiresAt}::timestamptz)`,
        })
        .where("id", "=", p.oldId)
        .where("revoked_at", "is", null)
        .where(sql<boolean>`coalesce(expires_at > ${p.now}::timestamptz, true)`)
        .returningAll(),
    )
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
    .expression((e) =>
      e
        .selectFrom("old")
        .select([
          sql<string>`${p.id}::text`.as("id"),
          "old.merchant_id",
          "old.environment",
          sql<Uint8Array>`${p.secretSealed}::bytea`.as("secret_sealed"),
          "old.scopes",
          "old.cidrs",
          sql<Date>`${p.now}::timestamptz`.as("created_at"),
          sql<Date | null>`${p.expiresAt}::timestamptz`.as("expires_at"),
          "old.id as rotated_from",
        ]),
    )
    .returning(shown),
);

/** The first revocation counts. */
export const revokeKey = statement<{ keyId: string; now: Date }>("revoke_key")((p) =>
  queries
    .updateTable("api_keys")
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${p.now}::timestamptz)` })
    .where("id", "=", p.keyId)
    .returning(shown),
);
