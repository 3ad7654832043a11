// Bodies of requests that handlers read while they come, over real sockets and by each way a request can take.

import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import type { BodyRules, Handler } from "../../../generator/runtime/runtime.ts";
import { Client, appOf, brief, host, operation, start, z, type Setup } from "./harness.ts";
import { startBy, ways } from "./ways.ts";

const bytes = "application/octet-stream";
const lines = "application/x-ndjson";
const item = z.looseObject({ a: z.int() });

interface Request {
  readonly body: ReadableStream<Uint8Array>;
}
type Answer = (request: Request) => unknown;

interface Wish {
  readonly rules?: BodyRules;
  readonly contentType?: string;
  readonly edge?: Setup["edge"];
}

function reading(answer: Answer, { rules, contentType = bytes, edge = {} }: Wish = {}): Setup {
  const one = operation({
    id: "one",
    method: "post",
    path: "/one",
    request: { body: { required: true, content: { [contentType]: { schema: item } } } },
  });
  const bodies = { [contentType]: { isStream: true, ...rules } } as const;
  const other = operation({ id: "other", path: "/other" });
  return {
    operations: [{ ...one, bodies }, other],
    handlers: { one: answer as Handler },
    edge: { ...edge },
  };
}

const post = ["POST /one HTTP/1.1", host, `Content-Type: ${bytes}`] as const;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const end = "0\r\n\r\n";
const answers = (text: string): number => text.split("HTTP/1.1 ").length - 1;

async function sizeOf(body: ReadableStream<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const piece of body) size += piece.length;
  return size;
}

const count: Answer = async ({ body }) => ({ status: 200, body: { size: await sizeOf(body) } });

describe.each(ways)("by the %s", (way) => {
  test("hands over what has come before the rest is there", async () => {
    const first = Promise.withResolvers<string>();
    const setup = reading(async ({ body }) => {
      const reader = body.getReader();
      const { value } = await reader.read();
      first.resolve(new TextDecoder().decode(value));
      let size = value?.length ?? 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        size += next.value.length;
      }
      return { status: 200, body: { size } };
    });
    const { port } = await startBy(way, setup);
    const client = new Client(port);
    client.send(...post, "Transfer-Encoding: chunked", "", chunk("abc"));
    expect(await first.promise).toBe("abc");
    client.send(chunk("defg") + end);
    await client.until((text) => text.includes('{"size":'));
    expect(client.text).toContain('{"size":7}');
    client.send("GET /other HTTP/1.1", host, "", "");
    await client.until((text) => answers(text) === 2);
  });

  test("takes a body of any size up to its limit, and no byte more", async () => {
    const rules = { bytesMax: 300_000 };
    const { url, port } = await startBy(way, reading(count, { rules }));
    const send = (size: number): Promise<Response> =>
      fetch(`${url}/one`, {
        method: "POST",
        headers: { "content-type": bytes },
        body: new Uint8Array(size),
      });
    expect(await (await send(300_000)).json()).toEqual({ size: 300_000 });
    // announced: refused before it comes
    const announced = new Client(port);
    announced.send(...post, "Content-Length: 300001", "", "");
    expect(await announced.until((text) => text.includes("body_too_large"))).toContain(" 413 ");
    // not announced: refused when it is too much
    const streamed = new Client(port);
    streamed.send(...post, "Transfer-Encoding: chunked", "", "");
    for (let index = 0; index < 31; index++) streamed.socket.write(chunk("x".repeat(10_000)));
    expect(await streamed.until((text) => text.includes("body_too_large"))).toContain(" 413 ");
    expect(streamed.text).toMatch(/connection: close/i);
    streamed.send(end);
    expect(answers(await streamed.end())).toBe(1);
  });

  test("has the edge's limit where the contract has none", async () => {
    const { port } = await startBy(way, reading(count));
    const client = new Client(port);
    client.send(...post, "Content-Length: 1001", "", "");
    expect(await client.until((text) => text.includes("body_too_large"))).toContain(" 413 ");
  });

  test("refuses a body that is too short when it has come, and one that is not there", async () => {
    const { url } = await startBy(way, reading(count, { rules: { bytesMin: 3 } }));
    const send = (body: string | null): Promise<Response> =>
      fetch(`${url}/one`, { method: "POST", headers: { "content-type": bytes }, body });
    const short = await send("ab");
    expect([short.status, brief(await short.json())]).toEqual([400, ["body  minLength"]]);
    expect((await send("abc")).status).toBe(200);
    const { port } = await startBy(way, reading(count));
    const client = new Client(port);
    client.send(...post, "Transfer-Encoding: chunked", "", end);
    await client.until((text) => text.includes("is required"));
    expect(client.text).toContain(" 400 ");
    const none = await send(null);
    expect([none.status, brief(await none.json())]).toEqual([400, ["body  required"]]);
  });

  test("reads no more ahead than a buffer holds", async () => {
    const isRead = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const setup = reading(
      async ({ body }) => {
        entered.resolve();
        await isRead.promise;
        return { status: 200, body: { size: await sizeOf(body) } };
      },
      { rules: { bytesMax: 1e9 } },
    );
    const { port } = await startBy(way, setup);
    const client = new Client(port);
    const total = 30_000_000;
    client.send(...post, `Content-Length: ${total}`, "", "");
    await entered.promise;
    let sent = 0;
    const piece = Buffer.alloc(100_000);
    const pour = (): void => {
      while (sent < total) {
        sent += piece.length;
        if (!client.socket.write(piece)) return;
      }
    };
    client.socket.on("drain", pour);
    pour();
    for (let before = -1; before !== sent;) {
      before = sent;
      for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next));
    }
    expect(sent).toBeLessThan(20_000_000);
    isRead.resolve();
    await client.until((text) => text.includes(`{"size":${total}}`));
  });

  test("goes on with the connection when a small body was not read, and closes it after a large one", async () => {
    const { port } = await startBy(
      way,
      reading(() => ({ status: 200, body: "unread" }), { rules: { bytesMax: 1e15 } }),
    );
    const client = new Client(port);
    client.send(...post, "Content-Length: 3", "", "abc");
    await client.until((text) => text.includes("unread"));
    client.send("GET /other HTTP/1.1", host, "", "");
    await client.until((text) => answers(text) === 2);
    const large = new Client(port);
    // No machine is so quick that it has taken all of it in before it gives up.
    large.send(...post, "Content-Length: 500000000000000", "", "abc");
    await large.until((text) => text.includes("unread"));
    const piece = Buffer.alloc(100_000);
    const pour = (): void => {
      while (!large.closed && !large.socket.destroyed && large.socket.write(piece));
    };
    large.socket.on("drain", pour);
    pour();
    expect(answers(await large.end())).toBe(1);
    large.socket.destroy();
  });

  test("refuses what else is wrong before the body is read", async () => {
    let isCalled = false;
    const { port } = await startBy(
      way,
      reading(() => {
        isCalled = true;
        return { status: 200 };
      }),
    );
    const client = new Client(port);
    client.send(
      "POST /one?x=1 HTTP/1.1",
      host,
      `Content-Type: ${bytes}`,
      "Content-Length: 900",
      "",
      "",
    );
    expect(await client.until((text) => text.includes("unknown"))).toContain(" 400 ");
    const coded = new Client(port);
    coded.send(...post, "Content-Encoding: gzip", "Content-Length: 900", "", "");
    await coded.until((text) => text.includes(" 415 "));
    expect(isCalled).toBe(false);
  });

  test.for(["Content-Length: 100", "Transfer-Encoding: chunked"])(
    "tells a reader that its client has gone, and nobody else (%s)",
    async (framing) => {
      const failure = Promise.withResolvers<unknown>();
      const entered = Promise.withResolvers<void>();
      const { port, log } = await startBy(
        way,
        reading(async ({ body }) => {
          try {
            for await (const _ of body) entered.resolve();
          } catch (error) {
            failure.resolve(error);
            throw error;
          }
          return { status: 200 };
        }),
      );
      const client = new Client(port);
      client.send(...post, framing, "", "5\r\nabcde\r\n");
      await entered.promise;
      client.socket.resetAndDestroy();
      expect(await failure.promise).toMatchObject({ name: "ClientGoneError" });
      expect(log.lines).toEqual(["begin", "authenticate"]);
    },
  );

  test("answers with what it reads, while it reads it", async () => {
    const one = operation({
      id: "one",
      method: "post",
      path: "/one",
      request: { body: { required: true, content: { [lines]: { schema: item } } } },
      responses: { 200: { description: "", content: { [lines]: { schema: item } } } },
    });
    const double = (({ body }: { readonly body: AsyncIterable<{ a: number }> }) => {
      async function* doubled(): AsyncGenerator<{ a: number }> {
        for await (const { a } of body) yield { a: 2 * a };
      }
      return { status: 200, contentType: lines, body: doubled() };
    }) as unknown as Handler;
    const { port } = await startBy(way, {
      operations: [{ ...one, bodies: { [lines]: { isStream: true } } }],
      handlers: { one: double },
    });
    const client = new Client(port);
    client.send(
      "POST /one HTTP/1.1",
      host,
      `Content-Type: ${lines}`,
      "Transfer-Encoding: chunked",
      "",
      "",
    );
    for (const number of [1, 2, 3]) {
      client.send(chunk(`{"a":${number}}\n`));
      await client.until((text) => text.includes(`{"a":${2 * number}}\n`));
    }
    client.send(end);
    await client.until((text) => text.includes("\r\n0\r\n\r\n"));
  });
});

test("a stream that is read after the answer fails, and holds nobody up", async () => {
  const late = Promise.withResolvers<unknown>();
  const { port, server } = await start(
    reading(
      ({ body }) => {
        const reader = body.getReader();
        setImmediate(() => void reader.read().then(late.resolve, late.resolve));
        return { status: 200, body: "early" };
      },
      { rules: { bytesMax: 1e6 } },
    ),
  );
  const closed = new Promise<void>((resolve) => {
    server.once("request", (incoming: IncomingMessage) => {
      incoming.socket.once("close", () => resolve());
    });
  });
  const client = new Client(port);
  client.send(...post, "Content-Length: 100000", "", "abc");
  await client.until((text) => text.includes("early"));
  expect(String(await late.promise)).toContain("has been answered");
  client.socket.destroy();
  await closed;
});

test("a body that middleware has read is a stream all the same", async () => {
  const { app } = appOf({
    ...reading(count),
    prepare: (app) =>
      void app.use(async (c, next) => {
        await c.req.arrayBuffer();
        await next();
      }),
  });
  const init = { method: "POST", headers: { "content-type": bytes }, body: "abc" };
  expect(await (await app.request("/one", init)).json()).toEqual({ size: 3 });
});
