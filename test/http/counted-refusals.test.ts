// What is refused before anybody looks who sends it counts for its address all the same, as far as that is
// known: what comes through a proxy without its word for whom is nobody's.

import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../programs/start-server.ts";
import type { TestServerOptions } from "../programs/start-server.ts";

async function start(options: TestServerOptions) {
  const server = await startServer(options);
  onTestFinished(server.close);
  /** On a connection of its own; gives the whole answer. */
  const send = async (text: string): Promise<string> => {
    const socket = connect(server.port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("latin1").on("data", (more: string) => (answer += more));
    // What it still sends may meet a closed connection.
    const end = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    await once(socket, "connect");
    socket.on("error", () => undefined);
    socket.write(text);
    await end;
    return answer;
  };
  const statusOf = async (text: string): Promise<number> =>
    Number(/^HTTP\/1\.1 (\d{3}) /.exec(await send(text))?.[1]);
  const docs = async (from?: string): Promise<number> => {
    const headers = from === undefined ? {} : { "X-Forwarded-For": from };
    return (await fetch(`${server.url}/openapi.json`, { headers })).status;
  };
  return { ...server, send, statusOf, docs };
}

const head = "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\n";
const announced = `${head}Content-Length: 70000\r\n\r\n`;
const sent = `${head}Transfer-Encoding: chunked\r\n\r\n11170\r\n${"x".repeat(70_000)}\r\n`;
const manyHeaders = `${head}${"A: b\r\n".repeat(101)}\r\n`;
const longHeader = `${head}A: ${"b".repeat(20_000)}\r\n\r\n`;

test.each([
  ["a body that is announced as too large", announced, 413],
  ["a body that turns out to be too large", sent, 413],
  ["too many headers", manyHeaders, 431],
  ["headers that are too long", longHeader, 431],
  ["two Host headers", `${head}Host: other\r\n\r\n`, 400],
  ["a Host that is none", "GET /docs HTTP/1.1\r\nHost: a b\r\n\r\n", 400],
  ["a target with a wrong escape", "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
  ["what is no HTTP", "hello\r\n\r\n", 400],
  ["a method that HTTP does not have", "BREW /pot HTTP/1.1\r\nHost: localhost\r\n\r\n", 501],
  ["a request for a tunnel", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", 400],
])("%s counts for its address", async (_name, text, status) => {
  const { statusOf, send, docs } = await start({ quotas: { address: 2 } });
  expect(await statusOf(text)).toBe(status);
  expect(await statusOf(text)).toBe(status);
  expect(await docs()).toBe(429);
  const refused = await send(text);
  expect(refused).toMatch(/^HTTP\/1\.1 429 /);
  expect(refused).toMatch(/^Retry-After: [1-9]\d*\r$/im);
  expect(refused).toContain('"code":"rate_limited"');
});

test("a request that does not arrive in time counts for its address", async () => {
  const limits = { headersTimeoutMilliseconds: 100, timeoutCheckMilliseconds: 20 };
  const { statusOf, docs } = await start({ quotas: { address: 1 }, limits });
  expect(await statusOf(head)).toBe(408);
  expect(await docs()).toBe(429);
});

test("what comes through a proxy counts for whom the proxy names, and never for the proxy", async () => {
  const environment = { TRUSTED_PROXIES: "127.0.0.0/8" };
  const limits = { headersTimeoutMilliseconds: 100, timeoutCheckMilliseconds: 20 };
  const { statusOf, docs } = await start({ quotas: { address: 2 }, limits, environment });
  // The parser gives up before anybody has read for whom the proxy sends it.
  for (let count = 0; count < 3; count++) {
    expect(await statusOf(longHeader)).toBe(431);
    expect(await statusOf("hello\r\n\r\n")).toBe(400);
    expect(await statusOf(head)).toBe(408);
  }
  expect(await docs()).toBe(200);
  const from = "X-Forwarded-For: 203.0.113.7\r\n";
  expect(await statusOf(`${head}${from}Content-Length: 70000\r\n\r\n`)).toBe(413);
  expect(await statusOf(`${head}${from}Host: other\r\n\r\n`)).toBe(400);
  expect(await docs("203.0.113.7")).toBe(429);
  expect(await docs("203.0.113.8")).toBe(200);
});
