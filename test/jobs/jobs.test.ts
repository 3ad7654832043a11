import { describe, expect, test } from "vitest";
import { jobsPart } from "../../adapters/operator/own-work.ts";
import { ServiceError } from "../../service/errors.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import type { Job, JobRun } from "../../service/jobs/jobs.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { TestClock } from "../support/service-parts.ts";

const secret = "sk_live_dontshowthis";

function jobOf(name: string, run: () => JobRun): Job {
  // A throw becomes a rejection, as of every real job.
  return { name, everyMilliseconds: 1, run: () => Promise.resolve().then(run) };
}

const words = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

describe.each(engines)("on %s", (engine) => {
  test("each run is counted, over all processes, and the last one is described", async () => {
    const database = await openDatabase(engine);
    const clock = new TestClock();
    const job = jobOf("expire", () => ({ done: 3, isMore: false, lagMilliseconds: 5_400_000 }));
    const never = jobOf("never-run", () => ({ done: 0, isMore: false }));
    const [one, other] = [1, 2].map(() => new Jobs({ database, clock }, [job, never]));
    if (one === undefined || other === undefined) throw new Error("there are two");
    await one.run(job);
    clock.advance(1_000);
    expect(await other.run(job)).toEqual({ done: 3, isMore: false, lagMilliseconds: 5_400_000 });
    const at = clock.now();
    const last = { startedAt: at, succeededAt: at, failedAt: null, error: null };
    const counts = { runs: 2n, failures: 0n, done: 6n, lagMilliseconds: 5_400_000 };
    expect(await one.list()).toEqual([
      { name: "expire", heldBy: null, last: { ...last, ...counts } },
      { name: "never-run", heldBy: null, last: null },
    ]);
    expect(words(jobsPart(await one.list()).text)).toEqual([
      ["JOB", "LAST RUN", "STATE", "LAG", "RUNS", "DONE", "FAILURES", "HELD BY", "LAST ERROR"],
      ["expire", "2026-01-01T00:00:01.000Z", "ok", "1h", "2", "6", "0", "-", "-"],
      ["never-run", "never", "-", "-", "0", "0", "0", "-", "-"],
    ]);
  });

  test("a failure is thrown, and written down without its message", async () => {
    const database = await openDatabase(engine);
    const clock = new TestClock();
    let failure: Error = new TypeError(secret);
    const job = jobOf("send", () => {
      throw failure;
    });
    const jobs = new Jobs({ database, clock }, [job]);
    const state = async () => words(jobsPart(await jobs.list()).text)[1]?.slice(2);
    await expect(jobs.run(job)).rejects.toBe(failure);
    const time = "2026-01-01T00:00:00.000Z";
    expect(await state()).toEqual(["failing", "-", "1", "0", "1", "-", `TypeError at ${time}`]);
    failure = new ServiceError("service_unavailable", secret);
    await expect(jobs.run(job)).rejects.toBe(failure);
    const text = `ServiceError service_unavailable at ${time}`;
    expect(await state()).toEqual(["failing", "-", "2", "0", "2", "-", text]);
    failure = Object.assign(new Error(secret), { name: secret.repeat(9), code: `${secret} x` });
    await expect(jobs.run(job)).rejects.toBe(failure);
    expect((await state())?.at(-1)).toBe(`Error at ${time}`);
    // What this version does not know has been run by another one.
    expect((await new Jobs({ database, clock }, []).list()).map(({ name }) => name)).toEqual([
      "send",
    ]);
    clock.advance(1);
    const repaired = jobOf("send", () => ({ done: 1, isMore: false }));
    await jobs.run(repaired);
    expect((await state())?.slice(0, 2)).toEqual(["ok", "-"]);
  });

  test("a run that does not end is seen as under way", async () => {
    const database = await openDatabase(engine);
    const clock = new TestClock();
    const held = Promise.withResolvers<JobRun>();
    const begun = Promise.withResolvers<void>();
    const run = () => {
      begun.resolve();
      return held.promise;
    };
    const job = { name: "hang", everyMilliseconds: 1, run };
    const jobs = new Jobs({ database, clock }, [job]);
    const running = jobs.run(job);
    await begun.promise;
    expect(words(jobsPart(await jobs.list()).text)[1]?.[2]).toBe("under way");
    held.resolve({ done: 0, isMore: false });
    await running;
    expect(words(jobsPart(await jobs.list()).text)[1]?.[2]).toBe("ok");
  });
});

test("without a database nothing is done, and the reason is what is thrown", async () => {
  const away = new ServiceError("service_unavailable", "away");
  const run = () => Promise.reject(away);
  const database: Database = { run, transaction: run };
  let runs = 0;
  const job = jobOf("send", () => ({ done: (runs += 1), isMore: false }));
  const jobs = new Jobs({ database, clock: new TestClock() }, [job]);
  await expect(jobs.run(job)).rejects.toBe(away);
  expect(runs).toBe(0);
});
