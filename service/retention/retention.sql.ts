// When the oldest of each kind ends, one step in its index: how late the job is that forgets it.

import { queries, statement } from "../database/statement.ts";

export const readOldestNonce = statement<object>("read_oldest_nonce")(() =>
  queries.selectFrom("nonces").select(({ fn }) => fn.min<Date | null>("expires_at").as("at")),
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

export const readOldestEvent = statement<object>("read_oldest_event")(() =>
  queries.selectFrom("events").select(({ fn }) => fn.min<Date | null>("occurred_at").as("at")),
);
