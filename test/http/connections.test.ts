// How many connections one address may have, and all together.

import { once } from "node:events";
import { createServer } from "node:http";
import { connect, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { boundConnections } from "../../adapters/http/connections.ts";
import type { ConnectionLimits } from "../../adapters/http/connections.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServer, TestServerOptions } from "../programs/start-server.ts";

async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await startServer(options);
  onTestFinished(server.close);
  return server;
}

const question = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** Undefined: it was closed instead. The connection stays open. */
async function ask(socket: Socket): Promise<string | undefined> {
  socket.write(question);
  const answer = once(socket, "data").then(([data]) => String(data));
  const end = once(socket, "close").then(() => undefined);
  return Promise.race([answer, end]);
}

async function open({ port }: TestServer): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  // Written into a connection that is closed already.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

test.each([
  ["one address", { connectionsPerAddressMax: 3 }],
  ["all together", { connectionsMax: 3 }],
])("%s may have so many, and another one when one of them ends", async (_name, limits) => {
  const server = await start({ limits });
  const sockets = [];
  for (let count = 0; count < 3; count++) {
    const socket = await open(server);
    expect(await ask(socket)).toMatch(/^HTTP\/1.1 200/);
    sockets.push(socket);
  }
  for (let count = 0; count < 5; count++) {
    expect(await ask(await open(server))).toBeUndefined();
  }
  // Those that were there are served as before.
  for (const socket of sockets) expect(await ask(socket)).toMatch(/^HTTP\/1.1 200/);
  const told = server.log.filter(({ level }) => level === "warn");
  expect(told).toMatchObject([
    { msg: "connections above the limit were closed", refused: 1, remote: "127.0.0.1" },
  ]);
  sockets[0]?.destroy();
  await closed(server, 2);
  expect(await ask(await open(server))).toMatch(/^HTTP\/1.1 200/);
});

test("a proxy may have as many as there are", async () => {
  const environment = { TRUSTED_PROXIES: "127.0.0.0/8" };
  const server = await start({ limits: { connectionsPerAddressMax: 1 }, environment });
  for (let count = 0; count < 10; count++) {
    expect(await ask(await open(server))).toMatch(/^HTTP\/1.1 200/);
  }
});

test("what is refused after the first is told too, and the last when it ends", async () => {
  const limits = { connectionsPerAddressMax: 1, refusalsToldMilliseconds: 200 };
  const server = await start({ limits });
  expect(await ask(await open(server))).toMatch(/^HTTP\/1.1 200/);
  const refusals = () =>
    server.log.filter(({ msg }) => msg === "connections above the limit were closed");
  for (let count = 0; count < 4; count++) await ask(await open(server));
  while (refusals().length < 2) await new Promise(setImmediate);
  expect(refusals().reduce((sum, { refused }) => sum + Number(refused), 0)).toBe(4);
});

test("strangers leave a tenth for proxies and for what is on this machine", () => {
  const { connect: come, refused } = bounded({ connectionsMax: 20, connectionsPerAddressMax: 5 });
  const strangers = Array.from({ length: 30 }, (_, at) => `203.0.113.${at % 6}`);
  for (const address of strangers) come(address);
  expect(refused()).toBe(12);
  const before = refused();
  for (const address of ["10.0.0.1", "10.0.0.1", "127.0.0.1", "::1", "::ffff:127.0.0.1"])
    come(address);
  expect(refused()).toBe(before);
});

test.each([
  [2, 1],
  [9, 8],
  [10, 9],
  [11, 9],
  [19, 17],
])("of %i connections strangers have %i: a tenth is kept, and at least one", (max, strangers) => {
  const limits = { connectionsMax: max, connectionsPerAddressMax: 1_000 };
  const { connect: come, refused } = bounded(limits);
  for (let count = 0; count < max; count++) come("203.0.113.1");
  expect(refused()).toBe(max - strangers);
});

test("a place of a stranger that has gone is free again", () => {
  const { connect: come, refused } = bounded({ connectionsMax: 10, connectionsPerAddressMax: 1 });
  const sockets = Array.from({ length: 9 }, (_, at) => come(`203.0.113.${at}`));
  come("203.0.113.9");
  expect(refused()).toBe(1);
  sockets[0]?.emit("close");
  come("203.0.113.9");
  expect(refused()).toBe(1);
});

test("of IPv6 a /64 counts as an address, and a /48 as four", () => {
  const { connect: come, refused } = bounded({
    connectionsMax: 1_000,
    connectionsPerAddressMax: 3,
  });
  for (let at = 0; at < 4; at++) come(`2001:db8:1:1::${at}`);
  expect(refused()).toBe(1);
  for (let at = 0; at < 10; at++) come(`2001:db8:1:${at + 2}::1`);
  expect(refused()).toBe(2);
  come("2001:db8:2:1::1");
  expect(refused()).toBe(2);
});

/** Connections from anywhere, as Node tells of them; no address of this machine is a stranger's. */
function bounded(limits: Omit<ConnectionLimits, "refusalsToldMilliseconds">) {
  const server = createServer();
  let count = 0;
  const log = {
    warn: ({ refused }: Readonly<Record<string, unknown>>) => (count += Number(refused)),
  };
  let now = 0;
  // Each refusal is told at once.
  const clock = { monotonicMilliseconds: () => (now += 1) };
  let closed = 0;
  const onRefused = (): void => void (closed += 1);
  const ports = { clock, log, trustedProxies: ["10.0.0.0/8"], onRefused };
  boundConnections(server, { ...limits, refusalsToldMilliseconds: 0 }, ports);
  return {
    refused: () => {
      // Whoever counts hears of each that the log tells of.
      expect(closed).toBe(count);
      return count;
    },
    connect: (remoteAddress: string): Socket => {
      const socket = new Socket();
      Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
      server.emit("connection", socket);
      return socket;
    },
  };
}

/** Until the server has so many left. */
async function closed({ http }: TestServer, left: number): Promise<void> {
  const count = (): Promise<number> =>
    new Promise((resolve, reject) => {
      http.server.getConnections((error, open) => (error === null ? resolve(open) : reject(error)));
    });
  while ((await count()) > left) await new Promise(setImmediate);
}
