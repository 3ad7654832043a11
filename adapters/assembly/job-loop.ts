// Keeps the background jobs going: each by itself, at its own pace, at once where there is reason to
// think that there is something to do, and never twice at a time in one process. Processes on one
// database share them: who has the lease of a job keeps it from turn to turn.

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
export const processTimer: Timer = (milliseconds, call) => {
  const timer = setTimeout(call, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** Which of the jobs this process runs, while others run the rest. */
export interface Leases {
  /** as far as this process knows, without asking; false too when it has slept for too long */
  readonly isHeld: (name: string) => boolean;
  /** False: another process has it. */
  readonly take: (name: string) => Promise<boolean>;
  /** One that does not end is not kept for ever. */
  readonly during: <Result>(name: string, batch: () => Promise<Result>) => Promise<Result>;
  /** So that others need not wait until it runs out. Never throws. */
  readonly giveBack: (name: string) => Promise<void>;
  /** Begins to keep what is taken, and to say again and again which jobs others have. */
  readonly start: (onLook: (others: ReadonlySet<string>) => void) => void;
  readonly stop: () => Promise<void>;
}

export interface JobLoopPorts {
  readonly jobs: {
    readonly all: readonly Job[];
    /** one batch */
    readonly run: (job: Job) => Promise<JobRun>;
  };
  readonly log: Pick<Logger, "debug" | "error">;
  /** undefined: no other process is there to share with */
  readonly leases?: Leases | undefined;
  readonly limits?: JobLimits;
  readonly timer?: Timer;
}

type RunnerPorts = Required<Omit<JobLoopPorts, "leases">> & Pick<JobLoopPorts, "leases">;

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
    this.#ports.leases?.start((others) => {
      for (const runner of this.#runners.values()) runner.hear(others);
    });
    for (const runner of this.#runners.values()) runner.start();
  }

  /** There may be something to do for this job. */
  wake(name: string): void {
    const runner = this.#runners.get(name);
    assert(runner, `there is no job ${name}`);
    runner.wake();
  }

  /**
   * Begins nothing more, gives the jobs to other processes, and waits for the batches under way, but
   * not for ever: one may wait for a network. False: something was left in the middle, which every
   * batch has to bear anyhow.
   */
  async stop(): Promise<boolean> {
    this.#state = "stopping";
    const runners = Array.from(this.#runners.values(), (runner) => runner.stop());
    const stopped = Promise.all([this.#ports.leases?.stop(), ...runners]);
    let cancel: (() => void) | undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = this.#ports.timer(this.#ports.limits.stopMillisecondsMax, () => resolve(false));
    });
    const isClean = await Promise.race([stopped.then(() => true), late]);
    cancel?.();
    return isClean;
  }
}

/** As long as another process has the job. */
const untilFree = Infinity;
/** So many looks, one after the other, have shown a job with another process: there it goes well. */
const calmLooks = 5;

class Runner {
  readonly #job: Job;
  readonly #ports: RunnerPorts;
  /** undefined: this job runs whatever other processes do */
  readonly #leases: Leases | undefined;
  /** the loop itself; there is never a second one */
  #loop: Promise<void> = Promise.resolve();
  #isStopping = false;
  #isWoken = false;
  /** A process that cannot do a job must not take it again and again. */
  #isBackingOff = false;
  #isWaitingUntilFree = false;
  #looksAtOthers = 0;
  #endPause: (() => void) | undefined;
  /** one after the other */
  #failures = 0;

  constructor(job: Job, ports: RunnerPorts) {
    this.#job = job;
    this.#ports = ports;
    this.#leases = job.isForEveryProcess === true ? undefined : ports.leases;
  }

  start(): void {
    this.#loop = this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#endPause?.();
  }

  /**
   * Which jobs others have now. One that nobody has is run at once: who had it may have been in the
   * middle of it.
   */
  hear(others: ReadonlySet<string>): void {
    const isOthers = others.has(this.#job.name);
    this.#looksAtOthers = isOthers ? this.#looksAtOthers + 1 : 0;
    if (this.#looksAtOthers >= calmLooks) {
      this.#isBackingOff = false;
      this.#failures = 0;
    }
    const isBusy = this.#isOurs() && !this.#isWaitingUntilFree;
    if (!isOthers && !isBusy && !this.#isBackingOff) this.#endPause?.();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#loop;
    await this.#leases?.giveBack(this.#job.name);
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      await this.#pause(await this.#turn());
    }
  }

  /** How long to wait until the next turn. */
  async #turn(): Promise<number> {
    const { log, limits } = this.#ports;
    const job = this.#job;
    this.#isBackingOff = false;
    let isHindered = false;
    try {
      for (let batches = 0; batches < limits.batchesMax && !this.#isStopping; batches++) {
        // Before each batch: the process may have been frozen since the last one.
        if (!this.#isOurs() && !(await this.#take())) return untilFree;
        const run = await this.#batch();
        this.#failures = 0;
        if (run.done > 0) log.debug({ job: job.name, ...run }, "a job has done something");
        isHindered ||= run.isHindered === true;
        if (run.isMore) continue;
        if (isHindered) await this.#letOthersTry();
        return job.everyMilliseconds;
      }
      return Math.min(job.everyMilliseconds, limits.restMilliseconds);
    } catch (error) {
      this.#failures += 1;
      const fields = { job: job.name, failures: this.#failures, err: error };
      log.error(fields, "a job failed and comes again");
      await this.#letOthersTry();
      const waitMilliseconds = limits.backOffMilliseconds * 2 ** (this.#failures - 1);
      return Math.min(waitMilliseconds, limits.backOffMillisecondsMax);
    }
  }

  /** Their node, signer or network may work. */
  async #letOthersTry(): Promise<void> {
    this.#isBackingOff = true;
    await this.#leases?.giveBack(this.#job.name);
  }

  #isOurs(): boolean {
    return this.#leases?.isHeld(this.#job.name) ?? true;
  }

  /** False also when it is too late to begin something. */
  async #take(): Promise<boolean> {
    const isOurs = (await this.#leases?.take(this.#job.name)) ?? true;
    return isOurs && !this.#isStopping;
  }

  #batch(): Promise<JobRun> {
    const job = this.#job;
    const run = (): Promise<JobRun> => this.#ports.jobs.run(job);
    return this.#leases === undefined ? run() : this.#leases.during(job.name, run);
  }

  /** Ends early when woken. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#isWoken || this.#isStopping) return;
    this.#isWaitingUntilFree = milliseconds === untilFree;
    await new Promise<void>((resolve) => {
      const cancel = this.#isWaitingUntilFree ? () => {} : this.#ports.timer(milliseconds, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
    this.#endPause = undefined;
  }
}
