// What follows from a change of deposits, and when nothing may follow.

import type { Database } from "./ports/database.ts";

/**
 * Called in the transaction that changed deposits of these payments: what follows from it commits
 * with it. The transaction may be run again, so it must have no effect outside the database.
 */
export type OnTouched = (database: Database, paymentIds: readonly string[]) => Promise<void>;

interface Touched {
  readonly payment_id: string;
}

/** In one order, so that two transactions about the same payments wait, and never in a circle. */
export function touching(onTouched: OnTouched) {
  return async (database: Database, rows: readonly Touched[]): Promise<void> => {
    const paymentIds = [...new Set(rows.map((row) => row.payment_id))].toSorted();
    if (paymentIds.length > 0) await onTouched(database, paymentIds);
  };
}

/** The cursor is not where it was: another process was faster, and what it did is not repeated. */
export class Overtaken extends Error {}
