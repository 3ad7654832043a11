// One look at something that runs: for so many seconds in the middle of its run, what was completed
// and what it cost. Its beginning (connections, prepared statements, cold code) is left out.

import { setTimeout as wait } from "node:timers/promises";
import { serverCpuMicroseconds, processCpuMicroseconds } from "../measuring.ts";

/** One request or transaction. */
export interface Completion {
  /** since 1970 */
  readonly atMilliseconds: number;
  readonly latencyMilliseconds: number;
}

export interface WindowPlan {
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly databasePid: number;
  /** whoever sends the requests or transactions */
  readonly clientPid: number;
  /** none: there is nobody between client and database */
  readonly servicePids: readonly number[];
  /** what is done in front of the window and after it */
  readonly around?:
    { readonly begin: () => Promise<void>; readonly end: () => Promise<void> } | undefined;
}

export interface Measured {
  readonly perSecond: number;
  /** milliseconds */
  readonly p50: number;
  readonly p99: number;
  /** microseconds for each request or transaction, of several servers together */
  readonly databaseCpu: number;
  readonly serviceCpu: number;
  readonly clientCpu: number;
}

/** How long something has to run that a window fits into. */
export function runSeconds({
  warmUpSeconds,
  seconds,
}: Pick<WindowPlan, "warmUpSeconds" | "seconds">): number {
  const margin = 1;
  return Math.ceil(warmUpSeconds + seconds) + margin;
}

/** @param running what is completed, once it has run for `runSeconds` from now on */
export async function look(
  plan: WindowPlan,
  running: Promise<readonly Completion[]>,
): Promise<Measured> {
  const tooEarly = running.then(() => {
    throw new Error("the run was over before its time");
  });
  await Promise.race([wait(plan.warmUpSeconds * 1_000), tooEarly]);
  await plan.around?.begin();
  const first = snapshot(plan);
  await Promise.race([wait(plan.seconds * 1_000), tooEarly]);
  const last = snapshot(plan);
  await plan.around?.end();
  const completions = await running;
  const inside = completions.filter(({ atMilliseconds: at }) => at >= first.at && at < last.at);
  if (inside.length === 0) throw new Error("nothing was completed in time");
  const latencies = Float64Array.from(
    inside,
    ({ latencyMilliseconds }) => latencyMilliseconds,
  ).toSorted();
  return {
    perSecond: inside.length / ((last.at - first.at) / 1_000),
    p50: share(latencies, 0.5),
    p99: share(latencies, 0.99),
    databaseCpu: (last.databaseCpu - first.databaseCpu) / inside.length,
    serviceCpu: (last.serviceCpu - first.serviceCpu) / inside.length,
    clientCpu: (last.clientCpu - first.clientCpu) / inside.length,
  };
}

function snapshot({ databasePid, servicePids, clientPid }: WindowPlan) {
  return {
    at: performance.timeOrigin + performance.now(),
    databaseCpu: serverCpuMicroseconds(databasePid),
    serviceCpu: servicePids.reduce((sum, pid) => sum + processCpuMicroseconds(pid), 0),
    clientCpu: processCpuMicroseconds(clientPid),
  };
}

function share(sorted: Float64Array, part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}
