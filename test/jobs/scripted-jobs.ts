// Jobs that do what a test says, in a loop whose timers run out when it says so.

import { onTestFinished } from "vitest";
import { JobLoop } from "../../adapters/assembly/job-loop.ts";
import type { JobLoopPorts, Timer } from "../../adapters/assembly/job-loop.ts";
import type { Job, JobRun } from "../../service/jobs/jobs.ts";

interface Waiting {
  readonly milliseconds: number;
  readonly call: () => void;
}

/** Timers that run out when a test says so, and only then. */
export class Timers {
  readonly waiting = new Set<Waiting>();
  /** of every pause there was */
  readonly pauses: number[] = [];
  #wanted: { readonly count: number; readonly resolve: () => void } | undefined;

  readonly timer: Timer = (milliseconds, call) => {
    const one = { milliseconds, call };
    this.waiting.add(one);
    this.pauses.push(milliseconds);
    if (this.pauses.length === this.#wanted?.count) this.#wanted.resolve();
    return () => this.waiting.delete(one);
  };

  /** Every job has come to its pause, so many times in all. */
  async reached(count: number): Promise<void> {
    if (this.pauses.length >= count) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wanted = { count, resolve };
    await promise;
  }

  runOut(): void {
    for (const one of this.waiting) {
      this.waiting.delete(one);
      one.call();
    }
  }
}

export const idle: JobRun = { done: 0, isMore: false };

/** A job that answers what the test says, one after the other, and then that there is nothing. */
export class Script implements Job {
  readonly name: string;
  readonly everyMilliseconds: number;
  readonly #answers: (() => JobRun | Promise<JobRun>)[];
  runs = 0;
  atOnce = 0;
  atOnceMax = 0;

  constructor(name: string, ...answers: (() => JobRun | Promise<JobRun>)[]) {
    this.name = name;
    this.everyMilliseconds = name.length * 1_000;
    this.#answers = answers;
  }

  async run(): Promise<JobRun> {
    this.runs += 1;
    this.atOnce += 1;
    this.atOnceMax = Math.max(this.atOnceMax, this.atOnce);
    try {
      return await (this.#answers.shift()?.() ?? idle);
    } finally {
      this.atOnce -= 1;
    }
  }
}

export function startLoop(all: readonly Job[], change: Partial<JobLoopPorts> = {}) {
  const timers = new Timers();
  const errors: unknown[] = [];
  const log = { debug: () => {}, error: (fields: object) => errors.push(fields) };
  const loop = new JobLoop({
    jobs: { all, run: (job) => job.run() },
    // The one form of the logger's methods that the loop uses.
    log: log as JobLoopPorts["log"],
    timer: timers.timer,
    ...change,
  });
  onTestFinished(async () => void (await loop.stop()));
  loop.start();
  return { loop, timers, errors };
}

export const fail = (): never => {
  throw new Error("the database is away");
};
export const more = (): JobRun => ({ done: 1, isMore: true });
