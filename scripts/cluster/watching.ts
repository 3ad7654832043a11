// What a fault did: for how long no write of a service was answered, who leads now, who took over the jobs, and when
// everything was whole again.

import { setTimeout as pause } from "node:timers/promises";
import type { Dice } from "../../test/simulation/dice.ts";
import { faults, type Cluster } from "./faults.ts";
import { longestGap, lostFaults } from "./judging.ts";
import type { Load } from "./load.ts";
import { role } from "./members.ts";
import { query } from "./querying.ts";
import { isReady } from "./services.ts";

export interface Entry {
  readonly fault: string;
  readonly whom: string;
  /** by service, in seconds: the longest that no write was answered */
  readonly gaps: Readonly<Record<string, number>>;
  readonly leader: string;
  /** jobs with another holder, and after how many seconds the last of them was taken */
  readonly takenOver: string;
  /** seconds until everything was as before */
  readonly wholeAfter: number;
  /** Undefined: everything was as before, in time. */
  readonly problem?: string;
}

const wholeSecondsMax = 120;
/** What has just gone may not be missed at once. */
const wholeMilliseconds = 2_000;
/** of quiet before the next one */
const quietMilliseconds = 8_000;

interface With {
  readonly load: Load;
  readonly dice: Dice;
}

export async function breakOne(name: string, cluster: Cluster, parts: With): Promise<Entry> {
  try {
    return await breakAndWatch(name, cluster, parts);
  } catch (error) {
    const problem = `${name}: ${error instanceof Error ? error.message : String(error)}`;
    return {
      fault: name,
      whom: "",
      gaps: {},
      leader: "",
      takenOver: "",
      wholeAfter: Number.NaN,
      problem,
    };
  }
}

async function breakAndWatch(name: string, cluster: Cluster, { load, dice }: With): Promise<Entry> {
  const { members, services } = cluster;
  const before = { leader: await leaderName(cluster), leases: await leases(cluster) };
  const [since, begunAt] = [Date.now(), performance.now()];
  const fault = faults[name];
  if (fault === undefined) throw new Error(`there is no ${name}`);
  const { whom, endedAt, only } = await fault.of(cluster, dice);
  const fromOf = (service: string): number =>
    only === undefined || only === service ? endedAt : begunAt;
  const isWhole = await waitUntilWhole(cluster, load);
  const end = performance.now();
  const after = { leader: await leaderName(cluster), leases: await leases(cluster) };
  const entry = {
    fault: name,
    whom,
    gaps: Object.fromEntries(
      services.all.map((one) => [
        one.name,
        longestGap(load.asking.written, one.name, [fromOf(one.name), end]),
      ]),
    ),
    leader: before.leader === after.leader ? "" : `${before.leader} -> ${after.leader}`,
    takenOver: takenOver(before.leases, after.leases, since),
    wholeAfter: (end - endedAt) / 1_000,
  };
  console.log(lineOf(entry));
  if (!isWhole) return { ...entry, problem: `${name}: not whole within ${wholeSecondsMax} s` };
  const lost = await lostFaults(await members.url(role), load);
  if (lost[0] !== undefined) return { ...entry, problem: `after ${name}: ${lost[0]}` };
  await pause(quietMilliseconds);
  return entry;
}

/** All servers, and writes by both services. False: not in time. */
export async function waitUntilWhole(cluster: Cluster, load: Load): Promise<boolean> {
  const giveUpAt = performance.now() + wholeSecondsMax * 1_000;
  const begunAt = performance.now();
  const { members, services } = cluster;
  const isWriting = (): boolean =>
    services.all.every(({ name }) =>
      load.asking.written.some(({ at, service }) => service === name && at > begunAt),
    );
  let wholeSince: number | undefined;
  while (performance.now() < giveUpAt) {
    const ready = await Promise.all(services.all.map(({ url }) => isReady(url)));
    const isWhole =
      ready.every(Boolean) &&
      isWriting() &&
      (await services.isSigning()) &&
      (await members.isWhole());
    wholeSince = isWhole ? (wholeSince ?? performance.now()) : undefined;
    if (wholeSince !== undefined && performance.now() - wholeSince > wholeMilliseconds) return true;
    await pause(200);
  }
  return false;
}

async function leaderName({ members }: Cluster): Promise<string> {
  return (await members.leader())?.name ?? "nobody";
}

interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly taken_at: Date;
}

/** None: no server leads. */
async function leases({ members }: Cluster): Promise<readonly Lease[]> {
  if ((await members.leader()) === undefined) return [];
  const rows = await query(
    await members.url(role),
    "select name, holder, taken_at from job_leases",
  );
  // As the statement reads them.
  return rows as unknown as readonly Lease[];
}

function takenOver(before: readonly Lease[], after: readonly Lease[], since: number): string {
  const holders = new Map(before.map(({ name, holder }) => [name, holder]));
  const taken = after.filter(({ name, holder }) => (holders.get(name) ?? holder) !== holder);
  if (taken.length === 0) return "";
  const last = Math.max(...taken.map(({ taken_at: at }) => at.getTime()));
  return `${taken.length} after ${((last - since) / 1_000).toFixed(1)} s`;
}

function lineOf({ fault, whom, gaps, leader, takenOver: jobs, wholeAfter }: Entry): string {
  const seconds = Object.values(gaps).map((gap) => gap.toFixed(1));
  return `| ${[fault, whom, ...seconds, leader, jobs, wholeAfter.toFixed(1)].join(" | ")} |`;
}

/** Medians would hide what a fault can do: the longest of each is shown as well. */
export function printTable(entries: readonly Entry[], load: Load): void {
  console.log(
    "\n| fault | times | service one: median s | longest | service two: median s | longest |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
  for (const fault of new Set(entries.map((entry) => entry.fault))) {
    const all = entries.filter((entry) => entry.fault === fault);
    const columns = ["one", "two"].flatMap((name) => {
      const gaps = all.map((entry) => entry.gaps[name] ?? Number.NaN).toSorted((a, b) => a - b);
      return [gaps[gaps.length >> 1], gaps.at(-1)].map((gap) => (gap ?? Number.NaN).toFixed(1));
    });
    console.log(`| ${[fault, all.length, ...columns].join(" | ")} |`);
  }
  const others = Array.from(load.asking.refusals, ([what, count]) => `${what}: ${count}`).join(
    ", ",
  );
  console.log(`\nother answers: ${others === "" ? "none" : others}`);
}
