// What the watcher makes of a chain that does what chains do.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { ChainHealth } from "../../service/chains/health.ts";
import { watcherJobs } from "../../service/chains/watcher.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { blockSeconds } from "../support/scripted-chain.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import {
  drain,
  endlessToken,
  finalizedToken,
  highValueRaw,
  safeToken,
  startWatching,
  testToken,
  token,
  tokenDeployment,
} from "./watching.ts";

const whole = 1_000_000n;

describe.each(engines)("on %s", (engine) => {
  const open = async (options = {}) => startWatching(await openDatabase(engine), options);

  test("begins a little before the head, and reads what comes after it", async () => {
    const { chain, cursor, drain, mine, run } = await open({ blocks: 100 });
    expect(await run()).toMatchObject({ done: 0, isMore: true });
    expect((await cursor())?.block_number).toBe(100n - 32n);
    await drain();
    expect((await cursor())?.block_number).toBe(100n);
    mine(3);
    expect(await run()).toEqual({ done: 3, isMore: false, lagMilliseconds: 0 });
    const { number, hash } = await chain.head();
    expect(await cursor()).toMatchObject({ block_number: number, block_hash: hash });
    expect(await run()).toMatchObject({ done: 0, isMore: false });
  });

  test("begins before the first payment that could be paid there, however late it is connected", async () => {
    const { chain, cursor, drain, mine, newPayment, run, statuses } = await open({ blocks: 200 });
    const { address: to } = await newPayment();
    chain.deposit({ to, contractAddress: token, amountRaw: whole });
    mine(150);
    expect(await run()).toMatchObject({ done: 0, isMore: true });
    // Five minutes before, since the clocks may differ.
    const distance = 300 / blockSeconds;
    expect((await cursor())?.block_number).toBe(200n - BigInt(distance));
    await drain();
    expect(await statuses()).toEqual(["final"]);
  });

  test("a deposit is seen at once, and final when it is deep enough", async () => {
    const { chain, deposits, drain, mine, newPayment, sums } = await open();
    const payment = await newPayment();
    await drain();
    const txHash = chain.deposit({
      to: payment.address,
      contractAddress: token,
      amountRaw: 25n * whole,
    });
    mine();
    await drain();
    const { number, hash } = await chain.head();
    const row = {
      tx_hash: txHash,
      log_index: 0,
      deployment_id: tokenDeployment.id,
      payment_id: payment.id,
      amount: "25000000",
      block_number: number,
      block_hash: hash,
    };
    expect(await deposits()).toEqual([{ ...row, status: "seen" }]);
    expect(await sums()).toEqual({ [payment.id]: { seen: "25000000", final: "0", times: 1 } });
    mine();
    await drain();
    expect(await deposits()).toEqual([{ ...row, status: "seen" }]);
    mine();
    await drain();
    expect(await deposits()).toEqual([{ ...row, status: "final" }]);
    expect(await sums()).toEqual({ [payment.id]: { seen: "0", final: "25000000", times: 2 } });
  });

  test("several deposits of one transaction, one block, one payment are several", async () => {
    const { chain, deposits, drain, mine, newPayment, sums } = await open();
    const [one, other] = [await newPayment(), await newPayment()];
    await drain();
    const first = { contractAddress: token, amountRaw: whole };
    chain.deposit({ to: one.address, ...first }, { to: other.address, ...first });
    chain.deposit({ to: one.address, amountRaw: 10n ** 18n });
    mine();
    await drain();
    expect(await deposits()).toHaveLength(3);
    expect(Object.values(await sums()).map(({ times }) => times)).toEqual([1, 1]);
  });

  test("knows only the contracts of the catalog, and only our addresses (threat 30)", async () => {
    const { chain, deposits, drain, mine, newPayment } = await open();
    const { address } = await newPayment();
    await drain();
    chain.deposit({ to: address, contractAddress: addressOf("fake token"), amountRaw: whole });
    chain.deposit({ to: addressOf("a stranger"), contractAddress: token, amountRaw: whole });
    mine();
    await drain();
    expect(await deposits()).toEqual([]);
  });

  test("what an account of ours sends there is no deposit: it pays for the sweep (threat 67)", async () => {
    const { chain, database, deposits, drain, mine, newPayment } = await open();
    const { address: to } = await newPayment();
    await drain();
    const [ours, elsewhere] = [addressOf("settlement"), addressOf("settlement of others")];
    await query(database)`insert into sender_accounts (chain_id, account)
      values (${sql.lit(chain.chainId)}, ${sql.lit(ours)}), ('eip155:99', ${sql.lit(elsewhere)})`;
    chain.deposit({ to, amountRaw: 10n ** 18n, from: ours });
    const txHash = chain.deposit({ to, amountRaw: 10n ** 18n, from: elsewhere });
    mine();
    await drain();
    expect(await deposits()).toMatchObject([{ tx_hash: txHash }]);
  });

  test("zero and dust change nothing (threats 76 and 77)", async () => {
    const { chain, deposits, drain, mine, newPayment, sums } = await open();
    const { address } = await newPayment({ dueRaw: 25n * whole });
    const large = await newPayment({ dueRaw: 10n ** 6n * whole });
    await drain();
    const send = (to: string, amountRaw: bigint, contractAddress: string | null = token) =>
      chain.deposit({ to, contractAddress, amountRaw });
    send(address, 0n);
    // A ten-thousandth of 25 tokens is 2500 units.
    send(address, 2_499n);
    // Of a million tokens it would be 100; a cent is enough to count.
    send(large.address, 9_999n);
    send(address, 0n, null);
    send(address, 1n, null);
    mine();
    await drain();
    expect(await deposits()).toEqual([]);
    expect(await sums()).toEqual({});
    send(address, 2_500n);
    send(large.address, 10_000n);
    mine();
    await drain();
    expect((await deposits()).map(({ amount }) => amount).toSorted()).toEqual(["10000", "2500"]);
  });

  test("money for a payment that is over, or in another currency, is not overlooked", async () => {
    const { chain, deposits, drain, mine, newPayment } = await open();
    const over = await newPayment({ status: "cancelled" });
    await drain();
    for (const contractAddress of [token, safeToken, endlessToken]) {
      chain.deposit({ to: over.address, contractAddress, amountRaw: whole });
    }
    mine();
    await drain();
    expect(await deposits()).toHaveLength(3);
  });

  test("coins of a test network are nothing to a live payment", async () => {
    const { chain, deposits, drain, mine, newPayment } = await open({
      chainId: "eip155:11155111",
    });
    const live = await newPayment();
    const trial = await newPayment({ environment: "test" });
    await drain();
    for (const { address: to } of [live, trial]) {
      chain.deposit({ to, contractAddress: testToken, amountRaw: whole });
    }
    mine();
    await drain();
    expect(await deposits()).toMatchObject([{ payment_id: trial.id }]);
  });

  test("waits for the chain's word where the rule asks for it", async () => {
    const { chain, deposits, drain, mine, newPayment } = await open();
    const { address: to } = await newPayment();
    await drain();
    const contracts = [token, safeToken, finalizedToken, endlessToken];
    for (const contractAddress of contracts) {
      chain.deposit({ to, contractAddress, amountRaw: whole });
    }
    mine();
    const finalAfter: Record<string, number> = {};
    for (let depth = 1; depth <= 12; depth++) {
      await drain();
      for (const row of await deposits()) {
        if (row.status === "final") finalAfter[row.deployment_id] ??= depth;
      }
      mine();
    }
    const of = (contract: string) => finalAfter[`dep_${contract.slice(-8).toLowerCase()}`];
    // Three deep; five and eight blocks behind the head; never.
    expect(contracts.map(of)).toEqual([3, 6, 9, undefined]);
  });

  test("a chain that has no such word makes nothing final", async () => {
    const { chain, drain, mine, newPayment, statuses } = await open({ safeLag: undefined });
    const { address: to } = await newPayment();
    await drain();
    chain.deposit({ to, contractAddress: safeToken, amountRaw: whole });
    mine(30);
    await drain();
    expect(await statuses()).toEqual(["seen"]);
  });

  test("a high value waits longer, in one piece or in many", async () => {
    const { chain, drain, mine, newPayment, sums } = await open();
    const [one, many] = [await newPayment(), await newPayment()];
    const even = await newPayment();
    await drain();
    const send = (to: string, amountRaw: bigint) =>
      chain.deposit({ to, contractAddress: token, amountRaw });
    send(one.address, highValueRaw + 1n);
    for (let part = 0; part < 3; part++) send(many.address, highValueRaw / 2n);
    mine();
    send(even.address, highValueRaw);
    mine(4);
    await drain();
    const finals = async () => Object.values(await sums()).map(({ final }) => BigInt(final));
    expect(await finals()).toEqual([0n, 0n, highValueRaw]);
    mine();
    await drain();
    expect(await finals()).toEqual([highValueRaw + 1n, (highValueRaw * 3n) / 2n, highValueRaw]);
  });

  test("far behind it reads on in bounded runs", async () => {
    const { drain, cursor, mine, newPayment, chain, run, statuses } = await open();
    const { address: to } = await newPayment();
    await drain();
    for (let count = 0; count < 5; count++) {
      chain.deposit({ to, contractAddress: token, amountRaw: whole });
      mine(50);
    }
    expect(await run()).toMatchObject({ done: 102, isMore: true });
    expect((await cursor())?.block_number).toBe(140n);
    await drain();
    expect((await cursor())?.block_number).toBe(290n);
    expect(await statuses()).toEqual(Array.from({ length: 5 }, () => "final"));
  });

  test("a chain that the catalog does not know is not watched", async () => {
    const { cursor, run } = await open({ chainId: "eip155:999" });
    expect(await run()).toEqual({ done: 0, isMore: false });
    expect(await cursor()).toBeUndefined();
  });

  test("what cannot be followed up is not written down", async () => {
    const { chain, cursor, deposits, drain: drainAll, mine, newPayment, watcher } = await open();
    const { address: to } = await newPayment();
    await drainAll();
    const before = await cursor();
    chain.deposit({ to, contractAddress: token, amountRaw: whole });
    mine();
    const failing = watcher({ onTouched: () => Promise.reject(new Error("no")) });
    await expect(failing.run()).rejects.toThrow("no");
    expect(await cursor()).toEqual(before);
    expect(await deposits()).toEqual([]);
    await drain(watcher());
    expect(await deposits()).toHaveLength(1);
  });

  test("what fails for want of the database, or before payments hear of it, is postponed for nobody", async () => {
    const { chain, deposits, drain: drainAll, mine, newPayment, watcher } = await open();
    const { address: to } = await newPayment();
    await drainAll();
    chain.deposit({ to, contractAddress: token, amountRaw: whole });
    mine();
    const postponed: string[] = [];
    const postpone = (_: Database, ids: readonly string[]) => {
      postponed.push(...ids);
      return Promise.resolve();
    };
    const gone = new ServiceError("service_unavailable", "away");
    const onTouched = () => Promise.reject(gone);
    await expect(watcher({ onTouched, postpone }).run()).rejects.toBe(gone);
    let tries = 0;
    const onStep = (step: string): void => {
      if (step !== "cursor_moved") return;
      tries += 1;
      throw new Error("no");
    };
    await expect(watcher({ onStep, postpone }).run()).rejects.toThrow("no");
    expect([tries, postponed, await deposits()]).toEqual([1, [], []]);
  });

  test("what one watcher decided by is no longer so when another has moved on", async () => {
    const { chain, drain: drainAll, mine, newPayment, statuses, watcher } = await open();
    const { address: to } = await newPayment();
    await drainAll();
    chain.deposit({ to, contractAddress: token, amountRaw: whole });
    mine(3);
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const slow = watcher({
      onStep: async (step) => {
        if (step !== "second_look_done") return;
        reached.resolve(undefined);
        await released.promise;
      },
    });
    const run = slow.run();
    await reached.promise;
    mine();
    const killed = watcher({
      onStep: (step) => {
        if (step === "second_look_done") throw new Error("killed");
      },
    });
    await expect(killed.run()).rejects.toThrow("killed");
    released.resolve(undefined);
    expect(await run).toEqual({ done: 0, isMore: true });
    expect(await statuses()).toEqual(["seen"]);
    await drainAll();
    expect(await statuses()).toEqual(["final"]);
  });

  test("says how old its view is, and when it is too old to decide on", async () => {
    const { chain, clock, database, drain, mine, run } = await open();
    const health = new ChainHealth({ database, clock });
    expect(await health.isStale("eip155:1")).toBe(true);
    await drain();
    expect(await health.list()).toMatchObject([
      { chainId: "eip155:1", blockNumber: 40n, behindBlocks: 0n, isStale: false },
    ]);
    // The node answers, and its chain stands still.
    clock.advance(300_000);
    expect(await run()).not.toHaveProperty("isHindered");
    expect(await health.isStale("eip155:1")).toBe(false);
    clock.advance(1);
    // Another process may have a node that knows more.
    expect(await run()).toMatchObject({ isHindered: true });
    expect(await health.isStale("eip155:1")).toBe(true);
    chain.mine(1, clock.now());
    await drain();
    expect(await health.isStale("eip155:1")).toBe(false);
    // It does not answer.
    chain.faults.next("head", { kind: "unavailable" });
    mine(9);
    clock.advance(13_000);
    await expect(run()).rejects.toMatchObject({ code: "chain_unavailable" });
    expect(await health.isStale("eip155:1")).toBe(true);
  });

  test("each chain has a job of its own, with a name that the table of jobs takes", async () => {
    const { chain, clock, database, watcher } = await open();
    const catalog = { allDeployments: () => Promise.resolve([]) };
    const onTouched = () => Promise.resolve();
    const jobs = watcherJobs({ database, clock, catalog, onTouched, chains: [chain] });
    expect(jobs.map(({ name }) => name)).toEqual(["watch-eip155-1"]);
    expect(await jobs[0]?.run()).toEqual({ done: 0, isMore: false });
    expect(watcherJobs({ database, clock, catalog, onTouched, chains: [] })).toEqual([]);
    await drain(watcher());
  });
});
