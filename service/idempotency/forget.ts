// Answers and keys that are past their time.

import { forgetting } from "../jobs/forgetting.ts";
import type { ForgettingPorts } from "../jobs/forgetting.ts";
import type { Job } from "../jobs/jobs.ts";
import {
  forgetSealedAnswers,
  readOldestIdempotencyKey,
  readOldestSealedAnswer,
  sweepKeys,
} from "./forget.sql.ts";

/** Answers with a secret in them; their keys stay. */
export function forgetSealedSecrets(ports: ForgettingPorts): Job {
  const statements = { forget: forgetSealedAnswers, oldest: readOldestSealedAnswer };
  return forgetting(ports, { name: "forget-sealed-answers", ...statements });
}

export function freeIdempotencyKeys(ports: ForgettingPorts): Job {
  const statements = { forget: sweepKeys, oldest: readOldestIdempotencyKey };
  return forgetting(ports, { name: "free-idempotency-keys", ...statements });
}
