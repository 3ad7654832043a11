import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { Client, host, operation, start, ways, z, type Setup } from "./harness.ts";

const text = { scalar: ["string"] } as const;

const setup: Setup = {
  operations: [
    operation({
      id: "make",
      method: "post",
      path: "/make",
      request: { body: { content: { "application/json": { schema: z.looseObject({}) } } } },
    }),
    operation({
      id: "read",
      path: "/read",
      parameters: [{ in: "header", name: "X-Key", style: "simple", explode: false, kind: text }],
    }),
    operation({ id: "drop", method: "delete", path: "/drop" }),
    operation({ id: "act", method: "post", path: "/act" }),
  ],
};

const json = "Content-Type: application/json";
const post = ["POST /make HTTP/1.1", host, json] as const;
const answers = (text: string): number => text.split("HTTP/1.1 ").length - 1;

/** Sends all of it and waits for as many answers. */
async function talk(port: number, count: number, ...lines: string[]): Promise<string> {
  const client = new Client(port);
  client.send(...lines);
  return client.until((text) => answers(text) === count && /\r\n\r\n.*$/s.test(text));
}

/** When the first bytes of the next body have reached the server. */
function firstBytes(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once("request", (incoming: IncomingMessage) => incoming.once("data", () => resolve()));
  });
}

/** When the next connection is closed, in whatever way. */
function nextClose(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once("connection", (socket: Socket) => socket.once("close", () => resolve()));
  });
}

describe.each(ways)("by the %s", (way) => {
  test("reads a body in one piece, in two and byte by byte", async () => {
    const { port, server } = await start(setup, way);
    const client = new Client(port);
    client.send(...post, "Content-Length: 7", "", '{"a":1}');
    await client.until((text) => text.includes('{"request":{"body":{"a":1}}}'));
    const half = firstBytes(server);
    client.send(...post, "Content-Length: 7", "", '{"a"');
    await half;
    client.send(":2}");
    await client.until((text) => text.includes('{"a":2}'));
    client.send(...post, "Content-Length: 7", "", "");
    for (const byte of '{"a":3}') client.send(byte);
    await client.until((text) => text.includes('{"a":3}'));
    client.send(...post, "Transfer-Encoding: chunked", "", "3", '{"a', "4", '":4}', "0", "", "");
    await client.until((text) => text.includes('{"a":4}'));
    expect(answers(client.text)).toBe(4);
  });

  test("does not wait for a body that was not announced, whatever the method", async () => {
    const { port } = await start(setup, way);
    for (const line of ["DELETE /drop", "POST /act", "GET /read", "POST /make"]) {
      expect(await talk(port, 1, `${line} HTTP/1.1`, host, "", "")).toContain("200 OK");
    }
  });

  test("sees bytes sent with GET and DELETE", async () => {
    const { port, log } = await start(setup, way);
    for (const line of ["DELETE /drop", "GET /read"]) {
      const answer = await talk(port, 1, `${line} HTTP/1.1`, host, "Content-Length: 2", "", "{}");
      expect(answer).toContain("400 Bad Request");
      expect(answer).toContain('"rule":"unexpected"');
    }
    expect(log.raw.map((raw) => raw.body.length)).toEqual([2, 2]);
  });

  test("answers pipelined requests in their order", async () => {
    const { port } = await start(setup, way);
    const one = [...post, "Content-Length: 7", "", '{"a":1}'].join("\r\n");
    const two = ["GET /read HTTP/1.1", host, "", ""].join("\r\n");
    const three = [...post, "Content-Length: 7", "", '{"a":3}'].join("\r\n");
    const client = new Client(port);
    client.send(one + two + three);
    const answer = await client.until((text) => text.includes('{"a":3}'));
    expect(answers(answer)).toBe(3);
    expect(answer.indexOf('{"a":1}')).toBeLessThan(answer.indexOf('"headers"'));
  });

  test("answers pipelined requests in their order when the first is the slowest", async () => {
    const gate = Promise.withResolvers<void>();
    const { port } = await start(
      {
        ...setup,
        handlers: {
          make: async () => {
            await gate.promise;
            return { status: 200, body: "slow" };
          },
          read: () => {
            gate.resolve();
            return { status: 200, body: "quick" };
          },
        },
      },
      way,
    );
    const one = [...post, "Content-Length: 2", "", "{}"].join("\r\n");
    const client = new Client(port);
    client.send(`${one}GET /read HTTP/1.1\r\n${host}\r\n\r\n`);
    const answer = await client.until((text) => text.includes("slow") && text.includes("quick"));
    expect(answer.indexOf("slow")).toBeLessThan(answer.indexOf("quick"));
  });

  test("joins repeated headers with a comma for the pattern to judge", async () => {
    const { port } = await start(setup, way);
    const answer = await talk(port, 1, "GET /read HTTP/1.1", host, "X-Key: a", "x-key: b", "", "");
    expect(answer).toContain('{"request":{"headers":{"X-Key":"a, b"}}}');
  });

  test("answers HEAD like GET, without the body", async () => {
    const { port, log } = await start(setup, way);
    const head = await talk(port, 1, "HEAD /read HTTP/1.1", host, "X-Key: a", "", "");
    expect(head).toMatch(/x-request-id: request-1\r\n/i);
    expect(head.split("\r\n\r\n")[1]).toBe("");
    expect(log.raw[0]?.method).toBe("HEAD");
    const get = await talk(port, 1, "GET /read HTTP/1.1", host, "X-Key: a", "", "");
    const length = /content-length: (\d+)\r\n/i;
    expect(length.exec(head)?.[1]).toBe(length.exec(get)?.[1]);
    expect(length.exec(get)?.[1]).toBe(String(get.split("\r\n\r\n")[1]?.length));
  });

  test("lets a client that expects 100-continue go on", async () => {
    const { port } = await start(setup, way);
    const client = new Client(port);
    client.send(...post, "Content-Length: 7", "Expect: 100-continue", "", "");
    await client.until((text) => text.includes("100 Continue"));
    client.send('{"a":1}');
    expect(await client.until((text) => text.includes('{"a":1}'))).toContain("200 OK");
  });

  test("shows hooks the request line as it was sent", async () => {
    const { port, log } = await start(setup, way);
    await talk(port, 1, "GET /read?a=%41&&b HTTP/1.1", host, "", "");
    await talk(port, 1, `GET http://127.0.0.1:${port}/read?x HTTP/1.1`, host, "", "");
    expect(log.raw.map(({ path, query, remoteAddress }) => [path, query, remoteAddress])).toEqual([
      ["/read", "a=%41&&b", "127.0.0.1"],
      ["/read", "x", "127.0.0.1"],
    ]);
  });

  test("refuses an announced body over the limit before it comes, and closes", async () => {
    const { port, log } = await start(setup, way);
    const client = new Client(port);
    client.send(...post, "Content-Length: 1001", "", "");
    await client.until((text) => text.includes("body_too_large"));
    client.send("x".repeat(1001));
    const answer = await client.end();
    expect(answer).toContain("413 Payload Too Large");
    expect(answer).toMatch(/connection: close/i);
    expect(log.lines).toEqual(["begin", "refuse RequestError", "answered 413"]);
  });

  test("refuses a chunked body at the limit, and closes when the client has finished", async () => {
    const { port } = await start(setup, way);
    const client = new Client(port);
    const chunk = ["190", "x".repeat(400), ""].join("\r\n");
    client.send(...post, "Transfer-Encoding: chunked", "", chunk + chunk + chunk);
    expect(await client.until((text) => text.includes("body_too_large"))).toContain("413");
    client.send("0", "", "");
    expect(answers(await client.end())).toBe(1);
  });

  test("ends the connection of a client that goes on sending, after it has the answer", async () => {
    const { port, server } = await start(setup, way);
    const closed = nextClose(server);
    const client = new Client(port);
    const chunk = ["10000", "x".repeat(0x10000), ""].join("\r\n");
    client.send(...post, "Transfer-Encoding: chunked", "", "");
    const flood = (): void => {
      while (!client.closed && !client.socket.destroyed && client.socket.write(chunk));
    };
    client.socket.on("drain", flood);
    flood();
    const answer = await client.end();
    expect(answer).toContain("413 Payload Too Large");
    expect(answer).toContain("body_too_large");
    client.socket.destroy();
    await closed;
  });

  test("survives clients that go away in the middle of a body or of an answer", async () => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const { port, server, log } = await start(
      {
        ...setup,
        handlers: {
          act: async () => {
            entered.resolve();
            await gate.promise;
            return { status: 200, body: "late" };
          },
        },
      },
      way,
    );
    for (const framing of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
      const closed = nextClose(server);
      const half = firstBytes(server);
      const client = new Client(port);
      client.send(...post, framing, "", "5", "{");
      await half;
      client.socket.resetAndDestroy();
      await closed;
    }
    expect(log.lines).toEqual(["begin", "begin"]);
    const closed = nextClose(server);
    const client = new Client(port);
    client.send("POST /act HTTP/1.1", host, "", "");
    await entered.promise;
    client.socket.resetAndDestroy();
    await closed;
    gate.resolve();
    expect(await talk(port, 1, "GET /read HTTP/1.1", host, "", "")).toContain("200 OK");
  });

  test("keeps a connection alive over many requests and refusals", async () => {
    const { port } = await start(setup, way);
    const client = new Client(port);
    for (let round = 1; round <= 20; round++) {
      client.send(...post, "Content-Length: 2", "", round % 2 === 0 ? "{}" : "{,");
      await client.until((text) => answers(text) === round && text.endsWith("}"));
    }
    expect(client.text.split("400 Bad Request").length).toBe(11);
  });

  test("serves middleware on a real connection", async () => {
    const { url } = await start(
      {
        ...setup,
        prepare: (app) =>
          void app.use(async (c, next) => {
            await next();
            c.header("X-After", "yes");
          }),
      },
      way,
    );
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/make`, { method: "POST", headers, body: '{"a":1}' });
    expect(response.headers.get("x-after")).toBe("yes");
    expect(await response.json()).toEqual({ request: { body: { a: 1 } } });
  });
});
