// npm run contract as a program, against a real server on a real port.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { programEnvironment, projectRoot } from "../programs/child.ts";
import { operations } from "../support/contract-document.ts";
import { send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { addSubscription } from "../support/schedule-resources.ts";
import { type Merchant, useService } from "../support/service.ts";
import { activeAddress, fund } from "../support/withdrawal-resources.ts";
import { addThings } from "./checked-server.ts";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";

const service = useService("PostgreSQL", { hasChain: true });
let merchant: Merchant;
let proxy: FaultyProxy;
const folder = mkdtempSync(join(tmpdir(), "contract-"));

beforeAll(async () => {
  merchant = await service.newMerchant();
  await addThings(service, merchant);
  proxy = await startFaultyProxy(service.url);
});
afterAll(async () => {
  await proxy.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

function run(command: string, parameters: readonly string[], env: object): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: projectRoot, env: { ...programEnvironment(), ...env } };
    execFile(command, parameters, options, (error, output, errors) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output, errors });
    });
  });
}

const credentialsOf = ({ key, secret }: Pick<Merchant, "key" | "secret">) => ({
  MERCHANT_API_KEY: key,
  MERCHANT_API_SECRET: secret,
});

async function contract(url: string, ...more: readonly string[]): Promise<Ended> {
  const parameters = ["scripts/contract.ts", "--url", url, ...more];
  const ended = await run(process.execPath, parameters, credentialsOf(merchant));
  expect(ended.output + ended.errors).not.toContain(merchant.secret);
  return ended;
}

/** By design a nonce is kept of each signed request, so that it cannot be sent again. */
const logged: ReadonlySet<string> = new Set(["nonces"]);

/** Every row of every other table. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const tables = await service.query(
    "select table_name as name from information_schema.tables where table_schema = current_schema()",
    [],
  );
  const names = tables.map(({ name }) => String(name)).filter((name) => !logged.has(name));
  const texts = names.map(async (name) => {
    const rows = await service.query(`select t::text as text from ${name} t order by 1`, []);
    return [name, JSON.stringify(rows)] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

describe("without --all", () => {
  test("finds nothing wrong with this server, and leaves nothing behind", async () => {
    const before = await everything();
    expect(Object.keys(before).length).toBeGreaterThan(50);
    const report = join(folder, "clean");
    const { code, output, errors } = await contract(service.url, "--report", report);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(errors.trim()).toMatch(/^file:\/\/.*clean\/index\.html$/);
    // and what the server answers outside of them
    const [, count, met, all] =
      /^(\d+) operations x status x code: (\d+) of (\d+) answers met/.exec(output) ?? [];
    expect(Number(count)).toBe(operations.length + 1);
    expect(Number(met)).toBeGreaterThanOrEqual(200);
    expect(Number(all)).toBeGreaterThanOrEqual(400);
    expect(output).toContain("keeps the contract, as far as it was tried (reads and refusals only");
    expect(await everything()).toEqual(before);
    const files = ["index.html", "junit.xml"].map((name) =>
      readFileSync(join(report, name), "utf8"),
    );
    expect(files.join("")).not.toContain(merchant.secret);
    expect(files[1]).toContain('failures="0"');
    expect(files[1]).toContain(
      '<skipped message="would write, or needs what was written: see --all"/>',
    );
  });

  test("says everything to programs", async () => {
    const { code, output } = await contract(service.url, "--json", "--concurrency", "1");
    const told = JSON.parse(output) as {
      readonly counts: Readonly<Record<string, number>>;
      readonly cells: readonly { readonly state: string; readonly reason?: string }[];
    };
    expect(code).toBe(0);
    expect(told).toMatchObject({
      url: service.url,
      environment: "test",
      isWhole: false,
      isSound: true,
    });
    expect(told.counts).toMatchObject({ failed: 0, undocumented: 0, empty: 0 });
    expect(told.counts["met"]).toBeGreaterThanOrEqual(200);
    const untried = told.cells.filter(({ state }) => state === "untried");
    expect(untried).toHaveLength(told.counts["untried"] ?? 0);
    expect(untried.filter(({ reason = "" }) => reason === "")).toEqual([]);
  });

  test("names a key's missing scopes, and goes on with the others", async () => {
    const poor = await service.newKey(merchant, { scopes: ["currencies:read"] });
    const parameters = ["scripts/contract.ts", "--url", service.url];
    const { code, output } = await run(process.execPath, parameters, credentialsOf(poor));
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain("the key lacks the scope payments:write");
    expect(output).not.toContain("the key lacks the scope currencies:read");
  });
});

describe("--all", () => {
  test("makes, changes and ends everything, and tells no secret", async () => {
    const own = await service.newMerchant();
    await fund(service.query, own.key, { deploymentId: "dep_usdc_base", amountRaw: 1000n });
    const withdrawAddress = await activeAddress(service.query, own, "eip155:8453");
    const subscription = await addSubscription(service.query, own.key);
    const report = join(folder, "all");
    const given = ["--withdraw-address", withdrawAddress, "--subscription", subscription];
    const parameters = ["scripts/contract.ts", "--url", service.url, "--all", "--report", report];
    const ended = await run(
      process.execPath,
      [...parameters, ...given, "--json"],
      credentialsOf(own),
    );
    expect({ code: ended.code, errors: ended.errors }).toMatchObject({ code: 0 });
    const { counts, notes } = JSON.parse(ended.output) as {
      readonly notes: readonly string[];
      readonly counts: Readonly<Record<string, number>>;
    };
    expect(counts).toMatchObject({ failed: 0, undocumented: 0, empty: 0 });
    expect(counts["met"]).toBeGreaterThanOrEqual(275);
    expect(notes).toEqual([
      expect.stringMatching(/again with --endpoint whe_\w+ --endpoint whe_\w+$/),
    ]);
    const texts = ["index.html", "junit.xml"].map((name) =>
      readFileSync(join(report, name), "utf8"),
    );
    for (const text of [ended.output, ended.errors, ...texts]) {
      expect(text).not.toContain(own.secret);
      expect(text).not.toMatch(/whsec_[A-Za-z0-9]/);
      expect(text).not.toMatch(/\/checkout\/[A-Za-z0-9_-]{22}/);
    }
    const left = (sql: string) => service.query(`${sql} and merchant_id = $1`, [own.merchantId]);
    expect(await left("select id from webhook_endpoints where active")).toEqual([]);
    expect(await left("select id from payments where status <> 'cancelled'")).toEqual([]);
    expect(await left("select id from payout_schedules where status = 'active'")).toEqual([]);
    expect(await left("select id from withdrawals where status <> 'cancelled'")).toEqual([]);
    expect(await left("select id from webhook_endpoints where true")).toHaveLength(2);
  });

  test("takes endpoints that are there, and names what a full merchant cannot try", async () => {
    const own = await service.newMerchant();
    const all = (...more: readonly string[]) =>
      run(
        process.execPath,
        ["scripts/contract.ts", "--url", service.url, "--all", ...more],
        credentialsOf(own),
      );
    const register = operationBy("registerWebhookEndpoint");
    for (let count = 0; count < 20; count += 1) {
      const body = { url: `https://shop.example/${count}` };
      await send(own, validRequest(register, { body }));
    }
    const full = await all();
    expect({ code: full.code, output: full.output }).toMatchObject({ code: 0 });
    expect(full.output).toContain(
      "the merchant has 20 endpoints: give two of them with --endpoint",
    );
    const rows = await service.query("select id from webhook_endpoints where merchant_id = $1", [
      own.merchantId,
    ]);
    const [one, other] = rows.map(({ id }) => String(id));
    const given = await all("--endpoint", one ?? "", "--endpoint", other ?? "");
    expect({ code: given.code, output: given.output }).toMatchObject({ code: 0 });
    expect(given.output).toContain("endpoints were given: none is registered");
    expect(given.output).not.toContain("give two of them");
  });

  test("is refused to a live key before anything is sent", async () => {
    const parameters = ["scripts/contract.ts", "--url", "https://nobody.example", "--all"];
    const live = await service.newKey(merchant, { environment: "live" });
    const { code, errors } = await run(process.execPath, parameters, credentialsOf(live));
    expect(code).toBe(2);
    expect(errors).toContain("this key is of the live environment");
  });
});

test("a live key reads, and is refused, like any other", async () => {
  const live = await service.newKey(merchant, { environment: "live" });
  const parameters = ["scripts/contract.ts", "--url", service.url];
  const { code, output } = await run(process.execPath, parameters, credentialsOf(live));
  expect({ code, output }).toMatchObject({ code: 0 });
});

describe("what is wrong", () => {
  test("ends with 1, and comes again by the command of the report", async () => {
    proxy.plant(({ line, headers }) =>
      line.startsWith("GET /v1/webhook-deliveries") &&
      !headers.some(([name]) => name === "Location")
        ? { status: 200, body: `{"deliveries":[],"total":"${merchant.secret} whsec_c2VjcmV0"}` }
        : undefined,
    );
    const report = join(folder, "wrong");
    const { code, output } = await contract(proxy.url, "--report", report);
    expect(code).toBe(1);
    expect(output).toContain("body /total: breaks unevaluatedProperties");
    expect(output).toContain("body: holds the secret of the API key");
    const page = readFileSync(join(report, "index.html"), "utf8");
    expect(page).not.toContain(merchant.secret);
    expect(page).toContain("To repair");
    const again = /with MERCHANT_API_KEY and MERCHANT_API_SECRET set:\n(curl [\s\S]*?)\n\n/.exec(
      output,
    );
    const pasted = await run("bash", ["-c", again?.[1] ?? ""], {
      ...credentialsOf(merchant),
      HOME: process.env["HOME"],
    });
    expect(pasted.output).toMatch(/^HTTP\/1.1 200/);
    expect(pasted.output).toContain('"total"');
  });

  test("waits where the server asks for it, and counts the refusal as one that was met", async () => {
    let refused = 0;
    const { headers } = await fetch(`${service.url}/v1/none`);
    const id = headers.get("X-Request-Id") ?? "";
    proxy.plant(({ line }) => {
      if (!line.startsWith("GET /v1/webhook-deliveries") || refused > 0) return undefined;
      refused += 1;
      return {
        status: 429,
        headers: [
          ["X-Request-Id", id],
          ["Content-Type", "application/json"],
          ["Date", new Date().toUTCString()],
          ["Retry-After", "1"],
          ["Link", '</docs/errors#rate_limited>; rel="help"'],
        ],
        body: JSON.stringify({
          code: "rate_limited",
          message: "Later.",
          details: { request_id: id, policy: "read" },
        }),
      };
    });
    const { code, output } = await contract(proxy.url, "--json");
    const { cells } = JSON.parse(output) as {
      readonly cells: readonly Readonly<Record<string, unknown>>[];
    };
    expect(cells).toContainEqual(
      expect.objectContaining({ operation: "listWebhookDeliveries", status: 429, state: "met" }),
    );
    expect({ code, refused }).toEqual({ code: 0, refused: 1 });
  });

  test("does not wait for ever", async () => {
    const { code, errors, output } = await contract(service.narrowUrl, "--patience", "1");
    expect({ code, errors }).toEqual({ code: 2, errors: "" });
    expect(output).toContain(
      "broken off: the server's rate limits ask for more than 1 s of waiting",
    );
  });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port, so it has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("ends with 2, and says what to do:", () => {
  test.each<readonly [string, RequestListener, RegExp]>([
    [
      "a redirect",
      (_, answer) =>
        answer.writeHead(308, { Location: "https://www.pay.example/v1/currencies" }).end(),
      /redirects to https:\/\/www\.pay\.example.*give that address/,
    ],
    [
      "another server",
      (_, answer) => answer.writeHead(200, { "Content-Type": "text/html" }).end("<html>"),
      /answers with HTML \(status 200\): it is another server/,
    ],
    [
      "a server of text",
      (_, answer) => answer.writeHead(502, { "Content-Type": "text/plain" }).end("bad gateway"),
      /answers with text\/plain \(status 502\)/,
    ],
    ["a server that is silent", () => {}, /no whole answer within 1 s/],
    [
      "a server that hangs up",
      (request) => request.socket.destroy(),
      /closed before the answer was whole/,
    ],
  ])("%s", async (_name, listener, message) => {
    const { code, output, errors } = await contract(await serve(listener), "--timeout", "1");
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toMatch(message);
    expect(errors).not.toMatch(/\n\s+at /);
  });

  test("nobody there", async () => {
    const { code, errors } = await contract("http://127.0.0.1:1");
    expect(code).toBe(2);
    expect(errors).toContain("nobody listens there");
  });

  test("a secret that is not the key's", async () => {
    const parameters = ["scripts/contract.ts", "--url", service.url];
    const wrong = { ...credentialsOf(merchant), MERCHANT_API_SECRET: "sk_test_wrong" };
    const { code, errors } = await run(process.execPath, parameters, wrong);
    expect(code).toBe(2);
    expect(errors).toMatch(
      /401 authentication_failed: the server does not know the key, or the secret/,
    );
    expect(errors).not.toContain("sk_test_wrong");
  });
});

test("--help says what is sent, and what the exit codes mean", async () => {
  const { code, output } = await run(process.execPath, ["scripts/contract.ts", "--help"], {});
  expect(code).toBe(0);
  expect(output).toContain("Without --all nothing is made, changed or ended");
  for (const number of ["Exit code 0:", "1: one was not", "2: the command line"]) {
    expect(output).toContain(number);
  }
});
