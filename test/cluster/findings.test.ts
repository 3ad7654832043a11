// What the judge of a cluster makes of a database that says nothing any more.

import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { expect, test } from "vitest";
import { query } from "../../scripts/bench/measuring.ts";
import { findAll } from "../../scripts/cluster/findings.ts";

test("what cannot be looked into is a fault, and the others are found all the same", async () => {
  const found = await findAll({
    before: () => ["one is lost"],
    deposits: () => Promise.reject(new Error("the server is gone")),
    after: () => Promise.resolve(["two are lost", "three are lost"]),
  });
  expect(found).toEqual([
    "one is lost",
    "deposits could not be judged: Error: the server is gone",
    "two are lost",
    "three are lost",
  ]);
});

test("a server that takes a connection and says nothing is not waited for", async () => {
  await using server = await startServer(() => undefined);
  await expect(query(server.url, "select 1", { connectionTimeoutMillis: 10 })).rejects.toThrow(
    "timeout expired",
  );
});

/** As the protocol has it: AuthenticationOk, and ReadyForQuery outside of a transaction. */
const ready = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);

test("an answer that does not come is not waited for, and the connection is closed", async () => {
  const closed: Promise<unknown>[] = [];
  await using server = await startServer((socket) => {
    closed.push(new Promise((resolve) => socket.once("close", resolve)));
    socket.once("data", () => socket.write(ready));
  });
  const patience = { query_timeout: 10 };
  await expect(query(server.url, "select 1", patience)).rejects.toThrow("Query read timeout");
  expect(await Promise.all(closed)).toHaveLength(1);
});

async function startServer(welcome: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined); // whoever asked has gone
    welcome(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // As it listens at a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://one@127.0.0.1:${port}/one`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
