// Idempotency keys in the database: claiming one, finishing it, and forgetting what is past.

import { sql } from "kysely";
import { queries, statement } from "./statement.ts";

export interface ClaimValues {
  readonly merchantId: string;
  readonly key: string;
  readonly operationId: string;
  readonly fingerprint: Uint8Array;
  readonly leaseToken: string;
  readonly now: Date;
  readonly leaseExpiresAt: Date;
  readonly expiresAt: Date;
}

interface LeaseValues {
  readonly merchantId: string;
  readonly key: string;
  readonly leaseToken: string;
}

/** The row of a key. */
export interface KeyRow {
  readonly fingerprint: Uint8Array;
  readonly state: "running" | "finished";
  readonly lease_token: string;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
  readonly body_sealed: Uint8Array | null;
  readonly body_expires_at: Date | null;
}

export interface ClaimedRow extends KeyRow {
  readonly is_claimed: boolean;
}

/**
 * Takes the key if it is free: unknown, past its time, or left by a run of the same request whose
 * lease is over. Otherwise says what is there, and writes nothing. No row at all: it came or went
 * in this moment, ask again.
 *
 * It does not wait for the disk. What a crash could take away is a claim without an effect: the
 * statement that writes the effect comes later in the log, and waits.
 *
 * Our choice: a run that died keeps its fingerprint. Another request with its key is a mistake of
 * the caller, and gets 422 like after a finished run.
 */
export const claimKey = statement<ClaimValues>("claim_idempotency_key", { isDurable: false })((p) =>
  queries
    .with("claimed", () => claiming(p))
    .selectFrom("claimed")
    .select(["fingerprint", "state", "lease_token", "status", "headers"])
    .select(["body", "body_sealed", "body_expires_at", sql<boolean>`true`.as("is_claimed")])
    .unionAll((q) =>
      q
        .selectFrom("idempotency_keys")
        .select(["fingerprint", "state", "lease_token", "status", "headers"])
        .select(["body", "body_sealed", "body_expires_at", sql<boolean>`false`.as("is_claimed")])
        .where("merchant_id", "=", p.merchantId)
        .where("key", "=", p.key)
        .where(sql<boolean>`not exists (select from claimed)`),
    ),
);

function claiming(p: ClaimValues) {
  return queries
    .insertInto("idempotency_keys")
    .values({
      merchant_id: p.merchantId,
      key: p.key,
      operation_id: p.operationId,
      fingerprint: p.fingerprint,
      state: "running",
      lease_token: p.leaseToken,
      lease_expires_at: p.leaseExpiresAt,
      created_at: p.now,
      expires_at: p.expiresAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["merchant_id", "key"])
        .doUpdateSet((e) => ({
          operation_id: e.ref("excluded.operation_id"),
          fingerprint: e.ref("excluded.fingerprint"),
          state: "running",
          lease_token: e.ref("excluded.lease_token"),
          lease_expires_at: e.ref("excluded.lease_expires_at"),
          status: null,
          headers: null,
          body: null,
          body_sealed: null,
          body_expires_at: null,
          created_at: e.ref("excluded.created_at"),
          finished_at: null,
          expires_at: e.ref("excluded.expires_at"),
        }))
        .where(
          sql<boolean>`idempotency_keys.expires_at <= excluded.created_at
            or (idempotency_keys.state = 'running'
              and idempotency_keys.lease_expires_at <= excluded.created_at
              and idempotency_keys.fingerprint = excluded.fingerprint)`,
        ),
    )
    .returning(["fingerprint", "state", "lease_token", "status", "headers"])
    .returning(["body", "body_sealed", "body_expires_at"]);
}

/** The answer of the run with this token, if it finished after all. */
export const readFinishedKey = statement<LeaseValues>("read_finished_idempotency_key")((p) =>
  queries
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "state", "lease_token", "status", "headers"])
    .select(["body", "body_sealed", "body_expires_at"])
    .where("merchant_id", "=", p.merchantId)
    .where("key", "=", p.key)
    .where("lease_token", "=", p.leaseToken)
    .where("state", "=", "finished"),
);

/** What `finishing` writes; `Fence.finish` in service/idempotency.ts makes them. */
export interface FinishingValues {
  readonly fenceMerchantId: string;
  readonly fenceKey: string;
  readonly fenceLeaseToken: string;
  readonly answerStatus: number;
  /** JSON text */
  readonly answerHeaders: string | null;
  readonly answerBody: string | null;
  readonly answerBodySealed: Uint8Array | null;
  readonly answerBodyExpiresAt: Date | null;
  readonly finishedAt: Date;
}

/**
 * The fence of a statement: `.with("fence", () => finishing(p))`. It stores the answer if the run
 * still holds its key, and then has one row, `(is_finished)`. Every effect of the statement must be
 * made `from fence`, so that a run whose lease was taken over writes nothing.
 *
 * If the effect depends on something else too, that has to be part of the fence, or the key would
 * be finished without its effect: lock and check it in a CTE before (`for no key update`), and add
 * `.where(sql<boolean>`exists (select from that_one)`)`.
 */
export function finishing(p: FinishingValues) {
  return queries
    .updateTable("idempotency_keys")
    .set({
      state: "finished",
      status: p.answerStatus,
      headers: p.answerHeaders,
      body: p.answerBody,
      body_sealed: p.answerBodySealed,
      body_expires_at: p.answerBodyExpiresAt,
      finished_at: p.finishedAt,
    })
    .where("merchant_id", "=", p.fenceMerchantId)
    .where("key", "=", p.fenceKey)
    .where("lease_token", "=", p.fenceLeaseToken)
    .where("state", "=", "running")
    .returning(sql<boolean>`true`.as("is_finished"));
}

/** For work that turned out to change nothing. One row if the run still holds its key. */
export const finishOnly = statement<FinishingValues>("finish_idempotency_key")((p) => finishing(p));

/** Frees the key after work that failed. Never touches a finished one, or one taken over. */
export const releaseKey = statement<LeaseValues>("release_idempotency_key")((p) =>
  queries
    .deleteFrom("idempotency_keys")
    .where("merchant_id", "=", p.merchantId)
    .where("key", "=", p.key)
    .where("lease_token", "=", p.leaseToken)
    .where("state", "=", "running")
    .returning("key"),
);

interface SweepValues {
  readonly now: Date;
  readonly rowsMax: number;
}

/** Secrets in answers past their day. The row stays, so that a replay is told so. */
export const forgetSealedAnswers = statement<SweepValues>("forget_sealed_answers")((p) =>
  queries
    .with("gone", (q) =>
      q
        .updateTable("idempotency_keys")
        .set({ body_sealed: null })
        .where(
          sql<boolean>`(merchant_id, key) in (
            select merchant_id, key from idempotency_keys
            where body_sealed is not null and body_expires_at <= ${p.now}
            limit ${p.rowsMax} for update skip locked)`,
        )
        .returning("key"),
    )
    .selectFrom("gone")
    .select(sql<number>`count(*)::int`.as("swept")),
);

/** Keys past their time, finished or abandoned. */
export const sweepKeys = statement<SweepValues>("sweep_idempotency_keys")((p) =>
  queries
    .with("gone", (q) =>
      q
        .deleteFrom("idempotency_keys")
        .where(
          sql<boolean>`(merchant_id, key) in (
            select merchant_id, key from idempotency_keys
            where expires_at <= ${p.now}
            limit ${p.rowsMax} for update skip locked)`,
        )
        .returning("key"),
    )
    .selectFrom("gone")
    .select(sql<number>`count(*)::int`.as("swept")),
);
