// Routes that are not the contract's: strangers are bounded there too, and whoever looks whether the
// server lives is not among them.

import { expect, onTestFinished, test } from "vitest";
import { refusalBody } from "./answers.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServerOptions } from "../programs/start-server.ts";

async function start(options: TestServerOptions) {
  const server = await startServer(options);
  onTestFinished(server.close);
  return { ...server, get: (path: string) => fetch(server.url + path) };
}

test("an address that asks too often is told so, by the same count as everywhere", async () => {
  const { get, sign, url } = await start({ quotas: { address: 4 } });
  const target = "/v1/currencies";
  const signed = () => fetch(url + target, { headers: sign({ method: "GET", target }) });
  expect((await signed()).status).toBe(200);
  for (const path of ["/docs", "/openapi.json", "/docs/errors"]) {
    expect((await get(path)).status).toBe(200);
  }
  for (const path of ["/docs", "/openapi.json", "/docs/nothing", "/"]) {
    const answer = await get(path);
    const body = await refusalBody(answer, 429);
    expect(body).toMatchObject({ code: "rate_limited", details: { policy: "address" } });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  }
  expect((await signed()).status).toBe(429);
});

test("paths that are nobody's count too, whatever the method", async () => {
  const { get, url, log } = await start({ quotas: { address: 4 } });
  expect((await get("/.env")).status).toBe(404);
  expect((await get("/v1/nothing")).status).toBe(404);
  expect((await fetch(`${url}/v1/payments`, { method: "DELETE" })).status).toBe(405);
  expect((await fetch(`${url}/docs`, { method: "POST" })).status).toBe(405);
  for (const path of ["/.env", "/wp-login.php", "/docs"]) {
    const body = await refusalBody(await get(path), 429);
    expect(body).toMatchObject({ code: "rate_limited", details: { policy: "address" } });
  }
  const lines = log.filter(({ msg }) => msg === "answered");
  expect(lines.map(({ status }) => status)).toEqual([404, 404, 405, 405, 429, 429, 429]);
  expect((await get("/healthz")).status).toBe(200);
});

test("a balancer at an address that asks too often does not take the server for dead", async () => {
  const { get } = await start({ quotas: { address: 1 } });
  expect((await get("/docs")).status).toBe(200);
  expect((await get("/docs")).status).toBe(429);
  for (const path of ["/healthz", "/readyz"]) expect((await get(path)).status).toBe(200);
});

test("a hundred questions at once whether it is ready are one to the database", async () => {
  const asked: (() => void)[] = [];
  const checkHealth = (): Promise<void> => new Promise((resolve) => void asked.push(resolve));
  const { get, http } = await start({ checkHealth });
  const questions = Array.from({ length: 100 }, () => get("/readyz"));
  while (http.inFlight.size < questions.length) await new Promise(setImmediate);
  asked[0]?.();
  const statuses = await Promise.all(questions.map(async (one) => (await one).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(asked).toHaveLength(1);
  // The next one asks again.
  const next = get("/readyz");
  while (asked.length === 1) await new Promise(setImmediate);
  asked[1]?.();
  expect((await next).status).toBe(200);
});

test("that all is well is a line for who looks for it, and that it is not is one for all", async () => {
  const { get, log, setReady } = await start({});
  await get("/healthz");
  await get("/readyz");
  setReady(false);
  await get("/readyz");
  await get("/docs");
  const lines = log.filter(({ msg }) => msg === "answered");
  expect(lines.map(({ path, level }) => [path, level])).toEqual([
    ["/healthz", "debug"],
    ["/readyz", "debug"],
    ["/readyz", "info"],
    ["/docs", "info"],
  ]);
});

test("what they say, and whether it may be kept", async () => {
  const { url, setReady } = await start({});
  const get = (path: string) => fetch(url + path, { redirect: "manual" });
  const json = "application/json";
  const page = { "x-content-type-options": "nosniff" };
  const expected: readonly (readonly [string, number, Readonly<Record<string, string>>])[] = [
    ["/healthz", 200, { "content-type": json, "cache-control": "no-store" }],
    ["/readyz", 200, { "content-type": json, "cache-control": "no-store" }],
    ["/", 302, { location: "docs" }],
    ["/openapi.json", 200, { "content-type": json, "cache-control": "no-cache" }],
    [
      "/docs",
      200,
      { ...page, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    ],
    ["/docs/", 302, { location: "../docs" }],
    ["/docs/assets/other.js", 404, { "content-type": json }],
  ];
  for (const [path, status, headers] of expected) {
    const answer = await get(path);
    const told = Object.fromEntries(
      Object.keys(headers).map((name) => [name, answer.headers.get(name)]),
    );
    expect([path, answer.status, told]).toEqual([path, status, headers]);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  }
  expect(await (await get("/healthz")).json()).toEqual({ status: "alive" });
  expect(await (await get("/readyz")).json()).toMatchObject({ status: "ready" });
  expect(await (await get("/docs?a=b")).text()).toContain("<title>Documentation</title>");
  setReady(false);
  const stopping = await get("/readyz");
  const body = await refusalBody(stopping, 503);
  expect(body).toMatchObject({ code: "service_unavailable" });
  expect(stopping.headers.get("cache-control")).toBe("no-store");
  expect(stopping.headers.get("content-type")).toBe(json);
});
