// merchant-payments listen: real events of a real server, as a program of a shop gets them.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endChildren } from "../../programs/child.ts";
import { answerWith, type Received, startReceiver } from "../../webhooks/receiver.ts";
import { nowhere, stop, ToolWorld } from "./listening.ts";
import { endOf, installTool, type PackedTool } from "./packed-tool.ts";
import { startToolService, type ToolService } from "./tool-service.ts";

let tool: PackedTool;
let service: ToolService;
let world: ToolWorld;
beforeAll(async () => {
  tool = installTool();
  service = await startToolService();
  world = new ToolWorld(tool, service);
});
afterAll(endChildren);

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
  const { child, ready } = await world.listen(shop, receiver.url);
  const { url } = await shop.client.webhookEndpoints.getWebhookEndpoint({ id: ready.endpoint });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/merchant-payments-listen\/[0-9a-f]{32}$/);
  const payment = await world.trigger(shop, "payment.paid");
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
    refused: 0,
  });
  const after = await shop.client.webhookEndpoints.getWebhookEndpoint({ id: ready.endpoint });
  expect(after.active).toBe(false);
  await expect(fetch(url, { method: "POST" })).rejects.toThrow("fetch failed");
});

test("nothing that the service has not signed is sent on", async () => {
  const shop = await service.newShop();
  await using receiver = await startReceiver(answerWith(204));
  const { child, ready } = await world.listen(shop, receiver.url);
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
  const late = { ...headers, "webhook-timestamp": "1" };
  expect((await fetch(url, { method: "POST", headers: late, body })).status).toBe(400);
  expect((await fetch(url, { method: "POST", headers: late, body })).status).toBe(400);
  const said = [
    /^refused, for its signature: webhook-signature: made with none of the secrets\.\nThis is no delivery/,
    /\nrefused, for its path: POST \/ came, and only POST \/merchant-payments-listen\/.*\nIf it was the service, a tunnel/,
    /\nrefused, for its size: a body has more than 65536 bytes\.\n/,
    /\nrefused, for its timestamp: webhook-timestamp: \d+ s off, 300 s are allowed\.\nThe clock of this machine.*\n$/,
  ];
  const records = await stop(child, new RegExp(said.map(({ source }) => source).join("[^]*")));
  expect(child.errors().match(/refused, for its timestamp/g)).toHaveLength(1);
  expect(records.at(-1)).toMatchObject({ events: 0, refused: 5 });
  expect(receiver.received).toEqual([]);
});

test("the next one uses the same endpoint, and what happened in between does not come", async () => {
  const shop = await service.newShop();
  const first = await world.listen(shop, nowhere);
  await stop(first.child);
  await world.trigger(shop, "payment.created");
  const second = await world.listen(shop, nowhere);
  expect(second.ready.endpoint).toBe(first.ready.endpoint);
  const payment = await world.trigger(shop, "payment.created");
  await second.child.waitFor(/"type":"payment\.created"/);
  const told = (await stop(second.child)).filter(({ kind }) => kind === "event");
  expect(told.map(({ event }) => event)).toMatchObject([{ resource: { id: payment } }]);
  const state = join(tool.folder, "state", "merchant-payments", "endpoints");
  expect(statSync(state).mode & 0o777).toBe(0o700);
  const file = readdirSync(state).find((name) => name.startsWith(second.ready.endpoint)) ?? "";
  expect(readFileSync(join(state, file), "utf8")).not.toMatch(/sk_test|whsec/);
  expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
});

test("of two at once each has an endpoint, and both hear", async () => {
  const shop = await service.newShop();
  const listening = [await world.listen(shop, nowhere), await world.listen(shop, nowhere)];
  expect(new Set(listening.map(({ ready }) => ready.endpoint)).size).toBe(2);
  await world.trigger(shop, "payment.created");
  for (const { child } of listening) {
    await child.waitFor(/"type":"payment\.created"/);
    await stop(child);
  }
});

test("one that was killed leaves an endpoint that is on: --since brings what waits for it", async () => {
  const shop = await service.newShop();
  const killed = await world.listen(shop, nowhere);
  const since = new Date().toISOString();
  killed.child.kill("SIGKILL");
  await killed.child.ended;
  const payment = await world.trigger(shop, "payment.created");
  const { child, ready } = await world.listen(shop, nowhere, "--since", since);
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
    await world.trigger(shop, "payment.cancelled");
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
    const { child } = await world.listen(shop, receiver.url);
    await world.trigger(shop, "payment.created");
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
    const { child } = await world.listen(shop, receiver.url);
    await world.trigger(shop, "payment.created");
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
  const { child, ready } = await world.listen(shop, receiver.url, ...words);
  expect(ready.webhook_secret).toBe(null);
  await world.trigger(shop, "payment.cancelled");
  await child.waitFor(/"type":"payment\.cancelled"/);
  await stop(child);
  expect(child.output() + child.errors()).not.toContain(secret);
  const types = receiver.received.map((one) => verified(one, secret).type);
  expect(types).toEqual(["payment.cancelled"]);
});

test("what the service refuses is said with what to do", async () => {
  const shop = await service.newShop();
  const listen = (...words: readonly string[]) =>
    tool.run(["listen", "--forward-to", nowhere, ...words], shop.environment);
  const unknown = await listen("--events", "payment.payed");
  expect(unknown).toMatchObject({ code: 1, output: "" });
  expect(unknown.errors).toMatch(/unknown_event_type/);
  const receiver = await startReceiver(answerWith(204));
  await receiver[Symbol.asyncDispose]();
  const elsewhere = ["--receive-at", "http://localhost:4000", "--port", String(receiver.port)];
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
