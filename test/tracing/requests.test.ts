// What a real server tells a collector of its requests: whose trace each is part of, how it ended, and what is left
// out of it.

import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { Tracing } from "../../adapters/tracing/tracing.ts";
import { newShop, orderOf } from "../contract/payment-calls.ts";
import { send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { useService } from "../support/service.ts";
import { startListener } from "../webhooks/receiver.ts";
import { placeAt, startCollector } from "./collector.ts";

const collector = await startCollector();
const tracing = new Tracing(placeAt(collector.url), {
  clock: systemClock,
  cell: "east",
  limits: { delayMilliseconds: 20 },
});
const service = useService("PostgreSQL", { tracing });
afterAll(async () => {
  await tracing.close();
  await collector[Symbol.asyncDispose]();
});

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

/** @returns what was told of it */
async function askFor(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(service.url + path, { headers });
  const id = answer.headers.get("x-request-id");
  return await collector.waitFor(({ attributes }) => attributes["pay.request_id"] === id);
}

describe("traceparent", () => {
  test.each([
    `00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-00`,
    `cc-${traceId}-${parentId}-01-what-is-new-there`,
  ])("%s is part of the caller's trace, recorded whatever its flag says", async (traceparent) => {
    const span = await askFor("/nothing", { traceparent, tracestate: "congo=t61" });
    expect(span).toMatchObject({ traceId, parentSpanId: parentId, name: "GET" });
    // Free text of whoever asks.
    expect(span.traceState).toBe("");
  });

  test.each([
    "",
    traceId,
    `00-${traceId}-${parentId}`,
    `00-${traceId}-${parentId}-01-more`,
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
  ])("%j is none, and the request has a trace of its own", async (traceparent) => {
    const span = await askFor("/nothing", { traceparent, tracestate: "congo=t61" });
    expect([span.parentSpanId, span.traceState]).toEqual(["", ""]);
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.traceId).not.toBe(traceId);
  });
});

test("a path of none of ours is not told, and neither is its query", async () => {
  const span = await askFor("/checkout/AAAAAAAAAAAAAAAAAAAAAA?token=never-told");
  expect(span.name).toBe("GET");
  expect(span.attributes).toMatchObject({
    "pay.operation": "checkout",
    "pay.refusal": "not_found",
    "http.response.status_code": 404,
  });
  expect(span.isError).toBe(false);
  expect(collector.text()).not.toMatch(/never-told|AAAAAAAA/);
  expect(collector.resource).toMatchObject({ "service.name": "a-test", "pay.cell": "east" });
});

test("whoever watches the process is not told of", async () => {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz?now`)).status).toBe(200);
  await askFor("/nothing");
  const answered = service.log.filter(({ path }) => path === "/healthz");
  expect(answered).toHaveLength(1);
  expect(answered[0]).not.toHaveProperty("trace_id");
  const ids = answered.map((line) => line["request_id"]);
  expect(collector.spans.map(({ attributes }) => attributes["pay.request_id"])).not.toContain(
    ids[0],
  );
});

test("a database that is away is an error of the request and of its statement, by kind", async () => {
  const merchant = await newShop(service);
  const request = validRequest(operationBy("createPayment"), { body: orderOf() });
  const answer = await service.withFault({ effect: "away" }, () => send(merchant, request));
  expect(answer.status).toBe(503);
  const id = answer.headers.get("x-request-id");
  const span = await collector.waitFor(({ attributes }) => attributes["pay.request_id"] === id);
  expect(span).toMatchObject({ isError: true, name: "POST /v1/payments" });
  expect(span.attributes).toMatchObject({
    "error.type": "service_unavailable",
    "pay.refusal": "service_unavailable",
  });
  const statement = collector.spans.find(
    ({ parentSpanId, isError }) => isError && parentSpanId === span.spanId,
  );
  expect(statement?.attributes).toMatchObject({
    "error.type": "service_unavailable",
    "exception.type": "ServiceError",
    "pay.error.cause": "ECONNREFUSED",
  });
  const lines = service.log.filter((line) => line["request_id"] === id);
  expect(lines.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
    ["request failed inside", span.traceId],
    ["answered", span.traceId],
  ]);
});

test.each([0, 1])(
  "what outlives a request is no part of it, with %d of all recorded",
  async (ratio) => {
    const one = new Tracing(placeAt(collector.url, ratio), { clock: systemClock });
    const found: unknown[] = [];
    const later = Promise.withResolvers<void>();
    const server = createServer((incoming, outgoing) =>
      one.requests.around(incoming, outgoing, () => {
        found.push(one.logFields(undefined)?.trace_id);
        void later.promise.then(() => {
          found.push(one.logFields(undefined));
          outgoing.end();
        });
        const answered = {
          operationId: undefined,
          isCheckout: false,
          status: 200,
          code: undefined,
        };
        one.requests.onAnswered(answered);
        found.push(one.logFields(undefined));
      }),
    );
    const { port, close } = await startListener(server);
    onTestFinished(close);
    onTestFinished(() => one.close());
    const asked = fetch(`http://127.0.0.1:${port}/`, {
      headers: { traceparent: `00-${traceId}-${parentId}-01` },
    });
    await vi.waitUntil(() => found.length === 2, { timeout: patienceMilliseconds });
    later.resolve();
    expect((await asked).status).toBe(200);
    expect(found).toEqual([traceId, undefined, undefined]);
  },
);

test.each([0, 1])("nor what outlives a caller that has gone, with %d of all", async (ratio) => {
  const one = new Tracing(placeAt(collector.url, ratio), { clock: systemClock });
  const found = Promise.withResolvers<unknown>();
  const server = createServer((incoming, outgoing) =>
    one.requests.around(incoming, outgoing, () => {
      // What is begun within a request belongs to it.
      void once(outgoing, "close").then(() => {
        setImmediate(() => found.resolve(one.logFields(undefined)));
      });
      incoming.socket.destroy();
    }),
  );
  const { port, close } = await startListener(server);
  onTestFinished(close);
  onTestFinished(() => one.close());
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  expect(await found.promise).toBeUndefined();
});

test("a caller that has gone is told of as such", async () => {
  const before = collector.spans.length;
  const { hostname, port } = new URL(service.url);
  const request = httpRequest({
    hostname,
    port,
    path: "/v1/payments",
    method: "POST",
    headers: { "Content-Length": 100, traceparent: `00-${traceId}-${parentId}-01` },
  });
  request.on("error", () => undefined);
  request.write("{", () => request.destroy());
  const gone = await collector.waitFor(
    (span) => collector.spans.indexOf(span) >= before && span.name === "POST /v1/payments",
  );
  expect(gone.attributes["error.type"]).toBe("client_gone");
  expect(gone.attributes).not.toHaveProperty("http.response.status_code");
});
