// What follows from a change of deposits, and when nothing may follow.

import { isUnavailable } from "../errors.ts";
import type { Database } from "../ports/database.ts";

/**
 * Called in the transaction that changed deposits of these payments: what follows from it commits
 * with it. The transaction may be run again, so it must have no effect outside the database.
 */
export type OnTouched = (database: Database, paymentIds: readonly string[]) => Promise<void>;

/** In the same transaction, in place of that: it is done later, each payment by itself. */
export type Postpone = (
  database: Database,
  paymentIds: readonly string[],
  error: unknown,
) => Promise<void>;

interface Touched {
  /** null: nobody's, and nothing follows from it here */
  readonly payment_id: string | null;
}

type Touch = (database: Database, rows: readonly Touched[]) => Promise<void>;

export interface Touching {
  readonly touch: Touch;
  /** where it cannot wait */
  readonly touchNow: Touch;
}

export interface TouchingPorts {
  readonly database: Database;
  readonly onTouched: OnTouched;
  /**
   * In the same transaction, before what is gone becomes something else: what is booked of it, and
   * nobody's, is taken back. Left out: no settlement account is watched.
   */
  readonly onNobodysGone?: ((database: Database, chainId: string) => Promise<void>) | undefined;
  /** left out: what fails for one payment fails for all */
  readonly postpone?: Postpone | undefined;
}

/**
 * A transaction that changes deposits. Where what follows fails for a payment, it is run once more,
 * and what follows is postponed for all of them: the failure has undone everything, and says of
 * nobody else that it would have worked.
 */
export async function changingDeposits<Result>(
  { database, onTouched, postpone }: TouchingPorts,
  work: (database: Database, touching: Touching) => Promise<Result>,
): Promise<Result> {
  const failed: unknown[] = [];
  const touchNow = inOrder(async (inside, ids) => {
    try {
      await onTouched(inside, ids);
    } catch (error) {
      failed.push(error);
      throw error;
    }
  });
  try {
    return await database.transaction((inside) => {
      failed.length = 0;
      return work(inside, { touch: touchNow, touchNow });
    });
  } catch (error) {
    if (postpone === undefined || failed.length === 0 || isUnavailable(error)) throw error;
    const touch = inOrder((inside, ids) => postpone(inside, ids, error));
    return await database.transaction((inside) => work(inside, { touch, touchNow }));
  }
}

/** In one order, so that two transactions about the same payments wait, and never in a circle. */
function inOrder(onTouched: OnTouched): Touch {
  return async (database, rows) => {
    const ids = rows.flatMap(({ payment_id: id }) => (id === null ? [] : [id]));
    const paymentIds = [...new Set(ids)].toSorted();
    if (paymentIds.length > 0) await onTouched(database, paymentIds);
  };
}

/** The cursor is not where it was: another process was faster, and what it did is not repeated. */
export class Overtaken extends Error {}
