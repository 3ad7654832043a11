// A chain that takes only so many questions at once. What is too much for it is asked in smaller groups, or
// the watcher would ask for the same again, and be refused, for ever.

import { describe, expect, test } from "vitest";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { type BlockPosition, readLinked } from "../../service/chains/branches.ts";
import { GroupSize } from "../../service/chains/group-size.ts";
import type { Chain } from "../../service/ports/chain.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";
import { chainUnavailable } from "../support/scripted-faults.ts";
import { changedChain, startWatching, token } from "./watching.ts";

const amountRaw = 1_000_000n;

/** Long enough that every group is refused at first, and that growing again shows. */
const pause = 90;

test("a group is half as large after each failure, and twice as large after each success", async () => {
  const chain = new ScriptedChain();
  chain.mine(200);
  let most = 3;
  let open = 0;
  const small = changedChain(chain, {
    block: async (number, contracts) => {
      open += 1;
      await new Promise((resolve) => setImmediate(resolve));
      const isTooMuch = open > most;
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      if (isTooMuch) throw chainUnavailable();
      return await chain.block(number, contracts);
    },
  });
  const size = new GroupSize();
  const first = await chain.block(0n, []);
  if (first === undefined) throw new Error("a chain without a beginning");
  let after: BlockPosition = first;
  const sizes: (readonly [read: number, next: number])[] = [];
  const readOn = async (upTo: bigint): Promise<void> => {
    const { blocks } = await readLinked(small, { after, upTo, contracts: [token], size });
    after = blocks.at(-1) ?? after;
    sizes.push([blocks.length, size.of([token])]);
  };
  for (let count = 0; count < 6; count++) await readOn(50n);
  expect(sizes).toEqual([
    ...[10, 5, 2].map((next) => [0, next]),
    // Two are taken, four are not, and are asked for again after one, after two groups.
    ...[2, 2, 4].map((read) => [read, 2]),
  ]);
  most = 20;
  sizes.splice(0);
  const next = after.number + 8n + 4n + 8n + 16n + 20n;
  await readOn(next);
  expect(sizes).toEqual([[56, 20]]);
  // At once, whatever was taken before.
  most = 10;
  await readOn(next + 40n);
  expect(sizes.at(-1)).toEqual([0, 10]);
  expect(size.of([token, null])).toBe(4);
});

describe.each(engines)("on %s", (engine) => {
  /** @param limits.most blocks that it takes in one moment; all of them are refused where there are more */
  async function open(limits: { most: number }) {
    const watching = await startWatching(await openDatabase(engine), { blocks: 40 });
    const { chain } = watching;
    /** the numbers that were asked for in each moment */
    const moments: bigint[][] = [];
    let moment: bigint[] | undefined;
    const small = changedChain(chain, {
      block: async (number, contracts) => {
        if (moment === undefined) {
          moments.push((moment = []));
          setImmediate(() => (moment = undefined));
        }
        const asked = moment;
        asked.push(number);
        await new Promise((resolve) => setImmediate(resolve));
        if (asked.length > limits.most) throw chainUnavailable();
        return await chain.block(number, contracts);
      },
    });
    const watcher = watching.watcher({ chain: small });
    /** Also over runs that fail; how many of them did. */
    const catchUp = async (): Promise<number> => {
      let failed = 0;
      for (let count = 0; count < 300; count++) {
        const run = await watcher.run().catch((error: unknown) => {
          expect(error).toMatchObject({ code: "chain_unavailable" });
          failed += 1;
          return { isMore: true };
        });
        if (!run.isMore) return failed;
      }
      throw new Error("it does not catch up");
    };
    return { ...watching, watching, small, moments, catchUp };
  }

  test.each([1, 3, 6])("one that takes %d is caught up with, and read twice", async (most) => {
    const { chain, mine, newPayment, statuses, catchUp, cursor, moments } = await open({ most });
    const { address: to } = await newPayment();
    await catchUp();
    chain.deposit({ to, contractAddress: token, amountRaw });
    mine(pause);
    const failed = await catchUp();
    const { number } = await chain.head();
    expect(await cursor()).toMatchObject({ block_number: number, checked_number: number - 3n });
    expect(await statuses()).toEqual(["final"]);
    // Each halves the group: nothing is asked again as it was.
    expect(failed).toBeLessThanOrEqual(8);
    expect(moments.some((asked) => asked.length > most)).toBe(true);
  });

  test("one that fails in a second look is not asked again at once", async () => {
    const { watching, chain, mine, cursor } = await open({ most: 100 });
    await watching.drain();
    const checked = (await cursor())?.checked_number ?? 0n;
    /** whose answer is a failure, after two blocks that were read again */
    const broken = checked + 3n;
    const asked: bigint[] = [];
    const failing = changedChain(chain, {
      block: async (number, contracts) => {
        asked.push(number);
        if (number === broken) throw chainUnavailable();
        return await chain.block(number, contracts);
      },
    });
    mine(6);
    const watcher = watching.watcher({ chain: failing });
    for (let runs = 0; runs < 6; runs++) {
      asked.splice(0);
      await watcher.run().catch((error: unknown) => {
        expect(error).toMatchObject({ code: "chain_unavailable" });
      });
      expect(asked.filter((number) => number === broken)).toHaveLength(1);
    }
    const { number } = await chain.head();
    expect(await cursor()).toMatchObject({ block_number: number, checked_number: broken - 1n });
  });

  test.each([
    [1, 300],
    [3, 600],
  ])("one that takes %d is hardly ever asked in vain, in %d blocks", async (most, blocks) => {
    const { mine, catchUp, moments } = await open({ most });
    await catchUp();
    moments.splice(0);
    mine(blocks);
    await catchUp();
    const inVain = moments.flatMap(({ length }, at) => (length > most ? [at] : []));
    expect(inVain.length).toBeGreaterThan(0);
    expect(inVain.length).toBeLessThan(moments.length / 10);
    // Most of them at the beginning: from one to the next it takes longer and longer.
    const half = moments.length / 2;
    expect(inVain.filter((at) => at > half).length).toBeLessThanOrEqual(inVain.length / 2);
  });

  test("blocks that come one after another are hardly ever asked for in vain", async () => {
    const { mine, catchUp, moments } = await open({ most: 1 });
    await catchUp();
    moments.splice(0);
    let failed = 0;
    for (let count = 0; count < 60; count++) {
      mine();
      failed += await catchUp();
    }
    expect(moments.filter(({ length }) => length > 1)).toHaveLength(failed);
    // Both looks at once, after one block, two, four, and so on, and some of these were before.
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThanOrEqual(6);
  });

  test("what was read before a failure is kept, and no more than that", async () => {
    const { chain, mine, newPayment, deposits, catchUp, cursor, watching } = await open({
      most: 40,
    });
    const { address: to } = await newPayment();
    await catchUp();
    const from = (await cursor())?.block_number ?? 0n;
    mine(2);
    chain.deposit({ to, contractAddress: token, amountRaw });
    mine(8);
    const failing = changedChain(chain, {
      block: (number, contracts) =>
        number > from + 3n ? Promise.reject(chainUnavailable()) : chain.block(number, contracts),
    });
    const watcher = watching.watcher({ chain: failing });
    expect(await watcher.run()).toMatchObject({ isMore: true });
    expect(await cursor()).toMatchObject({ block_number: from + 3n, checked_number: from });
    expect(await deposits()).toHaveLength(1);
    await expect(watcher.run()).rejects.toMatchObject({ code: "chain_unavailable" });
    expect(await cursor()).toMatchObject({ block_number: from + 3n, checked_number: from });
  });

  test("blocks that nobody has read a second time are not forgotten", async () => {
    const { chain, mine, newPayment, statuses, catchUp, cursor, watching } = await open({
      most: 40,
    });
    const { address: to } = await newPayment();
    await catchUp();
    const from = (await cursor())?.block_number ?? 0n;
    mine(2);
    chain.deposit({ to, contractAddress: token, amountRaw });
    mine(pause);
    const asked = new Set<bigint>();
    let isRefusing = true;
    const once = changedChain(chain, {
      block: (number, contracts) => {
        if (isRefusing && asked.has(number)) return Promise.reject(chainUnavailable());
        asked.add(number);
        return chain.block(number, contracts);
      },
    });
    const watcher = watching.watcher({ chain: once, limits: { keptBlocks: 10n } });
    for (let count = 0; count < 10; count++) await watcher.run().catch(() => undefined);
    const behind = await cursor();
    expect(behind?.block_number).toBeGreaterThan(from + 50n);
    expect(behind?.checked_number).toBe(from);
    const [kept] = await query(watching.database)<{ first: bigint; count: number }>`
      select min(block_number) as first, count(*)::int as count from chain_blocks
      where block_number > ${from}`;
    expect(kept).toEqual({
      first: from + 1n,
      count: Number((behind?.block_number ?? 0n) - from),
    });
    isRefusing = false;
    for (let isMore = true; isMore;) ({ isMore } = await watcher.run());
    expect((await cursor())?.checked_number).toBeGreaterThan(from + 50n);
    expect(await statuses()).toEqual(["final"]);
  });

  test("a branch that is longer than what it takes is followed as a whole", async () => {
    const { chain, mine, newPayment, statuses, catchUp, cursor } = await open({ most: 3 });
    const { address: to } = await newPayment();
    await catchUp();
    chain.deposit({ to, contractAddress: token, amountRaw });
    mine();
    await catchUp();
    chain.reorg(1, { length: 30 });
    await catchUp();
    expect((await cursor())?.block_number).toBe((await chain.head()).number);
    expect(await statuses()).toEqual(["final"]);
  });

  test.each([1, 3])("one that takes %d can be read again by an operator", async (most) => {
    const { chain, small, mine, newPayment, catchUp, rescan, moments } = await open({ most });
    const { address: to } = await newPayment();
    await catchUp();
    const from = (await chain.head()).number;
    chain.deposit({ to, contractAddress: token, amountRaw });
    mine(pause);
    await catchUp();
    moments.splice(0);
    const again = rescan({ chainOf: () => Promise.resolve(small) });
    expect(await again.run(small.chainId, from, { isDryRun: true })).toMatchObject({
      fromNumber: from,
      toNumber: from + BigInt(pause),
      changes: [],
      same: 1,
      otherBlocks: 0,
    });
    expect(moments.filter(({ length }) => length > most).length).toBeLessThan(10);
  });

  test("an operator is told of one that takes nothing", async () => {
    const { small, mine, catchUp, rescan } = await open({ most: 40 });
    await catchUp();
    mine(5);
    await catchUp();
    const refusing: Chain = {
      ...small,
      block: (at, contracts) =>
        contracts.length === 0 ? small.block(at, []) : Promise.reject(chainUnavailable()),
    };
    const { number } = await small.head();
    const again = rescan({ chainOf: () => Promise.resolve(refusing) });
    await expect(again.run(small.chainId, number, { isDryRun: true })).rejects.toThrow(
      "The chain does not answer",
    );
  });

  test("groups grow again where it takes more", async () => {
    const limits = { most: 3 };
    const { mine, catchUp, moments } = await open(limits);
    await catchUp();
    mine(pause);
    await catchUp();
    limits.most = 40;
    moments.splice(0);
    for (let count = 0; count < 3; count++) {
      mine(pause);
      expect(await catchUp()).toBe(0);
    }
    // Where coins are watched, four blocks and the last three a second time.
    expect(Math.max(...moments.map(({ length }) => length))).toBe(7);
    // One after another: both looks are in one moment again.
    moments.splice(0);
    mine();
    expect(await catchUp()).toBe(0);
    expect(moments.map(({ length }) => length)).toEqual([2]);
  });
});
