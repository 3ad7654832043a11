// A change is decided in memory on what was read, and written by a statement that does nothing if
// that is no longer so. Then it is read and decided again.

import assert from "node:assert";
import { ServiceError } from "../errors.ts";
import type { Database } from "../ports/database.ts";
import { finishKey } from "./idempotency.sql.ts";
import type { ChangeFacts, FinishingValues } from "./idempotency.sql.ts";
import { keyTaken } from "./idempotency.ts";

/** This often in a row is a fault. */
const decisionsMax = 10;

/**
 * `step` reads, decides and writes; false: what it was decided on has changed in between, and nothing
 * was written. Throws what the step throws, and `service_unavailable`, which names the `subject`.
 */
export async function decideAgain<Result>(
  subject: string,
  step: () => Promise<Result | false>,
): Promise<Result> {
  for (let count = 0; count < decisionsMax; count++) {
    const result = await step();
    if (result !== false) return result;
  }
  throw new ServiceError("service_unavailable", `The ${subject} changes too often right now.`);
}

/** What a fenced statement has done, as a step says it. Throws `keyTaken`. */
export function isChanged(rows: readonly ChangeFacts[]): boolean {
  const [facts] = rows;
  assert(facts !== undefined, "the statement has one row");
  if (facts.is_current && !facts.is_finished) throw keyTaken();
  return facts.is_finished;
}

/**
 * The answer by a statement of its own: what was asked for is so already, or was written before in
 * the same transaction. Throws `keyTaken`.
 */
export async function storeAnswer(database: Database, finishing: FinishingValues): Promise<true> {
  const finished = await database.run(finishKey, finishing);
  if (finished.length === 0) throw keyTaken();
  return true;
}
