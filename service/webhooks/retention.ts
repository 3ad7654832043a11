// What time does to events and their deliveries, in small batches, so that none of them holds up
// requests. Any number of processes may run these jobs.

import { keptMilliseconds, resumableMilliseconds } from "./delivery-rules.ts";
import { deleteOldEvents, finishGivenUpDeliveries, readOldestEvent } from "./retention.sql.ts";
import { lateness } from "../jobs/forgetting.ts";
import type { ForgettingPorts } from "../jobs/forgetting.ts";
import type { Job } from "../jobs/jobs.ts";

const everyMilliseconds = 3_600_000;
/** Rows in one statement: each brings others with it. */
const usualRowsMax = 500;

/**
 * Deliveries that their endpoint has given up, or that have waited too long for it, are written down
 * as what they are. Nothing says since when, so there is no lag.
 */
export function finishDeliveries(ports: ForgettingPorts): Job {
  const { database, clock, rowsMax = usualRowsMax } = ports;
  return {
    name: "finish-given-up-deliveries",
    everyMilliseconds,
    run: async () => {
      const now = clock.now();
      const resumableSince = new Date(now.getTime() - resumableMilliseconds);
      const values = { now, resumableSince, rowsMax };
      const finished = await database.run(finishGivenUpDeliveries, values);
      return { done: finished.length, isMore: finished.length >= rowsMax };
    },
  };
}

/** With their deliveries. */
export function deleteEvents(ports: ForgettingPorts): Job {
  const { database, clock, rowsMax = usualRowsMax } = ports;
  return {
    name: "delete-old-events",
    everyMilliseconds,
    run: async () => {
      const before = new Date(clock.nowMilliseconds() - keptMilliseconds);
      const [oldest] = await database.run(readOldestEvent, {});
      const deleted = await database.run(deleteOldEvents, { before, rowsMax });
      return {
        done: deleted.length,
        isMore: deleted.length >= rowsMax,
        lagMilliseconds: lateness(oldest?.at, before),
      };
    },
  };
}
