// A database from before withdrawals left by the queue of everything else: what was under way goes on
// where it was, under its nonce, and what has ended stays as it was.

import pg from "pg";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import { ledgerValues } from "../../service/ledger/ledger.ts";
import { postTransaction } from "../../service/ledger/ledger.sql.ts";
import type { Owner } from "../../service/owner.ts";
import type { ChainAction } from "../../service/ports/signer.ts";
import { addOldAddress, openOldDatabase } from "../support/old-database.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";
import { ScriptedActionSigner } from "../support/scripted-outgoing.ts";
import { query } from "../support/service-parts.ts";
import { chainId, finalBlocks, openSceneOn, usdc, whole } from "../withdrawals/scene.ts";

const lastBefore = 13;
const sendRaw = 5n * whole;
const feeRaw = whole;

async function openOld() {
  const { url, client, database } = await openOldDatabase(lastBefore);
  const chain = new ScriptedChain({ chainId });
  const signer = new ScriptedActionSigner();
  chain.mint(signer.accounts.hotAddress, null, 10n ** 20n);
  chain.mint(signer.accounts.hotAddress, usdc.contractAddress, 1_000_000n * whole);
  const scene = await openSceneOn(database, { chain, signer });
  const owner = await scene.newOwner();
  await scene.fund(owner, 1_000n * whole);
  const { id: addressId, address } = await addOldAddress(database, owner, chainId);
  return { url, client, database, chain, signer, scene, owner, addressId, address };
}

type Old = Awaited<ReturnType<typeof openOld>>;

interface OldRow {
  readonly status: string;
  readonly nonce?: bigint;
  readonly reason?: string;
  readonly sendsNothing?: boolean;
  /** how many were signed for it */
  readonly attempts?: number;
}

let rows = 0;

/** As the version before wrote it; gives the bytes that were signed for it, too. */
async function addOld(old: Old, row: OldRow) {
  const { database, scene, owner, addressId, address, signer } = old;
  rows += 1;
  const id = `wdr_old${rows}`;
  const { nonce, attempts = 0, sendsNothing = false } = row;
  const { hotAddress } = signer.accounts;
  const isReserved = nonce !== undefined;
  const text = (value: string | undefined) => sql.lit(value ?? null);
  const day = new Date(scene.clock.now().getTime() + rows).toISOString();
  await query(
    database,
    sql`insert into withdrawals (id, merchant_id, environment, deployment_id, currency_id, chain_id,
      withdraw_address_id, address, contract_address, send_amount_raw, fee_raw, status, not_before,
      reserved_account, reserved_nonce, sends_nothing, reason, created_at, updated_at)
    values (${sql.lit(id)}, ${sql.lit(owner.merchantId)}, 'test', ${sql.lit(usdc.deploymentId)},
      ${sql.lit(usdc.currencyId)}, ${sql.lit(chainId)}, ${sql.lit(addressId)}, ${sql.lit(address)},
      ${sql.lit(usdc.contractAddress)}, ${sql.lit(sendRaw.toString())}, ${sql.lit(feeRaw.toString())},
      ${sql.lit(row.status)}, ${sql.lit(day)},
      ${text(isReserved ? hotAddress : undefined)}, ${text(nonce?.toString())},
      ${sql.lit(sendsNothing)}, ${text(row.reason)}, ${sql.lit(day)}, ${sql.lit(day)})`,
  );
  if (["pending", "processing", "broadcast"].includes(row.status)) await reserve(old, owner, id);
  const action: ChainAction = sendsNothing
    ? { kind: "transfer", to: hotAddress, contractAddress: null, amountRaw: 0n }
    : { kind: "transfer", to: address, contractAddress: usdc.contractAddress, amountRaw: sendRaw };
  const signed = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const now = await old.chain.fees();
    const times = BigInt(attempt);
    const fees = {
      maxFeePerGas: now.maxFeePerGas * times,
      maxPriorityFeePerGas: now.maxPriorityFeePerGas * times,
    };
    const intent = { account: { role: "hot" }, nonce: nonce ?? 0n, gasUnitsMax: 100_000n } as const;
    const one = await signer.signAction(chainId, { ...intent, action, fees });
    signed.push(one);
    await query(
      database,
      sql`insert into withdrawal_attempts values (${sql.lit(id)}, ${sql.lit(attempt)},
        ${sql.lit(one.txHash)}, decode(${sql.lit(Buffer.from(one.raw).toString("hex"))}, 'hex'),
        ${sql.lit(fees.maxFeePerGas.toString())}, ${sql.lit(fees.maxPriorityFeePerGas.toString())},
        0, ${sql.lit(day)}, ${sql.lit(day)})`,
    );
  }
  const newest = signed.at(-1);
  if (newest !== undefined) {
    await query(
      database,
      sql`with account as (insert into sender_accounts (chain_id, account)
          values (${sql.lit(chainId)}, ${sql.lit(hotAddress)}) on conflict do nothing)
        update withdrawals set tx_hash = ${sql.lit(newest.txHash)} where id = ${sql.lit(id)}`,
    );
    await query(
      database,
      sql`insert into sender_nonces values (${sql.lit(chainId)}, ${sql.lit(hotAddress)},
        ${sql.lit(String(nonce))}, 'withdrawal', ${sql.lit(id)}, ${sql.lit(day)})`,
    );
  }
  return { id, signed };
}

async function reserve({ database, scene }: Old, owner: Owner, reference: string): Promise<void> {
  const of = { deploymentId: usdc.deploymentId, owner };
  const amountRaw = sendRaw + feeRaw;
  const values = ledgerValues(scene, {
    kind: "withdrawal_reserved",
    reference,
    occurredAt: scene.clock.now(),
    postings: [
      { ...of, account: "merchant:available", amountRaw },
      { ...of, account: "merchant:withdrawing", amountRaw: -amountRaw },
    ],
  });
  await database.run(postTransaction, values);
}

async function settle({ scene, chain }: Old): Promise<void> {
  const process = scene.startProcess();
  for (let round = 0; round < 4; round++) {
    await process.send();
    chain.mine(finalBlocks);
    scene.clock.advance(20_000);
    await process.confirm();
  }
}

async function statusesOf({ scene }: Old, all: readonly { readonly id: string }[]) {
  const statuses = [];
  for (const { id } of all) statuses.push(await scene.statusOf(id));
  return statuses;
}

test("what was under way goes on under its nonce, and every withdrawal is sent once", async () => {
  const old = await openOld();
  const { chain, client, scene, owner, address } = old;
  const twice = await addOld(old, { status: "broadcast", nonce: 0n, attempts: 2 });
  const given = { status: "broadcast", nonce: 1n, attempts: 1, sendsNothing: true };
  const givenUp = await addOld(old, given);
  const reserved = await addOld(old, { status: "processing", nonce: 2n });
  const unreserved = await addOld(old, { status: "processing" });
  const pending = await addOld(old, { status: "pending" });
  // The nodes have only the older one of the two.
  await chain.send(twice.signed[0]?.raw ?? new Uint8Array());
  expect(await migrate(client)).toContain("0014_one_way_out.sql");
  const all = [twice, givenUp, reserved, unreserved, pending];
  expect(await statusesOf(old, all)).toEqual([
    "broadcast",
    "broadcast",
    "processing",
    "pending",
    "pending",
  ]);
  expect((await scene.attempts(twice.id)).map(({ tx_hash: hash }) => hash)).toEqual(
    twice.signed.map(({ txHash }) => txHash),
  );
  // What was handed over just before is not handed over again at once.
  scene.clock.advance(20_000);
  await settle(old);
  const ends = ["confirmed", "failed", "confirmed", "confirmed", "confirmed"];
  expect(await statusesOf(old, all)).toEqual(ends);
  expect(await scene.withdrawals.get(owner, givenUp.id)).toMatchObject({ reason: "given_up" });
  expect(chain.transfersTo(address).map(({ amountRaw }) => amountRaw)).toEqual(
    Array.from({ length: 4 }, () => sendRaw),
  );
  expect(await scene.attempts(reserved.id)).toMatchObject([{ nonce: 2n }]);
  expect(await scene.nonces()).toEqual([0n, 1n, 2n, 3n, 4n]);
  expect(await scene.balance(owner, "merchant:withdrawing")).toBe(0n);
  expect(await scene.balance(owner, "merchant:available")).toBe(
    1_000n * whole - 4n * (sendRaw + feeRaw),
  );
  expect(await scene.isLedgerWhole()).toBe(true);
  expect(scene.alarms).toEqual([]);
});

test("what has ended is known as before if a final block is taken back", async () => {
  const old = await openOld();
  const { chain, client, scene, address } = old;
  const confirmed = await addOld(old, { status: "confirmed", nonce: 0n, attempts: 1 });
  const failed = { status: "failed", nonce: 1n, attempts: 1, reason: "nothing_moved" };
  const lost = await addOld(old, failed);
  expect(await migrate(client)).toContain("0014_one_way_out.sql");
  // Neither is mined, as if their blocks were gone.
  scene.clock.advance(20_000);
  const process = scene.startProcess();
  await process.send();
  expect(chain.waiting).toEqual([confirmed.signed[0]?.txHash]);
  expect(scene.alarms).toMatchObject([
    ["final_transaction_lost", { withdrawal_id: confirmed.id, state: "kept" }],
    ["final_transaction_lost", { withdrawal_id: lost.id, state: "lost" }],
  ]);
  await settle(old);
  expect(chain.transfersTo(address)).toHaveLength(1);
  expect(await statusesOf(old, [confirmed, lost])).toEqual(["confirmed", "failed"]);
});

test("what an account has for good is refused for another one, and given back to nobody", async () => {
  const old = await openOld();
  const { client, database } = old;
  const { id } = await addOld(old, { status: "processing", nonce: 0n });
  await migrate(client);
  const moving = query(database, sql`update outgoing_transactions set account = 'another'`);
  await expect(moving).rejects.toMatchObject({ constraint: "outgoing_transactions_fixed" });
  const back = query(
    database,
    sql`update withdrawals set status = 'pending' where id = ${sql.lit(id)}`,
  );
  await expect(back).rejects.toMatchObject({ constraint: "withdrawals_reserved" });
});

test("a server of the version before cannot claim one while they are carried over", async () => {
  const old = await openOld();
  const { id } = await addOld(old, { status: "pending" });
  const { sql: text } = readMigrations()[lastBefore] ?? { sql: "" };
  // Up to where withdrawals were copied, and their attempts were not.
  const [copied = ""] = text.split("insert into outgoing_attempts");
  expect(copied).not.toBe(text);
  const other = new pg.Client({ connectionString: old.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("set lock_timeout = '200ms'");
  const claim = () =>
    other.query(
      `update withdrawals set status = 'processing', reserved_account = '0x', reserved_nonce = 0
        where id = $1 returning id`,
      [id],
    );
  await old.client.query("begin");
  await old.client.query(copied);
  await expect(claim()).rejects.toMatchObject({ code: "55P03" });
  await old.client.query("rollback");
  expect((await claim()).rowCount).toBe(1);
});
