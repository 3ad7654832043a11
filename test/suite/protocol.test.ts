// The tries over raw sockets: a server of Node as it is passes, and one that answers anything does not.

import { createServer as createNodeServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawTries, runRaw } from "../../generator/suite/protocol.ts";

const urls = { sound: "", careless: "" };
const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  urls.sound = await listen(createNodeServer((_, response) => response.writeHead(404).end("none")));
  const ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  const answering = createServer((socket) => {
    socket.on("error", () => undefined).on("data", () => void socket.end(ok));
  });
  urls.careless = await listen(answering);
});

afterAll(() => {
  for (const server of servers) server.close();
});

describe.each(rawTries("localhost"))("$name", (one) => {
  test("is right", async () => {
    expect(await runRaw(urls.sound, one)).toBeUndefined();
  });

  test("is found where any request is answered with 200", async () => {
    expect(await runRaw(urls.careless, one)).toMatch(/^200/);
  });
});
