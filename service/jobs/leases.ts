// One process at a time runs a job: whoever has its lease. This is an economy and no guard. A process that was
// frozen may still be in the middle of a batch when another one begins; what keeps them apart then is that every
// batch changes states by compare-and-set.

import type { Database } from "../ports/database.ts";
import { extendJobLeases, releaseJobLease, takeJobLease } from "./leases.sql.ts";

export interface JobLeasePorts {
  readonly database: Database;
  /** what it can do: it shares jobs with processes of the same one */
  readonly setup: string;
  /** this process: no other one, before or after it, is called so */
  readonly holder: string;
}

export interface TakenLease {
  /** that let it run out; undefined: it was free, or ours */
  readonly expiredHolder: string | undefined;
}

export interface KnownLeases {
  /** those that are ours for the whole time again */
  readonly own: ReadonlySet<string>;
  /** those that others have */
  readonly others: ReadonlySet<string>;
}

export class JobLeases {
  readonly #ports: JobLeasePorts;

  constructor(ports: JobLeasePorts) {
    this.#ports = ports;
  }

  /** Undefined: another process has it. */
  async take(name: string): Promise<TakenLease | undefined> {
    const { database, ...ours } = this.#ports;
    const [row] = await database.run(takeJobLease, { name, ...ours });
    return row && { expiredHolder: row.expired_holder ?? undefined };
  }

  /** One statement, whatever the number of jobs: it extends what is ours, and tells what others have. */
  async extend(names: readonly string[]): Promise<KnownLeases> {
    const { database, ...ours } = this.#ports;
    const rows = await database.run(extendJobLeases, { ...ours, names });
    const namesOf = (isOwn: boolean): ReadonlySet<string> =>
      new Set(rows.filter((row) => row.is_own === isOwn).map(({ name }) => name));
    return { own: namesOf(true), others: namesOf(false) };
  }

  async release(name: string): Promise<void> {
    const { database, ...ours } = this.#ports;
    await database.run(releaseJobLease, { name, ...ours });
  }
}
