// What each account of ours holds against the books, as of one block: money that nobody booked shows,
// and what is under way does not.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, coin, ether, finalBlocks, usdc, whole } from "../sending/scene.ts";
import { engines } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { cent, hour, openCheck, treasury } from "./account-scene.ts";

const stranger = addressOf("a stranger");

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

  test("addresses of payments are compared each with its deposits", async () => {
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
    const { chain, read, compare, hot, admin, runOnce } = await openCheck(engine);
    chain.deposit({ to: hot, amountRaw: whole, contractAddress: usdc.contractAddress });
    chain.mine();
    await read();
    expect(await compare()).toEqual([`${usdc.deploymentId} hot ${whole}`]);
    expect(await runOnce()).toEqual({ done: 3, isMore: false });
    chain.faults.next("balanceAt", { kind: "unavailable" }, Number.POSITIVE_INFINITY);
    expect(await compare()).toContain(`${usdc.deploymentId} uncompared`);
    expect(await runOnce()).toEqual({ done: 0, isMore: false, isHindered: true });
    chain.faults.clear();
    // A block that is of no branch any more says nothing.
    chain.reorg(1);
    expect(await compare()).toContain(`${usdc.deploymentId} uncompared`);
    expect((await admin("ledger balances")).output).toContain("hot: 1 since");
  });
});
