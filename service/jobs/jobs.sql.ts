// How the background jobs are doing. The rows are for people: what a crash takes away, the next run
// writes again, so nothing here waits for the disk.

import { sql } from "kysely";
import { queries, statement } from "../database/statement.ts";
import { isLive } from "./leases.sql.ts";

interface RunValues {
  readonly name: string;
  readonly now: Date;
}

interface SuccessValues extends RunValues {
  readonly done: bigint;
  /** milliseconds; null: the job cannot tell */
  readonly lag: bigint | null;
}

interface FailureValues extends RunValues {
  readonly error: string;
}

const quick = { isDurable: false };

/** Adds to what other processes have written: the numbers are those of all of them. */
export const recordJobStart = statement<RunValues>(
  "record_job_start",
  quick,
)((p) =>
  queries
    .insertInto("jobs")
    .values({ name: p.name, last_started_at: p.now, runs: sql<bigint>`1` })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({
        last_started_at: p.now,
        runs: sql<bigint>`jobs.runs + 1`,
      }),
    ),
);

export const recordJobSuccess = statement<SuccessValues>(
  "record_job_success",
  quick,
)((p) =>
  queries
    .updateTable("jobs")
    .set({
      last_succeeded_at: p.now,
      done: sql<bigint>`done + ${p.done}::bigint`,
      lag_ms: sql<bigint>`coalesce(${p.lag}::bigint, lag_ms)`,
    })
    .where("name", "=", p.name),
);

export const recordJobFailure = statement<FailureValues>(
  "record_job_failure",
  quick,
)((p) =>
  queries
    .updateTable("jobs")
    .set({ last_failed_at: p.now, last_error: p.error, failures: sql<bigint>`failures + 1` })
    .where("name", "=", p.name),
);

export const listJobs = statement<object>("list_jobs")(() =>
  queries
    .selectFrom("jobs")
    .selectAll("jobs")
    .select(
      sql<string | null>`(
        select string_agg(lease.holder, ' ' order by lease.holder) from job_leases as lease
        where lease.name = jobs.name and ${isLive("lease.expires_at")})`.as("holder"),
    )
    .orderBy("jobs.name"),
);
