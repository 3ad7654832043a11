import { createServer as createTcpServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { buildResolve, buildWebhookSender } from "../../adapters/webhooks/sender.ts";
import type { SenderLimits, SenderPorts } from "../../adapters/webhooks/sender.ts";
import type { WebhookOutcome } from "../../service/ports/webhook-sender.ts";
import { answerWith, pem, startListener, startReceiver } from "./receiver.ts";

const clock = { nowMilliseconds: () => Date.parse("2026-01-01T00:00:00Z") };

/** Long enough for a busy machine: what is told apart by these comes at once. */
const limits: SenderLimits = {
  connectMilliseconds: 10_000,
  totalMilliseconds: 10_000,
  drainMilliseconds: 10_000,
  answerBytesMax: 65_536,
};

/** For what has to be cut off, so that nobody waits for it. */
const hasty = (change: Partial<SenderLimits>): SenderLimits => ({ ...limits, ...change });

const nobody = (): Promise<never> => Promise.reject(new Error("nothing is to be looked up"));

function sender(ports: Partial<SenderPorts> = {}) {
  const allowedHttpHosts = new Set(["127.0.0.1"]);
  const standard = { clock, resolve: nobody, allowedHttpHosts, blockedRanges: [], limits };
  return buildWebhookSender({ ...standard, ...ports });
}

const request = (url: string) => ({
  endpointId: "whe_1",
  url,
  isTest: true,
  headers: { "content-type": "application/json", "webhook-id": "evt_1" },
  body: Buffer.from('{"a":"ü"}'),
});

/** A server below HTTP: `act` does what it likes with each connection. */
async function startTcp(act: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    act(socket);
  });
  const listener = await startListener(server);
  return {
    url: `http://127.0.0.1:${listener.port}/`,
    port: listener.port,
    connections: listener.connections,
    [Symbol.asyncDispose]: listener.close,
  };
}

describe("a receiver that answers", () => {
  test("gets the exact bytes, the headers given, and what HTTP needs, nothing else", async () => {
    await using receiver = await startReceiver(answerWith(204));
    expect(await sender().send(request(receiver.url))).toEqual({ kind: "answered", status: 204 });
    const [received] = receiver.received;
    expect(received).toMatchObject({ method: "POST", path: "/hooks", body: '{"a":"ü"}' });
    expect(received?.headers).toEqual({
      "content-type": "application/json",
      "webhook-id": "evt_1",
      "content-length": "10",
      host: `127.0.0.1:${receiver.port}`,
      connection: "keep-alive",
    });
  });

  test.each([200, 299, 400, 404, 410, 500])("with %d is reported as that", async (status) => {
    await using receiver = await startReceiver(answerWith(status));
    expect(await sender().send(request(receiver.url))).toEqual({ kind: "answered", status });
  });

  test.each([
    ["120", 120],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ])("with Retry-After %s is waited for %d s", async (text, retryAfterSeconds) => {
    await using receiver = await startReceiver(answerWith(503, { "Retry-After": text }));
    const outcome = await sender().send(request(receiver.url));
    expect(outcome).toEqual({ kind: "answered", status: 503, retryAfterSeconds });
  });

  test.each(["soon", "-1", "1.5", "9999999999", "2026-01-01T00:00:00Z", ""])(
    "with Retry-After %j has said nothing",
    async (text) => {
      await using receiver = await startReceiver(answerWith(429, { "Retry-After": text }));
      const outcome = await sender().send(request(receiver.url));
      expect(outcome).toEqual({ kind: "answered", status: 429 });
    },
  );
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("%d is not followed", async (status) => {
    await using inside = await startReceiver(answerWith(200));
    await using receiver = await startReceiver(answerWith(status, { Location: inside.url }));
    expect(await sender().send(request(receiver.url))).toEqual({ kind: "answered", status });
    expect(inside.connections()).toBe(0);
  });

  test("to a metadata address is not followed", async () => {
    const location = "http://169.254.169.254/latest/meta-data/";
    await using receiver = await startReceiver(answerWith(302, { Location: location }));
    expect(await sender().send(request(receiver.url))).toEqual({ kind: "answered", status: 302 });
    expect(receiver.received).toHaveLength(1);
  });
});

describe("an address inside", () => {
  test.each(["127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]"])(
    "written as %s is not connected to",
    async (host) => {
      await using receiver = await startReceiver(answerWith(200));
      const strict = sender({ allowedHttpHosts: new Set() });
      const outcome = await strict.send(request(`http://${host}:${receiver.port}/`));
      expect(outcome).toEqual({ kind: "failed", reason: "address_not_allowed" });
      expect(receiver.connections()).toBe(0);
    },
  );

  test.each([
    [["127.0.0.1"]],
    [["8.8.8.8", "127.0.0.1"]],
    [["2606:4700:4700::1111", "::1"]],
    [["64:ff9b::7f00:1"]],
    [["::ffff:127.0.0.1"]],
    [["fe80::1%lo"]],
  ])("behind a name (%j) is not connected to", async (addresses) => {
    await using receiver = await startReceiver(answerWith(200));
    const one = sender({ resolve: () => Promise.resolve(addresses) });
    const outcome = await one.send(request(`http://hooks.shop.example:${receiver.port}/`));
    expect(outcome).toEqual({ kind: "failed", reason: "address_not_allowed" });
    expect(receiver.connections()).toBe(0);
  });

  test("given at a second look-up is never asked for: the vetted address is the one dialled", async () => {
    await using receiver = await startReceiver(answerWith(200));
    let lookups = 0;
    // 203.0.113.0/24 would be refused; this one is public, and nobody answers at its port 1.
    const answers = [["192.0.1.1"], ["127.0.0.1"]];
    const one = sender({
      resolve: () => Promise.resolve(answers[lookups++] ?? []),
      limits: hasty({ connectMilliseconds: 100 }),
    });
    const outcome = await one.send(request(`http://hooks.shop.example:${receiver.port}/`));
    expect(outcome.kind).toBe("failed");
    expect(lookups).toBe(1);
    expect(receiver.connections()).toBe(0);
    const again = await one.send(request(`http://hooks.shop.example:${receiver.port}/`));
    expect(again).toEqual({ kind: "failed", reason: "address_not_allowed" });
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    ["a public address of the operator", "1.1.1.0/24", "1.1.1.7"],
    ["the same, written as IPv6", "1.1.1.0/24", "::ffff:1.1.1.7"],
    ["an address behind the operator's own NAT64", "2a00:64::/96", "2a00:64::7f00:1"],
    ["a listed host", "127.0.0.0/8", "127.0.0.1"],
  ])("that the operator has named, %s, is not connected to", async (_name, range, address) => {
    await using receiver = await startReceiver(answerWith(200));
    const one = sender({
      allowedHttpHosts: new Set(range === "127.0.0.0/8" ? ["hooks.shop.example"] : []),
      blockedRanges: ["198.51.100.0/24", range],
      resolve: () => Promise.resolve([address]),
    });
    const outcome = await one.send(request(`http://hooks.shop.example:${receiver.port}/`));
    expect(outcome).toEqual({ kind: "failed", reason: "address_not_allowed" });
    expect(receiver.connections()).toBe(0);
  });

  test("behind a listed name is allowed, and found as it was resolved", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const one = sender({
      allowedHttpHosts: new Set(["receiver"]),
      resolve: () => Promise.resolve(["127.0.0.1"]),
    });
    const outcome = await one.send(request(`http://receiver:${receiver.port}/`));
    expect(outcome).toEqual({ kind: "answered", status: 200 });
    expect(receiver.received[0]?.headers.host).toBe(`receiver:${receiver.port}`);
  });
});

describe("a name", () => {
  test.each([
    ["is unknown", () => Promise.reject(new Error("ENOTFOUND"))],
    ["has no address", () => Promise.resolve([])],
    ["gets no answer in time", () => new Promise<never>(() => {})],
  ])("that %s is a failure", async (_, resolve) => {
    const outcome = await sender({ resolve, limits: hasty({ connectMilliseconds: 100 }) }).send(
      request("https://hooks.shop.example/"),
    );
    expect(outcome).toEqual({ kind: "failed", reason: "dns" });
  });

  test("that is listed is looked up as the machine does", async () => {
    expect(await buildResolve()("localhost", true)).toContain("127.0.0.1");
  });
});

describe("TLS", () => {
  const toReceiver = (certificateAuthorities?: readonly string[]) =>
    sender({
      allowedHttpHosts: new Set(["hooks.shop.example", "other.shop.example", "127.0.0.1"]),
      resolve: () => Promise.resolve(["127.0.0.1"]),
      ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
    });
  const authority = [pem("authority")];

  test("proves the original name, not the address that is dialled", async () => {
    await using receiver = await startReceiver(answerWith(200), pem("receiver"));
    const url = `https://hooks.shop.example:${receiver.port}/`;
    expect(await toReceiver(authority).send(request(url))).toEqual({
      kind: "answered",
      status: 200,
    });
    expect(receiver.received[0]?.headers.host).toBe(`hooks.shop.example:${receiver.port}`);
  });

  test.each([
    ["for another name", { host: "other.shop.example" }],
    ["for a name, but called by address", { host: "127.0.0.1" }],
    ["signed by itself", { certificate: "self-signed" }],
    ["signed by nobody known", { authorities: undefined }],
  ])("with a certificate %s is a failure", async (_, difference) => {
    const fine = { certificate: "receiver", host: "hooks.shop.example", authorities: authority };
    const { certificate, host, authorities } = { ...fine, ...difference };
    await using receiver = await startReceiver(answerWith(200), pem(certificate));
    const url = `https://${host}:${receiver.port}/`;
    const outcome = await toReceiver(authorities).send(request(url));
    expect(outcome).toEqual({ kind: "failed", reason: "tls" });
    expect(receiver.received).toEqual([]);
  });

  test("is not left out where a server speaks none", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const url = `https://hooks.shop.example:${receiver.port}/`;
    expect(await toReceiver(authority).send(request(url))).toEqual({
      kind: "failed",
      reason: "tls",
    });
    expect(receiver.received).toEqual([]);
  });

  test("that never gets done is cut off", async () => {
    await using server = await startTcp(() => {});
    const one = sender({ limits: hasty({ connectMilliseconds: 100 }) });
    const outcome = await one.send(request(`https://127.0.0.1:${server.port}/`));
    expect(outcome).toEqual({ kind: "failed", reason: "connect_timeout" });
  });
});

const isCutOff = (outcome: WebhookOutcome): boolean =>
  outcome.kind === "failed" && /^(?:timeout|not_http)$/.test(outcome.reason);

describe("a receiver that misbehaves", () => {
  test("by not being there", async () => {
    const server = await startTcp(() => {});
    await server[Symbol.asyncDispose]();
    expect(await sender().send(request(server.url))).toEqual({ kind: "failed", reason: "refused" });
  });

  test("by hanging up", async () => {
    await using server = await startTcp((socket) => socket.once("data", () => socket.destroy()));
    expect(await sender().send(request(server.url))).toEqual({ kind: "failed", reason: "reset" });
  });

  test("by resetting the connection", async () => {
    await using server = await startTcp((socket) =>
      socket.once("data", () => socket.resetAndDestroy()),
    );
    expect(await sender().send(request(server.url))).toEqual({ kind: "failed", reason: "reset" });
  });

  test("by saying nothing", async () => {
    await using server = await startTcp(() => {});
    const limits = hasty({ connectMilliseconds: 400, totalMilliseconds: 600 });
    const outcome = await sender({ limits }).send(request(server.url));
    expect(outcome).toEqual({ kind: "failed", reason: "timeout" });
  });

  test("by dripping its headers, a byte at a time", async () => {
    await using server = await startTcp((socket) => {
      const drip = setInterval(() => socket.write("H"), 10);
      socket.on("close", () => clearInterval(drip));
    });
    const outcome = await sender({ limits: hasty({ totalMilliseconds: 300 }) }).send(
      request(server.url),
    );
    expect(outcome).toSatisfy(isCutOff);
  });

  test("by dripping a header that has no end", async () => {
    await using server = await startTcp((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      const drip = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(drip));
    });
    expect(
      await sender({ limits: hasty({ totalMilliseconds: 300 }) }).send(request(server.url)),
    ).toEqual({ kind: "failed", reason: "timeout" });
  });

  test("by not speaking HTTP", async () => {
    await using server = await startTcp((socket) => socket.write("220 mail.example ESMTP\r\n"));
    expect(await sender().send(request(server.url))).toEqual({
      kind: "failed",
      reason: "not_http",
    });
  });

  test("by a megabyte of headers", async () => {
    await using server = await startTcp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(1_000_000)}\r\n\r\n`);
    });
    expect(await sender().send(request(server.url))).toEqual({
      kind: "failed",
      reason: "not_http",
    });
  });

  test("by interim answers without end", async () => {
    await using server = await startTcp((socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"));
        socket.once("drain", more);
      };
      socket.once("data", more);
    });
    expect(
      await sender({ limits: hasty({ totalMilliseconds: 300 }) }).send(request(server.url)),
    ).toSatisfy(isCutOff);
  });

  test("by changing the protocol", async () => {
    await using server = await startTcp((socket) => {
      const text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
      socket.once("data", () => socket.write(text));
    });
    expect(await sender().send(request(server.url))).toEqual({ kind: "failed", reason: "reset" });
  });

  test("by a body without end: the status counts, the rest is cut off", async () => {
    let sent = 0;
    await using receiver = await startReceiver((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16_384);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
        response.once("drain", more);
      };
      more();
    });
    expect(await sender().send(request(receiver.url))).toEqual({ kind: "answered", status: 200 });
    // What lies in the buffers of both ends of the connection has been sent, too.
    expect(sent).toBeLessThan(20_000_000);
  });

  test("by dripping its body: the status counts, the rest is cut off", async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(500).flushHeaders();
      const drip = setInterval(() => response.write("x"), 10);
      response.on("close", () => clearInterval(drip));
    });
    expect(
      await sender({ limits: hasty({ drainMilliseconds: 100 }) }).send(request(receiver.url)),
    ).toEqual({ kind: "answered", status: 500 });
  });

  test("by breaking off its body: the status counts", async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(202, { "Content-Length": "100" });
      response.write("x", () => response.destroy());
    });
    expect(await sender().send(request(receiver.url))).toEqual({ kind: "answered", status: 202 });
  });

  test("by taking its time with the body: what is short is read to its end", async () => {
    let finish = (): void => undefined;
    await using receiver = await startReceiver((response) => {
      finish = () => void response.end("the end");
      response.writeHead(200).write("x".repeat(1000), () => second.resolve());
    });
    const second = Promise.withResolvers<void>();
    const sending = sender()
      .send(request(receiver.url))
      .then(() => "over");
    await second.promise;
    await using other = await startReceiver(answerWith(200));
    for (const _ of [1, 2, 3]) await sender().send(request(other.url));
    expect(await Promise.race([sending, Promise.resolve("reads")])).toBe("reads");
    finish();
    expect(await sending).toBe("over");
  });
});
