// How what was traced gets to a collector: one that does not take it, and what the library is configured with.

import { createServer } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { systemClock } from "../../adapters/system/clock.ts";
import { Tracing } from "../../adapters/tracing/tracing.ts";
import type { TracingLimits } from "../../adapters/tracing/tracing.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { startListener } from "../webhooks/receiver.ts";
import { accept, placeAt, startCollector } from "./collector.ts";

const job: Job = {
  name: "sweep",
  everyMilliseconds: 1,
  run: () => Promise.resolve({ done: 3, isMore: false }),
};

const open: Tracing[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const tracing of open.splice(0)) await tracing.close();
});

function tracingTo(url: string, ratio = 1, limits: Partial<TracingLimits> = {}) {
  const tracing = new Tracing(placeAt(url, ratio), { clock: systemClock, limits });
  open.push(tracing);
  return tracing;
}

const runs = async (tracing: Tracing, count: number): Promise<void> => {
  const jobs = tracing.work.observeJobs({ all: [job], run: (one) => one.run() });
  for (let run = 0; run < count; run++) await jobs.run(job);
};

describe("a collector", () => {
  test("that does not take what it is told is complained of once, and nobody waits", async () => {
    await using collector = await startCollector((response) => response.writeHead(401).end("no"));
    const tracing = tracingTo(collector.url, 1, { delayMilliseconds: 1 });
    const complaints: unknown[] = [];
    tracing.tellTo((...line) => complaints.push(line));
    for (const count of [1, 2, 3]) {
      await runs(tracing, 1);
      await vi.waitUntil(() => collector.spans.length === count, {
        timeout: patienceMilliseconds,
      });
    }
    await vi.waitUntil(() => complaints.length > 0, { timeout: patienceMilliseconds });
    const said = "Unauthorized";
    const text = "traces cannot be sent as they should; the service goes on without them";
    expect(complaints).toEqual([[{ said }, text]]);
  });

  test("that is slow gets as many as may wait, and the rest is left out", async () => {
    const held: (() => void)[] = [];
    await using collector = await startCollector((response) => held.push(() => accept(response)));
    onTestFinished(() => held.forEach((release) => release()));
    const limits = { spansMax: 8, batchMax: 8, delayMilliseconds: 1 };
    const tracing = tracingTo(collector.url, 1, limits);
    const complaints: unknown[] = [];
    tracing.tellTo((...line) => complaints.push(line[0]));
    await runs(tracing, 8);
    await vi.waitUntil(() => held.length === 1, { timeout: patienceMilliseconds });
    await runs(tracing, 50);
    held.shift()?.();
    await vi.waitUntil(() => held.length === 1, { timeout: patienceMilliseconds });
    await runs(tracing, 1);
    held.shift()?.();
    await vi.waitUntil(() => held.length === 1, { timeout: patienceMilliseconds });
    held.shift()?.();
    expect(collector.spans).toHaveLength(17);
    expect(complaints).toEqual([{ said: "Dropped 42 spans because maxQueueSize reached" }]);
  });

  test("that breaks off holds up no end", async () => {
    const { port, connections, close } = await startListener(
      createServer((socket) => socket.destroy()),
    );
    onTestFinished(close);
    const limits = { delayMilliseconds: 1, closeMilliseconds: 10 };
    const tracing = tracingTo(`http://127.0.0.1:${port}`, 1, limits);
    await runs(tracing, 3);
    await vi.waitUntil(() => connections() === 1, { timeout: patienceMilliseconds });
    await tracing.close();
    // Five more would have followed, in 13 s.
    expect(connections()).toBe(1);
  });

  test("that takes it and never answers holds up no end", async () => {
    await using collector = await startCollector(() => undefined);
    const limits = { exportMilliseconds: 3_600_000, closeMilliseconds: 10 };
    const tracing = tracingTo(collector.url, 1, limits);
    await runs(tracing, 3);
    await tracing.close();
    expect(tracing.closeMillisecondsMax).toBe(10);
  });
});

test("what the library complains of while it is built is told once there is a log", () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_CERTIFICATE", "/is/not/there.pem");
  vi.stubEnv("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd");
  const tracing = tracingTo("http://127.0.0.1:1");
  const complaints: (readonly unknown[])[] = [];
  tracing.tellTo(({ said }: { readonly said?: unknown }, text) => complaints.push([said, text]));
  const text = "traces are not configured as they should be; the service goes on";
  const compression =
    "Configuration: OTEL_EXPORTER_OTLP_COMPRESSION is invalid, expected 'none' or 'gzip' (actual: 'zstd')";
  expect(complaints).toEqual([
    [compression, text],
    ["Failed to read root certificate file", text],
  ]);
});

test("of the variables that the library reads by itself it takes those that the page names", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "x-key=of-traces,x-more=more");
  vi.stubEnv("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "gzip");
  vi.stubEnv("OTEL_BSP_MAX_QUEUE_SIZE", "0");
  vi.stubEnv("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "0");
  await using collector = await startCollector();
  const place = { ...placeAt(collector.url), headers: { "x-key": "of-all" } };
  const tracing = new Tracing(place, { clock: systemClock });
  await runs(tracing, 1);
  await tracing.close();
  expect(collector.spans).toMatchObject([{ attributes: { "pay.job": "sweep" } }]);
  const [head] = collector.text().split("\n");
  for (const word of ["of-all", "more", "gzip"]) expect(head).toContain(word);
  expect(head).not.toContain("of-traces");
});

describe("what is told of the process", () => {
  const resourceOf = async (attributes: Readonly<Record<string, string>>) => {
    await using collector = await startCollector();
    const tracing = new Tracing(
      { ...placeAt(collector.url), attributes },
      { clock: systemClock, cell: "east" },
    );
    await runs(tracing, 1);
    await tracing.close();
    return collector.resource;
  };

  test("is which version and which one of several it is", async () => {
    const [first, second] = [await resourceOf({}), await resourceOf({})];
    expect(first).toMatchObject({
      "service.name": "a-test",
      "service.version": manifest.version,
    });
    expect(first["service.instance.id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    expect(second["service.instance.id"]).not.toBe(first["service.instance.id"]);
  });

  test("is what an operator says, where he says it", async () => {
    const said = { "service.version": "v7", "service.instance.id": "blue-1" };
    expect(await resourceOf(said)).toMatchObject({ ...said, "pay.cell": "east" });
  });
});
