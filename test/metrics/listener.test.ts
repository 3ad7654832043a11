// The listener that Prometheus asks: on a port or a socket of its own, with nothing else behind it.

import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseMetricsPlace } from "../../adapters/configuration/metrics.ts";
import type { MetricsPlace } from "../../adapters/configuration/metrics.ts";
import { MetricsListenError } from "../../adapters/metrics/listen-error.ts";
import { listenForMetrics } from "../../adapters/metrics/listener.ts";

const errors: object[] = [];
const log = { error: (fields: object) => void errors.push(fields) };

async function listen(place: MetricsPlace, text: (format: string) => Promise<string>) {
  const listener = await listenForMetrics(place, { text, log });
  onTestFinished(() => listener.close());
  return listener;
}

const anyPort: MetricsPlace = { kind: "address", host: "127.0.0.1", port: 0 };
const say = (format: string) => Promise.resolve(`${format}\n`);

function newSocket(): Extract<MetricsPlace, { kind: "socket" }> {
  const folder = mkdtempSync(join(tmpdir(), "metrics-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { kind: "socket", path: join(folder, "metrics.sock") };
}

test("answers at /metrics in the form that is asked for, and nothing anywhere else", async () => {
  const { url } = await listen(anyPort, say);
  const plain = await fetch(url);
  expect([plain.status, plain.headers.get("Content-Type"), await plain.text()]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "prometheus\n",
  ]);
  const open = await fetch(url, { headers: { Accept: "application/openmetrics-text" } });
  expect([open.headers.get("Content-Type"), await open.text()]).toEqual([
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
    "openmetrics\n",
  ]);
  const head = await fetch(`${url}?name=x`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const posted = await fetch(url, { method: "POST" });
  expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  expect((await fetch(new URL("/v1/payments", url))).status).toBe(404);
});

test("says where it looks when the numbers cannot be read, and goes on", async () => {
  const answers = [() => Promise.reject(new Error("no numbers")), () => Promise.resolve("x 1\n")];
  const { url } = await listen(anyPort, () => answers.shift()?.() ?? Promise.resolve(""));
  const failed = await fetch(url);
  expect([failed.status, await failed.text()]).toEqual([
    500,
    "The numbers could not be read; the log says why.\n",
  ]);
  expect(errors).toHaveLength(1);
  expect((await fetch(url)).status).toBe(200);
});

test("a socket is for its user and group, and goes with the process", async () => {
  const place = newSocket();
  const listener = await listenForMetrics(place, { text: say, log });
  expect(statSync(place.path).mode & 0o777).toBe(0o660);
  const status = await new Promise((resolve, reject) => {
    request({ socketPath: place.path, path: "/metrics" }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
  await listener.close();
  expect(existsSync(place.path)).toBe(false);
});

test("a socket that a dead process has left is taken over, one of a living process is not", async () => {
  const place = newSocket();
  await listen(place, say);
  await expect(listenForMetrics(place, { text: say, log })).rejects.toThrow(MetricsListenError);
  await expect(listenForMetrics(place, { text: say, log })).rejects.toThrow(
    `METRICS_LISTEN unix:${place.path} cannot be listened on (EADDRINUSE)`,
  );
  const left = newSocket();
  await leaveBehind(left.path);
  expect(existsSync(left.path)).toBe(true);
  await listen(left, say);
});

/** As a process leaves it that is killed: Node removes the file of one that it closes. */
async function leaveBehind(path: string): Promise<void> {
  const aside = `${path}.kept`;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const { renameSync } = await import("node:fs");
  renameSync(path, aside);
  await new Promise((resolve) => server.close(resolve));
  renameSync(aside, path);
}

test("a taken port is said with what to do", async () => {
  const { url } = await listen(anyPort, say);
  const port = Number(new URL(url).port);
  await expect(
    listenForMetrics({ kind: "address", host: "127.0.0.1", port }, { text: say, log }),
  ).rejects.toThrow(`METRICS_LISTEN 127.0.0.1:${port} cannot be listened on (EADDRINUSE)`);
});

test.each([
  ["127.0.0.1:9464", { kind: "address", host: "127.0.0.1", port: 9464 }],
  ["[::1]:0", { kind: "address", host: "::1", port: 0 }],
  ["localhost:9464", { kind: "address", host: "localhost", port: 9464 }],
  ["unix:/run/pay/m.sock", { kind: "socket", path: "/run/pay/m.sock" }],
])("METRICS_LISTEN %s is a place", (text, place) => {
  expect(parseMetricsPlace(text)).toEqual(place);
});

test.each(["9464", ":9464", "127.0.0.1", "127.0.0.1:65536", "::1:9464", "[::g]:1", "999.0.0.1:1"])(
  "METRICS_LISTEN %s is none",
  (text) => expect(parseMetricsPlace(text)).toBeUndefined(),
);

test.each(["pay.example:9464", "unix:m.sock", "unix:", `unix:/${"x".repeat(100)}`, "unix:/a\0b"])(
  "nor is %j",
  (text) => expect(parseMetricsPlace(text)).toBeUndefined(),
);
