// What a correctly signed request meets in the database: its nonce, the state of its key, and what
// was answered to it before.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Environment } from "../owner.ts";
import type { JoinedKeyRow } from "../idempotency/idempotency.sql.ts";
import { oneRow, together } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

interface AdmitValues {
  readonly keyId: string;
  readonly nonce: string;
  readonly now: Date;
  readonly nonceExpiresAt: Date;
  /** it comes from where the key may be used, and something is left of the rate */
  readonly mayUseNonce: boolean;
  /** the Idempotency-Key; null: nothing is to be looked up */
  readonly idempotencyKey: string | null;
}

/** No row: there is no such key. */
interface AdmittedRow extends JoinedKeyRow {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly scopes: readonly string[];
  readonly merchant_status: "active" | "suspended";
  readonly is_valid: boolean;
  readonly is_nonce_new: boolean;
}

const admitColumns: ColumnTypes<AdmitValues> = {
  keyId: "text",
  nonce: "text",
  now: "timestamptz",
  nonceExpiresAt: "timestamptz",
  mayUseNonce: "boolean",
  idempotencyKey: "text",
};

/**
 * Of requests with one nonce the first takes it: `on conflict` does not take the same row twice. The
 * others must not take theirs in an order of their own, or two of these statements may wait for each
 * other.
 */
function admitting<Row extends AdmittedRow>(sets: RawBuilder<never>, own: RawBuilder<unknown>) {
  return sql<Row>`
    with sets as materialized (${sets}),
    caller as materialized (
      select s.*, k.merchant_id, k.environment, k.scopes, m.status as merchant_status,
        k.revoked_at is null and coalesce(k.expires_at > s.now, true) as is_valid,
        i.fingerprint, i.status, i.headers, i.body, i.body_sealed, i.body_expires_at
      from sets s
        join api_keys k on k.id = s."keyId"
        join merchants m on m.id = k.merchant_id
        left join idempotency_keys i on i.merchant_id = k.merchant_id
          and i.environment = k.environment and i.key = s."idempotencyKey" and i.expires_at > s.now),
    first as materialized (
      select distinct on ("keyId", nonce) "set", "keyId" as key_id, nonce, now, "nonceExpiresAt"
      from caller where is_valid and merchant_status = 'active' and "mayUseNonce"
      order by "keyId", nonce, "set"),
    taken as (
      insert into nonces (key_id, nonce, expires_at)
      select key_id, nonce, "nonceExpiresAt" from first order by key_id, nonce
      on conflict (key_id, nonce) do update set expires_at = excluded.expires_at
      where nonces.expires_at <= (select f.now from first f
        where f.key_id = excluded.key_id and f.nonce = excluded.nonce)
      returning key_id, nonce)
    select ${own} merchant_id, environment, scopes, merchant_status, is_valid,
      fingerprint, status, headers, body, body_sealed, body_expires_at,
      "set" in (select f."set" from first f join taken using (key_id, nonce)) as is_nonce_new
    from caller`;
}

const relaxed = { isDurable: false };

/**
 * One round trip that commits by itself, before the handler runs: takes the nonce, and reads what
 * may have changed since the key was cached. The nonce is taken only if nothing else speaks against
 * the request. A row that has expired and was not swept yet counts as absent.
 *
 * It does not wait for the disk: a replay that a crash lets through still meets its idempotency key.
 */
export const admitRequest = statement<AdmitValues>("admit_request", relaxed)(
  (p) => admitting<AdmittedRow>(sql`${oneRow(p, admitColumns)}, 0 as "set"`, sql``),
  together<AdmitValues>(
    "admit_requests",
    admitColumns,
    relaxed,
  )((rows) => admitting<AdmittedRow & { readonly set: number }>(rows, sql`"set",`)),
);

/** Bounded, so that a sweep never holds up requests; the next one takes the rest. */
export const sweepNonces = statement<{ now: Date; rowsMax: number }>("sweep_nonces")((p) =>
  queries
    .with("gone", (q) =>
      q
        .deleteFrom("nonces")
        .where(
          sql<boolean>`(key_id, nonce) in (select key_id, nonce from nonces
          where expires_at <= ${p.now} limit ${p.rowsMax} for update skip locked)`,
        )
        .returning("key_id"),
    )
    .selectFrom("gone")
    .select(sql<number>`count(*)::int`.as("swept")),
);

/** One step in its index. */
export const readOldestNonce = statement<object>("read_oldest_nonce")(() =>
  queries.selectFrom("nonces").select(({ fn }) => fn.min<Date | null>("expires_at").as("at")),
);
