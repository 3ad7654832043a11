// Forgetting what is past its time, in small batches, so that a sweep never holds up requests.
// Deliveries and their events have a job of their own, next to the dispatcher.

import type { Database } from "./ports/database.ts";
import { forgetSealedAnswers, sweepKeys } from "./store/idempotency.ts";
import { sweepNonces } from "./store/nonces.ts";

/** A subject with at least `batchSize` has more to forget: run again soon. */
export interface RetentionCounts {
  readonly nonces: number;
  /** answers with a secret in them; their keys stay until the next line's time */
  readonly sealedAnswers: number;
  readonly idempotencyKeys: number;
}

/** One batch of each subject. Several processes may run it at once. */
export async function runRetention(
  database: Database,
  now: Date,
  batchSize: number,
): Promise<RetentionCounts> {
  const values = { now, rowsMax: batchSize };
  const [nonces] = await database.run(sweepNonces, values);
  const [sealedAnswers] = await database.run(forgetSealedAnswers, values);
  const [idempotencyKeys] = await database.run(sweepKeys, values);
  return {
    nonces: nonces?.swept ?? 0,
    sealedAnswers: sealedAnswers?.swept ?? 0,
    idempotencyKeys: idempotencyKeys?.swept ?? 0,
  };
}
