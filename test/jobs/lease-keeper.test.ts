// What a process believes of its leases, whatever order answers come in.

import { expect, onTestFinished, test } from "vitest";
import { LeaseKeeper, leaseLimits } from "../../adapters/assembly/job-leases.ts";
import { jobLeaseMilliseconds } from "../../service/jobs/leases.sql.ts";
import { Script, startLoop, Timers } from "./scripted-jobs.ts";

test("what was given back during a look does not come back by its answer", async () => {
  const looks = new Timers();
  const answer = Promise.withResolvers<void>();
  const keeper = new LeaseKeeper({
    leases: {
      take: () => Promise.resolve({ expiredHolder: undefined }),
      extend: async (names) => {
        await answer.promise;
        return { own: new Set(names), others: new Set() };
      },
      release: () => Promise.resolve(),
    },
    clock: { monotonicMilliseconds: () => 0 },
    log: { debug: () => {}, info: () => {}, error: () => {} },
    timer: looks.timer,
  });
  expect(await keeper.take("a")).toBe(true);
  expect(await keeper.take("b")).toBe(true);
  keeper.start(() => {});
  looks.runOut();
  await keeper.giveBack("a");
  answer.resolve();
  await looks.reached(2);
  expect([keeper.isHeld("a"), keeper.isHeld("b")]).toEqual([false, true]);
  await keeper.stop();
});

test("an answer that took longer than the lease gives nobody a job", async () => {
  let now = 0;
  const keeper = new LeaseKeeper({
    leases: {
      take: () => {
        now += 8_000;
        return Promise.resolve({ expiredHolder: undefined });
      },
      extend: () => Promise.resolve({ own: new Set(), others: new Set() }),
      release: () => Promise.resolve(),
    },
    clock: { monotonicMilliseconds: () => now },
    log: { debug: () => {}, info: () => {}, error: () => {} },
  });
  onTestFinished(() => keeper.stop());
  expect(await keeper.take("a")).toBe(false);
});

test("a job whose lease came too late is asked for again, and not kept without being run", async () => {
  const looks = new Timers();
  let now = 0;
  let asked = 0;
  const keeper = new LeaseKeeper({
    leases: {
      take: () => {
        asked += 1;
        if (asked === 1) now += 8_000;
        return Promise.resolve({ expiredHolder: undefined });
      },
      extend: (names) => Promise.resolve({ own: new Set(names), others: new Set() }),
      release: () => Promise.resolve(),
    },
    clock: { monotonicMilliseconds: () => now },
    log: { debug: () => {}, info: () => {}, error: () => {} },
    timer: looks.timer,
  });
  const job = new Script("a");
  const { timers } = startLoop([job], { leases: keeper });
  await looks.reached(1);
  await new Promise(setImmediate);
  expect([asked, job.runs]).toEqual([1, 0]);
  looks.runOut();
  await timers.reached(1);
  expect([asked, job.runs]).toEqual([2, 1]);
});

test("another process takes over at most ten seconds after the last sign of life", () => {
  expect(jobLeaseMilliseconds + leaseLimits.lookMilliseconds).toBe(10_000);
});
