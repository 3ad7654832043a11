// The jobs of what happens again and again: payouts to merchants, and bills to their customers.

import { billingJob } from "../../service/subscriptions/biller.ts";
import type { BillerPorts } from "../../service/subscriptions/biller.ts";
import type { ChainHealth } from "../../service/chains/health.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { payoutJobs } from "../../service/payouts/runner.ts";
import type { PayoutRunnerPorts } from "../../service/payouts/runner.ts";
import type { Database } from "../../service/ports/database.ts";
import { readDatabaseTime } from "../../service/payouts/runner.sql.ts";

export interface ScheduleJobPorts extends BillerPorts, Pick<PayoutRunnerPorts, "withdrawals"> {
  readonly health: Pick<ChainHealth, "list">;
  /** in place of the database's clock */
  readonly now?: PayoutRunnerPorts["now"];
}

export function scheduleJobs(ports: ScheduleJobPorts): readonly Job[] {
  const { database, health } = ports;
  const freshChains = async (): Promise<readonly string[]> => {
    const reports = await health.list();
    return reports.filter(({ isStale }) => !isStale).map(({ chainId }) => chainId);
  };
  const now = ports.now ?? (() => databaseTime(database));
  return [...payoutJobs({ ...ports, freshChains, now }), billingJob(ports)];
}

async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.run(readDatabaseTime, {});
  if (row === undefined) throw new Error("the database has no time");
  return row.now;
}
