// The server as a process, with a collector: what crosses a border is told, each as part of what it belongs to, and
// nothing that is secret or somebody's.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import { readPage } from "../../scripts/client/tool/checkout-page.ts";
import {
  beginServerChild,
  endChildren,
  logLines,
  makeFolder,
  startServerChild,
} from "../programs/child.ts";
import { headerProblems } from "../support/sent-events.ts";
import { answerWith, startReceiver } from "../webhooks/receiver.ts";
import { startCollector } from "./collector.ts";
import type { Collector, ToldSpan } from "./collector.ts";
import { startTracedServer } from "./traced-server.ts";

afterEach(endChildren);

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const collectorKey = "collector-key-Zq81";

/**
 * The span of questions that were asked together. Whether they are is a matter of when they come: on a busy machine
 * each may be answered before the next one is there, so more of them are sent until it happens.
 */
async function batchOf(collector: Collector, ask: () => Promise<Response>): Promise<ToldSpan> {
  for (let asked = 20; ; asked += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await collector.waitFor(() => listsOf(collector) >= asked);
    const batch = collector.spans.find(isOfBatch);
    if (batch !== undefined) return batch;
  }
}

function listsOf({ spans }: Collector): number {
  return spans.filter(({ name }) => name === "GET /v1/currencies").length;
}

function isOfBatch({ attributes }: ToldSpan): boolean {
  return attributes["db.operation.batch.size"] !== undefined;
}

test("requests, statements, nodes, the signer, webhooks and jobs, and nothing secret", async () => {
  await using collector = await startCollector();
  await using receiver = await startReceiver(answerWith(204));
  const traced = await startTracedServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorKey}`,
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=a%20test",
  });
  onTestFinished(traced.remove);
  const { server, call, secrets } = traced;
  const accepting = { currencies: { cur_usdc: {} } };
  const accepted = { method: "PUT", path: "/v1/currency-acceptance", body: accepting } as const;
  expect((await call(accepted)).status).toBe(200);
  const hook = { url: `${receiver.url}/secret-path`, event_types: ["payment.created"] };
  const hooked = await call({ method: "POST", path: "/v1/webhook-endpoints", body: hook });
  expect(hooked.status).toBe(201);
  const webhookSecret = String(((await hooked.json()) as { secret: unknown }).secret);

  const body = { merchant_order_no: "A-1", quotes: { cur_usdc: { amount: "25.00" } } };
  const headers = { traceparent: `00-${traceId}-${parentId}-01`, baggage: "customer=somebody" };
  const made = await call({ method: "POST", path: "/v1/payments", body, headers });
  expect(made.status).toBe(201);
  const payment = (await made.json()) as Readonly<Record<string, string>>;
  const list = { method: "GET", path: "/v1/currencies" } as const;
  const { address } = await readPage(payment["checkout_url"] ?? "", usd.deploymentId);

  const request = await collector.waitFor(({ name }) => name === "POST /v1/payments");
  const requestId = made.headers.get("x-request-id");
  expect(request).toMatchObject({ traceId, parentSpanId: parentId, kind: 2, isError: false });
  expect(request.attributes).toEqual({
    "http.request.method": "POST",
    "http.response.status_code": 201,
    "http.route": "/v1/payments",
    "network.protocol.version": "1.1",
    "pay.operation": "createPayment",
    "pay.request_id": requestId,
  });
  const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  expect(parts.map(({ name }) => name)).toContain("create_payment");
  for (const part of parts) {
    expect(part).toMatchObject({ traceId, kind: 3, isError: false });
    expect(part.attributes).toMatchObject({
      "db.system.name": "postgresql",
      "db.query.summary": part.name,
    });
  }
  const together = await batchOf(collector, () => call(list));
  expect(Number(together.attributes["db.operation.batch.size"])).toBeGreaterThan(1);
  const line = logLines(server).find((one) => one["request_id"] === requestId);
  expect(line).toMatchObject({
    msg: "answered",
    trace_id: traceId,
    span_id: request.spanId,
    trace_flags: "01",
  });

  const post = await collector.waitFor(({ name, kind }) => name === "POST" && kind === 3);
  const [delivered] = receiver.received;
  expect(delivered?.headers["traceparent"]).toBe(`00-${post.traceId}-${post.spanId}-01`);
  expect(delivered?.headers["baggage"]).toBeUndefined();
  expect(headerProblems(delivered?.headers ?? {})).toEqual([]);
  // The official library takes headers of one value each, which these are.
  const signed = delivered?.headers as Record<string, string>;
  expect(new Webhook(webhookSecret).verify(delivered?.body ?? "", signed)).toMatchObject({
    type: "payment.created",
  });
  expect(post.attributes).toEqual({
    "http.request.method": "POST",
    "http.response.status_code": 204,
  });
  const delivery = await collector.waitFor(({ spanId }) => spanId === post.parentSpanId);
  expect(delivery).toMatchObject({ name: "webhook delivery", parentSpanId: "" });
  expect(delivery.attributes).toMatchObject({ "pay.event.type": "payment.created" });

  const claim = await collector.waitFor(({ name }) => name === "signer claim");
  expect(claim.attributes).toEqual({
    "pay.signer.question": "claim",
    "pay.signer.outcome": "done",
  });
  const node = await collector.waitFor(({ name }) => name === "eth_getBlockByNumber");
  expect(node.attributes).toEqual({
    "rpc.system.name": "jsonrpc",
    "rpc.method": "eth_getBlockByNumber",
    "pay.chain_id": usd.chainId,
    "pay.endpoint": 1,
  });
  const away = await collector.waitFor(
    ({ attributes }) => attributes["pay.chain_id"] === "eip155:84532",
  );
  expect(away).toMatchObject({ isError: true, attributes: { "error.type": "failed" } });
  const failed = await collector.waitFor(({ name, isError }) => name.startsWith("job ") && isError);
  expect(failed).toMatchObject({ parentSpanId: "" });
  const told = logLines(server).filter((one) => one["trace_id"] === failed.traceId);
  expect(told.map(({ msg }) => msg)).toContain("a job failed and comes again");
  const job = await collector.waitFor(({ name }) => name === "job ledger-verify");
  expect(job.attributes).toMatchObject({ "pay.job": "ledger-verify", "pay.job.is_more": false });
  expect(job.parentSpanId).toBe("");

  server.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(collector.resource).toMatchObject({
    "service.name": "merchant-crypto-payments",
    "deployment.environment.name": "a test",
  });
  expect(collector.text()).toContain(collectorKey);
  const ofOthers = [payment["id"], payment["checkout_url"]?.split("/").at(-1), address];
  const unsaid = [...secrets, webhookSecret, ...ofOthers, "secret-path", "somebody", 'A-1"'];
  for (const secret of unsaid) {
    expect(secret).toMatch(/^.{4}/);
    expect(collector.text()).not.toContain(secret);
  }
  expect(collector.text()).not.toMatch(/0x[0-9a-fA-F]{40}|whsec_|sk_test_|mk_test_/);
});

/** Which files of the packages a server has run that has these variables. */
async function packagesOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const folder = makeFolder();
  const server = await startServerChild({ ...environment, NODE_V8_COVERAGE: folder });
  expect((await fetch(`http://127.0.0.1:${server.port}/v1/payments`)).status).toBe(405);
  server.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null });
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  // A start that becomes itself once more leaves a file of its own.
  return Array.from(files.join("").matchAll(/node_modules\/([^"]+)"/g), ([, path]) => path).join(
    "\n",
  );
}

test("nothing of it is loaded where no collector is named", async () => {
  const without = await packagesOf({});
  expect(without).toContain("pino/");
  expect(without).not.toContain("@opentelemetry/");
  const alike = await packagesOf({ METRICS_LISTEN: "127.0.0.1:0" });
  expect(alike).toContain("prom-client/");
  expect(alike).not.toMatch(/@opentelemetry\/(?!api\/)/);
  await using collector = await startCollector();
  const wanted = await packagesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  expect(wanted).toContain("@opentelemetry/sdk-trace/");
});

test("a collector that is not there holds up neither requests nor the end", async () => {
  const server = await startServerChild({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  const answer = await fetch(`http://127.0.0.1:${server.port}/v1/nothing`);
  expect(answer.status).toBe(404);
  server.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

test("a place that is none is one readable line, without what stands in it", async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://user:a-password@collector.example:4318";
  const server = await beginServerChild({ OTEL_EXPORTER_OTLP_ENDPOINT });
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.errors()).toBe(
    "The configuration has 1 mistake:\n  OTEL_EXPORTER_OTLP_ENDPOINT is of the wrong form; write where a collector takes " +
      "OTLP over HTTP, such as http://127.0.0.1:4318: http or https, and nothing behind its path (what names us goes into " +
      "OTEL_EXPORTER_OTLP_HEADERS), or leave it out\n",
  );
});
