// Forgetting what is past its time, in small batches, so that none of them holds up requests. Each
// is a job of its own, and any number of processes may run it.

import { keptMilliseconds, resumableMilliseconds } from "../webhooks/delivery-rules.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database, Statement } from "../ports/database.ts";
import { deleteOldEvents, finishGivenUpDeliveries } from "../webhooks/retention.sql.ts";
import { forgetSealedAnswers, sweepKeys } from "../idempotency/idempotency.sql.ts";
import { sweepNonces } from "../merchants/nonces.sql.ts";
import {
  readOldestEvent,
  readOldestIdempotencyKey,
  readOldestNonce,
  readOldestSealedAnswer,
} from "./retention.sql.ts";

const minuteMilliseconds = 60_000;
const hourMilliseconds = 3_600_000;
/** Rows in one statement: its locks are gone within milliseconds. */
const smallRowsMax = 1000;
/** The same where each row brings others with it. */
const rowsMaxWithOthers = 500;

export interface RetentionPorts {
  readonly database: Database;
  readonly clock: Clock;
  /** rows in one batch, in place of the ones above */
  readonly rowsMax?: number;
}

/** All of them. */
export function retentionJobs(ports: RetentionPorts): readonly Job[] {
  return [
    forgetNonces(ports),
    forgetSealedSecrets(ports),
    freeIdempotencyKeys(ports),
    finishDeliveries(ports),
    deleteEvents(ports),
  ];
}

/** A request that comes again after that is refused by its timestamp. */
export function forgetNonces(ports: RetentionPorts): Job {
  return sweeping(ports, { name: "forget-nonces", sweep: sweepNonces, oldest: readOldestNonce });
}

/** Answers with a secret in them; their keys stay. */
export function forgetSealedSecrets(ports: RetentionPorts): Job {
  const statements = { sweep: forgetSealedAnswers, oldest: readOldestSealedAnswer };
  return sweeping(ports, { name: "forget-sealed-answers", ...statements });
}

export function freeIdempotencyKeys(ports: RetentionPorts): Job {
  return sweeping(ports, {
    name: "free-idempotency-keys",
    sweep: sweepKeys,
    oldest: readOldestIdempotencyKey,
  });
}

/**
 * Deliveries that their endpoint has given up, or that have waited too long for it, are written down
 * as what they are. Nothing says since when, so there is no lag.
 */
export function finishDeliveries(ports: RetentionPorts): Job {
  const rowsMax = ports.rowsMax ?? rowsMaxWithOthers;
  return {
    name: "finish-given-up-deliveries",
    everyMilliseconds: hourMilliseconds,
    run: async () => {
      const nowMilliseconds = ports.clock.nowMilliseconds();
      const finished = await ports.database.run(finishGivenUpDeliveries, {
        now: new Date(nowMilliseconds),
        resumableSince: new Date(nowMilliseconds - resumableMilliseconds),
        rowsMax,
      });
      return { done: finished.length, isMore: finished.length >= rowsMax };
    },
  };
}

/** With their deliveries. */
export function deleteEvents(ports: RetentionPorts): Job {
  const rowsMax = ports.rowsMax ?? rowsMaxWithOthers;
  const { database, clock } = ports;
  return {
    name: "delete-old-events",
    everyMilliseconds: hourMilliseconds,
    run: async () => {
      const beforeMilliseconds = clock.nowMilliseconds() - keptMilliseconds;
      const [oldest] = await database.run(readOldestEvent, {});
      const before = new Date(beforeMilliseconds);
      const deleted = await database.run(deleteOldEvents, { before, rowsMax });
      return {
        done: deleted.length,
        isMore: deleted.length >= rowsMax,
        lagMilliseconds: lagOf(oldest?.at, beforeMilliseconds),
      };
    },
  };
}

interface Sweep {
  readonly name: string;
  readonly sweep: Statement<
    { readonly now: Date; readonly rowsMax: number },
    { readonly swept: number }
  >;
  readonly oldest: Statement<object, { readonly at: Date | null }>;
}

/** Of a table where each row says when it ends. */
function sweeping(ports: RetentionPorts, { name, sweep, oldest }: Sweep): Job {
  const { database, clock, rowsMax = smallRowsMax } = ports;
  const run = async (): Promise<JobRun> => {
    const nowMilliseconds = clock.nowMilliseconds();
    const [first] = await database.run(oldest, {});
    const [gone] = await database.run(sweep, { now: new Date(nowMilliseconds), rowsMax });
    const done = gone?.swept ?? 0;
    const lagMilliseconds = lagOf(first?.at, nowMilliseconds);
    return { done, isMore: done >= rowsMax, lagMilliseconds };
  };
  return { name, everyMilliseconds: minuteMilliseconds, run };
}

function lagOf(oldest: Date | null | undefined, dueMilliseconds: number): number {
  return Math.max(0, dueMilliseconds - (oldest?.getTime() ?? dueMilliseconds));
}
