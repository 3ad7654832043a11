// What a real server counts while it is used, as Prometheus gets it: every number is about what was asked here, and
// nobody's id, address or secret stands in it.

import { expect, test } from "vitest";
import { newKey, send, sendPlain, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import type { JsonObject } from "../support/contract-document.ts";
import { useService } from "../support/service.ts";
import { newShop, orderOf } from "../contract/payment-calls.ts";
import { samplesOf } from "./exposition.ts";

const service = useService("PostgreSQL", { hasMetrics: true });
const createPayment = operationBy("createPayment");

async function samples(): Promise<ReadonlyMap<string, number>> {
  return samplesOf(await service.metrics.text("prometheus"));
}

test("requests, refusals, replays, events, round trips, and what is open", async () => {
  const merchant = await newShop(service);
  const headers = { "Idempotency-Key": newKey() };
  const request = validRequest(createPayment, { headers, body: orderOf() });
  const first = await send(merchant, request);
  expect(first.status).toBe(201);
  const payment = (await first.json()) as JsonObject;
  expect((await send(merchant, request)).status).toBe(201);
  const forged = { ...merchant, secret: `${merchant.secret.slice(0, -4)}AAAA` };
  expect((await send(forged, request)).status).toBe(401);
  expect((await fetch(`${service.url}/nothing`)).status).toBe(404);

  const text = await service.metrics.text("prometheus");
  const found = samplesOf(text);
  expect(found.get('pay_http_requests_total{operation="createPayment",status="201"}')).toBe(2);
  expect(found.get('pay_http_requests_total{operation="createPayment",status="401"}')).toBe(1);
  expect(found.get('pay_http_requests_total{operation="other",status="404"}')).toBe(1);
  expect(
    found.get('pay_http_refusals_total{operation="createPayment",code="authentication_failed"}'),
  ).toBe(1);
  expect(found.get('pay_http_request_duration_seconds_count{operation="createPayment"}')).toBe(3);
  expect(found.get('pay_idempotent_replays_total{operation="createPayment"}')).toBe(1);
  expect(found.get('pay_events_total{type="payment.created"}')).toBe(1);
  const open = [...found].filter(([name]) => name.startsWith("pay_open_payments{"));
  expect(open.map(([, count]) => count)).toEqual([1]);
  expect(open[0]?.[0]).toMatch(/environment="test",status="pending",currency_id="[A-Za-z_0-9]+"/);
  expect(found.get("pay_http_requests_in_flight")).toBe(0);
  expect(found.get("pay_state_up")).toBe(1);
  expect(found.get('pay_database_round_trip_seconds_count{form="single"}')).toBeGreaterThan(3);
  expect(found.get("process_cpu_seconds_total")).toBeGreaterThan(0);
  const secrets = [merchant.key, merchant.secret, merchant.merchantId, payment["payment_id"]];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/0x[0-9a-fA-F]{40}/);
});

test("each operation has its own name", async () => {
  const merchant = await service.newMerchant();
  const before = await samples();
  expect((await sendPlain(merchant, { method: "GET", target: "/v1/currencies" })).status).toBe(200);
  const name = 'pay_http_requests_total{operation="listCurrencies",status="200"}';
  expect((await samples()).get(name)).toBe((before.get(name) ?? 0) + 1);
});

test("what the database could not do is counted as such", async () => {
  const merchant = await newShop(service);
  await service.withFault({ effect: "away" }, async () => {
    const answer = await send(merchant, validRequest(createPayment, { body: orderOf() }));
    expect(answer.status).toBe(503);
  });
  const found = await samples();
  const name = 'pay_http_refusals_total{operation="createPayment",code="service_unavailable"}';
  expect(found.get(name)).toBe(1);
  expect(found.get('pay_database_errors_total{kind="unavailable"}')).toBeGreaterThan(0);
});
