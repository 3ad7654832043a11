// How many connections one address may have, and all together.

import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
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

/** Until the server has so many left. */
async function closed({ http }: TestServer, left: number): Promise<void> {
  const count = (): Promise<number> =>
    new Promise((resolve, reject) => {
      http.server.getConnections((error, open) => (error === null ? resolve(open) : reject(error)));
    });
  while ((await count()) > left) await new Promise(setImmediate);
}
