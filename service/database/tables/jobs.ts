// How the background jobs are doing, and who runs them.

import type { Generated } from "kysely";

export interface JobsTable {
  readonly name: string;
  readonly last_started_at: Date;
  readonly last_succeeded_at: Date | null;
  readonly last_failed_at: Date | null;
  readonly last_error: string | null;
  readonly runs: Generated<bigint>;
  readonly failures: Generated<bigint>;
  readonly done: Generated<bigint>;
  readonly lag_ms: bigint | null;
}

export interface JobLeasesTable {
  readonly name: string;
  readonly setup: string;
  readonly holder: string;
  readonly taken_at: Date;
  readonly expires_at: Date;
}

export interface JobTables {
  readonly jobs: JobsTable;
  readonly job_leases: JobLeasesTable;
}
