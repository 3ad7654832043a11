import { afterEach, describe, expect, test } from "vitest";
import { JobLoop, jobLimits } from "../../adapters/assembly/job-loop.ts";
import type { JobRun } from "../../service/jobs/jobs.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import { forgettingJobs } from "../../adapters/assembly/jobs.ts";
import { endChildren, startChild } from "../programs/child.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { addMerchant, query, TestClock } from "../support/service-parts.ts";
import { fail, idle, more, Script, startLoop } from "./scripted-jobs.ts";

afterEach(endChildren);

describe("a job", () => {
  test("runs at the start, and then each at its own pace", async () => {
    const [one, four] = [new Script("a"), new Script("abcd")];
    const { loop, timers } = startLoop([one, four]);
    loop.start();
    await timers.reached(2);
    expect(timers.pauses).toEqual([1_000, 4_000]);
    timers.runOut();
    await timers.reached(4);
    expect([one.runs, four.runs]).toEqual([2, 2]);
  });

  test("with more to do runs again at once, but not for ever", async () => {
    const job = new Script("slow", more, more, () => idle, more, more, more, more, more);
    const limits = { ...jobLimits, batchesMax: 4, restMilliseconds: 300 };
    const { timers } = startLoop([job], { limits });
    await timers.reached(1);
    expect(job.runs).toBe(3);
    timers.runOut();
    await timers.reached(2);
    expect(job.runs).toBe(3 + 4);
    timers.runOut();
    await timers.reached(3);
    expect(job.runs).toBe(3 + 4 + 2);
    // While there is more it only rests, however seldom it runs otherwise.
    expect(timers.pauses).toEqual([4_000, 300, 4_000]);
  });

  test("rests no longer than it would wait anyhow", async () => {
    const job = new Script("a", more, more, more);
    const limits = { ...jobLimits, batchesMax: 2, restMilliseconds: 5_000 };
    const { timers } = startLoop([job], { limits });
    await timers.reached(1);
    expect(timers.pauses).toEqual([1_000]);
  });

  test("can be woken, alone, and never runs twice at a time", async () => {
    const held = Promise.withResolvers<JobRun>();
    const [job, other] = [
      new Script(
        "a",
        () => idle,
        () => held.promise,
      ),
      new Script("b"),
    ];
    const { loop, timers } = startLoop([job, other]);
    await timers.reached(2);
    loop.wake("a");
    for (let count = 0; count < 5; count++) loop.wake("a");
    await new Promise(setImmediate);
    expect(job.runs).toBe(2);
    for (let count = 0; count < 5; count++) loop.wake("a");
    await new Promise(setImmediate);
    expect(job.runs).toBe(2);
    held.resolve(idle);
    await timers.reached(3);
    // Woken during a run means once more after it.
    expect([job.runs, job.atOnceMax, other.runs]).toEqual([3, 1, 1]);
    expect(() => loop.wake("c")).toThrow("there is no job c");
  });

  test("that fails is logged, comes again later and later, and stops no other", async () => {
    const job = new Script("broken", fail, fail, fail, () => idle, fail);
    const other = new Script("a");
    const limits = { ...jobLimits, backOffMillisecondsMax: 3_000 };
    const { timers, errors } = startLoop([job], { limits });
    const beside = startLoop([job, other].slice(1));
    for (let count = 1; count <= 5; count++) {
      await timers.reached(count);
      timers.runOut();
    }
    expect(timers.pauses.slice(0, 5)).toEqual([1_000, 2_000, 3_000, 6_000, 1_000]);
    expect(errors).toMatchObject([1, 2, 3, 1].map((failures) => ({ job: "broken", failures })));
    await beside.timers.reached(1);
  });

  test("has a name of its own", () => {
    expect(() => startLoop([new Script("a"), new Script("a")])).toThrow("two jobs have one name");
  });
});

describe("stopping", () => {
  test("waits for the batch under way, and begins no other", async () => {
    const held = Promise.withResolvers<JobRun>();
    const [job, other] = [new Script("a", () => held.promise), new Script("b")];
    const { loop, timers } = startLoop([job, other]);
    await timers.reached(1);
    let isStopped = false;
    const stopped = loop.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    held.resolve({ done: 1, isMore: true });
    await stopped;
    loop.wake("a");
    loop.start();
    await new Promise(setImmediate);
    expect([job.runs, other.runs, timers.waiting.size]).toEqual([1, 1, 0]);
  });

  test("does not wait for ever for what hangs", async () => {
    const held = Promise.withResolvers<JobRun>();
    const { loop, timers } = startLoop([new Script("a", () => held.promise)]);
    const stopped = loop.stop();
    timers.runOut();
    expect(await stopped).toBe(false);
    held.resolve(idle);
    expect(timers.pauses).toEqual([jobLimits.stopMillisecondsMax]);
  });

  test("a loop that was never started is done at once, and stays so", async () => {
    const job = new Script("a");
    const log = { debug: () => {}, error: () => {} };
    const loop = new JobLoop({ jobs: { all: [job], run: () => job.run() }, log });
    await loop.stop();
    loop.start();
    expect(job.runs).toBe(0);
  });
});

test("an idle loop does not keep the process alive", async () => {
  const program = `
    import { JobLoop } from "./adapters/assembly/job-loop.ts";
    const job = { name: "a", everyMilliseconds: 60_000 };
    const run = () => Promise.resolve({ done: 0, isMore: false });
    new JobLoop({ jobs: { all: [job], run }, log: { debug() {}, error() {} } }).start();`;
  const child = startChild(["--input-type=module", "--eval", program]);
  expect(await child.ended).toEqual({ code: 0, signal: null });
});

describe.each(engines)("on %s", (engine) => {
  test("two processes share the work of every job, and nothing is done twice", async () => {
    const database = await openDatabase(engine);
    const clock = new TestClock();
    await addMerchant(database, "mer_1");
    await query(
      database,
    )`insert into nonces select 'mk', 'n' || n, '2025-01-01' from generate_series(1, 230) as n`;
    await query(database)`insert into events
      select 'evt_' || n, 'mer_1', 'live', 'payment.paid', '2025-01-01', 'payment', 'pay_' || n,
        1, '{}' from generate_series(1, 230) as n`;
    const ports = { database, clock, rowsMax: 20 };
    const loops = [1, 2].map(() => {
      const jobs = new Jobs(ports, forgettingJobs(ports));
      return { jobs, ...startLoop([], { jobs }) };
    });
    const [one] = loops;
    const count = one?.jobs.all.length ?? 0;
    // A batch that found what the other one holds may end a turn early: the next turn has the rest.
    for (let turn = 1; turn <= 2; turn++) {
      await Promise.all(loops.map(({ timers }) => timers.reached(turn * count)));
      for (const { timers } of loops) timers.runOut();
    }
    await Promise.all(loops.map(({ loop }) => loop.stop()));
    expect(loops.flatMap(({ errors }) => errors)).toEqual([]);
    const reports = (await one?.jobs.list()) ?? [];
    const done = new Map(reports.map(({ name, last }) => [name, last?.done]));
    expect(done.get("forget-nonces")).toBe(230n);
    expect(done.get("delete-old-events")).toBe(230n);
    expect(reports.every(({ last }) => last !== null && last.failures === 0n)).toBe(true);
  });
});
