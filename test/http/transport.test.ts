// What Node would refuse in its own words, or not at all.

import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { parseAnswer, rawRefusalBody, sendRaw } from "./answers.ts";
import { endChildren, startServerChild } from "../programs/child.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServer } from "../programs/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    limits: {
      headersTimeoutMilliseconds: 200,
      requestTimeoutMilliseconds: 400,
      timeoutCheckMilliseconds: 50,
    },
  });
});
afterAll(async () => {
  await server.close();
});
afterEach(endChildren);

/** As lines of a request's head. */
const signedLines = (method: string, target: string): readonly string[] =>
  Object.entries(server.sign({ method, target })).map(([name, value]) => `${name}: ${value}`);

const send = (bytes: string): ReturnType<typeof sendRaw> => sendRaw(server.port, bytes);
const head = (line: string, ...headers: string[]): string =>
  `${[line, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;

describe("broken HTTP", () => {
  test.each([
    ["no HTTP at all", "GARBAGE\r\n\r\n"],
    ["a TLS greeting", "\u0016\u0003\u0001\u0000\u0005\u0001\r\n\r\n"],
    ["a header without a colon", head("GET /healthz HTTP/1.1", "nonsense")],
    ["two lengths", head("POST /v1/payments HTTP/1.1", "Content-Length: 1", "Content-Length: 2")],
    [
      "a length and chunks (request smuggling)",
      head("POST /v1/payments HTTP/1.1", "Content-Length: 1", "Transfer-Encoding: chunked"),
    ],
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["two Hosts", head("GET /healthz HTTP/1.1", "Host: other")],
    ["a Host that is none", "GET /healthz HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n"],
    ["CONNECT", "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n"],
    ["an asterisk for a path", head("OPTIONS * HTTP/1.1")],
  ])("%s: 400 and the end of the connection", async (_name, bytes) => {
    const answer = await send(bytes);
    const body = rawRefusalBody(answer, 400);
    expect(body.code).toBe("invalid_request");
    expect(body.details.violations).toBeDefined();
    expect(answer.headers.get("connection")).toBe("close");
    const lines = server.log.filter((line) => line["request_id"] === body.details.request_id);
    expect(lines).toMatchObject([{ status: 400, msg: "answered" }]);
  });

  test.each([
    ["one that Node's parser does not know", "FROBNICATE"],
    ["one of WebDAV", "PROPFIND"],
    ["one in lower case", "get"],
    ["one with marks", "M-SEARCH!"],
  ])("a method that is unknown, %s: 501", async (_name, method) => {
    const answer = await send(head(`${method} /v1/payments HTTP/1.1`, "Connection: close"));
    const body = rawRefusalBody(answer, 501);
    expect(body.code).toBe("not_implemented");
    expect(body.message).toContain("GET, HEAD, POST");
  });

  test("a method that HTTP has, where none answers to it: 405", async () => {
    const answer = await send(head("DELETE /v1/payments HTTP/1.1", "Connection: close"));
    expect(rawRefusalBody(answer, 405).code).toBe("method_not_allowed");
    expect(answer.headers.get("allow")).toBe("POST");
  });

  test("two content types: 400, whatever they say", async () => {
    const line = "Content-Type: application/json";
    for (const other of [line, "content-type: text/plain"]) {
      const rest = ["Content-Length: 2", "Connection: close"];
      const lines = head("POST /v1/payments HTTP/1.1", line, other, ...rest);
      const body = rawRefusalBody(await send(`${lines}{}`), 400);
      expect(body.code).toBe("invalid_header");
      expect(body.details.violations).toMatchObject([
        { in: "header", pointer: "/Content-Type", rule: "repeated" },
      ]);
    }
  });

  test("a chunk that lies about its size: 400", async () => {
    const start = head(
      "POST /v1/payments HTTP/1.1",
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
      ...signedLines("POST", "/v1/payments"),
    );
    const body = rawRefusalBody(await send(`${start}zz\r\n{}\r\n`), 400);
    expect(body.code).toBe("invalid_request");
  });
});

test("clients that send CONNECT and reset their connection do not end the server", async () => {
  const child = await startServerChild();
  for (let count = 0; count < 20; count++) await connectAndReset(child.port);
  const response = await fetch(`http://127.0.0.1:${child.port}/healthz`);
  expect(response.status).toBe(200);
  await response.text();
});

async function connectAndReset(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined); // the reset is our own
  await once(socket, "connect");
  socket.write("CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n");
  await once(socket, "data"); // refused, and the server still reads what comes
  socket.resetAndDestroy();
  await once(socket, "close");
}

test("a client that never reads its answers loses its connection", async () => {
  const impatient = await startServer({ limits: { silenceMilliseconds: 200 } });
  const socket = connect(impatient.port, "127.0.0.1").pause();
  socket.on("error", () => undefined); // the server cuts it
  // More than the buffers of both sides hold: a quarter of a megabyte each.
  socket.write(head("GET /openapi.json HTTP/1.1").repeat(100));
  const [connection] = (await once(impatient.http.server, "connection")) as [Socket];
  await once(connection, "close");
  expect(connection.bytesWritten).toBeGreaterThan(0);
  socket.destroy();
  await impatient.close();
});

test("an answer that is half written to one client leaves no other one without its own", async () => {
  const slow = connect(server.port, "127.0.0.1").pause();
  slow.on("error", () => undefined); // the server ends it
  // More than the buffers of both sides hold: a quarter of a megabyte each.
  slow.write(head("GET /openapi.json HTTP/1.1").repeat(100));
  const isHalfWritten = () => [...server.http.inFlight].some((one) => one.headersSent);
  while (!isHalfWritten()) await new Promise(setImmediate);
  expect(rawRefusalBody(await send("GARBAGE\r\n\r\n"), 400).code).toBe("invalid_request");
  slow.destroy();
});

describe("floods", () => {
  test("headers over 16 kB: 431", async () => {
    const body = rawRefusalBody(
      await send(head("GET /healthz HTTP/1.1", `X: ${"a".repeat(17_000)}`)),
      431,
    );
    expect(body.code).toBe("headers_too_large");
  });

  test("more than 100 headers: 431, none is dropped in silence", async () => {
    const many = Array.from({ length: 101 }, (_, index) => `X-${index}: 1`);
    const body = rawRefusalBody(await send(head("GET /healthz HTTP/1.1", ...many)), 431);
    expect(body.code).toBe("headers_too_large");
  });

  test("headers that never end: 408", async () => {
    const body = rawRefusalBody(await send("GET /healthz HTTP/1.1\r\nHost: local"), 408);
    expect(body.code).toBe("request_timeout");
  });

  test("a body that never comes: 408", async () => {
    const request = head(
      "POST /v1/payments HTTP/1.1",
      "Content-Type: application/json",
      "Content-Length: 10",
      ...signedLines("POST", "/v1/payments"),
    );
    const body = rawRefusalBody(await send(`${request}{`), 408);
    expect(body.code).toBe("request_timeout");
  });
});

describe("request targets", () => {
  test.each([
    "/v1/../v1/payments",
    "/v1/./payments",
    "/v1/%2e%2E/payments",
    "//v1/payments",
    "/v1//payments",
    "/v1/currencies/a%2fb",
    "/v1/currencies/a%5Cb",
    "/v1/currencies/a\\b",
    "/v1/currencies/%zz",
    "/v1/currencies/%ff",
    "/v1/currencies/<script>",
  ])("%s: 400, whoever might read it differently", async (target) => {
    const body = rawRefusalBody(await send(head(`GET ${target} HTTP/1.1`)), 400);
    expect(body.code).toBe("invalid_request");
    expect(body.details.violations).toMatchObject([{ in: "path", pointer: "", rule: "form" }]);
  });

  test.each(["/v1/payments/", "/v1/%70ayment", "/healthz/x", "/.well-known/x"])(
    "%s is only unknown: 404",
    async (target) => {
      const answer = await send(head(`GET ${target} HTTP/1.1`, "Connection: close"));
      expect(rawRefusalBody(answer, 404).code).toBe("not_found");
    },
  );

  test("the absolute form that proxies send is the same path", async () => {
    const answer = await send(head("GET http://elsewhere/healthz HTTP/1.1", "Connection: close"));
    expect(answer.status).toBe(200);
  });

  test("HTTP/1.0 without Host is answered", async () => {
    expect((await send("GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
  });

  test("an expectation we do not know is ignored", async () => {
    const answer = await send(head("GET /healthz HTTP/1.1", "Expect: magic", "Connection: close"));
    expect(answer.status).toBe(200);
  });
});

test("requests on one connection are answered in order after a refusal of the contract", async () => {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(head("GET /nowhere HTTP/1.1") + head("GET /healthz HTTP/1.1", "Connection: close"));
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
  const second = text.indexOf("HTTP/1.1", 1);
  expect(parseAnswer(text.slice(0, second)).status).toBe(404);
  expect(parseAnswer(text.slice(second)).status).toBe(200);
});
