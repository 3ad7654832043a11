// What npm run drill:rolling looks at: each kind of fault is said, and haproxy's shipped configuration fits the drill.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { balancerText } from "../../scripts/drill/rolling/balancer.ts";
import { failureFaults, pageFaults, stopFaults } from "../../scripts/drill/rolling/judging.ts";
import { PageStream } from "../../scripts/drill/rolling/streams.ts";
import { endChildren, projectRoot, startChild } from "../programs/child.ts";

afterEach(endChildren);

const shipped = readFileSync(join(projectRoot, "docs/running/deploy/haproxy.cfg"), "utf8");
const ports = { plain: 1, front: 2, statistics: 3, servers: [4, 5] } as const;

describe("the configuration of haproxy", () => {
  test("has the ports and the certificate of the drill, and nothing else is changed", () => {
    const changed = balancerText(shipped, ports, "/tmp/payments.pem").split("\n");
    const lines = new Set(shipped.split("\n"));
    expect(changed.filter((line) => !lines.has(line))).toEqual([
      "  bind 127.0.0.1:1",
      "  bind 127.0.0.1:2 ssl crt /tmp/payments.pem alpn h2,http/1.1",
      "  server payments1 127.0.0.1:4",
      "  server payments2 127.0.0.1:5",
      "  bind 127.0.0.1:3",
    ]);
  });

  test("that says something else is not drilled with", () => {
    const other = shipped.replace("127.0.0.1:8082", "127.0.0.1:8083");
    expect(() => balancerText(other, ports, "")).toThrow(/haproxy.cfg has nothing like/);
  });
});

describe("what went wrong is said", () => {
  test("of requests", () => {
    expect(failureFaults({ failures: [], failureCount: 0 })).toEqual([]);
    expect(failureFaults({ failures: ["GET /v1/currencies: 503"], failureCount: 3 })).toEqual([
      "GET /v1/currencies: 503",
      "2 more requests failed",
    ]);
  });

  test("of pages", () => {
    const well = { paymentId: "pay_1", status: "cancelled", opened: 3, failures: [] };
    expect(pageFaults([well])).toEqual([]);
    const refused = { ...well, failures: ["127.0.2.1: refused"] };
    expect(pageFaults([refused, { ...well, status: "pending" }, { ...well, opened: 0 }])).toEqual([
      "127.0.2.1: refused",
      'page 2 shows "pending" of a payment that was cancelled',
      "page 3 never had a stream",
    ]);
  });

  test("of processes that did not finish what they had begun", () => {
    const server = (...log: readonly string[]) => ({ name: "payments1" as const, log: () => log });
    const clean = '{"level":"info","msg":"stopped"}';
    const cut = '{"level":"info","msg":"stopped with requests cut off"}';
    expect(stopFaults([server(clean), server(clean)], 2)).toEqual([]);
    expect(stopFaults([server(clean, cut)], 2)).toEqual(["a server stopped with requests cut off"]);
    expect(stopFaults([server(clean)], 2)).toEqual(["2 were stopped, 1 say so"]);
  });
});

describe("an open page", () => {
  async function pageOf(answer: (response: ServerResponse, request: IncomingMessage) => void) {
    const server = createServer((request, response) => answer(response, request));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    // It listens on a port, so it has an address of this form.
    const { port } = server.address() as AddressInfo;
    const pageUrl = `http://127.0.0.1:${port}/checkout/chk`;
    const stream = new PageStream({ pageUrl, localAddress: "127.0.0.1" });
    onTestFinished(() => stream.stop());
    return stream;
  }

  const events = { "Content-Type": "text/event-stream" };
  const snapshot = (id: string, status: string) =>
    `retry: 1\n\nid: ${id}\nevent: snapshot\ndata: {"status":"${status}"}\n\n`;

  test("comes back when its stream ends, says what it has seen, and ends with its payment", async () => {
    const seen: unknown[] = [];
    const stream = await pageOf((response, { url, headers }) => {
      seen.push([url, headers["last-event-id"]]);
      const status = seen.length < 3 ? "pending" : "cancelled";
      response.writeHead(200, events).end(snapshot(`e${seen.length}`, status));
    });
    stream.start();
    await vi.waitUntil(() => stream.status === "cancelled");
    expect(seen).toEqual([
      ["/checkout/chk/events", undefined],
      ["/checkout/chk/events", "e1"],
      ["/checkout/chk/events", "e2"],
    ]);
    expect(stream).toMatchObject({ opened: 3, failures: [] });
  });

  test("says that it was refused, or that its stream broke", async () => {
    let count = 0;
    const stream = await pageOf((response) => {
      count += 1;
      if (count === 1) response.writeHead(200, events).write(snapshot("e1", "pending"));
      if (count === 1) setImmediate(() => response.destroy());
      else if (count === 2) response.writeHead(503).end();
      else response.writeHead(200, events).end(snapshot("e2", "cancelled"));
    });
    stream.start();
    await vi.waitUntil(() => stream.status === "cancelled");
    expect(stream.failures).toEqual([
      "127.0.0.1: Error: aborted",
      "127.0.0.1: Error: a stream was refused with 503",
    ]);
  });
});

test.each([
  [["--rounds", "0"], /^--rounds must be a whole number from 1 to 1000\n\nnpm run drill:rolling/],
  [["--round", "1"], /^Unknown option '--round'/],
])("what is typed wrongly is said (%j)", async (words, said) => {
  const child = startChild(["scripts/drill/rolling/main.ts", ...words]);
  expect((await child.ended).code).toBe(2);
  expect(child.errors()).toMatch(said);
});
