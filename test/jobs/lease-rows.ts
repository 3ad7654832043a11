// The table of leases, as a test reads and turns it.

import { sql } from "kysely";
import type { Database } from "../../service/ports/database.ts";
import { query } from "../support/service-parts.ts";

/** of processes that have the same chains */
export const setup = "5e7cafe0";

export interface LeaseRow {
  readonly name: string;
  readonly holder: string;
  readonly taken_at: Date;
  readonly expires_at: Date;
  readonly isLive: boolean;
  readonly leftSeconds: number;
}

export function leaseRows(database: Database): Promise<readonly LeaseRow[]> {
  return query(
    database,
    sql<LeaseRow>`select name, holder, taken_at, expires_at, expires_at > clock_timestamp() as "isLive",
      extract(epoch from expires_at - clock_timestamp())::float8 as "leftSeconds"
      from job_leases order by name`,
  );
}

/** So much later than now, of one job or of all: a slow machine changes nothing about that. */
export async function endIn(database: Database, length: string, name?: string): Promise<void> {
  const which = name === undefined ? sql`true` : sql`name = ${sql.lit(name)}`;
  await query(
    database,
    sql`update job_leases set expires_at = clock_timestamp() + ${sql.lit(length)}::interval where ${which}`,
  );
}
