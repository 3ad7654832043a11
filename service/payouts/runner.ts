// Runs what is due. The first run of a schedule begins a grid of times in UTC, so summer time does
// not exist for it; each point of the grid is run once, whoever runs; and after a standstill the
// points that were missed collapse into one run, so that nothing floods out.
//
// The run, the withdrawal it asks for and the event are one transaction: a schedule that is paused
// before the commit sends nothing, and a process that dies leaves nothing behind.

import { doEach, doPage } from "../jobs/batch.ts";
import { eventValues } from "../events/events.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { payoutScheduleEvent, reasonToRetire } from "./model.ts";
import type { PayoutSchedule, PayoutScheduleFacts } from "./model.ts";
import { retireValues, scheduleOf } from "./schedules.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import { findSchedule, retireSchedule } from "./schedules.sql.ts";
import {
  listDueSchedules,
  listEndedSchedules,
  lockDueSchedule,
  readSchedulesWaitingSince,
  recordPayoutRun,
} from "./runner.sql.ts";
import type { RunValues } from "./runner.sql.ts";
import type { PayoutCommand, PayoutPreview, PayoutResult } from "../withdrawals/withdrawals.ts";

/** A payout a minute late bothers nobody. */
const runEveryMilliseconds = 10_000;
/** It looks at all schedules, and what it ends would not have run anyway. */
const retireEveryMilliseconds = 300_000;
/** Schedules in one run of the job. */
const runsMax = 50;

export interface PayoutRunnerPorts {
  readonly database: Database;
  /** for the times of events */
  readonly clock: Clock;
  /** What is due is judged by one clock for all processes: the database's. */
  readonly now: () => Promise<Date>;
  readonly identifiers: Identifiers;
  readonly withdrawals: {
    readonly requestInTransaction: (
      database: Database,
      command: PayoutCommand,
    ) => Promise<PayoutResult>;
    readonly lookInTransaction: (
      database: Database,
      command: PayoutCommand,
    ) => Promise<PayoutPreview>;
  };
  /**
   * The chains whose view is of now. On the others money may be missing or too much, so nothing is
   * sent there until they are back.
   */
  readonly freshChains: () => Promise<readonly string[]>;
}

/** Where a run stands in the grid of its schedule. */
export interface GridPoint {
  readonly slot: Date;
  /** points before it that nobody ran */
  readonly missed: number;
  readonly next: Date;
}

/** The last point of the grid that is not after `now`. */
export function gridPointOf(
  { nextRunAt, intervalSeconds }: Pick<PayoutSchedule, "nextRunAt" | "intervalSeconds">,
  now: Date,
): GridPoint {
  const intervalMilliseconds = intervalSeconds * 1000;
  const missed = Math.floor((now.getTime() - nextRunAt.getTime()) / intervalMilliseconds);
  const slot = nextRunAt.getTime() + missed * intervalMilliseconds;
  return { slot: new Date(slot), missed, next: new Date(slot + intervalMilliseconds) };
}

type Due = NonNullable<(typeof listDueSchedules)["row"]>;
type Ended = NonNullable<(typeof listEndedSchedules)["row"]>;

/** Several processes may run them at once. */
export function payoutJobs(ports: PayoutRunnerPorts): readonly Job[] {
  return [
    { name: "run-payouts", everyMilliseconds: runEveryMilliseconds, run: () => runDue(ports) },
    {
      name: "retire-payouts",
      everyMilliseconds: retireEveryMilliseconds,
      run: () => retireEnded(ports),
    },
  ];
}

async function runDue(ports: PayoutRunnerPorts): Promise<JobRun> {
  const { database, freshChains } = ports;
  const now = await ports.now();
  const chainIds = await freshChains();
  const rows = await database.run(listDueSchedules, { now, chainIds, rowsMax: runsMax });
  const run = await doPage(
    { rows, rowsMax: runsMax, now, since: (row) => row.next_run_at },
    (row) => runOne(ports, row, now),
  );
  // Those that no fresh chain lets run are late as well.
  const [waiting] = await database.run(readSchedulesWaitingSince, { now, chainIds });
  const waitedMilliseconds = now.getTime() - (waiting?.since ?? now).getTime();
  return { ...run, lagMilliseconds: Math.max(run.lagMilliseconds, waitedMilliseconds) };
}

/** Those that can never run again, paused ones too; no chain has to be asked for that. */
async function retireEnded(ports: PayoutRunnerPorts): Promise<JobRun> {
  const now = await ports.now();
  const ended = await ports.database.run(listEndedSchedules, { rowsMax: runsMax });
  const done = await doEach(ended, (one) => retireOne(ports, one, now));
  return { done, isMore: ended.length === runsMax && done > 0 };
}

/** False: somebody else was faster. */
async function retireOne(
  ports: PayoutRunnerPorts,
  { id, merchant_id: merchantId, environment }: Ended,
  now: Date,
): Promise<boolean> {
  const [row] = await ports.database.run(findSchedule, { merchantId, environment, id });
  const reason = row === undefined ? undefined : reasonToRetire(row);
  if (row === undefined || reason === undefined) return false;
  return isRetired(ports, scheduleOf(row, now), { now, reason });
}

async function isRetired(
  ports: PayoutRunnerPorts,
  schedule: PayoutSchedule,
  { now, reason }: { readonly now: Date; readonly reason: string },
): Promise<boolean> {
  const values = retireValues(ports, schedule, { now, facts: { reason } });
  const rows = await ports.database.run(retireSchedule, values);
  return rows.length > 0;
}

/** False: somebody else has it, or it is no longer due. */
function runOne(ports: PayoutRunnerPorts, due: Due, now: Date): Promise<boolean> {
  const { id, merchant_id: merchantId, environment, next_run_at: nextRunAt } = due;
  return ports.database.transaction(async (database) => {
    const inside = { ...ports, database };
    const locked = await database.run(lockDueSchedule, { id, nextRunAt });
    if (locked.length === 0) return false;
    const [row] = await database.run(findSchedule, { merchantId, environment, id });
    if (row === undefined) return false;
    const schedule = scheduleOf(row, now);
    const reason = reasonToRetire(row);
    if (reason !== undefined) return isRetired(inside, schedule, { now, reason });
    await database.run(recordPayoutRun, await runValues(inside, schedule, now));
    return true;
  });
}

async function runValues(
  ports: PayoutRunnerPorts,
  schedule: PayoutSchedule,
  now: Date,
): Promise<RunValues> {
  const { slot, missed, next } = gridPointOf(schedule, now);
  const { type, facts, ...outcome } = await outcomeOf(ports, schedule, now);
  const after: PayoutSchedule = { ...schedule, nextRunAt: next, updatedAt: now };
  const place: PayoutScheduleFacts = { slot: slot.toISOString(), missed_runs: missed };
  const draft = payoutScheduleEvent(type, after, { ...place, ...facts });
  const point = { scheduleId: schedule.id, slot, missed, nextRunAt: next, now };
  return { ...point, ...outcome, ...eventValues(ports, draft) };
}

/**
 * Our choice: a notice is held back by what would hold back the withdrawal. Nobody wants to be told
 * every week that nothing can be paid out.
 */
async function outcomeOf(
  ports: PayoutRunnerPorts,
  schedule: PayoutSchedule,
  now: Date,
): Promise<Outcome> {
  const { owner, deploymentId, withdrawAddressId, isKeyBound, minSendRaw, mode } = schedule;
  const { database, withdrawals } = ports;
  const command: PayoutCommand = {
    owner,
    deploymentId,
    withdrawAddressId,
    isKeyBound,
    amount: { kind: "all", minimumRaw: minSendRaw },
    occurredAt: now,
  };
  const isNotice = mode === "notify_only";
  const result = isNotice
    ? await withdrawals.lookInTransaction(database, command)
    : await withdrawals.requestInTransaction(database, command);
  if ("refused" in result) {
    const reason = result.refused;
    const type = "payout_schedule.run_skipped";
    return { outcome: "skipped", reason, withdrawalId: null, type, facts: { reason } };
  }
  if (!("withdrawal" in result)) {
    const type = "payout_schedule.due";
    return { outcome: "due", reason: null, withdrawalId: null, type, facts: amountFacts(result) };
  }
  const { withdrawal } = result;
  return {
    outcome: "requested",
    reason: null,
    withdrawalId: withdrawal.id,
    type: "payout_schedule.run_requested",
    facts: { withdrawal_id: withdrawal.id, ...amountFacts(withdrawal) },
  };
}

interface Outcome extends Pick<RunValues, "outcome" | "reason" | "withdrawalId"> {
  readonly type: Parameters<typeof payoutScheduleEvent>[0];
  readonly facts: PayoutScheduleFacts;
}

function amountFacts({
  sendAmountRaw,
  feeRaw,
}: Exclude<PayoutPreview, { refused: unknown }>): PayoutScheduleFacts {
  return { send_amount_raw: `${sendAmountRaw}`, withdrawal_fee_raw: `${feeRaw}` };
}
