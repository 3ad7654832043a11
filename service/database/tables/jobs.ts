// How the background jobs are doing.

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

export interface JobTables {
  readonly jobs: JobsTable;
}
