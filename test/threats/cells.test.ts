// Cells on one PostgreSQL: what belongs to one is nothing in another, whoever asks, and whatever becomes of it.

import { expect, test } from "vitest";
import type { ServerChild } from "../programs/child.ts";
import { endedSigner, startSigner } from "../signer/process.ts";
import { type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import { type Signer, send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { urlOf, useCells } from "./processes.ts";

const [plain, east, west, north] = useCells([undefined, "east", "west", "north"] as const);

const chainId = "eip155:84532";
/** Nobody is there: a chain that is away keeps no server from starting. */
const chains = { EVM_RPC_URLS: `${chainId}=http://127.0.0.1:9` };

async function ask(signer: Signer, name: string, body?: Json) {
  const change = body === undefined ? {} : { body };
  const response = await send(signer, validRequest(operationBy(name), change));
  return { status: response.status, body: (await response.json()) as JsonObject };
}

async function pay(server: ServerChild, key: Signer): Promise<string> {
  const signer = { ...key, url: urlOf(server) };
  const currencies = { cur_usdc: { chain_ids: [chainId] } };
  expect(await ask(signer, "replaceCurrencyAcceptance", { currencies })).toMatchObject({
    status: 200,
  });
  const order = { merchant_order_no: "A-1", quotes: { cur_usdc: { amount: "25.00" } } };
  const made = await ask(signer, "createPayment", order);
  expect(made).toMatchObject({ status: 201 });
  return textOf(made.body["checkout_url"]);
}

function keyAt(keys: readonly Signer[], at: number): Signer {
  const key = keys[at];
  if (key === undefined) throw new Error("unreachable: one for each server");
  return key;
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test("keys and links say their cell, and are nobody's in every other one", async () => {
  const cells = [plain, east, west];
  const servers = await Promise.all(cells.map((cell) => cell.start(chains)));
  const keys = await Promise.all(cells.map((cell) => cell.newKey()));
  expect(keys.map(({ key }) => key)).toEqual([
    expect.stringMatching(/^mk_test_[0-9A-Z]{24}$/),
    expect.stringMatching(/^mk_test_east[0-9A-Z]{24}$/),
    expect.stringMatching(/^mk_test_west[0-9A-Z]{24}$/),
  ]);
  for (const [at, server] of servers.entries())
    for (const [of, key] of keys.entries()) {
      const { status, body } = await ask({ ...key, url: urlOf(server) }, "listCurrencies");
      const { code = "taken" } = body;
      expect({ at, of, status, code }).toEqual({
        at,
        of,
        ...(at === of
          ? { status: 200, code: "taken" }
          : { status: 401, code: "authentication_failed" }),
      });
    }
  const links: string[] = [];
  for (const [at, server] of servers.entries())
    links.push(new URL(await pay(server, keyAt(keys, at))).pathname);
  expect(links).toEqual([
    expect.stringMatching(/^\/checkout\/[\w-]{22}$/),
    expect.stringMatching(/^\/checkout\/east\.[\w-]{22}$/),
    expect.stringMatching(/^\/checkout\/west\.[\w-]{22}$/),
  ]);
  for (const [at, server] of servers.entries())
    for (const [of, link] of links.entries())
      expect([at, of, await statusOf(urlOf(server) + link)]).toEqual([
        at,
        of,
        at === of ? 200 : 404,
      ]);
  for (const cell of cells)
    expect(await cell.query("select count(*)::int as count from payments")).toEqual([{ count: 1 }]);
  const schemas = await plain.query(
    "select schemaname as name, count(*)::int as tables from pg_tables where schemaname !~ '^(pg_|information)' group by 1 order by 1",
  );
  const [first] = schemas;
  expect(schemas.map(({ name }) => name)).toEqual([
    "cell_east",
    "cell_north",
    "cell_west",
    "public",
  ]);
  expect(new Set(schemas.map(({ tables }) => tables))).toEqual(new Set([first?.["tables"]]));
});

test("a cell that is broken is nothing to another one", async () => {
  const servers = await Promise.all([east.start(), west.start()]);
  const keys = await Promise.all([east.newKey(), west.newKey()]);
  const read = () =>
    Promise.all(
      servers.map(async (server, at) => {
        const signer = { ...keyAt(keys, at), url: urlOf(server) };
        return (await ask(signer, "listCurrencies")).status;
      }),
    );
  expect(await read()).toEqual([200, 200]);
  await east.query("alter table merchants rename to merchants_lost");
  try {
    expect(await read()).toEqual([500, 200]);
  } finally {
    await east.query("alter table merchants_lost rename to merchants");
  }
  expect(await read()).toEqual([200, 200]);
});

test("a signer of another cell, or of none, is refused, and so is the journal of another cell", async () => {
  const ofNorth = await startSigner({ CELL: "north" });
  const ofNone = await startSigner();
  const first = await north.start({ ...chains, SIGNER_SOCKET: ofNorth.socketPath });
  expect(await statusOf(`${urlOf(first)}/healthz`)).toBe(200);
  const refused = async (cell: typeof west, socketPath: string): Promise<string> => {
    const child = await cell.begin({ ...chains, SIGNER_SOCKET: socketPath });
    expect(await child.ended).toMatchObject({ code: 1 });
    return child.errors();
  };
  expect(await refused(west, ofNorth.socketPath)).toMatch(
    /What answers is the signer of the cell north, and this is a server of the cell west/,
  );
  expect(await refused(west, ofNone.socketPath)).toMatch(
    /the signer of no cell, and this is a server of the cell west/,
  );
  expect(await refused(plain, ofNorth.socketPath)).toMatch(
    /the signer of the cell north, and this is a server of no cell/,
  );
  ofNorth.kill("SIGTERM");
  await ofNorth.ended;
  const { folder } = ofNorth;
  for (const more of [{ CELL: "west" }, {}])
    expect(await endedSigner({ SIGNER_DIR: folder, ...more })).toEqual({
      code: 2,
      errors:
        `The journal in ${folder} is that of the cell north, and CELL says ${more.CELL ?? "nothing"}: each cell has ` +
        "a folder of its own, which SIGNER_DIR names (where a server starts the signer: DATA_DIR).\n",
    });
  ofNone.kill("SIGTERM");
  await ofNone.ended;
  const used = await endedSigner({ SIGNER_DIR: ofNone.folder, CELL: "west" });
  expect(used.errors).toContain(`${ofNone.folder} has a journal, and no word of whose it is.`);
});
