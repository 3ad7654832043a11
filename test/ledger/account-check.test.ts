// What each account of ours holds against the books, as of one block: money that nobody booked shows,
// and what is under way does not.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { accountCheckJob } from "../../service/ledger/account-check.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, coin, ether, finalBlocks, openScene, usdc, whole } from "../sending/scene.ts";
import { engines } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { runLedgerCommand } from "./commands.ts";

const treasury = addressOf("treasury");
const stranger = addressOf("a stranger");
const hour = 3_600_000;
const cent = 10_000n;

/** The settlement account has 100 coins and 1,000 dollars of the operator's, and the books say so. */
async function openCheck(engine: Engine) {
  const scene = await openScene(engine);
  const { database, clock, chain, signer } = scene;
  const { hotAddress: hot, settlementAddress: settlement } = signer.accounts;
  await rememberOwnAccounts(scene, [
    { account: hot, role: "hot" },
    { account: settlement, role: "settlement" },
    { account: treasury, role: "treasury" },
  ]);
  for (const [of, amountRaw] of [
    [coin, 100n * ether],
    [usdc, 1_000n * whole],
  ] as const) {
    const at = { deploymentId: of.deploymentId, owner: null };
    await scene.post([
      { ...at, account: "chain:settlement", amountRaw },
      { ...at, account: "platform:capital", amountRaw: -amountRaw },
    ]);
  }
  const told: string[] = [];
  const job = accountCheckJob({
    ...scene,
    own: [],
    chainOf: (id) => (id === chainId ? chain : undefined),
    toldFromRaw: () => Promise.resolve(cent),
    onDifference: ({ deploymentId, account, heldRaw, bookedRaw }) =>
      told.push(`${deploymentId} ${account} ${heldRaw - bookedRaw}`),
    onUncompared: ({ deploymentId }) => told.push(`${deploymentId} uncompared`),
  });
  const run = async (): Promise<void> => {
    while ((await job.run()).isMore);
  };
  return {
    ...scene,
    hot,
    settlement,
    /** As the watcher leaves it, with all blocks up to so many before the newest read twice. */
    read: async (behind = 0n): Promise<bigint> => {
      const { number } = await chain.head();
      const block = await chain.block(number - behind, []);
      if (block === undefined) throw new Error("the chain has no such block");
      await query(database, sql`delete from chain_blocks`);
      await query(
        database,
        sql.raw(`
        with cursor as (
          insert into chain_cursors (chain_id, block_number, block_hash, block_time, checked_number,
            head_number, looked_at, updated_at)
          values ('${chainId}', ${number}, '0x', now(), ${block.number}, ${number}, now(), now())
          on conflict (chain_id) do update set checked_number = excluded.checked_number
          returning chain_id)
        insert into chain_blocks (chain_id, block_number, block_hash, parent_hash, block_time)
        select chain_id, ${block.number}, '${block.hash}', '0x', '${block.time.toISOString()}'
        from cursor`),
      );
      return block.number;
    },
    /** What people are told, by two comparisons with an hour between them. */
    compare: async (): Promise<readonly string[]> => {
      told.length = 0;
      await run();
      clock.advance(hour);
      await run();
      return told.toSorted();
    },
    look: async (): Promise<readonly string[]> => {
      told.length = 0;
      await run();
      return told.toSorted();
    },
    admin: (line: string) => runLedgerCommand(scene.ledger, line),
  };
}

describe.each(engines)("on %s", (engine) => {
  test("money that nobody booked, or that is missing, shows for each account, once for each amount", async () => {
    const { chain, read, compare, look, clock, hot, settlement, admin } = await openCheck(engine);
    chain.deposit({ to: hot, amountRaw: 5n * whole, contractAddress: usdc.contractAddress });
    chain.deposit({ to: treasury, amountRaw: 7n, contractAddress: null });
    chain.deposit({ to: treasury, amountRaw: ether, contractAddress: null });
    chain.mint(settlement, usdc.contractAddress, -3n * whole);
    chain.mine();
    const block = await read();
    expect(await look()).toEqual([]);
    expect((await admin("ledger balances")).output).not.toMatch(/SURPLUS|GAP/);
    clock.advance(hour);
    const found = [
      `${coin.deploymentId} treasury ${ether + 7n}`,
      `${usdc.deploymentId} hot ${5n * whole}`,
      `${usdc.deploymentId} settlement -${3n * whole}`,
    ];
    expect(await look()).toEqual(found);
    const { output } = await admin("ledger balances");
    expect(output).toContain(`SURPLUS     ${usdc.deploymentId} hot: 5 since `);
    expect(output).toContain(`(5 held, 0 booked, after block ${block})`);
    expect(output).toContain(`GAP         ${usdc.deploymentId} settlement: -3 since `);

    expect(await compare()).toEqual([]);
    // Another dollar is news; the operator books what the hot account got, and it is over.
    chain.deposit({ to: hot, amountRaw: whole, contractAddress: usdc.contractAddress });
    chain.mine();
    await read();
    expect(await compare()).toEqual([`${usdc.deploymentId} hot ${6n * whole}`]);
    await admin(`ledger fund --deployment ${usdc.deploymentId} --amount 6`);
    expect(await compare()).toEqual([]);
    expect((await admin("ledger balances")).output).not.toContain("hot: ");
  });

  test("of a chain that was not read yet nobody is told anything, since nobody knows anything", async () => {
    const { look, read } = await openCheck(engine);
    expect(await look()).toEqual([]);
    await read();
    expect(await look()).toEqual([]);
  });

  test("nobody is told of less than a deposit, and what is new is nobody's fault for an hour", async () => {
    const { chain, read, compare, hot, admin } = await openCheck(engine);
    chain.deposit({ to: hot, amountRaw: cent - 1n, contractAddress: usdc.contractAddress });
    chain.mine();
    await read();
    expect(await compare()).toEqual([]);
    expect((await admin("ledger balances")).output).toContain("hot: 0.009999 since");
    chain.deposit({ to: hot, amountRaw: 1n, contractAddress: usdc.contractAddress });
    chain.mine();
    await read();
    expect(await compare()).toEqual([`${usdc.deploymentId} hot ${cent}`]);
  });

  test("what is sent makes no difference: not before it is mined, nor until it is final, nor after", async () => {
    const { chain, read, compare, queue, startProcess, clock, statusOf } = await openCheck(engine);
    const { send, confirm } = startProcess();
    const { id } = await queue();
    await read();
    expect(await compare()).toEqual([]);
    await send();
    expect(await statusOf(id)).toBe("broadcast");
    expect(await compare()).toEqual([]);
    chain.mine();
    expect(await compare()).toEqual([]);
    await read();
    expect(await compare()).toEqual([]);
    chain.mine(finalBlocks);
    clock.advance(20_000);
    await confirm();
    expect(await statusOf(id)).toBe("succeeded");
    // The scene books the gas; the release itself belongs to x402, whose hook books it.
    const released = [`${usdc.deploymentId} settlement -${whole}`];
    await read();
    expect(await compare()).toEqual(released);
  });

  test("what was mined after the block is taken off the books again", async () => {
    const scene = await openCheck(engine);
    const { chain, read, compare, startProcess, clock } = scene;
    const address = addressOf("deposit 1");
    chain.mint(address, usdc.contractAddress, 9n * whole);
    const wish = { chainId, deploymentId: usdc.deploymentId, address, index: 1n };
    await bookDeposit(scene, { ...wish, amountRaw: 9n * whole });
    chain.mine();
    await read();
    expect(await compare()).toEqual([]);
    const { sweep, send, confirm } = startProcess();
    await query(
      scene.database,
      sql`update capabilities set status = 'supported' where key = 'eip3009'`,
    );
    for (const step of [sweep, send]) {
      await step();
      expect(await compare()).toEqual([]);
    }
    chain.mine();
    await read();
    expect(await compare()).toEqual([]);
    chain.mine(finalBlocks);
    clock.advance(20_000);
    // Booked, and the block that is compared is from before it was mined.
    await confirm();
    // With it came what the settlement account does not need.
    expect(await scene.balance("chain:hot")).toBe(1_009n * whole);
    await query(scene.database, sql`update outgoing_transactions set updated_at = now()`);
    await read(BigInt(finalBlocks) + 1n);
    expect(await compare()).toEqual([]);
    await read();
    expect(await compare()).toEqual([]);
  });

  test("what payers bring counts from its block on, booked or not", async () => {
    const { chain, read, compare, settlement, database } = await openCheck(engine);
    const txHash = chain.deposit({
      to: settlement,
      amountRaw: 40n * whole,
      contractAddress: usdc.contractAddress,
      from: stranger,
    });
    chain.mine();
    const block = await read();
    const deposit = (status: string, number: bigint) =>
      query(
        database,
        sql.raw(`
        insert into deposits (chain_id, tx_hash, log_index, deployment_id, address, sender, source,
          amount_raw, block_number, block_hash, block_time, status)
        values ('${chainId}', '${txHash}', 0, '${usdc.deploymentId}', '${settlement}',
          '${stranger}', 'settlement', ${40n * whole}, ${number}, '0xb', now(), '${status}')
        on conflict (chain_id, tx_hash, log_index)
          do update set status = excluded.status, block_number = excluded.block_number`),
      );
    await deposit("seen", block);
    expect(await compare()).toEqual([]);
    await deposit("orphaned", block);
    expect(await compare()).toEqual([`${usdc.deploymentId} settlement ${40n * whole}`]);
    await deposit("seen", block + 1n);
    expect(await compare()).toEqual([]);
    await read(1n);
    expect(await compare()).toEqual([]);
  });

  test("addresses of payments are compared each with its deposits, until they are touched", async () => {
    const scene = await openCheck(engine);
    const { chain, read, compare } = scene;
    const booked = async (index: bigint, holdsRaw: bigint) => {
      const address = addressOf(`deposit ${index}`);
      chain.mint(address, usdc.contractAddress, holdsRaw);
      const wish = { chainId, deploymentId: usdc.deploymentId, address, index };
      await bookDeposit(scene, { ...wish, amountRaw: 10n * whole });
    };
    await booked(1n, 10n * whole);
    await booked(2n, 14n * whole);
    await booked(3n, 6n * whole);
    chain.mine();
    await read();
    expect(await compare()).toEqual([
      `${usdc.deploymentId} deposit_addresses ${4n * whole}`,
      `${usdc.deploymentId} deposit_addresses_with_less -${4n * whole}`,
    ]);
  });

  test("where the chain does not answer, what was found stays, and it is said", async () => {
    const { chain, read, compare, hot, admin } = await openCheck(engine);
    chain.deposit({ to: hot, amountRaw: whole, contractAddress: usdc.contractAddress });
    chain.mine();
    await read();
    expect(await compare()).toEqual([`${usdc.deploymentId} hot ${whole}`]);
    chain.faults.next("balanceAt", { kind: "unavailable" }, Number.POSITIVE_INFINITY);
    expect(await compare()).toContain(`${usdc.deploymentId} uncompared`);
    chain.faults.clear();
    // A block that is of no branch any more says nothing.
    chain.reorg(1);
    expect(await compare()).toContain(`${usdc.deploymentId} uncompared`);
    expect((await admin("ledger balances")).output).toContain("hot: 1 since");
  });
});
