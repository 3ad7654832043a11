// What happens by itself, as it is counted.

import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { WorkMetrics } from "../../adapters/metrics/work.ts";
import { buildAlarm } from "../../adapters/system/alarm.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import type { WebhookOutcome } from "../../service/ports/webhook-sender.ts";
import { safely } from "./failing-log.ts";
import { samplesOf } from "./exposition.ts";

function counting() {
  const registry = new Registry();
  let now = 0;
  const metrics = new WorkMetrics(
    registry,
    {
      monotonicMilliseconds: () => (now += 250),
      nowMilliseconds: () => 1_700_000,
    },
    safely,
  );
  return { metrics, samples: async () => samplesOf(await registry.metrics()) };
}

test("batches of jobs, by how they ended, and what they have done", async () => {
  const { metrics, samples } = counting();
  const job: Job = { name: "sweep", everyMilliseconds: 1, run: () => Promise.reject(new Error()) };
  const ends = [() => Promise.resolve({ done: 3, isMore: true }), () => job.run()];
  const jobs = metrics.observeJobs({ all: [job], run: () => ends.shift()?.() ?? job.run() });
  expect(jobs.all).toEqual([job]);
  expect((await samples()).get('pay_job_runs_total{job_name="sweep",outcome="failed"}')).toBe(0);
  expect(await jobs.run(job)).toEqual({ done: 3, isMore: true });
  await expect(jobs.run(job)).rejects.toBeInstanceOf(Error);
  const found = await samples();
  expect(found.get('pay_job_runs_total{job_name="sweep",outcome="done"}')).toBe(1);
  expect(found.get('pay_job_runs_total{job_name="sweep",outcome="failed"}')).toBe(1);
  expect(found.get('pay_job_things_done_total{job_name="sweep"}')).toBe(3);
  expect(found.get('pay_job_run_duration_seconds_count{job_name="sweep"}')).toBe(2);
  expect(found.get('pay_job_run_duration_seconds_sum{job_name="sweep"}')).toBe(0.5);
});

test("attempts of webhooks, by their status or why there is none", async () => {
  const { metrics, samples } = counting();
  const before = await samples();
  expect(before.get('pay_webhook_attempts_total{outcome="secret_unreadable"}')).toBe(0);
  const outcomes: readonly WebhookOutcome[] = [
    { kind: "answered", status: 204 },
    { kind: "answered", status: 200 },
    { kind: "answered", status: 503 },
    { kind: "failed", reason: "tls" },
  ];
  const left = [...outcomes];
  const failed: WebhookOutcome = { kind: "failed", reason: "dns" };
  const sender = metrics.observeSender({ send: () => Promise.resolve(left.shift() ?? failed) });
  const request = { endpointId: "whe_1", url: "https://shop.example", isTest: false, headers: {} };
  for (const outcome of outcomes) {
    expect(await sender.send({ ...request, body: new Uint8Array() })).toBe(outcome);
    metrics.onAttempted(outcome);
  }
  metrics.onAttempted({ kind: "failed", reason: "secret_unreadable" });
  const found = await samples();
  const attempts = (outcome: string) =>
    found.get(`pay_webhook_attempts_total{outcome="${outcome}"}`);
  expect(["2xx", "5xx", "tls", "secret_unreadable"].map(attempts)).toEqual([2, 1, 1, 1]);
  expect(found.get("pay_webhook_attempt_duration_seconds_sum")).toBe(1);
});

test("alarms, each time that people are told, and when", async () => {
  const { metrics, samples } = counting();
  let now = 0;
  const clock = { nowMilliseconds: () => now };
  const lines: object[] = [];
  const log = { error: (fields: object) => void lines.push(fields) };
  const alarm = buildAlarm({ log, clock, onTold: metrics.onAlarm });
  alarm("signer_refuses", { withdrawal_id: "wdr_1" });
  alarm("signer_refuses", { withdrawal_id: "wdr_1" });
  alarm("signer_refuses", { withdrawal_id: "wdr_2" });
  expect(lines).toHaveLength(2);
  expect((await samples()).get('pay_alarms_total{alarm="signer_refuses"}')).toBe(2);
  now = 600_000;
  alarm("signer_refuses", { withdrawal_id: "wdr_1" });
  const found = await samples();
  expect(found.get('pay_alarms_total{alarm="signer_refuses"}')).toBe(3);
  expect(found.get('pay_alarm_last_timestamp_seconds{alarm="signer_refuses"}')).toBe(1_700);
});
