// The server as a process: what it counts is at METRICS_LISTEN, and nowhere else.

import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { makePostgresDatabase } from "../support/engines.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import {
  endChildren,
  logLines,
  makeDataDirectory,
  startChild,
  startServerChild,
} from "../programs/child.ts";
import { samplesOf } from "./exposition.ts";

afterEach(endChildren);

test("says where it is, and counts connections, jobs and what Node says of itself", async () => {
  const { url: databaseUrl, remove } = await makePostgresDatabase();
  onTestFinished(remove);
  const server = await startServerChild({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    METRICS_LISTEN: "127.0.0.1:0",
  });
  const line = logLines(server).find(({ msg }) => String(msg).startsWith("metrics are at "));
  const url = String(line?.["url"]);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const read = async () => samplesOf(await (await fetch(url)).text());
  await vi.waitUntil(
    async () =>
      ((await read()).get('pay_job_runs_total{job_name="ledger-verify",outcome="done"}') ?? 0) > 0,
    { timeout: patienceMilliseconds, interval: 100 },
  );
  const found = await read();
  expect(found.get("pay_state_up")).toBe(1);
  expect(found.get('pay_database_connections_max{kind="durable"}')).toBe(10);
  expect(found.get('pay_database_connections_max{kind="relaxed"}')).toBe(10);
  expect(found.get("pay_http_connections")).toBe(0);
  expect(found.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  expect(found.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  expect((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status).toBe(404);
  server.kill("SIGTERM");
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

test("with a chain and a signer, how much of the signer's limits is used", async () => {
  const server = await startServerChild({ LOCAL_CHAIN: "on", METRICS_LISTEN: "127.0.0.1:0" });
  const line = logLines(server).find(({ msg }) => String(msg).startsWith("metrics are at "));
  const read = async () => samplesOf(await (await fetch(String(line?.["url"]))).text());
  const name =
    'pay_signer_limit_used_ratio{chain_id="eip155:31337",limit="gas",account="none",deployment_id="none"}';
  await vi.waitUntil(async () => (await read()).has(name), {
    timeout: patienceMilliseconds,
    interval: 100,
  });
  expect((await read()).get(name)).toBe(0);
});

test("a place that is taken is one readable line and exit 1", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  const DATA_DIR = await makeDataDirectory();
  const METRICS_LISTEN = `127.0.0.1:${port}`;
  const child = startChild(["adapters/main.ts"], { PORT: "0", DATA_DIR, METRICS_LISTEN });
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.errors()).toBe(
    `METRICS_LISTEN 127.0.0.1:${port} cannot be listened on (EADDRINUSE): name a free port, or a socket in a folder ` +
      "that this user may write to.\n",
  );
});
