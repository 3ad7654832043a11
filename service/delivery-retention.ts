// What happens to deliveries with time: those that their endpoint has given up, or that have waited
// too long for it, are finished, and all of them are deleted with their events in the end.

import { resumableMilliseconds } from "./delivery-rules.ts";
import type { Clock } from "./ports/clock.ts";
import type { Database } from "./ports/database.ts";
import { deleteOldEvents, finishGivenUpDeliveries } from "./store/delivery-retention.ts";

const dayMilliseconds = 86_400_000;
/** Merchants see the deliveries of the last 30 days. */
export const keptMilliseconds = 30 * dayMilliseconds;

/** Rows in one statement: its locks are gone within milliseconds. */
const batchRows = 500;
/** Statements in one run: what is left is done by the next one. */
const batchesMax = 200;

export interface RetentionResult {
  /** cancelled or failed */
  readonly givenUpDeliveries: number;
  readonly deletedEvents: number;
}

export interface RetentionPorts {
  readonly database: Database;
  readonly clock: Clock;
}

/** May run in several processes at once. */
export async function runDeliveryRetention(ports: RetentionPorts): Promise<RetentionResult> {
  const { database } = ports;
  const now = new Date(ports.clock.nowMilliseconds());
  const ago = (milliseconds: number): Date => new Date(now.getTime() - milliseconds);
  const givenUp = { now, resumableSince: ago(resumableMilliseconds), rowsMax: batchRows };
  const old = { before: ago(keptMilliseconds), rowsMax: batchRows };
  return {
    givenUpDeliveries: await inBatches(() => database.run(finishGivenUpDeliveries, givenUp)),
    deletedEvents: await inBatches(() => database.run(deleteOldEvents, old)),
  };
}

async function inBatches(batch: () => Promise<readonly unknown[]>): Promise<number> {
  let count = 0;
  for (let batches = 0; batches < batchesMax; batches++) {
    const rows = await batch();
    count += rows.length;
    if (rows.length < batchRows) break;
  }
  return count;
}
