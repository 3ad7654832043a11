// A chain whose answers are late, old, cut off, forged or those of another chain (threats 26 to 28).

import { describe, expect, test } from "vitest";
import { engines, openDatabase } from "../support/engines.ts";
import { addressOf, hashOf } from "../support/scripted-signer.ts";
import { cautiousToken, changedChain, drain, safeToken, startWatching, token } from "./watching.ts";
import type { Watching } from "./watching.ts";

const whole = 1_000_000n;
const unavailable = { code: "chain_unavailable" };

describe.each(engines)("on %s", (engine) => {
  const open = async () => startWatching(await openDatabase(engine));

  async function pay({ chain, newPayment }: Watching) {
    const payment = await newPayment();
    chain.deposit({ to: payment.address, contractAddress: token, amountRaw: whole });
    return payment;
  }

  test("an old head takes nothing back, and makes nothing final", async () => {
    const watching = await open();
    const { chain, mine, run } = watching;
    await watching.drain();
    await pay(watching);
    mine(2);
    await watching.drain();
    const before = await watching.cursor();
    for (const blocks of [1, 2, 10]) {
      chain.faults.next("head", { kind: "old", blocks });
      expect(await run()).toMatchObject({ done: 0, isMore: false });
      expect(await watching.cursor()).toEqual(before);
      expect(await watching.statuses()).toEqual(["seen"]);
    }
  });

  test("another chain behind the same address is not believed, not even at the start", async () => {
    const watching = await open();
    const { chain, mine, run } = watching;
    chain.faults.next("head", { kind: "other_chain" });
    await expect(run()).rejects.toMatchObject(unavailable);
    expect(await watching.cursor()).toBeUndefined();
    await watching.drain();
    await pay(watching);
    mine(5);
    const before = await watching.cursor();
    // Its blocks, under our own chain's head: once, and for good.
    chain.faults.next("block", { kind: "other_chain" });
    await expect(run()).rejects.toMatchObject(unavailable);
    chain.faults.next("block", { kind: "other_chain" }, Number.POSITIVE_INFINITY);
    await expect(run()).rejects.toThrow("oldest that is kept");
    expect(await watching.cursor()).toEqual(before);
    expect(await watching.deposits()).toEqual([]);
    chain.faults.clear();
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
  });

  test("whatever call fails, the next run does the rest", async () => {
    const watching = await open();
    const { chain, mine, run } = watching;
    await watching.drain();
    for (const method of ["head", "block"] as const) {
      await pay(watching);
      mine(4);
      chain.faults.next(method, { kind: "unavailable" });
      await expect(run()).rejects.toMatchObject(unavailable);
      await watching.drain();
    }
    expect(await watching.statuses()).toEqual(["final", "final"]);
  });

  test("a block delivered twice, or in place of another, counts once (threat 26)", async () => {
    const watching = await open();
    const { chain, mine, run } = watching;
    await watching.drain();
    await pay(watching);
    mine();
    await watching.drain();
    mine();
    chain.faults.next("block", { kind: "old", blocks: 1 });
    await expect(run()).rejects.toMatchObject(unavailable);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["seen"]);
  });

  test("a block that is not there yet is waited for, and nothing becomes final meanwhile", async () => {
    const watching = await open();
    const { chain, mine } = watching;
    await watching.drain();
    await pay(watching);
    mine(2);
    await watching.drain();
    mine();
    const late = watching.watcher({
      chain: changedChain(chain, { block: () => Promise.resolve(undefined) }),
    });
    expect(await late.run()).toMatchObject({ done: 0, isMore: false });
    expect(await watching.statuses()).toEqual(["seen"]);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
  });

  test("transfers that the first answer left out are found by the second (threat 28)", async () => {
    const watching = await open();
    const { chain, mine, sums } = watching;
    await watching.drain();
    const payment = await pay(watching);
    mine();
    chain.faults.next("block", { kind: "no_transfers" });
    await watching.drain();
    expect(await watching.deposits()).toEqual([]);
    mine(3);
    await watching.drain();
    expect(await watching.statuses()).toEqual(["final"]);
    expect((await sums())[payment.id]).toMatchObject({ final: "1000000" });
  });

  test("a transfer that only one answer knew never becomes final (threat 27)", async () => {
    const watching = await open();
    const { chain, mine, newPayment, run } = watching;
    const { address: to } = await newPayment();
    await watching.drain();
    mine();
    const txHash = hashOf("never sent");
    const from = to;
    const transfer = {
      txHash,
      logIndex: 0,
      contractAddress: safeToken,
      from,
      to,
      amountRaw: whole,
    };
    chain.faults.next("block", { kind: "forged", transfer });
    await run();
    expect(await watching.statuses()).toEqual(["seen"]);
    for (let count = 0; count < 4; count++) {
      mine(3);
      await expect(run()).rejects.toMatchObject(unavailable);
    }
    expect(await watching.statuses()).toEqual(["seen"]);
  });

  test.each([
    ["of another amount", { amountRaw: whole / 5n }],
    ["of another token", { contractAddress: cautiousToken }],
    ["to somebody else", { to: addressOf("a stranger") }],
    ["from somebody else", { from: addressOf("another payer") }],
  ])(
    "a transfer %s in the same place never becomes what one answer made of it",
    async (_, real) => {
      const watching = await open();
      const { chain, mine, newPayment, run } = watching;
      const { address: to } = await newPayment();
      await watching.drain();
      const forged = { to, contractAddress: token, amountRaw: whole, from: addressOf("a payer") };
      const txHash = chain.deposit({ ...forged, ...real });
      mine();
      const lying = changedChain(chain, {
        block: async (number, contracts) => {
          const block = await chain.block(number, contracts);
          if (block === undefined) return undefined;
          const transfers = block.transfers.map((one) => ({ ...one, ...forged }));
          return { ...block, transfers };
        },
      });
      await watching.watcher({ chain: lying }).run();
      expect(await watching.deposits()).toMatchObject([{ tx_hash: txHash, amount: `${whole}` }]);
      for (let count = 0; count < 4; count++) {
        mine(3);
        await expect(run()).rejects.toMatchObject(unavailable);
      }
      expect(await watching.statuses()).toEqual(["seen"]);
    },
  );

  test("what was read once is not final, however deep, while nobody says it again (threat 27)", async () => {
    const watching = await open();
    const { chain, mine, newPayment, watcher } = watching;
    const { address: to } = await newPayment();
    await watching.drain();
    const transfer = {
      txHash: hashOf("never sent"),
      logIndex: 0,
      contractAddress: cautiousToken,
      from: to,
      to,
      amountRaw: whole,
    };
    mine();
    chain.faults.next("block", { kind: "forged", transfer });
    await drain(watcher());
    expect(await watching.statuses()).toEqual(["seen"]);
    const forgedAt = (await watching.cursor())?.block_number ?? 0n;
    // New blocks are there, the one in question is not: some nodes forget what is old.
    const forgetful = watcher({
      chain: changedChain(chain, {
        block: async (number, contracts) =>
          number <= forgedAt ? undefined : await chain.block(number, contracts),
      }),
    });
    for (let count = 0; count < 4; count++) {
      mine(5);
      await drain(forgetful);
    }
    expect((await watching.cursor())?.block_number).toBe(forgedAt + 20n);
    expect(await watching.statuses()).toEqual(["seen"]);
    await expect(drain(watcher())).rejects.toMatchObject(unavailable);
    expect(await watching.statuses()).toEqual(["seen"]);
  });

  test("while the chain does not answer, the database waits for nobody", async () => {
    const watching = await open();
    const { chain, mine, newPayment, watcher } = watching;
    await watching.drain();
    await pay(watching);
    mine();
    const hanging = chain.faults.hang("block");
    const run = drain(watcher());
    await hanging.reached;
    await newPayment();
    await watching.drain();
    expect(await watching.statuses()).toEqual(["seen"]);
    hanging.release();
    await run;
    expect(await watching.statuses()).toEqual(["seen"]);
  });
});
