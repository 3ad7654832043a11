// Forgetting what is past its time; when the oldest of each kind ends is one step in its index.

import { sql } from "kysely";
import { queries, statement } from "../database/statement.ts";

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
          sql<boolean>`(merchant_id, environment, key) in (
            select merchant_id, environment, key from idempotency_keys
            where body_sealed is not null and body_expires_at <= ${p.now}
            limit ${p.rowsMax} for update skip locked)`,
        )
        .returning("key"),
    )
    .selectFrom("gone")
    .select(sql<number>`count(*)::int`.as("swept")),
);

/** Keys past their time. */
export const sweepKeys = statement<SweepValues>("sweep_idempotency_keys")((p) =>
  queries
    .with("gone", (q) =>
      q
        .deleteFrom("idempotency_keys")
        .where(
          sql<boolean>`(merchant_id, environment, key) in (
            select merchant_id, environment, key from idempotency_keys
            where expires_at <= ${p.now}
            limit ${p.rowsMax} for update skip locked)`,
        )
        .returning("key"),
    )
    .selectFrom("gone")
    .select(sql<number>`count(*)::int`.as("swept")),
);

export const readOldestSealedAnswer = statement<object>("read_oldest_sealed_answer")(() =>
  queries
    .selectFrom("idempotency_keys")
    .select(({ fn }) => fn.min<Date | null>("body_expires_at").as("at"))
    .where("body_sealed", "is not", null),
);

export const readOldestIdempotencyKey = statement<object>("read_oldest_idempotency_key")(() =>
  queries
    .selectFrom("idempotency_keys")
    .select(({ fn }) => fn.min<Date | null>("expires_at").as("at")),
);
