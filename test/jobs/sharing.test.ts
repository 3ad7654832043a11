// Several processes on one database, each with a loop, a keeper of leases and clocks of its own.

import { describe, expect, onTestFinished, test } from "vitest";
import { LeaseKeeper } from "../../adapters/assembly/job-leases.ts";
import type { LeaseKeeperPorts } from "../../adapters/assembly/job-leases.ts";
import type { JobLoop } from "../../adapters/assembly/job-loop.ts";
import { ServiceError } from "../../service/errors.ts";
import type { JobRun } from "../../service/jobs/jobs.ts";
import { JobLeases } from "../../service/jobs/leases.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { endIn, leaseRows, setup } from "./lease-rows.ts";
import { fail, idle, more, Script, startLoop, Timers } from "./scripted-jobs.ts";

type Log = LeaseKeeperPorts["log"];

/** A process that has begun, and whose clock stands still until a test moves it. */
class Process {
  readonly looks = new Timers();
  readonly errors: object[] = [];
  readonly infos: object[] = [];
  now = 0;
  /** how often it has asked for a lease and heard the answer */
  #tries = 0;
  #wanted: { readonly count: number; readonly resolve: () => void } | undefined;
  readonly keeper: LeaseKeeper;
  readonly loop: JobLoop;
  readonly timers: Timers;
  readonly loopErrors: readonly unknown[];

  constructor(database: Database, holder: string, all: readonly Script[]) {
    const leases = new JobLeases({ database, setup, holder });
    const log = {
      debug: () => {},
      info: (fields: object) => this.infos.push(fields),
      error: (fields: object) => this.errors.push(fields),
    };
    this.keeper = new LeaseKeeper({
      leases: {
        take: (name) => leases.take(name).finally(() => this.#tried()),
        extend: (names) => leases.extend(names),
        release: (name) => leases.release(name),
      },
      clock: { monotonicMilliseconds: () => this.now },
      // The one form of the logger's methods that it uses.
      log: log as Log,
      timer: this.looks.timer,
    });
    const started = startLoop(all, { leases: this.keeper });
    this.loop = started.loop;
    this.timers = started.timers;
    this.loopErrors = started.errors;
  }

  get tries(): number {
    return this.#tries;
  }

  /** It has asked so often, and done what follows. */
  async tried(count: number): Promise<void> {
    if (this.#tries < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wanted = { count, resolve };
      await promise;
    }
    await new Promise(setImmediate);
  }

  /** Its next look is over. */
  async look(): Promise<void> {
    const count = this.looks.pauses.length;
    this.looks.runOut();
    await this.looks.reached(count + 1);
    await new Promise(setImmediate);
  }

  #tried(): void {
    this.#tries += 1;
    if (this.#tries === this.#wanted?.count) this.#wanted.resolve();
  }
}

async function holdersOf(database: Database): Promise<readonly string[]> {
  return (await leaseRows(database)).map(({ name, holder }) => `${name} ${holder}`);
}

describe.each(engines)("on %s", (engine) => {
  test("a job runs in one process, and one for every process in each", async () => {
    const database = await openDatabase(engine);
    const all = () => [
      new Script("a"),
      new Script("ab"),
      Object.assign(new Script("abc"), { isForEveryProcess: true }),
    ];
    const [first, second] = [all(), all()];
    const one = new Process(database, "one", first);
    await one.timers.reached(3);
    await endIn(database, "50 seconds");
    const other = new Process(database, "other", second);
    await other.timers.reached(1);
    await other.tried(2);
    await other.look();
    expect(first.map(({ runs }) => runs)).toEqual([1, 1, 1]);
    expect(second.map(({ runs }) => runs)).toEqual([0, 0, 1]);
    // Whoever has a job keeps it from turn to turn.
    one.timers.runOut();
    other.timers.runOut();
    await one.timers.reached(6);
    await other.timers.reached(2);
    expect(first.map(({ runs }) => runs)).toEqual([2, 2, 2]);
    expect(second.map(({ runs }) => runs)).toEqual([0, 0, 2]);
    expect([one.tries, other.tries]).toEqual([2, 2]);
    expect(await holdersOf(database)).toEqual(["a one", "ab one"]);
  });

  test("a process extends what it has with one statement every two seconds", async () => {
    const database = await openDatabase(engine);
    const one = new Process(database, "one", [new Script("a"), new Script("ab")]);
    await one.timers.reached(2);
    await endIn(database, "50 seconds");
    one.now = 7_000;
    await one.look();
    for (const { leftSeconds } of await leaseRows(database)) expect(leftSeconds).toBeLessThan(9);
    expect(one.looks.pauses).toEqual([2_000, 2_000]);
    // From when it asked: for eight seconds more.
    one.now = 7_000 + 7_999;
    expect([one.keeper.isHeld("a"), one.keeper.isHeld("ab")]).toEqual([true, true]);
    one.now = 7_000 + 8_000;
    expect([one.keeper.isHeld("a"), one.keeper.isHeld("ab")]).toEqual([false, false]);
  });

  test("what a process let run out is run by another at its next look, which says so", async () => {
    const database = await openDatabase(engine);
    const [first, second] = [new Script("a"), new Script("a")];
    const one = new Process(database, "one", [first]);
    await one.timers.reached(1);
    await endIn(database, "50 seconds");
    const other = new Process(database, "other", [second]);
    await other.tried(1);
    await other.look();
    expect([second.runs, other.tries]).toEqual([0, 1]);
    await endIn(database, "-1 millisecond");
    await other.look();
    await other.timers.reached(1);
    expect(second.runs).toBe(1);
    expect(other.infos).toEqual([{ job: "a", from: "one" }]);
    expect(await holdersOf(database)).toEqual(["a other"]);
  });

  test("a job that fails goes to another process, and does not come back by that", async () => {
    const database = await openDatabase(engine);
    const held = Promise.withResolvers<JobRun>();
    const [first, second] = [new Script("a", () => held.promise), new Script("a")];
    const one = new Process(database, "one", [first]);
    await one.tried(1);
    await endIn(database, "50 seconds");
    const other = new Process(database, "other", [second]);
    await other.tried(1);
    held.reject(new Error("its node is away"));
    await one.timers.reached(1);
    expect(await holdersOf(database)).toEqual([]);
    await other.look();
    await other.timers.reached(1);
    expect(second.runs).toBe(1);
    // It waits as long as after any failure, and then for whoever has the job now.
    expect(one.timers.pauses).toEqual([1_000]);
    await endIn(database, "50 seconds");
    one.timers.runOut();
    await one.tried(2);
    await one.look();
    expect([first.runs, one.tries]).toEqual([1, 2]);
    expect(await holdersOf(database)).toEqual(["a other"]);
  });

  test("one that waits after a failure is not woken because its job is free", async () => {
    const database = await openDatabase(engine);
    const job = new Script("a", fail);
    const one = new Process(database, "one", [job]);
    await one.timers.reached(1);
    await one.look();
    await one.look();
    expect([job.runs, one.tries]).toEqual([1, 1]);
    one.timers.runOut();
    await one.timers.reached(2);
    expect([job.runs, one.tries]).toEqual([2, 2]);
  });

  test("a job that is hindered goes to another process, and comes back only when that has none", async () => {
    const database = await openDatabase(engine);
    const held = Promise.withResolvers<JobRun>();
    const hindered = { done: 1, isMore: false, isHindered: true };
    const first = new Script(
      "a",
      () => held.promise,
      () => hindered,
    );
    const second = new Script("a");
    const one = new Process(database, "one", [first]);
    await one.tried(1);
    await endIn(database, "50 seconds");
    const other = new Process(database, "other", [second]);
    await other.tried(1);
    held.resolve({ ...hindered, isMore: true });
    await one.timers.reached(1);
    // To its end, and then no sooner than usual.
    expect([first.runs, one.timers.pauses, one.errors]).toEqual([2, [1_000], []]);
    await one.look();
    expect(one.tries).toBe(1);
    await other.look();
    await other.timers.reached(1);
    expect(second.runs).toBe(1);
    expect(await holdersOf(database)).toEqual(["a other"]);
  });

  test("a failure of long ago is no reason to wait once the job has been well elsewhere", async () => {
    const database = await openDatabase(engine);
    const job = new Script("a", fail, fail);
    const one = new Process(database, "one", [job]);
    await one.timers.reached(1);
    one.timers.runOut();
    await one.timers.reached(2);
    expect(one.timers.pauses).toEqual([1_000, 2_000]);
    await new JobLeases({ database, setup, holder: "other" }).take("a");
    await endIn(database, "50 seconds");
    for (let looks = 0; looks < 4; looks++) await one.look();
    await endIn(database, "-1 millisecond");
    await one.look();
    expect(one.tries).toBe(2);
    await endIn(database, "50 seconds");
    for (let looks = 0; looks < 5; looks++) await one.look();
    await endIn(database, "-1 millisecond");
    await one.look();
    await one.timers.reached(3);
    expect([job.runs, one.tries]).toEqual([3, 3]);
  });

  test("a process that stops gives its jobs to others", async () => {
    const database = await openDatabase(engine);
    const held = Promise.withResolvers<JobRun>();
    const [idling, busy] = [new Script("a"), new Script("ab", () => held.promise)];
    const [second, third] = [new Script("a"), new Script("ab")];
    const one = new Process(database, "one", [idling, busy]);
    await one.timers.reached(1);
    await one.tried(2);
    await endIn(database, "50 seconds");
    const other = new Process(database, "other", [second, third]);
    await other.tried(2);
    const stopped = one.loop.stop();
    held.resolve({ done: 1, isMore: true });
    expect(await stopped).toBe(true);
    expect([idling.runs, busy.runs]).toEqual([1, 1]);
    expect(await leaseRows(database)).toEqual([]);
    expect(one.looks.waiting.size).toBe(0);
    await other.look();
    await other.timers.reached(2);
    expect([second.runs, third.runs]).toEqual([1, 1]);
    expect(other.infos).toEqual([]);
  });

  test("a process that stops while it asks for a job does not begin it, nor keep it", async () => {
    const database = await openDatabase(engine);
    const job = new Script("a");
    const one = new Process(database, "one", [job]);
    expect(await one.loop.stop()).toBe(true);
    expect([job.runs, one.tries]).toEqual([0, 1]);
    expect(await leaseRows(database)).toEqual([]);
  });

  test("what the database says counts more than what a process remembers", async () => {
    const database = await openDatabase(engine);
    const one = new Process(database, "one", [new Script("a")]);
    await one.timers.reached(1);
    await endIn(database, "-1 second");
    await new JobLeases({ database, setup, holder: "other" }).take("a");
    expect(one.keeper.isHeld("a")).toBe(true);
    await one.look();
    expect(one.keeper.isHeld("a")).toBe(false);
  });

  test("a process that was frozen in a batch begins no other: somebody else has the job", async () => {
    const database = await openDatabase(engine);
    const held = Promise.withResolvers<JobRun>();
    const [first, second] = [new Script("a", () => held.promise, more, more), new Script("a")];
    const one = new Process(database, "one", [first]);
    await one.tried(1);
    await endIn(database, "50 seconds");
    const other = new Process(database, "other", [second]);
    await other.tried(1);
    // The table and the clock say what they say after nine seconds without the process.
    await endIn(database, "-1 second");
    one.now = 9_000;
    await other.look();
    await other.timers.reached(1);
    await endIn(database, "50 seconds");
    held.resolve({ done: 1, isMore: true });
    await one.tried(2);
    await one.look();
    expect([first.runs, second.runs]).toEqual([1, 1]);
    expect(await holdersOf(database)).toEqual(["a other"]);
    await other.loop.stop();
    await one.look();
    await one.timers.reached(1);
    expect(first.runs).toBe(4);
  });

  test("a process that was frozen with nobody beside it takes its jobs again", async () => {
    const database = await openDatabase(engine);
    const job = new Script("a", more, () => idle);
    const one = new Process(database, "one", [job]);
    await one.timers.reached(1);
    await endIn(database, "-1 second");
    one.now = 9_000;
    await one.look();
    await one.timers.reached(2);
    expect([job.runs, one.tries]).toEqual([3, 2]);
    expect((await leaseRows(database)).map(({ isLive }) => isLive)).toEqual([true]);
  });

  test("a batch that does not end for a minute is no reason to keep the job", async () => {
    const database = await openDatabase(engine);
    const held = Promise.withResolvers<JobRun>();
    const one = new Process(database, "one", [new Script("a", () => held.promise)]);
    onTestFinished(() => held.resolve(idle));
    await one.tried(1);
    const look = async (now: number) => {
      one.now = now;
      await endIn(database, "50 seconds");
      await one.look();
      return (await leaseRows(database)).map(({ leftSeconds }) => leftSeconds < 9);
    };
    expect(await look(59_999)).toEqual([true]);
    expect(await look(60_000)).toEqual([false]);
    held.resolve(idle);
    await one.timers.reached(1);
    expect(await look(60_001)).toEqual([true]);
  });

  test("one that is woken runs its job if it has it, and else asks", async () => {
    const database = await openDatabase(engine);
    const [first, second] = [new Script("a"), new Script("a")];
    const one = new Process(database, "one", [first]);
    await one.timers.reached(1);
    await endIn(database, "50 seconds");
    const other = new Process(database, "other", [second]);
    await other.tried(1);
    one.loop.wake("a");
    other.loop.wake("a");
    await one.timers.reached(2);
    await other.tried(2);
    expect([first.runs, second.runs]).toEqual([2, 0]);
  });
});

describe("while the database is away", () => {
  const away = new ServiceError("service_unavailable", "away");
  const run = () => Promise.reject(away);
  const database: Database = { run, transaction: run };

  test("a job fails like any other, and is not run", async () => {
    const job = new Script("a");
    const one = new Process(database, "one", [job]);
    for (let count = 1; count <= 3; count++) {
      await one.timers.reached(count);
      one.timers.runOut();
    }
    expect(one.timers.pauses.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
    expect(one.loopErrors).toMatchObject([1, 2, 3].map((failures) => ({ job: "a", failures })));
    expect(job.runs).toBe(0);
  });

  test("looks fail, are logged, and come later and later", async () => {
    const one = new Process(database, "one", []);
    for (let count = 0; count < 4; count++) await one.look();
    expect(one.looks.pauses).toEqual([2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(one.errors).toMatchObject([1, 2, 3, 4].map((failures) => ({ failures, err: away })));
  });
});
