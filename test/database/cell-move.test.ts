// docs/scaling.md moves a cell to another server while it serves: done here as the page says, with its own commands.

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { endChildren, makeDataDirectory, startChild, startServerChild } from "../programs/child.ts";
import type { JsonObject } from "../support/contract-document.ts";
import { newKey, send, type Signer, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { readContentsOf } from "../support/database-contents.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import { openInstallation, type OpenedInstallation, urlOf } from "../threats/processes.ts";
import { blocksOf, runBlock } from "./page-commands.ts";

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  await endChildren();
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

const chainId = "eip155:84532";
/** Nobody is there: a chain that is away keeps no server from starting. */
const chains = { EVM_RPC_URLS: `${chainId}=http://127.0.0.1:9` };

/** With a role of the cell, which owns its schema and nothing else. */
async function startServer() {
  const server = await startPostgresServer({
    isDurable: false,
    settings: { wal_level: "logical" },
  });
  cleanUp.push(server.remove);
  await server.execute("create role east login");
  await server.execute("create schema cell_east authorization east");
  const superuser = server.url("postgres");
  const own = new URL(superuser);
  own.username = "east";
  return { superuser, own: own.href };
}

/** @param schema that it looks into */
async function connect(connectionString: string, schema?: string): Promise<pg.Client> {
  const options = schema === undefined ? {} : { options: `-c search_path=${schema}` };
  const client = new pg.Client({ connectionString, ...options });
  client.on("error", () => undefined); // its server may be gone before it
  await client.connect();
  cleanUp.push(() => client.end());
  return client;
}

async function contentsOf(url: string, schema: string) {
  const client = await connect(url, schema);
  const { read } = await readContentsOf(
    async (text) => (await client.query<JsonObject>(text)).rows,
  );
  return read();
}

/** Shops that create payments all the time, and ask again with the same key until they are answered. */
class Orders {
  /** ids that were answered, by order number */
  readonly answered = new Map<string, string>();
  /** where the front door leads now */
  #url: string;
  #isOver = false;
  #isAbandoned = false;
  readonly #refusals: string[] = [];
  readonly #shops: readonly Promise<void>[];

  constructor(shops: readonly Signer[], url: string) {
    this.#url = url;
    this.#shops = shops.map((shop) => this.#sell(shop));
  }

  /** Throws for what no shop should have been told. */
  get count(): number {
    if (this.#refusals.length > 0) throw new Error(this.#refusals.join("\n"));
    return this.answered.size;
  }

  leadTo(url: string): void {
    this.#url = url;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#shops);
  }

  /** Of a test that has failed: what is under way stays unanswered. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    await Promise.allSettled(this.#shops);
  }

  /** Slowly enough that the quotas last, 120 writes a minute of a key and 1200 requests of an address. */
  async #sell(shop: Signer): Promise<void> {
    for (let number = 0; !this.#isOver && !this.#isAbandoned; number++) {
      await this.#order(shop, `${shop.key} ${number}`);
      await pause(600);
    }
  }

  async #order(shop: Signer, order: string): Promise<void> {
    const quotes = { cur_usdc: { amount: "25.00" } };
    const request = validRequest(operationBy("createPayment"), {
      body: { merchant_order_no: order, quotes },
      headers: { "Idempotency-Key": newKey() },
    });
    while (!this.#isAbandoned) {
      const response = await send({ ...shop, url: this.#url }, request).catch(() => undefined);
      if (response?.status === 201) {
        const { id } = (await response.json()) as { readonly id: string };
        this.answered.set(order, id);
        return;
      }
      // Nobody is there, or not yet: as clients are told to.
      if (response !== undefined && response.status !== 503)
        this.#refusals.push(`${order}: ${response.status} ${await response.text()}`);
      await pause(20);
    }
  }
}

async function openShop({ newKey: key }: OpenedInstallation, url: string): Promise<Signer> {
  const signer = { ...(await key()), url };
  const body = { currencies: { cur_usdc: { chain_ids: [chainId] } } };
  const operation = operationBy("replaceCurrencyAcceptance");
  expect((await send(signer, validRequest(operation, { body }))).status).toBe(200);
  return signer;
}

/** A process that is not ended with the others, in the middle of a transaction. */
async function beginForgotten(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: "merchant-crypto-payments/cell_east",
    options: "-c search_path=cell_east",
  });
  client.on("error", () => undefined); // it is ended by the other side
  await client.connect();
  cleanUp.push(() => client.end());
  await client.query("begin");
  await client.query(
    "insert into merchants (id, name, created_at) values ('mer_late', 'late', now())",
  );
  return client;
}

async function admin(environment: Readonly<Record<string, string>>, line: string) {
  const child = startChild(["adapters/admin.ts", ...line.split(" ")], environment);
  const { code } = await child.ended;
  return { code, text: child.output() + child.errors() };
}

test("a cell moves while it serves: what was answered is there, once, and it goes on", async () => {
  const [old, next] = await Promise.all([startServer(), startServer()]);
  const installation = await openInstallation(old.own, "east");
  cleanUp.push(installation.database.close);
  const environment = { ...installation.environment, DATA_DIR: await makeDataDirectory() };
  const first = await startServerChild({ ...environment, ...chains });
  const url = urlOf(first);
  const shops = await Promise.all(Array.from({ length: 8 }, () => openShop(installation, url)));

  const orders = new Orders(shops, url);
  const answered = (): number => orders.count;
  cleanUp.push(() => orders.abandon());
  const there = { ...environment, DATABASE_URL: next.own };
  expect((await admin(there, "status")).text).toMatch(/this cell is new in this database/);
  const clients = { old: await connect(old.superuser), new: await connect(next.superuser) };
  const blocks = blocksOf("docs/scaling.md", "A cell moves to another server");
  expect(blocks.map(({ side }) => side)).toEqual([
    "new",
    "old",
    "new",
    "new",
    "old",
    "old",
    "old",
    "old",
    "new",
  ]);
  const stopAt = blocks.findIndex(({ statements }) => statements[1]?.includes("rename to"));
  const publisher = `${old.superuser}?options=-c%20statement_timeout%3D0`;
  let forgotten: pg.Client | undefined;
  let stoppedAt = 0;
  let before: Awaited<ReturnType<typeof contentsOf>> | undefined;
  for (const [at, block] of blocks.entries()) {
    if (at === stopAt) {
      const sent = orders.answered.size;
      await expect.poll(answered, { timeout: patienceMilliseconds }).toBeGreaterThan(sent + 4);
      forgotten = await beginForgotten(old.own);
      stoppedAt = performance.now();
      first.kill("SIGTERM");
      expect(await first.ended).toEqual({ code: 0, signal: null });
    }
    const { side } = block;
    if (side !== "old" && side !== "new") throw new Error(`${side} is no server`);
    await runBlock(clients[side], block, (statement) =>
      statement.replace("'OLD'", `'${publisher}'`),
    );
    if (at === stopAt) before = await contentsOf(old.superuser, "moved_east");
  }
  await expect(forgotten?.query("commit")).rejects.toThrow(/terminat|queryable/);
  expect(await contentsOf(next.superuser, "cell_east")).toEqual(before);
  // Who starts by mistake on the old server begins no new cell there, with the same signer.
  expect(await admin(environment, "status")).toEqual({
    code: 3,
    text: "The cell east has moved to another server: see DATABASE_URL.\n",
  });

  const second = await startServerChild({ ...there, ...chains });
  const sentBefore = orders.answered.size;
  orders.leadTo(urlOf(second));
  await expect.poll(answered, { timeout: patienceMilliseconds }).toBeGreaterThan(sentBefore + 8);
  const seconds = (performance.now() - stoppedAt) / 1_000;
  process.stderr.write(
    `a cell moved: ${sentBefore} payments before, ${seconds.toFixed(1)} s without\n`,
  );
  await orders.end();
  const { rows } = await (
    await connect(next.superuser, "cell_east")
  ).query<{ number: string; id: string }>("select merchant_order_no as number, id from payments");
  expect(new Map(rows.map(({ number, id }) => [number, id]))).toEqual(orders.answered);
  expect(rows).toHaveLength(orders.answered.size);
  expect(await admin(there, "ledger verify")).toMatchObject({ code: 0 });
  expect(await admin(there, "audit verify")).toMatchObject({ code: 0 });
  const { kill, ended } = second;
  kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, signal: null });
});
