// The stream of events of a checkout page: what it tells, what it costs, how many there can be, and how
// it ends.

import { expect, test } from "vitest";
import { query } from "../support/service-parts.ts";
import { startCheckout, usdcOnBase } from "./checkout-server.ts";
import { readEvents } from "./event-reader.ts";
import { useCheckout, server, chain } from "./stage.ts";

const streamLimits = { streamsOfAddressMax: 3, streamsMax: 5, heartbeatMilliseconds: 30_000 };
useCheckout("PostgreSQL", { streamLimits });

const get = (url: string) => fetch(url, { headers: { Accept: "text/html" } });

test("tells what has changed, once, and ends with the payment", async () => {
  const payment = await server.newPayment();
  const markup = await (await get(payment.url)).text();
  const seen = /data-snapshot="([\w-]+)"/.exec(markup)?.[1] ?? "";
  const address = /id="address">(0x\w+)</.exec(markup)?.[1] ?? "";
  await using stream = await readEvents(`${payment.url}/events?seen=${seen}`);
  chain.deposit({ to: address, amountRaw: 25_000_000n, contractAddress: usdcOnBase });
  chain.mine(1, server.clock.now());
  await server.watch();
  const confirming = await stream.next();
  expect(confirming).toMatchObject({ status: "confirming", is_over: false });
  expect(Object.keys(confirming.regions)).toEqual(["state", "terms", "deposits"]);
  chain.mine(3, server.clock.now());
  await server.watch();
  let last = await stream.next();
  while (!last.is_over) last = await stream.next();
  expect(last).toMatchObject({ status: "paid", title: "Paid · Alpine Coffee Roasters" });
  await stream.ended();
  // who comes back with what it saw last hears nothing twice
  await using again = await readEvents(`${payment.url}/events`, last.id);
  await again.ended();
  expect(again.count).toBe(0);
});

test("asks the database once for all of them", async () => {
  const payments = [await server.newPayment(), await server.newPayment()];
  const streams = await Promise.all(payments.map(({ url }) => readEvents(`${url}/events`)));
  const before = server.reads.length;
  await server.until(() => server.reads.length > before + 5);
  const tokens = payments.map(({ token }) => token).toSorted();
  for (const read of server.reads.slice(before + 1)) expect(read.toSorted()).toEqual(tokens);
  for (const stream of streams) await stream[Symbol.asyncDispose]();
  await server.until(() => server.pages.openStreams() === 0);
});

test("what a page shows for a second may be read as it was a second ago, and before that as it is", async () => {
  const read = (reads: readonly (readonly string[])[], token: string) =>
    reads.filter((tokens) => tokens.includes(token)).length;
  const young = await server.newPayment();
  await using often = await readEvents(`${young.url}/events`);
  await often.next();
  // For longer than a second: each look is shown, and the next one is soon after it.
  await server.until(() => read(server.reads, young.token) > 30);
  expect(read(server.readsAgain, young.token)).toBe(0);
  expect(often.count).toBe(1);
  const { database } = server;
  const limits = { streamLimits: { lookMilliseconds: 2_000 } };
  const own = await startCheckout({ database, chains: [chain], ...limits });
  try {
    const old = await own.newPayment();
    await using seldom = await readEvents(`${old.url}/events`);
    await seldom.next();
    await own.until(() => read(own.readsAgain, old.token) > 1);
    expect(seldom.count).toBe(1);
  } finally {
    await own.close();
  }
});

test("shows nobody who comes meanwhile what was asked for before", async () => {
  const payment = await server.newPayment({ expiresInSeconds: 86_400 });
  await using first = await readEvents(`${payment.url}/events`);
  expect(await first.next()).toMatchObject({ status: "pending" });
  const held = server.holdReads();
  await held.reached;
  // As it was is what the read that is held will bring.
  await query(server.database)`update payments set status = 'cancelled' where id = ${payment.id}`;
  await using second = await readEvents(`${payment.url}/events`);
  expect(await second.next()).toMatchObject({ status: "cancelled", is_over: true });
  held.release();
  await second.ended();
  expect(second.count).toBe(1);
  expect(await first.next()).toMatchObject({ status: "cancelled", is_over: true });
});

test("there are at most so many of one address, and one for nobody who asks for the head", async () => {
  const { url } = await server.newPayment();
  const head = await fetch(`${url}/events`, { method: "HEAD" });
  expect(head.status).toBe(200);
  const streams = await Promise.all([1, 2, 3].map(() => readEvents(`${url}/events`)));
  const refused = await get(`${url}/events`);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("Retry-After")).toBe("3");
  // the page goes on by asking
  expect((await get(`${url}/status`)).status).toBe(200);
  for (const stream of streams) await stream[Symbol.asyncDispose]();
  await server.until(() => server.pages.openStreams() === 0);
  await using later = await readEvents(`${url}/events`);
  expect(await later.next()).toMatchObject({ status: "pending" });
});

test("all addresses of an IPv6 network count as one", async () => {
  const own = await startCheckout({
    database: server.database,
    chains: [chain],
    streamLimits: { streamsOfAddressMax: 1 },
    trustedProxies: "127.0.0.1/32",
  });
  try {
    const { url } = await own.newPayment();
    const from = (address: string) => ({ "X-Forwarded-For": address });
    await using stream = await readEvents(`${url}/events`, undefined, from("2001:db8:1:2::1"));
    expect(await stream.next()).toMatchObject({ status: "pending" });
    const refused = await fetch(`${url}/events`, { headers: from("2001:db8:1:2:ffff::9") });
    expect(refused.status).toBe(429);
    await using other = await readEvents(`${url}/events`, undefined, from("2001:db8:1:3::1"));
    expect(await other.next()).toMatchObject({ status: "pending" });
    // And those of a site as 16.
    const more = [];
    for (let network = 4; network < 18; network++) {
      more.push(await readEvents(`${url}/events`, undefined, from(`2001:db8:1:${network}::1`)));
    }
    const tooMany = await fetch(`${url}/events`, { headers: from("2001:db8:1::1") });
    expect(tooMany.status).toBe(429);
    await using elsewhere = await readEvents(`${url}/events`, undefined, from("2001:db8:2::1"));
    expect(await elsewhere.next()).toMatchObject({ status: "pending" });
    for (const stream of more) await stream[Symbol.asyncDispose]();
  } finally {
    await own.close();
  }
});

test("is heard of now and then while nothing happens, and ends after half an hour", async () => {
  const { url } = await server.newPayment({ expiresInSeconds: 86_400 });
  await using stream = await readEvents(`${url}/events`);
  expect(await stream.next()).toMatchObject({ status: "pending" });
  server.clock.advance(30_000);
  await stream.heartbeat();
  expect(stream.count).toBe(1);
  server.clock.advance(1_800_000);
  await stream.ended();
});

test("stays while the database is away, and goes on when it is back", async () => {
  const { id, url } = await server.newPayment({ expiresInSeconds: 86_400 });
  await using stream = await readEvents(`${url}/events`);
  expect(await stream.next()).toMatchObject({ status: "pending" });
  const errors = () => server.lines.filter((line) => line.includes('"msg":"checkout"')).length;
  server.failReads(true);
  await server.until(() => errors() > 2);
  server.failReads(false);
  await query(server.database)`update payments set status = 'cancelled' where id = ${id}`;
  expect(await stream.next()).toMatchObject({ status: "cancelled", is_over: true });
  await stream.ended();
});

test("a server that stops ends its streams, so that nobody waits for it", async () => {
  const own = await startCheckout({ database: server.database, chains: [chain] });
  try {
    const { url } = await own.newPayment();
    await using stream = await readEvents(`${url}/events`);
    own.pages.close();
    await stream.ended();
    const refused = await get(`${url}/events`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe("3");
  } finally {
    await own.close();
  }
});

test("who has left as much unread as there may be is cut off, and the others are not", async () => {
  const patient = { database: server.database, chains: [chain] };
  // The first message alone fills it.
  const own = await startCheckout({ ...patient, streamLimits: { unreadMax: 1 } });
  try {
    const { url } = await own.newPayment();
    await using stream = await readEvents(`${url}/events`);
    await stream.ended();
    expect(stream.count).toBe(0);
    expect(own.pages.openStreams()).toBe(0);
  } finally {
    await own.close();
  }
  const { url } = await server.newPayment({ expiresInSeconds: 86_400 });
  await using other = await readEvents(`${url}/events`);
  expect(await other.next()).toMatchObject({ status: "pending" });
});
