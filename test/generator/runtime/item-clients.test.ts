// Answers that are a row of items, and clients that are slow, or leave.

import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { Client } from "./harness.ts";
import { answering, ask, events, lines } from "./item-answers.ts";
import { startBy, ways } from "./ways.ts";

describe.each(ways)("by the %s", (way) => {
  test("asks for no more items than the client takes", async () => {
    let made = 0;
    const text = "x".repeat(100_000);
    const isFull = Promise.withResolvers<void>();
    async function* flood(): AsyncGenerator {
      for (;;) {
        await Promise.resolve();
        made += 1;
        yield { data: text };
        if (made === 5) isFull.resolve();
      }
    }
    const { port, server } = await startBy(
      way,
      answering(() => ({ status: 200, contentType: events, body: flood() })),
    );
    const sockets: Socket[] = [];
    server.on("connection", (socket: Socket) => void sockets.push(socket));
    const client = new Client(port);
    client.socket.pause();
    ask(client);
    await isFull.promise;
    // until the buffers of both sides are full, and nothing moves any more
    for (let before = -1; before !== made;) {
      before = made;
      await turns(50);
    }
    const stopped = made;
    await turns(200);
    expect(made).toBe(stopped);
    expect(sockets[0]?.writableLength).toBeLessThan(1_000_000);
    client.socket.resume();
    await client.until((answer) => answer.length > (stopped + 3) * text.length);
    client.socket.destroy();
  });

  test.for(["a generator", "a list without end", "a stream"])(
    "stops %s when the client goes away",
    async (kind) => {
      const stopped = Promise.withResolvers<void>();
      const sources: Readonly<Record<string, () => unknown>> = {
        "a generator": async function* () {
          try {
            for (;;) {
              await Promise.resolve();
              yield { a: 1 };
            }
          } finally {
            stopped.resolve();
          }
        },
        "a list without end": function* () {
          try {
            for (;;) yield { a: 1 };
          } finally {
            stopped.resolve();
          }
        },
        "a stream": () =>
          new ReadableStream({
            pull: (controller) => controller.enqueue({ a: 1 }),
            cancel: () => stopped.resolve(),
          }),
      };
      const { port } = await startBy(
        way,
        answering(() => ({ status: 200, contentType: lines, body: sources[kind]?.() })),
      );
      const client = new Client(port);
      ask(client);
      await client.until((text) => text.length > 100_000);
      client.socket.resetAndDestroy();
      await stopped.promise;
    },
  );

  test("tells a handler that waits by its signal, with an answer begun or not", async () => {
    for (const when of ["before", "after"]) {
      const entered = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const { port } = await startBy(
        way,
        answering(async ({ signal }) => {
          const gone = new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => resolve());
          });
          async function* waiting(): AsyncGenerator {
            yield { a: 1 };
            entered.resolve();
            await gone;
            left.resolve();
          }
          if (when === "before") {
            entered.resolve();
            await gone;
            left.resolve();
          }
          return { status: 200, contentType: lines, body: waiting() };
        }),
      );
      const client = new Client(port);
      ask(client);
      await entered.promise;
      client.socket.destroy();
      await left.promise;
    }
  });

  test("leaves nothing of a thousand streams that are opened and aborted", async () => {
    let open = 0;
    let opened = 0;
    const allClosed = Promise.withResolvers<void>();
    const allOpened = Promise.withResolvers<void>();
    const count = 1000;
    const { port, server } = await startBy(
      way,
      answering(({ signal }) => {
        async function* stream(): AsyncGenerator {
          open += 1;
          try {
            yield { data: { a: 1 } };
            if (++opened === count) allOpened.resolve();
            await new Promise<void>((resolve) => {
              signal.addEventListener("abort", () => resolve());
            });
          } finally {
            open -= 1;
            if (open === 0 && opened === count) allClosed.resolve();
          }
        }
        return { status: 200, contentType: events, body: stream() };
      }),
    );
    const clients: Client[] = [];
    for (let index = 0; index < count; index++) {
      const client = new Client(port);
      ask(client);
      clients.push(client);
      if (index % 100 === 99) await client.until((text) => text.includes("data:"));
    }
    await allOpened.promise;
    for (const client of clients) client.socket.destroy();
    await allClosed.promise;
    expect(open).toBe(0);
    await new Promise<void>((resolve) => {
      const look = (): void =>
        void server.getConnections((_, left) => (left === 0 ? resolve() : void setImmediate(look)));
      look();
    });
  });
});

/** Of the event loop, so that what is under way can go on. */
async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
