// Authentication as a client meets it: over HTTP, with everything around it.

import { connect } from "node:net";
import pg from "pg";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import type { MadePostgresDatabase } from "../support/engines.ts";
import { rawRefusalBody, refusalBody, sendRaw } from "./answers.ts";
import { startServer } from "../programs/start-server.ts";
import type { Headers, TestServer, TestServerOptions, ToSign } from "../programs/start-server.ts";

const json = { "Content-Type": "application/json" };
let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
});

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  server = await startServer(options);
  return server;
}

function send(to: TestServer, { method, target, body }: ToSign, headers: Headers) {
  const type = body === undefined ? {} : json;
  return fetch(to.url + target, { method, body: body ?? null, headers: { ...type, ...headers } });
}

const list: ToSign = { method: "GET", target: "/v1/currencies?limit=5" };
const accept: ToSign = {
  method: "PUT",
  target: "/v1/currency-acceptance",
  body: '{"currencies":{}}',
};

test("a query that cannot be decoded: 400", async () => {
  const running = await start();
  const response = await send(
    running,
    { ...list, target: "/v1/currencies?limit=%zz" },
    {
      ...running.sign(list),
    },
  );
  const body = await refusalBody(response, 400);
  expect(body.details.violations).toMatchObject([{ in: "query", rule: "encoding" }]);
});

describe("headers that two readers could read differently (threat 7)", () => {
  test.each(["X-Api-Key", "X-Timestamp", "X-Nonce", "X-Signature", "Idempotency-Key"])(
    "%s twice: 400, with the same value or another",
    async (name) => {
      const running = await start();
      const signed = running.sign(accept);
      for (const doubled of [signed[name] ?? "", "other"]) {
        const lines = [
          `PUT ${accept.target} HTTP/1.1`,
          "Host: localhost",
          ...Object.entries(signed).map(([key, value]) => `${key}: ${value}`),
          `${name}: ${doubled}`,
          "Connection: close",
        ];
        const answer = await sendRaw(running.port, `${lines.join("\r\n")}\r\n\r\n`);
        const body = rawRefusalBody(answer, 400);
        expect(body.code).toBe("invalid_header");
        expect(body.details.violations).toMatchObject([{ in: "header", pointer: `/${name}` }]);
      }
    },
  );

  test("a folded header: 400", async () => {
    const running = await start();
    const { "X-Nonce": nonce = "", ...rest } = running.sign(list);
    const lines = [
      `GET ${list.target} HTTP/1.1`,
      "Host: localhost",
      ...Object.entries(rest).map(([key, value]) => `${key}: ${value}`),
      `X-Nonce: ${nonce.slice(0, 8)}\r\n ${nonce.slice(8)}`,
      "Connection: close",
    ];
    const answer = await sendRaw(running.port, `${lines.join("\r\n")}\r\n\r\n`);
    expect(rawRefusalBody(answer, 400).code).toMatch(/^invalid_(header|request)$/);
  });
});

describe("the rate", () => {
  test("stands in every authenticated answer, a refusal too", async () => {
    const running = await start({ quotas: { read: 10 } });
    const first = await send(running, list, running.sign(list));
    expect(first.headers.get("RateLimit-Policy")).toBe('"read";q=10;w=60');
    expect(first.headers.get("RateLimit")).toMatch(/^"read";r=9;t=\d+$/);
    const wrong = { ...list, target: "/v1/currencies?limit=0" };
    const second = await send(running, wrong, running.sign(wrong));
    expect(second.status).toBe(400);
    expect(second.headers.get("RateLimit")).toMatch(/^"read";r=8;t=\d+$/);
    const anonymous = await fetch(running.url + list.target);
    expect(anonymous.headers.get("RateLimit")).toBeNull();
  });

  test("beyond the quota: 429, and when it is worth another try", async () => {
    const running = await start({ quotas: { read: 1 } });
    await send(running, list, running.sign(list));
    const response = await send(running, list, running.sign(list));
    const body = await refusalBody(response, 429);
    expect(body).toMatchObject({ code: "rate_limited", details: { policy: "read" } });
    const [, seconds = ""] =
      /^"read";r=0;t=(\d+)$/.exec(response.headers.get("RateLimit") ?? "") ?? [];
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThanOrEqual(Number(seconds));
    // Another policy of the same key goes on.
    expect((await send(running, accept, running.sign(accept))).status).toBe(200);
  });

  test.each([
    ["merchant", { merchant: 1 }],
    ["address", { address: 1 }],
  ])("all of one %s together: 429", async (policy, quotas) => {
    const running = await start({ quotas });
    await send(running, list, running.sign(list));
    const body = await refusalBody(await send(running, list, running.sign(list)), 429);
    expect(body).toMatchObject({ code: "rate_limited", details: { policy } });
  });

  test("of the merchant: the headers of the 429 name what is used up", async () => {
    const running = await start({ quotas: { merchant: 1 } });
    await send(running, list, running.sign(list));
    const response = await send(running, list, running.sign(list));
    expect(response.status).toBe(429);
    expect(response.headers.get("RateLimit-Policy")).toBe('"merchant";q=1;w=60');
    expect(response.headers.get("RateLimit")).toMatch(/^"merchant";r=0;t=\d+$/);
  });

  test("of failed attempts from one address: 429, and whoever signs right still gets in", async () => {
    const running = await start({ quotas: { failed_authentication: 2 } });
    const wrong = { "X-Signature": "0".repeat(64) };
    const attempt = () => send(running, list, { ...running.sign(list), ...wrong });
    for (let count = 0; count < 2; count++) await refusalBody(await attempt(), 401);
    const body = await refusalBody(await attempt(), 429);
    expect(body.details).toMatchObject({ policy: "failed_authentication" });
    // This process has met the key in no request that was signed right.
    expect((await send(running, list, running.sign(list))).status).toBe(200);
    await refusalBody(await attempt(), 429);
  });
});

test("an unknown path or method needs no key, and a proxy's word counts only when trusted", async () => {
  const running = await start({ environment: { TRUSTED_PROXIES: "127.0.0.0/8" } });
  await refusalBody(await fetch(`${running.url}/v1/nothing`), 404);
  await refusalBody(await fetch(`${running.url}/v1/payments`, { method: "DELETE" }), 405);
  const headers = { ...running.sign(list), "X-Forwarded-For": "192.0.2.55" };
  await send(running, list, headers);
  expect(running.log.at(-1)).toMatchObject({ remote: "192.0.2.55", status: 200 });
});

test("the log says who called, and holds no secret (threat 64)", async () => {
  const running = await start();
  const signed = running.sign(accept);
  const response = await send(running, accept, signed);
  expect(response.status).toBe(200);
  expect(running.log.at(-1)).toMatchObject({
    operation: "replaceCurrencyAcceptance",
    key_id: signed["X-Api-Key"],
    merchant_id: expect.stringMatching(/^mer_/) as string,
  });
  const text = JSON.stringify(running.log);
  expect(text).not.toMatch(/sk_(?:live|test)_|whsec_/);
  expect(text).not.toContain(signed["X-Signature"]);
  expect(text).not.toContain(signed["X-Nonce"]);
});

/** How a database goes away that was there. */
const ways: readonly (readonly [string, (made: MadePostgresDatabase) => Promise<void>])[] = [
  ["is gone", ({ remove }) => remove()],
  // SQLSTATE 55000, before the connection is one
  ["takes no connections", ({ url }) => refuseConnections(url)],
];

async function refuseConnections(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: url.replace(`/${name}`, "/postgres") });
  await client.connect();
  await client.query(`alter database "${name}" with allow_connections false`);
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    name,
  ]);
  await client.end();
}

test.each(ways)(
  "a database that %s: 503, /readyz as well, and nobody is let in",
  async (_way, end) => {
    const made = await makePostgresDatabase();
    onTestFinished(made.remove);
    const database = await openPostgres({ url: made.url, connectionsMax: 2 });
    onTestFinished(database.close);
    const running = await start({ database });
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    await end(made);
    const refused = [
      await fetch(`${running.url}/readyz`),
      await send(running, list, running.sign(list)),
    ];
    for (const response of refused) {
      const text = await response.clone().text();
      expect((await refusalBody(response, 503)).code).toBe("service_unavailable");
      expect(text).not.toMatch(/postgres|database|at .*\.ts/i);
    }
  },
);

test("caches between us keep what one key is told from every other", async () => {
  const running = await start();
  const read = await send(running, list, running.sign(list));
  const changed = await send(running, accept, running.sign(accept));
  for (const [response, caching] of [
    [read, "private, no-cache"],
    [changed, "private, no-store"],
  ] as const) {
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe(caching);
    expect(response.headers.get("Vary")).toBe("X-Api-Key");
  }
  const stranger = await send(running, list, {
    ...running.sign(list),
    "X-Signature": "0".repeat(64),
  });
  expect(stranger.status).toBe(401);
  expect(stranger.headers.has("Vary")).toBe(false);
  expect(stranger.headers.get("WWW-Authenticate")).toBe(
    'HMAC-SHA256 headers="X-Api-Key X-Timestamp X-Nonce X-Signature"',
  );
});

test("a connection that is cut in the middle of a request leaves the server well", async () => {
  const running = await start();
  const socket = connect(running.port, "127.0.0.1");
  socket.write(`PUT ${accept.target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{`);
  await new Promise((resolve) => socket.once("ready", resolve));
  socket.destroy();
  expect((await send(running, list, running.sign(list))).status).toBe(200);
});
