// Forgetting what is past its time, in small batches, so that none of them holds up requests. Any
// number of processes may run such a job.

import type { Job } from "./jobs.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { Statement } from "../ports/database.ts";

const minuteMilliseconds = 60_000;
/** Rows in one statement: its locks are gone within milliseconds. */
const usualRowsMax = 1000;

export interface ForgettingPorts extends StoragePorts {
  /** rows in one batch, in place of the usual number */
  readonly rowsMax?: number;
}

export interface Forgetting {
  readonly name: string;
  readonly forget: Statement<
    { readonly now: Date; readonly rowsMax: number },
    { readonly swept: number }
  >;
  /** when the first of them ends: how late the job is */
  readonly oldest: Statement<object, { readonly at: Date | null }>;
}

/** Of a table where each row says when it ends. */
export function forgetting(ports: ForgettingPorts, { name, forget, oldest }: Forgetting): Job {
  const { database, clock, rowsMax = usualRowsMax } = ports;
  return {
    name,
    everyMilliseconds: minuteMilliseconds,
    run: async () => {
      const now = clock.now();
      const [first] = await database.run(oldest, {});
      const [gone] = await database.run(forget, { now, rowsMax });
      const done = gone?.swept ?? 0;
      return { done, isMore: done >= rowsMax, lagMilliseconds: lateness(first?.at, now) };
    },
  };
}

/** In milliseconds; nothing is there: nothing is late. */
export function lateness(oldest: Date | null | undefined, due: Date): number {
  return Math.max(0, due.getTime() - (oldest ?? due).getTime());
}
