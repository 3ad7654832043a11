// merchant-payments listen: real events of a real server, as a program of a shop gets them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Child } from "../../programs/child.ts";
import { endChildren } from "../../programs/child.ts";
import { answerWith, type Received, startReceiver } from "../../webhooks/receiver.ts";
import { endOf, installTool, type PackedTool, recordsIn } from "./packed-tool.ts";
import { startToolService, type ToolService, type ToolShop } from "./tool-service.ts";

let tool: PackedTool;
let service: ToolService;
beforeAll(async () => {
  tool = installTool();
  service = await startToolService();
});
afterAll(endChildren);

const nowhere = "http://127.0.0.1:2/hooks";

interface Ready {
  readonly endpoint: string;
  readonly webhook_secret: string;
}

async function startListening(
  shop: ToolShop,
  forwardTo: string,
  ...words: readonly string[]
): Promise<{ readonly child: Child; readonly ready: Ready }> {
  const all = ["listen", "--json", "--forward-to", forwardTo, ...words];
  const child = tool.start(all, shop.environment);
  const [first] = recordsIn(await child.waitFor(/"kind":"ready".*\n/));
  // What it says of itself, by its own page.
  return { child, ready: first as unknown as Ready };
}

async function trigger(shop: ToolShop, event: string): Promise<string> {
  const words = ["trigger", event, "--json", "--rpc", service.rpcUrl];
  const { code, output, errors } = await tool.run(words, shop.environment);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  return String(recordsIn(output)[0]?.["payment"]);
}

async function stop(child: Child) {
  child.kill("SIGINT");
  // npm hands on what a terminal has sent already
  child.kill("SIGINT");
  const { code, output, errors } = await endOf(child);
  expect({ code, errors: errors.replace(/^asking .*\n/, "") }).toEqual({ code: 0, errors: "" });
  return recordsIn(output);
}

function verified({ headers, body }: Received, secret: string): { id: string; type: string } {
  // The package takes the headers by name; what it gives has the form of an event.
  return new Webhook(secret).verify(body, headers as Record<string, string>) as {
    id: string;
    type: string;
  };
}

test("events come signed, in order and once; at the end the endpoint is off, and nobody listens", async () => {
  const shop = await service.newShop();
  await using receiver = await startReceiver(answerWith(204));
  const { child, ready } = await startListening(shop, receiver.url);
  const { url } = await shop.client.webhookEndpoints.getWebhookEndpoint({ id: ready.endpoint });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
  const payment = await trigger(shop, "payment.paid");
  await child.waitFor(/"type":"payment\.paid"/);
  const records = await stop(child);

  const events = receiver.received.map((one) => verified(one, ready.webhook_secret));
  const types = events.map(({ type }) => type);
  expect([types[0], types.at(-1)]).toEqual(["payment.created", "payment.paid"]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const told = records.filter(({ kind }) => kind === "event");
  expect(told.map(({ type, id, status, reason }) => ({ type, id, status, reason }))).toEqual(
    events.map(({ type, id }) => ({ type, id, status: 204, reason: null })),
  );
  expect(told[0]?.["event"]).toMatchObject({ resource: { id: payment }, sequence: 1 });
  expect(records.at(-1)).toEqual({
    kind: "end",
    events: events.length,
    delivered: events.length,
    failed: 0,
  });
  const after = await shop.client.webhookEndpoints.getWebhookEndpoint({ id: ready.endpoint });
  expect(after.active).toBe(false);
  await expect(fetch(url, { method: "POST" })).rejects.toThrow("fetch failed");
});

test("nothing that the service has not signed is sent on", async () => {
  const shop = await service.newShop();
  await using receiver = await startReceiver(answerWith(204));
  const { child, ready } = await startListening(shop, receiver.url);
  const { url } = await shop.client.webhookEndpoints.getWebhookEndpoint({ id: ready.endpoint });
  const body = JSON.stringify({ id: "evt_1", type: "payment.paid" });
  const now = new Date();
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(ready.webhook_secret).sign("evt_1", now, body),
  };
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400);
  expect((await fetch(new URL("/", url), { method: "POST", headers, body })).status).toBe(404);
  expect((await fetch(url, { method: "POST", body: "x".repeat(70_000) })).status).toBe(413);
  await stop(child);
  expect(receiver.received).toEqual([]);
});

test("the next one uses the same endpoint, and what happened in between does not come", async () => {
  const shop = await service.newShop();
  const first = await startListening(shop, nowhere);
  await stop(first.child);
  await trigger(shop, "payment.created");
  const second = await startListening(shop, nowhere);
  expect(second.ready.endpoint).toBe(first.ready.endpoint);
  const payment = await trigger(shop, "payment.created");
  await second.child.waitFor(/"type":"payment\.created"/);
  const told = (await stop(second.child)).filter(({ kind }) => kind === "event");
  expect(told.map(({ event }) => event)).toMatchObject([{ resource: { id: payment } }]);
  const state = join(tool.folder, "state", "merchant-payments", "endpoints.json");
  expect(readFileSync(state, "utf8")).not.toMatch(/sk_test|whsec/);
});

test("of two at once each has an endpoint, and both hear", async () => {
  const shop = await service.newShop();
  const listening = [await startListening(shop, nowhere), await startListening(shop, nowhere)];
  expect(new Set(listening.map(({ ready }) => ready.endpoint)).size).toBe(2);
  await trigger(shop, "payment.created");
  for (const { child } of listening) {
    await child.waitFor(/"type":"payment\.created"/);
    await stop(child);
  }
});

test("one that was killed leaves an endpoint that is on: --since brings what waits for it", async () => {
  const shop = await service.newShop();
  const killed = await startListening(shop, nowhere);
  const since = new Date().toISOString();
  killed.child.kill("SIGKILL");
  await killed.child.ended;
  const payment = await trigger(shop, "payment.created");
  const { child, ready } = await startListening(shop, nowhere, "--since", since);
  expect(ready.endpoint).toBe(killed.ready.endpoint);
  await child.waitFor(/"type":"payment\.created"/);
  const told = (await stop(child)).filter(({ kind }) => kind === "event");
  expect(told.map(({ event }) => event)).toMatchObject([{ resource: { id: payment } }]);
});

describe("a receiver that does not take an event", () => {
  test("is a line that says why, and the next event is sent all the same", async () => {
    const shop = await service.newShop();
    const words = ["listen", "--forward-to", nowhere];
    const child = tool.start(words, shop.environment);
    await child.waitFor(/Ready: every event goes to .*\nWEBHOOK_SECRET=whsec_/);
    await trigger(shop, "payment.cancelled");
    const line = /^[\d:]{8} payment\.cancelled +evt_\w+ not taken, .*ECONNREFUSED.* \d+ ms$/m;
    await child.waitFor(line);
    child.kill("SIGTERM");
    const { code, output } = await endOf(child);
    expect(code).toBe(0);
    expect(output).toMatch(/payment\.created +evt_\w+ not taken/);
    expect(output).toMatch(/\n2 events: 0 taken by http:\/\/127\.0\.0\.1:2\/hooks, 2 not\n$/);
    expect(output).not.toContain("\u001B");
  });

  test("or answers with an error, counts as not taken", async () => {
    const shop = await service.newShop();
    await using receiver = await startReceiver(answerWith(500));
    const { child } = await startListening(shop, receiver.url);
    await trigger(shop, "payment.created");
    await child.waitFor(/"type":"payment\.created"/);
    expect((await stop(child)).slice(1)).toMatchObject([
      { kind: "event", status: 500 },
      { kind: "end", events: 1, delivered: 0, failed: 1 },
    ]);
  });

  test("or hangs, holds up nobody who presses Ctrl-C", async () => {
    const shop = await service.newShop();
    const begun = Promise.withResolvers<undefined>();
    await using receiver = await startReceiver(() => begun.resolve(undefined));
    const { child } = await startListening(shop, receiver.url);
    await trigger(shop, "payment.created");
    await begun.promise;
    expect((await stop(child)).slice(1)).toMatchObject([
      { kind: "event", status: null, reason: "listen was ended" },
      { kind: "end", failed: 1 },
    ]);
  });
});

test("with --events only these come, by the secret that is given", async () => {
  const shop = await service.newShop();
  await using receiver = await startReceiver(answerWith(200));
  const secret = `whsec_${Buffer.from("a secret that a developer has set").toString("base64")}`;
  const words = ["--events", "payment.cancelled, payment.paid", "--webhook-secret", secret];
  const { child, ready } = await startListening(shop, receiver.url, ...words);
  expect(ready.webhook_secret).toBe(secret);
  await trigger(shop, "payment.cancelled");
  await child.waitFor(/"type":"payment\.cancelled"/);
  await stop(child);
  const types = receiver.received.map((one) => verified(one, secret).type);
  expect(types).toEqual(["payment.cancelled"]);
});

test("an endpoint that is borrowed keeps its secret, and is put back", async () => {
  const shop = await service.newShop();
  const calls = shop.client.webhookEndpoints;
  const mine = { url: nowhere, event_types: ["payment.expired"] };
  const { id, secret } = await calls.registerWebhookEndpoint(mine);
  await calls.setWebhookEndpointStatus({ id, active: false });
  await using receiver = await startReceiver(answerWith(204));
  const words = ["listen", "--json", "--forward-to", receiver.url, "--endpoint", id];
  const child = tool.start(words, { ...shop.environment, WEBHOOK_SECRET: secret });
  await child.waitFor(/"kind":"ready"/);
  await trigger(shop, "payment.created");
  await child.waitFor(/"type":"payment\.created"/);
  await stop(child);
  expect(receiver.received.map((one) => verified(one, secret).type)).toEqual(["payment.created"]);
  expect(await calls.getWebhookEndpoint({ id })).toMatchObject({ ...mine, active: false });
});

test("what the service refuses is said with what to do", async () => {
  const shop = await service.newShop();
  const listen = (...words: readonly string[]) =>
    tool.run(["listen", "--forward-to", nowhere, ...words], shop.environment);
  const unknown = await listen("--events", "payment.payed");
  expect(unknown).toMatchObject({ code: 1, output: "" });
  expect(unknown.errors).toMatch(/unknown_event_type/);
  const elsewhere = ["--receive-at", "http://localhost:4000", "--port", "0"];
  const unreachable = await listen(...elsewhere);
  expect(unreachable).toMatchObject({ code: 1, output: "" });
  expect(unreachable.errors).toMatch(
    /does not send webhooks to http:\/\/localhost:4000\.\n.*WEBHOOK_HTTP_HOSTS=localhost/,
  );
  const missing = await tool.run(["listen", "--forward-to", nowhere, "--endpoint", "whe_1"], {
    ...shop.environment,
    WEBHOOK_SECRET: "whsec_MDEy",
  });
  expect(missing).toMatchObject({ code: 1, output: "" });
  expect(missing.errors).toMatch(/404 not_found/);
});
