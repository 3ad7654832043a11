// Keeps the background jobs going: each by itself, at its own pace, at once where there is reason to
// think that there is something to do, and never twice at a time in one process.

import assert from "node:assert";
import type { Job, JobRun } from "../../service/jobs/jobs.ts";
import type { Logger } from "../system/logging.ts";

export interface JobLimits {
  /** of one job without a pause */
  readonly batchesMax: number;
  /** after so many batches, if there is still more: so no job falls behind for good */
  readonly restMilliseconds: number;
  /** after the first failure; doubled with each further one */
  readonly backOffMilliseconds: number;
  readonly backOffMillisecondsMax: number;
  /** for batches under way when the process stops */
  readonly stopMillisecondsMax: number;
}

export const jobLimits: JobLimits = {
  batchesMax: 200,
  restMilliseconds: 1_000,
  backOffMilliseconds: 1_000,
  backOffMillisecondsMax: 300_000,
  stopMillisecondsMax: 5_000,
};

/** Calls once, later; gives what takes the call back. */
export type Timer = (milliseconds: number, call: () => void) => () => void;

/** It alone does not keep the process alive. */
const processTimer: Timer = (milliseconds, call) => {
  const timer = setTimeout(call, milliseconds).unref();
  return () => clearTimeout(timer);
};

export interface JobLoopPorts {
  readonly jobs: {
    readonly all: readonly Job[];
    /** one batch */
    readonly run: (job: Job) => Promise<JobRun>;
  };
  readonly log: Pick<Logger, "debug" | "error">;
  readonly limits?: JobLimits;
  readonly timer?: Timer;
}

type RunnerPorts = Required<JobLoopPorts>;

export class JobLoop {
  readonly #runners: ReadonlyMap<string, Runner>;
  readonly #ports: RunnerPorts;
  #state: "new" | "running" | "stopping" = "new";

  constructor(ports: JobLoopPorts) {
    const complete = { limits: jobLimits, timer: processTimer, ...ports };
    this.#ports = complete;
    const { all } = ports.jobs;
    this.#runners = new Map(all.map((job) => [job.name, new Runner(job, complete)]));
    assert(this.#runners.size === all.length, "two jobs have one name");
  }

  /** Every job runs now. Starting twice is the same as starting once. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "running";
    for (const runner of this.#runners.values()) runner.start();
  }

  /** There may be something to do for this job. */
  wake(name: string): void {
    const runner = this.#runners.get(name);
    assert(runner, `there is no job ${name}`);
    runner.wake();
  }

  /**
   * Begins nothing more, and waits for the batches under way, but not for ever: one may wait for a
   * network. False: something was left in the middle, which every batch has to bear anyhow.
   */
  async stop(): Promise<boolean> {
    this.#state = "stopping";
    const stopped = Promise.all(Array.from(this.#runners.values(), (runner) => runner.stop()));
    let cancel: (() => void) | undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = this.#ports.timer(this.#ports.limits.stopMillisecondsMax, () => resolve(false));
    });
    const isClean = await Promise.race([stopped.then(() => true), late]);
    cancel?.();
    return isClean;
  }
}

class Runner {
  readonly #job: Job;
  readonly #ports: RunnerPorts;
  /** the loop itself; there is never a second one */
  #loop: Promise<void> = Promise.resolve();
  #isStopping = false;
  #isWoken = false;
  #endPause: (() => void) | undefined;
  /** one after the other */
  #failures = 0;

  constructor(job: Job, ports: RunnerPorts) {
    this.#job = job;
    this.#ports = ports;
  }

  start(): void {
    this.#loop = this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#endPause?.();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      await this.#pause(await this.#turn());
    }
  }

  /** How long to wait until the next turn. */
  async #turn(): Promise<number> {
    const { jobs, log, limits } = this.#ports;
    const job = this.#job;
    try {
      for (let batches = 0; batches < limits.batchesMax && !this.#isStopping; batches++) {
        const run = await jobs.run(job);
        this.#failures = 0;
        if (run.done > 0) log.debug({ job: job.name, ...run }, "a job has done something");
        if (!run.isMore) return job.everyMilliseconds;
      }
      return Math.min(job.everyMilliseconds, limits.restMilliseconds);
    } catch (error) {
      this.#failures += 1;
      const fields = { job: job.name, failures: this.#failures, err: error };
      log.error(fields, "a job failed and comes again");
      const waitMilliseconds = limits.backOffMilliseconds * 2 ** (this.#failures - 1);
      return Math.min(waitMilliseconds, limits.backOffMillisecondsMax);
    }
  }

  /** Ends early when woken. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#isWoken || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#ports.timer(milliseconds, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
    this.#endPause = undefined;
  }
}
