// Work that nobody asks for: what is past its time is ended, sent, checked or deleted. A job does it
// in bounded batches, and the table of jobs says how that goes.

import { listJobs, recordJobFailure, recordJobStart, recordJobSuccess } from "./jobs.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

/** One batch. */
export interface JobRun {
  /** things done */
  readonly done: number;
  /** There is more to do now: run again at once. */
  readonly isMore: boolean;
  /** How long the oldest thing had been due when the batch began; left out if the job cannot tell. */
  readonly lagMilliseconds?: number;
  /**
   * Some of it could not be done for a reason that may lie in this process, such as a node or a signer that does not
   * answer it: another process may try.
   */
  readonly isHindered?: boolean;
}

/**
 * Several processes may run the same job at the same moment: its batch has to bear that. Usually one does, which
 * spares the others the work.
 */
export interface Job {
  /** lower case and hyphens, such as `forget-nonces` */
  readonly name: string;
  /** from the end of one run to the beginning of the next, when there was nothing more to do */
  readonly everyMilliseconds: number;
  /** Bounded, in rows and in time. */
  readonly run: () => Promise<JobRun>;
  /** It looks after what a process has in its memory: each process runs it for itself. */
  readonly isForEveryProcess?: boolean;
}

export interface JobReport {
  readonly name: string;
  /** the process that runs it; null: none, or each for itself */
  readonly heldBy: string | null;
  /** null: never run on this database, by any process */
  readonly last: JobRecord | null;
}

export interface JobRecord {
  readonly startedAt: Date;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  /** the kind of the last failure, never its message */
  readonly error: string | null;
  readonly runs: bigint;
  readonly failures: bigint;
  /** things done by all runs */
  readonly done: bigint;
  readonly lagMilliseconds: number | null;
}

/** Its last run that has ended has failed. */
export function isFailing(last: JobRecord | null): boolean {
  if (last === null || last.failedAt === null) return false;
  return last.succeededAt === null || last.failedAt > last.succeededAt;
}

/** Runs a job once and writes down how it went. */
export class Jobs {
  readonly all: readonly Job[];
  readonly #ports: StoragePorts;

  constructor(ports: StoragePorts, all: readonly Job[]) {
    this.#ports = ports;
    this.all = all;
  }

  /** Throws what the job throws. */
  async run(job: Job): Promise<JobRun> {
    const { database } = this.#ports;
    const { name } = job;
    // First of all, so that one that hangs can be seen.
    await database.run(recordJobStart, { name, now: this.#ports.clock.now() });
    try {
      const run = await job.run();
      const { done, lagMilliseconds } = run;
      const lag = lagMilliseconds === undefined ? null : BigInt(Math.round(lagMilliseconds));
      await database.run(recordJobSuccess, {
        name,
        now: this.#ports.clock.now(),
        done: BigInt(done),
        lag,
      });
      return run;
    } catch (error) {
      const failure = { name, now: this.#ports.clock.now(), error: failureText(error) };
      // Whoever called logs the failure itself; that it cannot be written down has the same reason.
      await database.run(recordJobFailure, failure).catch(() => undefined);
      throw error;
    }
  }

  /** The jobs of this version, and after them those that only another one has run. */
  async list(): Promise<readonly JobReport[]> {
    const rows = await this.#ports.database.run(listJobs, {});
    const recorded = new Map(rows.map((row) => [row.name, row]));
    const names = new Set([...this.all.map(({ name }) => name), ...recorded.keys()]);
    return Array.from(names, (name) => {
      const row = recorded.get(name);
      return { name, heldBy: row?.holder ?? null, last: row === undefined ? null : recordOf(row) };
    });
  }
}

const plainWord = /^[A-Za-z0-9_]{1,64}$/;

/** A message may hold a secret or an address; the name of a class and a code cannot. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return "Error";
  const words = [error.name, "code" in error ? error.code : undefined];
  const plain = words.filter((word) => typeof word === "string" && plainWord.test(word));
  return plain.length === 0 ? "Error" : plain.join(" ");
}

type JobRow = NonNullable<(typeof listJobs)["row"]>;

function recordOf(row: JobRow): JobRecord {
  return {
    startedAt: row.last_started_at,
    succeededAt: row.last_succeeded_at,
    failedAt: row.last_failed_at,
    error: row.last_error,
    runs: row.runs,
    failures: row.failures,
    done: row.done,
    lagMilliseconds: row.lag_ms === null ? null : Number(row.lag_ms),
  };
}
