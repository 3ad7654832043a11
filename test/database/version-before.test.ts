// The expand and contract rule, held by what it promises: servers of the version before take payments and pay out while
// the tables become those of this version, and beside servers of this version afterwards.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import { type LocalChain, startLocalChain } from "../../adapters/local-chain/local-chain.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import { readPage } from "../../scripts/client/tool/checkout-page.ts";
import { scopes } from "../../service/merchants/scopes.ts";
import {
  type Child,
  endChildren,
  logLines,
  makeFolder,
  type ServerChild,
  startChild,
} from "../programs/child.ts";
import { startSigner } from "../signer/process.ts";
import { shippedCatalogText } from "../support/catalog.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { newKey } from "../support/contract-requests.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { urlOf } from "../threats/processes.ts";
import { takeVersionBefore } from "../support/version-before.ts";

let chain: LocalChain;
beforeAll(async () => {
  chain = await startLocalChain({ clock: systemClock, idleSeconds: 1 });
});
afterEach(endChildren);
afterAll(() => chain.stop());

const patience = { timeout: patienceMilliseconds, interval: 50 };

type Environment = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;
type Query = (text: string) => Promise<readonly Row[]>;
type Credentials = Parameters<typeof signingFetch>[0];

async function startServerOf(program: string, environment: Environment): Promise<ServerChild> {
  const child = startChild(["--disable-sigusr1", program], { PORT: "0", ...environment });
  const text = await child.waitFor(/listening on http:\/\/[^"]+:(\d+)/);
  return { ...child, port: Number(/listening on http:\/\/[^"]+:(\d+)/.exec(text)?.[1]) };
}

async function outputOf(child: Child): Promise<string> {
  const { code } = await child.ended;
  if (code !== 0) throw new Error(`exit code ${code}: ${child.output()}${child.errors()}`);
  return child.output();
}

/** A merchant's day: what each operation answers, by its name. Throws on what no merchant would forgive. */
class Shop {
  readonly #key: Credentials;
  readonly #query: Query;
  readonly paid: string[] = [];
  readonly withdrawn: string[] = [];

  constructor(key: Credentials, query: Query) {
    this.#key = key;
    this.#query = query;
  }

  async #ask(server: ServerChild, wish: string, body?: object): Promise<JsonObject> {
    const [method = "", path = ""] = wish.split(" ");
    const response = await signingFetch(this.#key, { attemptsMax: 1 })(`${urlOf(server)}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(method === "GET" ? {} : { "Idempotency-Key": newKey() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as JsonObject;
    if (response.ok) return answer;
    throw new Error(`${wish} at ${server.port}: ${response.status} ${JSON.stringify(answer)}`);
  }

  async open(server: ServerChild): Promise<void> {
    const currencies = { [usd.currencyId]: { chain_ids: [usd.chainId] } };
    await this.#ask(server, "PUT /v1/currency-acceptance", { currencies });
  }

  /** Everything once, with a payment that is paid and a withdrawal of what was paid before. */
  async day(server: ServerChild): Promise<void> {
    const ask = (wish: string, body?: object) => this.#ask(server, wish, body);
    const quotes = { [usd.currencyId]: { amount: "25", chain_ids: [usd.chainId] } };
    const order = () => ({ merchant_order_no: newKey(), quotes });
    const made = await ask("POST /v1/payments", order());
    const { address } = await readPage(textOf(made["checkout_url"]), usd.deploymentId);
    await chain.giveUsd(address, 25_000_000n);
    const id = textOf(made["id"]);
    this.paid.push(id);
    const isPaid = `select 1 from payments where id = '${id}' and status = 'paid'`;
    await vi.waitUntil(async () => (await this.#query(isPaid)).length > 0, patience);
    const given = await ask("POST /v1/payments", order());
    await ask(`POST /v1/payments/${textOf(given["id"])}/cancel`);
    await ask("GET /v1/currencies");
    await ask(`GET /v1/currencies/${usd.currencyId}`);
    const url = `https://example.com/${newKey()}`;
    const endpoint = await ask("POST /v1/webhook-endpoints", { url });
    const path = `/v1/webhook-endpoints/${textOf(endpoint["id"])}`;
    await ask(`GET ${path}`);
    await ask(`PUT ${path}`, { url, event_types: ["*"] });
    await ask(`POST ${path}/rotate-secret`);
    await ask(`POST ${path}/status`, { active: false });
    await ask("GET /v1/webhook-deliveries");
    const target = { chain_id: usd.chainId, address: `0x${randomBytes(20).toString("hex")}` };
    const registered = await ask("POST /v1/withdraw-addresses", target);
    const withdrawal = {
      currency_id: usd.currencyId,
      target_chain_id: usd.chainId,
      amount: "1",
      withdraw_address_id: textOf(registered["id"]),
    };
    const wanted = await ask("POST /v1/withdrawals", withdrawal);
    this.withdrawn.push(textOf(wanted["id"]));
    await ask("GET /v1/payout-schedules");
  }
}

/** A server and a signer of the version before on a database that it has made, a merchant, and coins. */
async function openBefore() {
  const before = takeVersionBefore(makeFolder());
  const { url, remove } = await makePostgresDatabase("template0");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await remove();
  });
  const query = async (text: string) => (await client.query<Row>(text)).rows;
  const signer = await startSigner({}, before.program("adapters/signer/main.ts"));
  const environment = {
    DATABASE_URL: url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    EVM_RPC_URLS: `${usd.chainId}=${chain.url}`,
    SIGNER_SOCKET: signer.socketPath,
    WITHDRAW_ADDRESS_COOLING_SECONDS: "0",
    LOG_LEVEL: "info",
  };
  const admin = (...words: readonly string[]) =>
    outputOf(startChild([before.program("adapters/admin.ts"), ...words], environment));
  const catalog = join(makeFolder(), "catalog.json");
  writeFileSync(catalog, catalogWithLocalChain(shippedCatalogText));
  await admin("catalog", "apply", catalog);
  const [merchant = ""] = /mer_\w+/.exec(await admin("merchant", "create", "--name", "Shop")) ?? [];
  const issued = await admin("key", "create", "--merchant", merchant, "--scopes", scopes.join(","));
  const key = {
    key: /mk_test_\w+/.exec(issued)?.[0] ?? "",
    secret: /sk_test_[\w-]+/.exec(issued)?.[0] ?? "",
  };
  const server = await startServerOf(before.program("adapters/main.ts"), environment);
  for (const { account } of await query("select account from own_accounts")) {
    await chain.giveCoin(String(account), 10n ** 18n);
  }
  const [hot] = await query("select account from own_accounts where role = 'hot'");
  await chain.giveUsd(String(hot?.["account"]), 1_000_000_000n);
  const fund = ["--deployment", usd.deploymentId, "--amount", "1000", "--reference", "start"];
  await admin("ledger", "fund", ...fund, "--yes");
  return { before, environment, query, shop: new Shop(key, query), server };
}

/** What a person would have to look at. */
function troublesOf(server: ServerChild): readonly unknown[] {
  return logLines(server).filter(({ level }) => level === "error" || level === "fatal");
}

test("the version before serves while the tables change, and beside this one", async () => {
  const { before, environment, query, shop, server: old } = await openBefore();
  expect(before.migrationCount).toBeLessThan(readMigrations().length);
  await shop.open(old);
  await shop.day(old);

  const migrating = outputOf(startChild(["adapters/migrate.ts"], environment));
  await shop.day(old);
  const said = await migrating;
  expect(said).toContain(`${before.migrationCount} migrations are applied`);
  await shop.day(old);

  const next = await startServerOf("adapters/main.ts", { ...environment, MIGRATE: "off" });
  await shop.day(old);
  await shop.day(next);
  await shop.day(old);
  old.kill("SIGTERM");
  expect(await old.ended).toEqual({ code: 0, signal: null });
  await shop.day(next);

  const states = async (table: string, ids: readonly string[]) => {
    const rows = await query(`select id, status from ${table}`);
    const states = new Map(rows.map(({ id, status }) => [String(id), String(status)]));
    return [...new Set(ids.map((id) => states.get(id)))];
  };
  expect([shop.paid.length, shop.withdrawn.length]).toEqual([7, 7]);
  await expect.poll(() => states("payments", shop.paid), patience).toEqual(["paid"]);
  await expect.poll(() => states("withdrawals", shop.withdrawn), patience).toEqual(["confirmed"]);
  const sums = await query(
    "select sum(amount)::text as sum from ledger_postings group by deployment_id having sum(amount) <> 0",
  );
  expect(sums).toEqual([]);
  expect([troublesOf(old), troublesOf(next)]).toEqual([[], []]);
});
