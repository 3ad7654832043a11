// Which traces are recorded, and what is told of jobs, webhooks and the signer.

import { ROOT_CONTEXT, SamplingDecision, SpanKind, trace } from "@opentelemetry/api";
import { RandomIdGenerator } from "@opentelemetry/sdk-trace";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { buildSampler } from "../../adapters/tracing/sampler.ts";
import { Tracing } from "../../adapters/tracing/tracing.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type { ActionIntent, ActionSigner } from "../../service/ports/signer.ts";
import type { WebhookOutcome, WebhookRequest } from "../../service/ports/webhook-sender.ts";
import { placeAt, startCollector } from "./collector.ts";
import type { Collector } from "./collector.ts";

const job: Job = {
  name: "sweep",
  everyMilliseconds: 1,
  run: () => Promise.resolve({ done: 3, isMore: false }),
};

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0)) await step();
});

/** What is told of it once it is closed. */
async function told(run: (tracing: Tracing) => Promise<unknown>, ratio = 1): Promise<Collector> {
  const collector = await startCollector();
  cleanUp.push(async () => collector[Symbol.asyncDispose]());
  const tracing = new Tracing(placeAt(collector.url, ratio), { clock: systemClock });
  cleanUp.push(() => tracing.close());
  await run(tracing);
  await tracing.close();
  return collector;
}

test("a batch of a job says what it has done, or what it failed with, and nothing of what was said", async () => {
  const failure = new ServiceError("chain_unavailable", "https://node.example/v2/secret", {
    cause: Object.assign(new Error("https://node.example/v2/secret"), { code: "ECONNRESET" }),
  });
  let fields: unknown;
  const { spans, text } = await told(async (tracing) => {
    const done = { done: 3, isMore: true };
    const runs = [() => Promise.resolve(done), () => Promise.reject(failure)];
    const next = () => runs.shift()?.() ?? Promise.resolve(done);
    const jobs = tracing.work.observeJobs({ all: [job], run: next });
    expect(jobs.all).toEqual([job]);
    expect(await jobs.run(job)).toEqual(done);
    await expect(jobs.run(job)).rejects.toBe(failure);
    fields = tracing.logFields(failure);
    expect(tracing.logFields(new Error("of no work"))).toBeUndefined();
    expect(tracing.logFields(undefined)).toBeUndefined();
  });
  expect(spans).toMatchObject([
    { name: "job sweep", parentSpanId: "", isError: false },
    { name: "job sweep", parentSpanId: "", isError: true },
  ]);
  expect(spans.map(({ attributes }) => attributes)).toEqual([
    { "pay.job": "sweep", "pay.job.done": 3, "pay.job.is_more": true },
    {
      "pay.job": "sweep",
      "error.type": "chain_unavailable",
      "exception.type": "ServiceError",
      "pay.error.cause": "ECONNRESET",
    },
  ]);
  const { traceId: trace_id, spanId: span_id } = spans[1] ?? {};
  expect(fields).toEqual({ trace_id, span_id, trace_flags: "01" });
  expect(text()).not.toContain("node.example");
});

test("of none that is recorded nothing is told, and a receiver hears that", async () => {
  const sent: WebhookRequest[] = [];
  const { spans } = await told(async (tracing) => {
    const sender = tracing.work.observeSender({
      send: (request) => {
        sent.push(request);
        return Promise.resolve({ kind: "answered", status: 204 });
      },
    });
    const url = "https://shop.example/hooks";
    const request = { endpointId: "whe_1", url, isTest: false, body: new Uint8Array() };
    const run = async () => {
      await sender.send({ ...request, headers: { "webhook-id": "evt_1" } });
      const fields = tracing.logFields(undefined);
      expect(fields?.trace_flags).toBe("00");
      expect(sent[0]?.headers).toEqual({
        "webhook-id": "evt_1",
        traceparent: `00-${fields?.trace_id}-${fields?.span_id}-00`,
      });
      return { done: 0, isMore: false };
    };
    await tracing.work.observeJobs({ all: [job], run }).run(job);
  }, 0);
  expect(sent).toHaveLength(1);
  expect(spans).toEqual([]);
});

test("of a receiver its answer is told, and nothing of its address", async () => {
  const outcomes: readonly WebhookOutcome[] = [
    { kind: "answered", status: 204 },
    { kind: "answered", status: 500 },
    { kind: "failed", reason: "timeout" },
  ];
  const { spans, text } = await told(async (tracing) => {
    const left = [...outcomes];
    const sender = tracing.work.observeSender({
      send: () => Promise.resolve(left.shift() ?? { kind: "answered", status: 200 }),
    });
    const url = "https://merchant-17.shop.example:8443/hooks?token=secret";
    const request = { endpointId: "whe_1", url, isTest: false, body: new Uint8Array() };
    const run = async () => {
      for (const outcome of outcomes) {
        expect(await sender.send({ ...request, headers: {} })).toBe(outcome);
      }
      return { done: 3, isMore: false };
    };
    await tracing.work.observeJobs({ all: [job], run }).run(job);
  });
  const posts = spans.filter(({ name }) => name === "POST");
  expect(posts.map(({ attributes }) => attributes)).toEqual([
    { "http.request.method": "POST", "http.response.status_code": 204 },
    { "http.request.method": "POST", "http.response.status_code": 500, "error.type": "500" },
    { "http.request.method": "POST", "error.type": "timeout" },
  ]);
  expect(posts.map(({ isError }) => isError)).toEqual([false, true, true]);
  expect(text()).not.toMatch(/shop\.example|8443|token/);
});

describe("of many traces a part", () => {
  test.each([0, 1])("%s of all: whatever caller says that it records its own", (ratio) => {
    const sampler = buildSampler(ratio, new RandomIdGenerator());
    const wanted = ratio === 1 ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD;
    for (const traceFlags of [0, 1]) {
      const traceId = "00000000000000000000000000000001";
      const caller = { traceId, spanId: "0000000000000001", traceFlags, isRemote: true };
      const context = trace.setSpanContext(ROOT_CONTEXT, caller);
      expect(sampler.shouldSample(context, traceId, "GET", SpanKind.SERVER, {}, []).decision).toBe(
        wanted,
      );
    }
  });

  test("is drawn, and not chosen by the id that a caller gives", () => {
    const sampler = buildSampler(0.5, new RandomIdGenerator());
    const id = "00000000000000000000000000000001";
    const decisions = Array.from({ length: 400 }, () => {
      return sampler.shouldSample(ROOT_CONTEXT, id, "GET", SpanKind.SERVER, {}, []).decision;
    });
    expect(new Set(decisions).size).toBe(2);
  });
});

const intent: ActionIntent = {
  account: { role: "hot" },
  nonce: 0n,
  action: { kind: "transfer", to: "0x", contractAddress: null, amountRaw: 1n },
  gasUnitsMax: 21_000n,
  fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
};

test.each([
  ["done", undefined],
  ["refused", new SignerRefusal("above a limit")],
  ["nonce_taken", new NonceTaken("signed for something else")],
  ["failed", new ServiceError("chain_unavailable", "away")],
])("what the signer is asked for: %s", async (outcome, error) => {
  const answer = <Answer>(value: Answer) =>
    error === undefined ? Promise.resolve(value) : Promise.reject(error);
  const bare: Pick<ActionSigner, "signAction" | "nextNonce"> = {
    signAction: () => answer({ txHash: "0x1", raw: new Uint8Array() }),
    nextNonce: () => answer(7n),
  };
  const { spans } = await told(async (tracing) => {
    const signer = tracing.chains.observeSigner(bare);
    const keeper = tracing.chains.observeKeeper({ claimIndexes: () => answer(5n) });
    const run = async () => {
      await Promise.allSettled([
        signer.signAction("eip155:1", intent),
        signer.nextNonce("eip155:1", "hot"),
        keeper.claimIndexes(1n, 1n),
      ]);
      return { done: 0, isMore: false };
    };
    await tracing.work.observeJobs({ all: [job], run }).run(job);
  });
  const asked = spans.filter(({ name }) => name.startsWith("signer "));
  const isError = error !== undefined;
  const said = { "pay.signer.outcome": outcome };
  expect(asked).toMatchObject([
    { name: "signer transfer", isError, attributes: { ...said, "pay.chain_id": "eip155:1" } },
    { name: "signer nonce", isError, attributes: { ...said, "pay.chain_id": "eip155:1" } },
    { name: "signer claim", isError, attributes: said },
  ]);
});

test("what outlives the work that began it is no part of it", async () => {
  const { spans } = await told(async (tracing) => {
    const signer = tracing.chains.observeKeeper({ claimIndexes: () => Promise.resolve(5n) });
    const later = Promise.withResolvers<void>();
    let left: Promise<unknown> | undefined;
    const run = async () => {
      left = later.promise.then(() => signer.claimIndexes(1n, 1n));
      return Promise.resolve({ done: 0, isMore: false });
    };
    await tracing.work.observeJobs({ all: [job], run }).run(job);
    later.resolve();
    expect(await left).toBe(5n);
  });
  expect(spans.map(({ name }) => name)).toEqual(["job sweep"]);
});
