// A page of things that are due, done one after the other, each by itself.

import { isUnavailable } from "../errors.ts";
import type { JobRun } from "./jobs.ts";

export interface DuePage<Row> {
  readonly rows: readonly Row[];
  /** a page with so many may not be the last one */
  readonly rowsMax: number;
  readonly now: Date;
  /** when the row became due */
  readonly since: (row: Row) => Date;
}

type DueRun = Required<Omit<JobRun, "isHindered">>;

/** True: it is done. False: somebody else was faster, or there was nothing to do. */
type Work<Row> = (row: Row) => Promise<boolean>;

export async function doPage<Row>(page: DuePage<Row>, work: Work<Row>): Promise<DueRun> {
  return runOfPage(page, await doEach(page.rows, work));
}

/** With nothing done, others are at work on all of them, or the next page would be this one again. */
export function runOfPage<Row>(page: DuePage<Row>, done: number): DueRun {
  const { rows, rowsMax, now, since } = page;
  const oldest = Math.min(now.getTime(), ...rows.map((row) => since(row).getTime()));
  const lagMilliseconds = now.getTime() - oldest;
  return { done, isMore: rows.length >= rowsMax && done > 0, lagMilliseconds };
}

/**
 * How many of them `work` has done. One that fails must not keep those behind it waiting, run after
 * run, so they are done all the same; then the first failure is thrown. Only where the database is
 * away there is no point in going on.
 */
export async function doEach<Row>(rows: readonly Row[], work: Work<Row>): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  for (const row of rows) {
    try {
      if (await work(row)) done += 1;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}
