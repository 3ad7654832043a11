// docs/scaling.md moves a merchant's money to another cell, over the chain: done here as the page says, with servers, a
// signer and an operator's command that are killed in the middle.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalogWithLocalChain } from "../../adapters/local-chain/local-catalog.ts";
import { type LocalChain, startLocalChain } from "../../adapters/local-chain/local-chain.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { signingFetch } from "../../scripts/client/signing-client.ts";
import { usd } from "../../scripts/demo/cast.ts";
import { readPage } from "../../scripts/demo/checkout-page.ts";
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
const floatWhole = 1_000n;
const patience = { timeout: patienceMilliseconds, interval: 50 };

interface Opened {
  readonly cell: Installation;
  readonly name: string;
  readonly key: Signer;
  readonly merchantId: string;
}

interface Wish {
  /** POST when left out */
  readonly method?: "PUT";
  readonly path: string;
  readonly body?: object;
  /** a new one when left out */
  readonly idempotencyKey?: string;
}

/** The processes of one cell; each of them may be killed and started again. */
class Running {
  readonly #cell: Installation;
  readonly #name: string;
  #signer: Awaited<ReturnType<typeof startSigner>> | undefined;
  #server: Awaited<ReturnType<Installation["start"]>> | undefined;
  /** of its merchant */
  readonly #key: Signer;
  readonly merchantId: string;

  private constructor({ cell, name, key, merchantId }: Opened) {
    this.#cell = cell;
    this.#name = name;
    this.#key = key;
    this.merchantId = merchantId;
  }

  static async open(cell: Installation, name: string): Promise<Running> {
    const key = await cell.newKey();
    const [merchant] = await cell.query("select id from merchants");
    const one = new Running({ cell, name, key, merchantId: String(merchant?.["id"]) });
    await one.restart();
    const currencies = { [usd.currencyId]: { chain_ids: [usd.chainId] } };
    await one.ask({ method: "PUT", path: "/v1/currency-acceptance", body: { currencies } });
    return one;
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

  async admin(...words: readonly string[]) {
    const child = this.#cell.operate(words);
    const { code } = await child.ended;
    return { code, text: child.output() + child.errors() };
  }

  /** The same, killed when it has run for as long. */
  async adminKilled(milliseconds: number, words: readonly string[]): Promise<void> {
    const child = this.#cell.operate(words);
    await Promise.race([child.ended, new Promise((after) => setTimeout(after, milliseconds))]);
    await killed(child);
  }

  query(text: string): ReturnType<Installation["query"]> {
    return this.#cell.query(text);
  }

  async balanceRaw(kind: string): Promise<bigint> {
    const [row] = await this.query(
      `select coalesce(sum(balance), 0)::text as raw from ledger_accounts where kind = '${kind}'`,
    );
    return BigInt(String(row?.["raw"]));
  }
}

async function killed(child: Child | undefined): Promise<void> {
  child?.kill("SIGKILL");
  await child?.ended;
}

/** A payment, and where it is paid. */
async function createPayment(cell: Running, amount: string) {
  const made = await cell.ask({
    path: "/v1/payments",
    body: {
      merchant_order_no: `order of ${amount}`,
      quotes: { [usd.currencyId]: { amount, chain_ids: [usd.chainId] } },
    },
  });
  const page = textOf(made["checkout_url"]);
  return { id: textOf(made["id"]), address: (await readPage(page, usd.deploymentId)).address };
}

/** The commands below the heading, with the words of this merchant. */
function commandsOf(heading: string, words: Readonly<Record<string, string>>) {
  const page = readFileSync(join(projectRoot, "docs", "scaling.md"), "utf8");
  const [, below = ""] = page.split(`\n### ${heading}\n`);
  const [section = ""] = below.split(/^#{2,3} /m);
  const lines = Array.from(section.matchAll(/^npm run admin -- (.*)$/gm), ([, line = ""]) => line);
  return lines.map((line) =>
    Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain = ""]) => quoted ?? plain).map(
      (word) => words[word] ?? word,
    ),
  );
}

test("a merchant's money moves to another cell once, whatever is killed on the way", async () => {
  const old = await Running.open(east, "east");
  const next = await Running.open(west, "west");
  for (const cell of [old, next])
    for (const { account } of await cell.query("select account from own_accounts"))
      await chain.giveCoin(String(account), coinRaw);
  const [hot] = await old.query("select account from own_accounts where role = 'hot'");
  await chain.giveUsd(String(hot?.["account"]), floatWhole * 10n ** 6n);
  const fund = ["ledger", "fund", "--deployment", usd.deploymentId, "--reference", "start"];
  expect(await old.admin(...fund, "--amount", String(floatWhole))).toMatchObject({ code: 0 });

  const order = await createPayment(old, "25");
  await chain.giveUsd(order.address, 25_000_000n);
  await expect.poll(() => old.balanceRaw("merchant:available"), patience).toBeGreaterThan(0n);
  const hasRaw = await old.balanceRaw("merchant:available");

  // To the address of a payment of its own there, which it has cancelled.
  const { id, address } = await createPayment(next, "1");
  await next.ask({ path: `/v1/payments/${id}/cancel` });
  const { id: withdrawAddressId } = await old.ask({
    path: "/v1/withdraw-addresses",
    body: { chain_id: usd.chainId, address, label: "the cell west" },
  });
  const body = {
    currency_id: usd.currencyId,
    target_chain_id: usd.chainId,
    amount: `${hasRaw / 10n ** 6n}.${(hasRaw % 10n ** 6n).toString().padStart(6, "0")}`,
    withdraw_address_id: withdrawAddressId ?? "",
  };
  const wish = { path: "/v1/withdrawals", body, idempotencyKey: newKey() };
  const withdrawal = await old.ask(wish);
  const attempts = () => old.query("select 1 from outgoing_attempts");
  await expect.poll(attempts, patience).not.toEqual([]);
  await old.restart();
  expect(await old.ask(wish)).toMatchObject({
    id: withdrawal["id"],
  });
  await expect.poll(() => next.query("select 1 from deposits"), patience).not.toEqual([]);
  await next.restart();
  const statuses = () => old.query("select status from withdrawals");
  await expect.poll(statuses, patience).toEqual([{ status: "confirmed" }]);
  await expect.poll(() => next.balanceRaw("merchant:unmatched"), patience).toBeGreaterThan(0n);

  const evidence = `${textOf(withdrawal["id"])} of the cell east`;
  const words = {
    MERCHANT: next.merchantId,
    live: "test",
    "wdr_... of the cell east": evidence,
  };
  const [, , list = [], credit = []] = commandsOf("A merchant moves to another cell", words);
  const listed = (await next.admin(...list)).text;
  const item = /eip155:\S+/.exec(listed)?.[0] ?? "";
  const [sent] = await old.query("select tx_hash from outgoing_attempts");
  expect(item).toContain(String(sent?.["tx_hash"]));
  const crediting = credit.map((word) => (word === "ITEM" ? item : word));
  for (let milliseconds = 100; milliseconds <= 1_500; milliseconds += 200)
    await next.adminKilled(milliseconds, crediting);
  const { code, text } = await next.admin(...crediting);
  if (code !== 0) expect(text).toMatch(/decided/);
  expect(await old.balanceRaw("merchant:available")).toBe(0n);
  expect(await next.balanceRaw("merchant:available")).toBe(hasRaw);
  expect(await next.balanceRaw("merchant:unmatched")).toBe(0n);
  const decisions = "select details from audit_entries where action = 'suspense.credited'";
  const [decision, ...others] = await next.query(decisions);
  expect(String(decision?.["details"])).toContain(evidence);
  expect(others).toEqual([]);
  for (const cell of [old, next])
    for (const subject of ["ledger", "audit"])
      expect(await cell.admin(subject, "verify")).toMatchObject({ code: 0 });
});
