// What happens by itself: a batch of a job, and an attempt to deliver a webhook, are traces of their own.

import { defaultTextMapSetter, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { Span } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Job, JobRun } from "../../service/jobs/jobs.ts";
import type { WebhookOutcome, WebhookSender } from "../../service/ports/webhook-sender.ts";
import type { ClaimedDelivery, Dispatcher } from "../../service/webhooks/dispatcher.ts";
import type { Spans } from "./spans.ts";

interface RunningJobs {
  readonly all: readonly Job[];
  readonly run: (job: Job) => Promise<JobRun>;
}

/** What sends webhooks, as its loop needs it. */
type Sending = Pick<Dispatcher, "claim" | "deliver" | "hasMore">;

export class WorkTracing {
  readonly #spans: Spans;
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  readonly observeJobs = (jobs: RunningJobs): RunningJobs => ({
    all: jobs.all,
    run: (job) => {
      const work = { name: `job ${job.name}`, attributes: { "pay.job": job.name } };
      return this.#spans.root(work, async (span) => {
        const run = await jobs.run(job);
        span.setAttributes({ "pay.job.done": run.done, "pay.job.is_more": run.isMore });
        return run;
      });
    },
  });

  readonly observeDispatcher = (dispatcher: Sending): Sending => ({
    claim: (room) => dispatcher.claim(room),
    deliver: (claimed, onAttempted) =>
      this.#spans.root(deliveryOf(claimed), async (span) => {
        const isRecorded = await dispatcher.deliver(claimed, onAttempted);
        span.setAttribute("pay.delivery.is_recorded", isRecorded);
        return isRecorded;
      }),
    get hasMore() {
      return dispatcher.hasMore;
    },
  });

  /** The receiver is told which request of ours it is, as W3C's `traceparent`; its signature does not cover it. */
  readonly observeSender = (sender: WebhookSender): WebhookSender => ({
    send: (request) => {
      // Nothing of its URL: the host names the merchant, and may hold a secret.
      const attributes = { "http.request.method": "POST" };
      const work = { name: "POST", kind: SpanKind.CLIENT, attributes };
      return this.#spans.part(work, async (span) => {
        const headers = { ...request.headers };
        this.#propagator.inject(this.#spans.context(), headers, defaultTextMapSetter);
        const outcome = await sender.send({ ...request, headers });
        if (span !== undefined) tellOutcome(span, outcome);
        return outcome;
      });
    },
  });
}

function deliveryOf({ row }: ClaimedDelivery) {
  const attributes = {
    "pay.delivery.id": row.id,
    "pay.delivery.attempts_before": row.attempts,
    "pay.event.type": row.type,
  };
  return { name: "webhook delivery", attributes };
}

function tellOutcome(span: Span, outcome: WebhookOutcome): void {
  if (outcome.kind === "answered") {
    span.setAttribute("http.response.status_code", outcome.status);
    if (outcome.status < 400) return;
    span.setAttribute("error.type", String(outcome.status));
  } else {
    span.setAttribute("error.type", outcome.reason);
  }
  span.setStatus({ code: SpanStatusCode.ERROR });
}
