// What a correctly signed request meets in the database: its nonce, and the state of its key.

import { sql } from "kysely";
import { queries, statement } from "./statement.ts";

interface AdmitValues {
  readonly keyId: string;
  readonly nonce: string;
  readonly now: Date;
  readonly nonceExpiresAt: Date;
  /** the key may be used from where the request comes from */
  readonly isAddressAllowed: boolean;
}

/**
 * One round trip that commits by itself, before the handler runs: takes the nonce, and reads what
 * may have changed since the key was cached. The nonce is taken only if nothing else speaks against
 * the request. A row that has expired and was not swept yet counts as absent.
 *
 * It does not wait for the disk: a replay that a crash lets through still meets its idempotency key.
 */
export const admitRequest = statement<AdmitValues>("admit_request", { isDurable: false })((p) =>
  queries
    .with("caller", (q) =>
      q
        .selectFrom("api_keys as k")
        .innerJoin("merchants as m", "m.id", "k.merchant_id")
        .select(["k.merchant_id", "k.environment", "k.scopes", "m.status"])
        .select(
          sql<boolean>`k.revoked_at is null and coalesce(k.expires_at > ${p.now}::timestamptz, true)`.as(
            "is_valid",
          ),
        )
        .where("k.id", "=", p.keyId),
    )
    .with("taken", (q) =>
      q
        .insertInto("nonces")
        .columns(["key_id", "nonce", "expires_at"])
        .expression((e) =>
          e
            .selectFrom("caller")
            .select([
              sql<string>`${p.keyId}::text`.as("key_id"),
              sql<string>`${p.nonce}::text`.as("nonce"),
              sql<Date>`${p.nonceExpiresAt}::timestamptz`.as("expires_at"),
            ])
            .where("caller.is_valid", "=", true)
            .where("caller.status", "=", "active")
            .where(sql<boolean>`${p.isAddressAllowed}::boolean`),
        )
        .onConflict((conflict) =>
          conflict
            .columns(["key_id", "nonce"])
            .doUpdateSet({ expires_at: p.nonceExpiresAt })
            .where("nonces.expires_at", "<=", p.now),
        )
        .returning("key_id"),
    )
    .selectFrom("caller")
    .selectAll("caller")
    .select((e) => e.exists(e.selectFrom("taken").select("taken.key_id")).as("is_nonce_new")),
);

/** Bounded, so that a sweep never holds up requests; the next one takes the rest. */
export const sweepNonces = statement<{ now: Date; rowsMax: number }>("sweep_nonces")((p) =>
  queries
    .with("gone", (q) =>
      q
        .deleteFrom("nonces")
        .where(
          sql<boolean>`(key_id, nonce) in (select key_id, nonce from nonces
          where expires_at <= ${p.now} limit ${p.rowsMax})`,
        )
        .returning("key_id"),
    )
    .selectFrom("gone")
    .select(sql<number>`count(*)::int`.as("swept")),
);
