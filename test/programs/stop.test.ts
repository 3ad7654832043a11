import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { stopGracefully } from "../../adapters/http/graceful-stop.ts";
import { parseAnswer } from "../http/answers.ts";
import {
  demoCredentials,
  endChildren,
  logLines,
  giveToPlainUser,
  makeDataDirectory,
  startAsPlainUser,
  startServerChild,
} from "./child.ts";
import type { ServerChild } from "./child.ts";
import { signedHeaders, startServer } from "./start-server.ts";
import type { Headers, ToSign } from "./start-server.ts";

// Each server opens a database of its own, on whatever machine has to run all tests at once.
afterEach(endChildren);

const body = JSON.stringify({ url: "https://example.com/hooks" });
const registration: ToSign = { method: "POST", target: "/v1/webhook-endpoints", body };

function head({ method, target, body = "" }: ToSign, signed: Headers): string {
  return [
    `${method} ${target} HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    ...Object.entries(signed).map(([name, value]) => `${name}: ${value}`),
  ].join("\r\n");
}

async function sendHalfToChild(child: ServerChild, request = registration): Promise<HalfSent> {
  return sendHalf(child.port, signedHeaders(await demoCredentials(child), request), request);
}

interface HalfSent {
  readonly socket: Socket;
  readonly finish: () => Promise<string>;
}

/** A request whose body has begun: it is under way until `finish` sends the rest. */
async function sendHalf(port: number, signed: Headers, request = registration): Promise<HalfSent> {
  const { body = "" } = request;
  const socket = connect(port, "127.0.0.1");
  const whole = new Promise<string>((resolve, reject) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.once("error", reject);
    socket.once("close", () => resolve(text));
  });
  whole.catch(() => undefined); // a test that cuts the connection does not look at it
  // The answer to the first proves that the server has read what follows in the same packet.
  const first = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  socket.write(`${first}${head(request, signed)}\r\n\r\n${body.slice(0, 5)}`);
  await new Promise((resolve) => {
    socket.once("data", resolve);
  });
  return {
    socket,
    finish: () => {
      socket.write(body.slice(5));
      return whole;
    },
  };
}

function lastAnswer(text: string): ReturnType<typeof parseAnswer> {
  return parseAnswer(text.slice(text.lastIndexOf("HTTP/1.1")));
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("ends an idle server at once, with its idle connections, exit code 0", async () => {
    const server = await startServerChild();
    const response = await fetch(`http://127.0.0.1:${server.port}/healthz`);
    await response.text();
    server.kill(signal);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(logLines(server).map((line) => line["msg"])).toEqual([
      "the catalog that is shipped was applied",
      expect.stringMatching(/^listening on/),
      "stopping: 0 requests to finish",
      "stopped",
    ]);
  });

  test("lets a request under way finish and takes no new connection", async () => {
    const server = await startServerChild();
    const request = await sendHalfToChild(server);
    server.kill(signal);
    await server.waitFor(/stopping: 1 request to finish/);
    await expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow("fetch failed");
    const answer = lastAnswer(await request.finish());
    expect(answer.headers.get("connection")).toBe("close");
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});

test("a payment under way while it stops has the address of its page", async () => {
  const server = await startServerChild({ LOCAL_CHAIN: "on" });
  const url = `http://127.0.0.1:${server.port}`;
  const accepting = {
    method: "PUT",
    target: "/v1/currency-acceptance",
    body: '{"currencies":{"cur_usdc":{}}}',
  };
  const accepted = await fetch(`${url}${accepting.target}`, {
    ...accepting,
    headers: {
      "Content-Type": "application/json",
      ...signedHeaders(await demoCredentials(server), accepting),
    },
  });
  expect(accepted.status).toBe(200);
  const quotes = { cur_usdc: { amount: "25.00" } };
  const payment = JSON.stringify({ merchant_order_no: "A-1", quotes });
  const order = { method: "POST", target: "/v1/payments", body: payment };
  const request = await sendHalfToChild(server, order);
  server.kill("SIGTERM");
  await server.waitFor(/stopping: 1 request to finish/);
  const text = await request.finish();
  expect(lastAnswer(text).status).toBe(201);
  expect(text).toContain(`"checkout_url":"${url}/checkout/`);
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

test("npm start hands on the signal that npm gets, and leaves nothing behind", async () => {
  // production: a test must not write generated code
  const ENCRYPTION_KEY = randomBytes(32).toString("base64");
  const DATA_DIR = giveToPlainUser(await makeDataDirectory());
  const sound = { NODE_ENV: "production", ENCRYPTION_KEY };
  const network = { PUBLIC_URL: "https://pay.example.com", TRUSTED_PROXIES: "none" };
  const npm = startAsPlainUser(["start"], { ...sound, ...network, PORT: "0", DATA_DIR }, "npm");
  const text = await npm.waitFor(/listening on http:[^"]+/);
  const [url = ""] = /http:[^"]+/.exec(text) ?? [];
  npm.kill("SIGTERM");
  await npm.ended;
  expect(npm.output()).toContain('"msg":"stopped"');
  await expect(fetch(`${url}/healthz`)).rejects.toThrow("fetch failed");
});

test("the same signal twice in one moment, as npm and a terminal send it, counts once", async () => {
  const server = await startServerChild();
  const request = await sendHalfToChild(server);
  server.kill("SIGINT");
  await server.waitFor(/stopping: 1 request/);
  server.kill("SIGINT");
  expect(lastAnswer(await request.finish()).status).toBeGreaterThan(0);
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

test("a second signal later ends it at once with exit code 1", async () => {
  const server = await startServerChild();
  const request = await sendHalfToChild(server);
  const again = setInterval(() => server.kill("SIGTERM"), 50);
  const end = await server.ended;
  clearInterval(again);
  request.socket.destroy();
  expect(end).toEqual({ code: 1, signal: null });
  expect(logLines(server).at(-1)).toMatchObject({ msg: "stopping at once: second signal" });
});

test("with DRAIN_SECONDS it says that it is not ready and serves all the same, then it stops", async () => {
  const server = await startServerChild({ DRAIN_SECONDS: "1" });
  const url = `http://127.0.0.1:${server.port}`;
  const credentials = await demoCredentials(server);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  server.kill("SIGTERM");
  await server.waitFor(/draining: not ready, and serving for 1 s/);
  const unready = await fetch(`${url}/readyz`);
  expect([unready.status, unready.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
  const served = await fetch(`${url}${registration.target}`, {
    method: registration.method,
    headers: { "Content-Type": "application/json", ...signedHeaders(credentials, registration) },
    body,
  });
  expect(served.status).toBe(201);
  expect(await server.ended).toEqual({ code: 0, signal: null });
  const said = logLines(server).map(({ msg }) => String(msg));
  expect(said.slice(said.indexOf("draining: not ready, and serving for 1 s"))).toContain("stopped");
});

test("it goes on serving while a balancer that is slow still sends, for as long again", async () => {
  const server = await startServer();
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const stopped = stopGracefully(server.http, {
    log: { info: say, warn: say },
    setStopping: () => say("not ready"),
    drainMilliseconds: 300,
    endStreams: () => say("no streams"),
    deadlineMilliseconds: 10_000,
  });
  const statuses = new Set<number | undefined>();
  while (!said.includes("no streams")) {
    const answer = await fetch(`${server.url}/openapi.json`).catch(() => undefined);
    if (!said.includes("no streams")) statuses.add(answer?.status);
  }
  await stopped;
  expect([...statuses]).toEqual([200]);
  expect(said[2]).toBe("draining: requests still come, and the server stops");
});

test("streams end when it has drained, not before", async () => {
  const server = await startServer();
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  await stopGracefully(server.http, {
    log: { info: say, warn: say },
    setStopping: () => say("not ready"),
    drainMilliseconds: 20,
    endStreams: () => say("no streams"),
    deadlineMilliseconds: 10_000,
  });
  expect(said).toEqual([
    "not ready",
    "draining: not ready, and serving for 0.02 s",
    "no streams",
    "stopping: 0 requests to finish",
  ]);
});

test("after the deadline whatever is left is cut, and that is said", async () => {
  const server = await startServer();
  const request = await sendHalf(server.port, server.sign(registration));
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const isClean = await stopGracefully(server.http, {
    log: { info: say, warn: say },
    setStopping: () => say("not ready"),
    drainMilliseconds: 0,
    endStreams: () => say("no streams"),
    deadlineMilliseconds: 100,
  });
  expect(isClean).toBe(false);
  expect(said).toEqual([
    "not ready",
    "no streams",
    "stopping: 1 request to finish",
    "stopping: cut 1 after 100 ms",
  ]);
  request.socket.destroy();
});

test.each(["", "Expect: magic\r\n"])(
  "a request that arrives while stopping is the last of its connection (%j)",
  async (expectation) => {
    const server = await startServer();
    const socket = connect(server.port, "127.0.0.1").setEncoding("utf8");
    const arrived = once(server.http.server, "connection");
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${expectation}`);
    const [connection] = (await arrived) as [Socket];
    if (connection.bytesRead === 0) await once(connection, "data");
    const stopped = stopGracefully(server.http, {
      log: { info: () => undefined, warn: () => undefined },
      setStopping: () => undefined,
      drainMilliseconds: 0,
      endStreams: () => undefined,
      deadlineMilliseconds: 5000,
    });
    socket.write("\r\n");
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(parseAnswer(text).headers.get("connection")).toBe("close");
    expect(await stopped).toBe(true);
  },
);
