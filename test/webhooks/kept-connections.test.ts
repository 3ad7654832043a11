// Connections to receivers that are used again, and those that are not.

import { createServer as createTcpServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { keptLimits } from "../../adapters/webhooks/kept-connections.ts";
import { buildWebhookSender } from "../../adapters/webhooks/sender.ts";
import type { SenderPorts } from "../../adapters/webhooks/sender.ts";
import { answerWith, pem, startListener, startReceiver } from "./receiver.ts";

const clock = { nowMilliseconds: () => Date.parse("2026-01-01T00:00:00Z") };

/** Long enough for a busy machine. */
const limits = {
  connectMilliseconds: 10_000,
  totalMilliseconds: 10_000,
  drainMilliseconds: 10_000,
  answerBytesMax: 65_536,
};

function sender(ports: Partial<SenderPorts> = {}) {
  const allowedHttpHosts = new Set(["127.0.0.1", "hooks.shop.example"]);
  const resolve = () => Promise.resolve(["127.0.0.1"]);
  const standard = { clock, resolve, allowedHttpHosts, blockedRanges: [], limits };
  const long = { ...keptLimits, idleMilliseconds: 60_000 };
  return buildWebhookSender({ ...standard, keptLimits: long, ...ports });
}

const request = (url: string, endpointId = "whe_1") => ({
  endpointId,
  url,
  isTest: true,
  headers: { "content-type": "application/json" },
  body: Buffer.from("{}"),
});

const fine = { kind: "answered", status: 200 };
const answer = (head: string, body = ""): string =>
  `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const head = "HTTP/1.1 200 OK\r\nContent-Length: ";

/** A server below HTTP: each request of a connection, by its number there and that of the connection. */
async function startTcp(act: (socket: Socket, request: number, connection: number) => void) {
  let connection = 0;
  const requests: string[] = [];
  const server = createTcpServer((socket) => {
    const number = ++connection;
    let count = 0;
    socket.on("error", () => {});
    // Each request comes in one piece: it is small.
    socket.on("data", (data) => {
      requests.push(data.toString("latin1"));
      act(socket, ++count, number);
    });
  });
  const listener = await startListener(server);
  return {
    url: `http://127.0.0.1:${listener.port}/`,
    requests,
    connections: listener.connections,
    [Symbol.asyncDispose]: listener.close,
  };
}

describe("a connection is used again", () => {
  test("for the next event of the same endpoint", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const one = sender();
    for (const _ of [1, 2, 3]) expect(await one.send(request(receiver.url))).toStrictEqual(fine);
    expect(receiver.connections()).toBe(1);
    expect(receiver.received.map(({ headers }) => headers.connection)).toEqual([
      "keep-alive",
      "keep-alive",
      "keep-alive",
    ]);
  });

  test("over TLS, with one handshake", async () => {
    await using receiver = await startReceiver(answerWith(200), pem("receiver"));
    const one = sender({ certificateAuthorities: [pem("authority")] });
    const url = `https://hooks.shop.example:${receiver.port}/`;
    for (const _ of [1, 2, 3]) expect(await one.send(request(url))).toStrictEqual(fine);
    expect(receiver.connections()).toBe(1);
  });

  test("however much has come on it before: the limits count for each answer", async () => {
    const body = "x".repeat(60_000);
    const hint = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100);
    await using server = await startTcp((socket) =>
      socket.write(`${hint}${answer("200 OK", body)}`),
    );
    const one = sender();
    for (const _ of [1, 2, 3]) expect(await one.send(request(server.url))).toStrictEqual(fine);
    expect(server.connections()).toBe(1);
  });

  test("after an answer that has taken nothing", async () => {
    await using receiver = await startReceiver(answerWith(503));
    const one = sender();
    for (const _ of [1, 2])
      expect(await one.send(request(receiver.url))).toMatchObject({ status: 503 });
    expect(receiver.connections()).toBe(1);
  });
});

describe("a connection is not used", () => {
  test("for another endpoint, though it is at the same host", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const one = sender();
    await one.send(request(receiver.url, "whe_1"));
    await one.send(request(receiver.url, "whe_2"));
    await one.send(request(receiver.url, "whe_1"));
    expect(receiver.connections()).toBe(2);
  });

  test("when the name leads elsewhere by now", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const url = `http://hooks.shop.example:${receiver.port}/`;
    let addresses = ["127.0.0.1"];
    const one = sender({ resolve: () => Promise.resolve(addresses) });
    await one.send(request(url));
    addresses = ["127.0.0.1", "127.0.0.2"];
    await one.send(request(url));
    expect(receiver.connections()).toBe(2);
    // In another order they are the same.
    addresses = ["127.0.0.2", "127.0.0.1"];
    await one.send(request(url));
    expect(receiver.connections()).toBe(2);
  });

  test("when the name leads to where nothing is sent", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const url = `http://hooks.shop.example:${receiver.port}/`;
    let addresses = ["127.0.0.1"];
    const one = sender({
      resolve: () => Promise.resolve(addresses),
      blockedRanges: ["198.51.100.0/24"],
    });
    expect(await one.send(request(url))).toStrictEqual(fine);
    addresses = ["198.51.100.7"];
    expect(await one.send(request(url))).toEqual({
      kind: "failed",
      reason: "address_not_allowed",
    });
    expect(receiver.received).toHaveLength(1);
  });

  test("when its time is over, counted from when it was dialled", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const one = sender({ keptLimits: { ...keptLimits, ageMillisecondsMax: 0 } });
    for (const _again of [1, 2]) await one.send(request(receiver.url));
    expect(receiver.connections()).toBe(2);
  });

  test("without looking at the certificate again", async () => {
    await using receiver = await startReceiver(answerWith(200), pem("receiver"));
    const one = sender({
      certificateAuthorities: [pem("authority")],
      keptLimits: { ...keptLimits, ageMillisecondsMax: 0 },
    });
    const url = `https://hooks.shop.example:${receiver.port}/`;
    for (const _again of [1, 2, 3]) expect(await one.send(request(url))).toStrictEqual(fine);
    expect([receiver.connections(), receiver.resumed()]).toEqual([3, 0]);
  });

  test("where too many wait: one of those that wait longest has ended", async () => {
    await using plain = await startReceiver(answerWith(200));
    await using secure = await startReceiver(answerWith(200), pem("receiver"));
    const one = sender({
      certificateAuthorities: [pem("authority")],
      keptLimits: { ...keptLimits, idleMax: 2 },
    });
    const url = `https://hooks.shop.example:${secure.port}/`;
    await one.send(request(plain.url, "whe_1"));
    await one.send(request(plain.url, "whe_2"));
    await one.send(request(url, "whe_3"));
    expect([plain.connections(), secure.connections()]).toEqual([2, 1]);
    await one.send(request(url, "whe_3"));
    await one.send(request(plain.url, "whe_2"));
    expect([plain.connections(), secure.connections()]).toEqual([2, 1]);
    await one.send(request(plain.url, "whe_1"));
    expect([plain.connections(), secure.connections()]).toEqual([3, 1]);
  });

  test("where too many wait, though all come to wait at once", async () => {
    const all = Promise.withResolvers<void>();
    let came = 0;
    const sockets = new Set<Socket>();
    await using server = await startTcp((socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      if (++came === 64) all.resolve();
    });
    const one = sender({ keptLimits: { ...keptLimits, idleMilliseconds: 60_000, idleMax: 16 } });
    const sent = Array.from({ length: 64 }, (_, at) => one.send(request(server.url, `whe_${at}`)));
    await all.promise;
    for (const socket of sockets) socket.write(answer("200 OK"));
    await Promise.all(sent);
    while (sockets.size > 16) await new Promise(setImmediate);
    expect(sockets.size).toBe(16);
  });

  test.each([
    ["after nothing was sent for a while", { idleMilliseconds: 50 }],
    ["after its time, though something may be sent for longer", { ageMillisecondsMax: 1_000 }],
  ])("%s", async (_, change) => {
    const ended = Promise.withResolvers<void>();
    await using server = await startTcp((socket) => {
      socket.once("close", () => ended.resolve());
      socket.write(answer("200 OK"));
    });
    const one = sender({ keptLimits: { ...keptLimits, ...change } });
    await one.send(request(server.url));
    await ended.promise;
    expect(await one.send(request(server.url))).toStrictEqual(fine);
    expect(server.connections()).toBe(2);
  });

  test.each([
    ["that the receiver wants to end", answer("200 OK\r\nConnection: close")],
    ["that the receiver keeps for no time", answer("200 OK\r\nKeep-Alive: timeout=0")],
    ["with an answer that has no end", `${head}70000\r\n\r\n${"x".repeat(66_000)}`],
    ["with more than an answer", `${answer("200 OK")}x`],
  ])("%s", async (_, text) => {
    await using server = await startTcp((socket) => socket.write(text));
    const one = sender();
    for (const _again of [1, 2]) expect(await one.send(request(server.url))).toStrictEqual(fine);
    expect(server.connections()).toBe(2);
  });
});

describe("a receiver that ends a connection that stands", () => {
  test.each([
    ["by hanging up", (socket: Socket) => void socket.end()],
    ["by resetting it", (socket: Socket) => void socket.resetAndDestroy()],
  ])("%s as the next event comes gets it on a new one", async (_, end) => {
    await using server = await startTcp((socket, number, connection) => {
      if (connection === 1 && number === 2) end(socket);
      else socket.write(answer("200 OK"));
    });
    const one = sender();
    for (const _again of [1, 2]) expect(await one.send(request(server.url))).toStrictEqual(fine);
    expect(server.connections()).toBe(2);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]).toContain("Connection: close");
  });

  test("on the new one as well has not taken the event", async () => {
    await using server = await startTcp((socket, number, connection) => {
      if (connection === 1 && number === 1) socket.write(answer("200 OK"));
      else socket.destroy();
    });
    const one = sender();
    await one.send(request(server.url));
    expect(await one.send(request(server.url))).toEqual({ kind: "failed", reason: "reset" });
    expect(server.requests).toHaveLength(3);
  });

  test("in the middle of an answer has said something: it is not asked again", async () => {
    await using server = await startTcp((socket, number) => {
      if (number === 1) socket.write(answer("200 OK"));
      else socket.write("HTTP/1.1 200", () => socket.destroy());
    });
    const one = sender();
    await one.send(request(server.url));
    expect(await one.send(request(server.url))).toMatchObject({ kind: "failed" });
    expect(server.requests).toHaveLength(2);
  });

  test("in silence is not asked again once the time is over", async () => {
    await using server = await startTcp((socket, number) => {
      if (number === 1) socket.write(answer("200 OK"));
    });
    const one = sender({ limits: { ...limits, totalMilliseconds: 300 } });
    await one.send(request(server.url));
    expect(await one.send(request(server.url))).toEqual({ kind: "failed", reason: "timeout" });
    expect(server.requests).toHaveLength(2);
  });
});
