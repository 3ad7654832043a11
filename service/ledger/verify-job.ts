// The nightly recomputation of the ledger, as a job: some pages at a time, once a day.

import type { Job, JobRun } from "../jobs/jobs.ts";
import { LedgerPass, verdictLines } from "./verifier.ts";
import type { LedgerVerdict, VerifierPorts } from "./verifier.ts";

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;
/** Statements in one batch, each of them bounded. */
const pagesMax = 20;

export interface VerifyJobPorts extends VerifierPorts {
  /** hears of it each time the ledger was read and something is wrong */
  readonly onDifference: (lines: readonly string[]) => void;
}

export const ledgerVerifyName = "ledger-verify";
/** As the table of jobs has it. */
export const ledgerDifferenceName = "LedgerDifference";

/** The ledger differs from its postings. Somebody has to look at it. */
export class LedgerDifference extends Error {
  constructor(count: number) {
    super(`${count} differences in the ledger: npm run admin -- ledger verify`);
    this.name = ledgerDifferenceName;
  }
}

/**
 * Whoever has the job reads, from when it got it, and only reads; where it has got to lives in
 * memory, so another process, or the same after a restart, begins again. After a difference the job keeps failing, and looks again every
 * hour, until there is none: an alarm that nobody has answered must not go out by itself.
 */
export function ledgerVerifyJob(ports: VerifyJobPorts): Job {
  const { clock, onDifference } = ports;
  let pass: LedgerPass | undefined;
  let dueMilliseconds = clock.nowMilliseconds();
  let found: LedgerVerdict | undefined;

  const finish = (verdict: LedgerVerdict): void => {
    pass = undefined;
    found = verdict.differencesCount === 0 ? undefined : verdict;
    const isWrong = found !== undefined;
    dueMilliseconds = clock.nowMilliseconds() + (isWrong ? hourMilliseconds : dayMilliseconds);
    if (isWrong) onDifference(verdictLines(verdict));
  };

  const run = async (): Promise<JobRun> => {
    if (pass === undefined && clock.nowMilliseconds() >= dueMilliseconds) {
      pass = new LedgerPass(ports);
    }
    let pages = 0;
    for (; pages < pagesMax; pages++) {
      const verdict = await pass?.next();
      if (pass === undefined) break;
      if (verdict !== undefined) finish(verdict);
    }
    if (pass === undefined && found !== undefined)
      throw new LedgerDifference(found.differencesCount);
    return { done: pages, isMore: pass !== undefined };
  };
  return { name: ledgerVerifyName, everyMilliseconds: hourMilliseconds, run };
}
