// docs/scaling.md moves a merchant's money to another cell, over the chain: done here with the page's own commands, and
// with servers, signers and an operator's command that are killed in the middle.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import { type LocalChain, startLocalChain } from "../../adapters/local-chain/local-chain.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import { readPage } from "../../scripts/client/tool/checkout-page.ts";
import { type Child, projectRoot } from "../programs/child.ts";
import { startSigner } from "../signer/process.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { newKey, type Signer } from "../support/contract-requests.ts";
import { patienceMilliseconds } from "../support/patience.ts";
import { type Installation, urlOf, useCells } from "../threats/processes.ts";

const [east, west] = useCells(["east", "west"] as const, catalogWithLocalChain);
let chain: LocalChain;
beforeAll(async () => {
  chain = await startLocalChain({ clock: systemClock, idleSeconds: 1 });
});
afterAll(() => chain.stop());

const coinRaw = 10n ** 18n;
const floatRaw = 1_000_000_000n;
/** 25 less the fee of a payment, 1 %. */
const hasRaw = 24_750_000n;
/** ERC-20: Transfer(address,address,uint256) */
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const patience = { timeout: patienceMilliseconds, interval: 50 };

interface Wish {
  /** POST when left out */
  readonly method?: "PUT";
  readonly path: string;
  readonly body?: object;
  /** a new one when left out */
  readonly idempotencyKey?: string;
}

/** A cell with its processes, each of which may be killed and started again, and a merchant of it. */
class Running {
  readonly #cell: Installation;
  readonly #name: string;
  readonly #key: Signer;
  #signer: Awaited<ReturnType<typeof startSigner>> | undefined;
  #server: Awaited<ReturnType<Installation["start"]>> | undefined;

  constructor(cell: Installation, name: string, key: Signer) {
    this.#cell = cell;
    this.#name = name;
    this.#key = key;
  }

  async open(): Promise<void> {
    await this.restart();
    const currencies = { [usd.currencyId]: { chain_ids: [usd.chainId] } };
    await this.ask({ method: "PUT", path: "/v1/currency-acceptance", body: { currencies } });
    const accounts = await this.query("select account from own_accounts");
    for (const { account } of accounts) await chain.giveCoin(String(account), coinRaw);
  }

  /** Whatever runs of it is killed. */
  async restart(): Promise<void> {
    for (const child of [this.#server, this.#signer]) await killed(child);
    const folder = this.#signer?.folder;
    this.#signer = await startSigner({
      CELL: this.#name,
      ...(folder === undefined ? {} : { SIGNER_DIR: folder }),
    });
    this.#server = await this.#cell.start({
      EVM_RPC_URLS: `${usd.chainId}=${chain.url}`,
      LOCAL_CHAIN: "off",
      SIGNER_SOCKET: this.#signer.socketPath,
      WITHDRAW_ADDRESS_COOLING_SECONDS: "0",
    });
  }

  async ask({ method, path, body, idempotencyKey = newKey() }: Wish): Promise<JsonObject> {
    if (this.#server === undefined) throw new Error(`${this.#name} is not there`);
    const response = await signingFetch(this.#key)(`${urlOf(this.#server)}${path}`, {
      method: method ?? "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as JsonObject;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A payment, and where it is paid. */
  async createPayment(amount: string) {
    const quotes = { [usd.currencyId]: { amount, chain_ids: [usd.chainId] } };
    const body = { merchant_order_no: `order of ${amount}`, quotes };
    const made = await this.ask({ path: "/v1/payments", body });
    const page = textOf(made["checkout_url"]);
    return { id: textOf(made["id"]), address: (await readPage(page, usd.deploymentId)).address };
  }

  admin(words: readonly string[]): Promise<string> {
    return adminIn(this.#cell, words);
  }

  /** The same, killed some time after it, or its server, has come to the database once more. */
  async adminKilled(milliseconds: number, words: readonly string[]): Promise<void> {
    const connections = async (): Promise<readonly unknown[]> => {
      const name = `'%/cell_${this.#name}'`;
      const text = `select pid from pg_stat_activity where application_name like ${name}`;
      return (await this.query(text)).map(({ pid }) => pid);
    };
    const before = new Set(await connections());
    const isThere = async () => (await connections()).some((pid) => !before.has(pid));
    const child = this.#cell.operate(words);
    await vi.waitUntil(isThere, { ...patience, interval: 5 });
    await Promise.race([child.ended, new Promise((after) => setTimeout(after, milliseconds))]);
    await killed(child);
  }

  query(text: string): ReturnType<Installation["query"]> {
    return this.#cell.query(text);
  }

  /** What all of its merchants have, by account. */
  async balancesRaw(): Promise<Readonly<Record<string, bigint>>> {
    const rows = await this.query(
      `select kind, sum(balance)::text as raw from ledger_accounts
      where kind ~ '^(merchant|payer):' group by kind having sum(balance) <> 0`,
    );
    return Object.fromEntries(rows.map(({ kind, raw }) => [String(kind), BigInt(String(raw))]));
  }
}

async function killed(child: Child | undefined): Promise<void> {
  child?.kill("SIGKILL");
  await child?.ended;
}

async function adminIn(cell: Installation, words: readonly string[]): Promise<string> {
  const child = cell.operate(words);
  const { code } = await child.ended;
  if (code !== 0) throw new Error(`${words.join(" ")}: ${child.output()}${child.errors()}`);
  return child.output();
}

/** The commands below the heading, as the words of a shell. */
function commandsOf(heading: string): readonly (readonly string[])[] {
  const page = readFileSync(join(projectRoot, "docs", "scaling.md"), "utf8");
  const [, below = ""] = page.split(`\n### ${heading}\n`);
  const [section = ""] = below.split(/^#{2,3} /m);
  const lines = Array.from(section.matchAll(/^npm run admin -- (.*)$/gm), ([, line = ""]) => line);
  return lines.map((line) =>
    Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain = ""]) => quoted ?? plain),
  );
}

function found(text: string, form: RegExp): string {
  const [first] = form.exec(text) ?? [];
  if (first === undefined) throw new Error(`no ${form.source} in: ${text}`);
  return first;
}

function keyIn(issued: string): Signer {
  return { url: "", key: found(issued, /mk_test_\w+/), secret: found(issued, /sk_test_[\w-]+/) };
}

/** Of the token, all there ever were. */
async function transfersTo(address: string): Promise<readonly bigint[]> {
  const topics = [transferTopic, null, `0x${address.slice(2).toLowerCase().padStart(64, "0")}`];
  const filter = { fromBlock: "0x0", address: usd.address, topics };
  const logs = (await chain.rpc("eth_getLogs", [filter])) as readonly { readonly data: string }[];
  return logs.map(({ data }) => BigInt(data));
}

/** The old cell: its hot account has coins, and its merchant has been paid. */
async function openOld(): Promise<Running> {
  const old = new Running(east, "east", await east.newKey());
  await old.open();
  const [hot] = await old.query("select account from own_accounts where role = 'hot'");
  await chain.giveUsd(String(hot?.["account"]), floatRaw);
  const fund = ["--deployment", usd.deploymentId, "--amount", "1000", "--reference", "start"];
  await old.admin(["ledger", "fund", ...fund, "--yes"]);
  const { address } = await old.createPayment("25");
  await chain.giveUsd(address, 25_000_000n);
  const balances = () => old.balancesRaw();
  await expect.poll(balances, patience).toEqual({ "merchant:available": hasRaw });
  return old;
}

/** All that the merchant has goes to the address; servers and signers of both cells are killed on the way. */
async function withdrawAll(old: Running, next: Running, address: string) {
  const label = "the cell west";
  const registering = { chain_id: usd.chainId, address, label };
  const registered = await old.ask({ path: "/v1/withdraw-addresses", body: registering });
  const body = {
    currency_id: usd.currencyId,
    target_chain_id: usd.chainId,
    amount: "24.75",
    withdraw_address_id: textOf(registered["id"]),
  };
  const wish = { path: "/v1/withdrawals", body, idempotencyKey: newKey() };
  const id = textOf((await old.ask(wish))["id"]);
  const signed = () =>
    old.query(`select a.tx_hash from outgoing_attempts a
      join outgoing_transactions o on o.id = a.outgoing_id where o.purpose = 'withdrawal'`);
  await expect.poll(signed, patience).not.toEqual([]);
  await old.restart();
  expect(await old.ask(wish)).toMatchObject({ id });
  await expect.poll(() => next.query("select 1 from deposits"), patience).not.toEqual([]);
  await next.restart();
  const ended = () => old.query("select status from withdrawals");
  await expect.poll(ended, patience).toEqual([{ status: "confirmed" }]);
  const balances = () => next.balancesRaw();
  await expect.poll(balances, patience).toEqual({ "merchant:unmatched": hasRaw });
  return { id, hashes: (await signed()).map((row) => String(row["tx_hash"])) };
}

test("a merchant's money moves to another cell once, whatever is killed on the way", async () => {
  const [create = [], issue = [], list = [], credit = []] = commandsOf(
    "A merchant's money moves to another cell",
  );
  const merchantId = found(await adminIn(west, create), /mer_\w+/);
  // The local chain is for test keys.
  const words = new Map([
    ["MERCHANT", merchantId],
    ["live", "test"],
  ]);
  const filled = (line: readonly string[]) => line.map((word) => words.get(word) ?? word);
  const ofTest = filled(issue).filter((word) => word !== "--live");
  expect(ofTest).toHaveLength(issue.length - 1);
  const next = new Running(west, "west", keyIn(await adminIn(west, ofTest)));
  const [old] = await Promise.all([openOld(), next.open()]);

  const { id, address } = await next.createPayment("1");
  expect(await next.ask({ path: `/v1/payments/${id}/cancel` })).toMatchObject({
    status: "cancelled",
  });
  const withdrawal = await withdrawAll(old, next, address);

  const item = found(await next.admin(filled(list)), /eip155:\S+/);
  expect(withdrawal.hashes).toContain(item.split("/")[1]);
  words.set("ITEM", item);
  const evidence = `${withdrawal.id} of the cell east`;
  words.set("wdr_... of the cell east", evidence);
  const decisions = () =>
    next.query("select details from audit_entries where action = 'suspense.credited'");
  const before = await decisions();
  for (const milliseconds of [0, 10, 20, 40, 80, 160, 320])
    await next.adminKilled(milliseconds, [...filled(credit), "--yes"]);
  const afterKills = await decisions();
  process.stderr.write(`decided before the last time: ${afterKills.length - before.length}\n`);
  const last = next.admin([...filled(credit), "--yes"]);
  if (afterKills.length === 0) await last;
  else await expect(last).rejects.toThrow(item);

  const [decision, ...others] = await decisions();
  expect(String(decision?.["details"])).toContain(evidence);
  expect(others).toEqual([]);
  expect(await old.balancesRaw()).toEqual({});
  expect(await next.balancesRaw()).toEqual({ "merchant:available": hasRaw });
  // The chain says the same, and goes on to.
  await chain.rpc("anvil_mine", ["0x20"]);
  expect(await transfersTo(address)).toEqual([hasRaw]);
  for (const cell of [old, next])
    for (const subject of ["ledger", "audit"]) await cell.admin([subject, "verify"]);
});
