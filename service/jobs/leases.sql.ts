// Whose a job is. All times are of the database's clock, since those of processes differ. Nothing here waits for
// the disk: what a crash of the database takes away is taken again.

import { sql } from "kysely";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

/** After that anybody may take the job of a process that is gone. */
export const jobLeaseMilliseconds = 8_000;

interface LeaseValues {
  readonly name: string;
  readonly setup: string;
  readonly holder: string;
}

interface HolderValues {
  readonly setup: string;
  readonly holder: string;
  readonly names: readonly string[];
}

const quick = { isDurable: false };
const length = sql`${jobLeaseMilliseconds} * interval '1 ms'`;
/** One that ends later was written before the clock of the database went back: it is nobody's. */
const longest = sql`interval '1 minute'`;

/** Somebody's at this moment. */
export function isLive(expiresAt: string) {
  const at = sql.ref(expiresAt);
  return sql<boolean>`${at} > clock_timestamp() and ${at} <= clock_timestamp() + ${longest}`;
}

/** Takes it or keeps it. No row: another one has it. `expired_holder` let it run out before. */
export const takeJobLease = statement<LeaseValues>(
  "take_job_lease",
  quick,
)(
  (p) => sql<{ readonly expired_holder: string | null }>`
    with before as (
      select holder from job_leases
      where name = ${p.name} and setup = ${p.setup} and holder <> ${p.holder}
    ), taken as (
      insert into job_leases as lease (name, setup, holder, taken_at, expires_at)
      select ${p.name}, ${p.setup}, ${p.holder}, at, at + ${length} from (select clock_timestamp() as at) as moment
      on conflict (name, setup) do update set
        holder = excluded.holder,
        taken_at = case when lease.holder = excluded.holder
          then lease.taken_at else excluded.taken_at end,
        expires_at = excluded.expires_at
      where lease.holder = excluded.holder or not (${isLive("lease.expires_at")})
      returning name
    )
    select before.holder as expired_holder from taken left join before on true`,
);

/**
 * Of these, those that the holder still has are its own for the whole time again; what has run out is not. With them
 * come those that others have. What is in neither may be taken.
 */
export const extendJobLeases = statement<HolderValues>(
  "extend_job_leases",
  quick,
)(
  (p) => sql<{ readonly name: string; readonly is_own: boolean }>`
    with own as (
      update job_leases set expires_at = clock_timestamp() + ${length}
      where name = ${anyOf(p.names)} and setup = ${p.setup} and holder = ${p.holder} and expires_at > clock_timestamp()
      returning name
    )
    select name, true as is_own from own
    union all
    select name, false from job_leases
    where setup = ${p.setup} and holder <> ${p.holder} and ${isLive("expires_at")}`,
);

/** What another one has taken stays its own. */
export const releaseJobLease = statement<LeaseValues>(
  "release_job_lease",
  quick,
)((p) =>
  queries
    .deleteFrom("job_leases")
    .where("name", "=", p.name)
    .where("setup", "=", p.setup)
    .where("holder", "=", p.holder),
);
