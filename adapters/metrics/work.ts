// What happens by itself: jobs, webhooks, events, and what people are told of.

import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { Job, JobRun } from "../../service/jobs/jobs.ts";
import type { WebhookSender } from "../../service/ports/webhook-sender.ts";
import type { Clock } from "../system/clock.ts";
import { listener } from "./committed.ts";
import type { Listener } from "./committed.ts";
import { eventOf } from "./events.ts";
import type { Harmless } from "./harmless.ts";

/** A batch is bounded in time; the longest ask chains. */
const jobBuckets = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60];
const attemptBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** As the dispatcher tells of an attempt. */
type AttemptOutcome =
  | { readonly kind: "answered"; readonly status: number }
  | { readonly kind: "failed"; readonly reason: string };

interface RunningJobs {
  readonly all: readonly Job[];
  readonly run: (job: Job) => Promise<JobRun>;
}

export class WorkMetrics {
  readonly #clock: Pick<Clock, "monotonicMilliseconds" | "nowMilliseconds">;
  readonly #runs: Counter<"job_name" | "outcome">;
  readonly #runDurations: Histogram<"job_name">;
  readonly #done: Counter<"job_name">;
  readonly #attempts: Counter<"outcome">;
  readonly #attemptDurations: Histogram;
  readonly #alarms: Counter<"alarm">;
  readonly #alarmTimes: Gauge<"alarm">;
  /** of what is recorded for merchants */
  readonly eventListener: Listener;

  constructor(
    registry: Registry,
    clock: Pick<Clock, "monotonicMilliseconds" | "nowMilliseconds">,
    safely: Harmless,
  ) {
    this.#clock = clock;
    const registers = [registry];
    this.#runs = new Counter({
      name: "pay_job_runs_total",
      help: "Batches of background jobs that this process ran. outcome: done or failed.",
      labelNames: ["job_name", "outcome"],
      registers,
    });
    this.#runDurations = new Histogram({
      name: "pay_job_run_duration_seconds",
      help: "How long a batch took.",
      labelNames: ["job_name"],
      buckets: jobBuckets,
      registers,
    });
    this.#done = new Counter({
      name: "pay_job_things_done_total",
      help: "What the batches of this process have done: rows, blocks, transactions.",
      labelNames: ["job_name"],
      registers,
    });
    this.#attempts = new Counter({
      name: "pay_webhook_attempts_total",
      help: "Attempts to deliver a webhook. outcome: 2xx to 5xx, or why there was no answer, or nothing could be sent.",
      labelNames: ["outcome"],
      registers,
    });
    // A rule counts its changes, and the first would not be one.
    this.#attempts.inc({ outcome: "secret_unreadable" }, 0);
    this.#attemptDurations = new Histogram({
      name: "pay_webhook_attempt_duration_seconds",
      help: "How long it took where something was sent.",
      buckets: attemptBuckets,
      registers,
    });
    const events = new Counter({
      name: "pay_events_total",
      help: "Events that this process has recorded. type: as webhooks have it, such as payment.paid.",
      labelNames: ["type"],
      registers,
    });
    const count = (type: string): void => events.inc({ type });
    this.eventListener = listener(safely(eventOf), safely(count));
    this.#alarms = new Counter({
      name: "pay_alarms_total",
      help: "Alarms that this process has told of, one and the same every ten minutes at most; the log has the facts.",
      labelNames: ["alarm"],
      registers,
    });
    this.#alarmTimes = new Gauge({
      name: "pay_alarm_last_timestamp_seconds",
      help: "When it last told of such an alarm.",
      labelNames: ["alarm"],
      registers,
    });
  }

  /** From then on each is there, at 0: the first change would not be one otherwise. */
  readonly observeJobs = (jobs: RunningJobs): RunningJobs => {
    for (const { name: job_name } of jobs.all) {
      for (const outcome of ["done", "failed"]) this.#runs.inc({ job_name, outcome }, 0);
    }
    return this.#counted(jobs);
  };

  readonly #counted = (jobs: RunningJobs): RunningJobs => ({
    all: jobs.all,
    run: async (job) => {
      const of = { job_name: job.name };
      const begun = this.#clock.monotonicMilliseconds();
      try {
        const run = await jobs.run(job);
        this.#runs.inc({ ...of, outcome: "done" });
        this.#done.inc(of, run.done);
        return run;
      } catch (error) {
        this.#runs.inc({ ...of, outcome: "failed" });
        throw error;
      } finally {
        this.#runDurations.observe(of, this.#secondsSince(begun));
      }
    },
  });

  readonly observeSender = (sender: WebhookSender): WebhookSender => ({
    send: async (request) => {
      const begun = this.#clock.monotonicMilliseconds();
      const outcome = await sender.send(request);
      this.#attemptDurations.observe(this.#secondsSince(begun));
      return outcome;
    },
  });

  readonly onAttempted = (outcome: AttemptOutcome): void => {
    const word = outcome.kind === "failed" ? outcome.reason : `${outcome.status.toString()[0]}xx`;
    this.#attempts.inc({ outcome: word });
  };

  readonly onAlarm = (alarm: string): void => {
    this.#alarms.inc({ alarm });
    this.#alarmTimes.set({ alarm }, this.#clock.nowMilliseconds() / 1000);
  };

  #secondsSince(begun: number): number {
    return (this.#clock.monotonicMilliseconds() - begun) / 1000;
  }
}
