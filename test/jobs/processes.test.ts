// Who runs the jobs of several server processes, as the table of leases tells it: one of them is killed, one is
// frozen and goes on, one is stopped.

import { expect, test } from "vitest";
import { logLines, type ServerChild } from "../programs/child.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { urlOf, useInstallation } from "../threats/processes.ts";

const installation = useInstallation();

interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly taken_at: Date;
  readonly expires_at: Date;
}

async function leases(): Promise<readonly Lease[]> {
  const rows = await installation.query(
    "select name, holder, taken_at, expires_at from job_leases order by name",
  );
  // As the statement above reads them.
  return rows as unknown as readonly Lease[];
}

const names = (rows: readonly Lease[]): readonly string[] => rows.map(({ name }) => name);
const holders = (rows: readonly Lease[]): readonly string[] => [
  ...new Set(rows.map(({ holder }) => holder)),
];

/** All jobs are those of this process, which is said to have them all. */
async function hasAll(process: ServerChild, count: number): Promise<readonly Lease[]> {
  const numbers = async () => (await leases()).map(({ holder }) => Number(holder.split("/")[1]));
  await expect
    .poll(numbers, { timeout: patienceMilliseconds, interval: 250 })
    .toEqual(Array.from({ length: count }, () => process.pid));
  return leases();
}

/** By job: when it was taken by the one and until when the one before had it. */
function gaps(before: readonly Lease[], after: readonly Lease[]): readonly number[] {
  return after.map(({ name, taken_at: taken }) => {
    const end = before.find((one) => one.name === name)?.expires_at;
    return taken.getTime() - (end?.getTime() ?? Infinity);
  });
}

function takenOver(child: ServerChild, from: string): readonly string[] {
  const lines = logLines(child).filter(({ from: whose }) => whose === from);
  return lines.map(({ job }) => String(job)).toSorted();
}

/** The table has it before the log does. */
async function tells(child: ServerChild, from: string, jobs: readonly string[]): Promise<void> {
  const told = () => takenOver(child, from);
  await expect.poll(told, { timeout: patienceMilliseconds, interval: 100 }).toEqual(jobs);
}

async function started(): Promise<readonly Lease[]> {
  let before = 0;
  const isStill = async () => {
    const { length } = await leases();
    const same = length > 0 && length === before;
    before = length;
    return same;
  };
  await expect.poll(isStill, { timeout: patienceMilliseconds, interval: 1_000 }).toBe(true);
  return leases();
}

test("a process that is killed, frozen or stopped leaves its jobs to another", async () => {
  const first = await installation.start();
  const all = await started();
  expect(all.length).toBeGreaterThan(10);
  const count = all.length;
  await hasAll(first, count);
  const second = await installation.start();
  await hasAll(first, count);

  first.kill("SIGKILL");
  await first.ended;
  const left = await leases();
  const ofSecond = await hasAll(second, count);
  expect(names(ofSecond)).toEqual(names(left));
  // Not before the one that is gone could not have them any more.
  expect(Math.min(...gaps(left, ofSecond))).toBeGreaterThanOrEqual(0);
  await tells(second, holders(left)[0] ?? "", names(left));

  const third = await installation.start();
  await hasAll(second, count);
  second.kill("SIGSTOP");
  const ofThird = await hasAll(third, count);
  await tells(third, holders(ofSecond)[0] ?? "", names(ofThird));

  second.kill("SIGCONT");
  expect((await fetch(`${urlOf(second)}/healthz`)).status).toBe(200);
  // Long enough for the second to look, and it looks for what is its own no more.
  const later = Math.min(...ofThird.map(({ expires_at: end }) => end.getTime())) + 6_000;
  const isExtended = async () =>
    (await leases()).every(({ expires_at: end }) => end.getTime() >= later);
  await expect.poll(isExtended, { timeout: patienceMilliseconds, interval: 250 }).toBe(true);
  const still = await leases();
  expect(still.map(({ taken_at: taken }) => taken)).toEqual(
    ofThird.map(({ taken_at: taken }) => taken),
  );
  expect(holders(still)).toEqual(holders(ofThird));

  third.kill("SIGTERM");
  expect(await third.ended).toEqual({ code: 0, signal: null });
  const free = await leases();
  expect(holders(free)).not.toContain(holders(ofThird)[0]);
  const again = await hasAll(second, count);
  expect(holders(again)).toEqual(holders(ofSecond));
  // What is given back is taken from nobody.
  expect(takenOver(second, holders(ofThird)[0] ?? "")).toEqual([]);
});
