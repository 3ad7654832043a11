// Sweeps of tokens that keep a part of what is sent, on a real chain: what the account has got is booked,
// and what was lost on the way is an expense, so that the accounts agree with the books.

import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { accountCheckJob } from "../../service/ledger/account-check.ts";
import type { Chain } from "../../service/ports/chain.ts";
import { ChainOperations } from "../../service/sweeps/operations.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { chainUnavailable } from "../support/scripted-faults.ts";
import { query } from "../support/service-parts.ts";
import { useChain } from "../withdrawals/on-chain.ts";
import { feeToken, openChainScene } from "./on-chain-scene.ts";
import { ether, finalBlocks, whole } from "./scene.ts";

const world = useChain();
/** never the same address twice: the chain remembers */
let index = 500n;

beforeAll(async () => {
  const { node, signer } = world();
  await node.giveCoin(signer.accounts.settlementAddress, 10n * ether);
});

const hot = () => world().signer.accounts.hotAddress;
const minute = 60_000;
const hour = 60 * minute;

/** `nodes` of which some have forgotten what there was in older blocks. */
async function openFees(
  name: string,
  { isMarked = true, nodes = { areForgetful: false, asked: 0 } } = {},
) {
  const { node } = world();
  const chain = {
    ...world().chain,
    balanceAt: (...of: Parameters<Chain["balanceAt"]>) => {
      nodes.asked += 1;
      if (nodes.areForgetful) throw chainUnavailable();
      return world().chain.balanceAt(...of);
    },
  };
  const token = await node.deploy(name);
  const scene = await openChainScene({ ...world(), chain }, token, { isMarked });
  const { database, clock } = scene;
  await rememberOwnAccounts(scene, [{ account: hot(), role: "hot" }]);
  const told: string[] = [];
  const job = accountCheckJob({
    ...scene,
    own: [],
    chainOf: (id) => (id === chain.chainId ? chain : undefined),
    toldFromRaw: () => Promise.resolve(1n),
    onDifference: ({ deploymentId, account, heldRaw, bookedRaw }) =>
      told.push(`${deploymentId} ${account} ${heldRaw - bookedRaw}`),
    onUncompared: ({ deploymentId }) => told.push(`${deploymentId} uncompared`),
    onUnanswered: ({ deploymentId }, addresses) =>
      told.push(`${deploymentId} ${addresses} unanswered`),
  });
  const process = scene.startProcess();
  const step = async (): Promise<void> => {
    await process.sweep();
    await process.send();
  };
  return {
    ...scene,
    process,
    step,
    held: (address: string) => node.balanceOf(address, token),
    arriveFees: async (amountRaw: bigint) =>
      scene.arrive((index += 1n), amountRaw, feeToken.deploymentId),
    settle: async (): Promise<void> => {
      for (let round = 0; round < 4; round++) {
        await step();
        await node.mine(finalBlocks);
        clock.advance(20_000);
        await process.confirm();
      }
    },
    booked: (account: string) => scene.balance(account, feeToken.deploymentId),
    sweeps: () =>
      query(
        database,
        sql<{ status: string; left: string; arrived: string }>`
          select status, left_raw::text as left, arrived_raw::text as arrived from sweeps`,
      ),
    /** What people are told of the token, by two comparisons of the newest block. */
    compare: async (): Promise<readonly string[]> => {
      const { number, hash, time } = await chain.head();
      await query(database, sql`delete from chain_blocks`);
      await query(
        database,
        sql.raw(`
          with cursor as (
            insert into chain_cursors (chain_id, block_number, block_hash, block_time,
              checked_number, head_number, looked_at, updated_at)
            values ('${chain.chainId}', ${number}, '0x', now(), ${number}, ${number}, now(), now())
            on conflict (chain_id) do update set checked_number = excluded.checked_number
            returning chain_id)
          insert into chain_blocks (chain_id, block_number, block_hash, parent_hash, block_time)
          select chain_id, ${number}, '${hash}', '0x', '${time.toISOString()}' from cursor`),
      );
      told.length = 0;
      for (let times = 0; times < 2; times++) {
        while ((await job.run()).isMore);
        clock.advance(hour);
      }
      return told.filter((one) => one.startsWith(feeToken.deploymentId));
    },
  };
}

describe.each(["FeeToken", "ShortToken", "BackFeeToken"])("of %s", (name) => {
  test("what came is booked, and what was lost; nobody is told of what the catalog says", async () => {
    const scene = await openFees(name);
    await scene.arriveFees(100n * whole);
    await scene.settle();
    expect(await scene.sweeps()).toEqual([
      { status: "moved", left: "100000000", arrived: "99000000" },
    ]);
    expect(await scene.held(hot())).toBe(99n * whole);
    expect(await scene.booked("chain:hot")).toBe(99n * whole);
    expect(await scene.booked("platform:gas")).toBe(whole);
    expect(await scene.booked("chain:deposit_addresses")).toBe(0n);
    expect(scene.alarms).toEqual([]);
    expect(await scene.compare()).toEqual([]);
    expect(await scene.isLedgerWhole()).toBe(true);
  });
});

test("two sweeps in one block: each is told from the other, and mined ones make no difference", async () => {
  const { node } = world();
  const scene = await openFees("ShortToken");
  await scene.arriveFees(100n * whole);
  await scene.arriveFees(33n * whole);
  // Coin for their transfers first, then these, mined and not yet final.
  await scene.step();
  await node.mine(finalBlocks);
  scene.clock.advance(20_000);
  await scene.process.confirm();
  await scene.step();
  await node.mine(1);
  expect(await scene.held(hot())).toBe((133n * whole * 99n) / 100n);
  expect(await scene.compare()).toEqual([]);
  await scene.settle();
  expect((await scene.sweeps()).map(({ arrived }) => arrived).toSorted()).toEqual([
    "32670000",
    "99000000",
  ]);
  expect(await scene.booked("chain:hot")).toBe((133n * whole * 99n) / 100n);
  expect(await scene.compare()).toEqual([]);
});

test("what nodes cannot say waits, holds up nothing else, and people are told", async () => {
  const { node } = world();
  const nodes = { areForgetful: true, asked: 0 };
  const scene = await openFees("ShortToken", { nodes });
  await scene.arriveFees(100n * whole);
  await scene.settle();
  expect(await scene.sweeps()).toMatchObject([{ status: "moving" }]);
  // Coin for a transfer has come in the same round, and is booked.
  expect(await scene.booked("chain:deposit_addresses")).toBe(100n * whole);
  scene.clock.advance(hour);
  await node.mine(1);
  await scene.process.confirm();
  const told = () => scene.alarms.filter(([what]) => what === "move_unmeasured");
  expect(told()).toHaveLength(1);
  // Every half an hour for a day: it is no news any more, and the list of what is not final says it.
  for (let times = 0; times < 48; times++) {
    scene.clock.advance(hour / 2);
    await scene.process.confirm();
  }
  expect(told()).toHaveLength(1);
  const [open] = await new ChainOperations(scene).openOutgoing();
  expect(open?.problem).toBe("the nodes do not say what it has moved");
  nodes.areForgetful = false;
  scene.clock.advance(10 * minute);
  await scene.process.confirm();
  expect(await scene.sweeps()).toMatchObject([{ status: "moved", arrived: "99000000" }]);
});

test("what nodes cannot say is asked ever more rarely, every ten minutes in the end", async () => {
  const nodes = { areForgetful: true, asked: 0 };
  const scene = await openFees("ShortToken", { nodes });
  await scene.arriveFees(100n * whole);
  await scene.settle();
  nodes.asked = 0;
  for (let times = 0; times < 360; times++) {
    scene.clock.advance(10_000);
    await scene.process.confirm();
  }
  // While the waiting doubles up to ten minutes, and every ten minutes after that.
  expect(nodes.asked).toBeLessThanOrEqual(12);
  expect(nodes.asked).toBeGreaterThanOrEqual(8);
});

test("what was measured while nodes knew it is not asked for when it is final", async () => {
  const { node } = world();
  const nodes = { areForgetful: false, asked: 0 };
  const scene = await openFees("ShortToken", { nodes });
  await scene.arriveFees(100n * whole);
  await scene.step();
  await node.mine(finalBlocks);
  scene.clock.advance(20_000);
  await scene.process.confirm();
  await scene.step();
  await node.mine(1);
  scene.clock.advance(20_000);
  await scene.process.confirm();
  expect(await scene.sweeps()).toMatchObject([{ status: "moving" }]);
  nodes.areForgetful = true;
  await node.mine(finalBlocks);
  scene.clock.advance(20_000);
  await scene.process.confirm();
  expect(await scene.sweeps()).toMatchObject([{ status: "moved", arrived: "99000000" }]);
});

test("a tenth and more is told of all the same", async () => {
  const scene = await openFees("GreedyToken");
  await scene.arriveFees(100n * whole);
  await scene.settle();
  expect(await scene.booked("chain:hot")).toBe(80n * whole);
  expect(scene.alarms).toContainEqual([
    "sweep_lost_something",
    expect.objectContaining({ lost_raw: "20000000" }),
  ]);
});

test("a token that the catalog does not mark: the comparison of the accounts tells of it", async () => {
  const scene = await openFees("ShortToken", { isMarked: false });
  await scene.arriveFees(100n * whole);
  await scene.settle();
  expect(await scene.booked("chain:hot")).toBe(100n * whole);
  expect(await scene.compare()).toEqual([`${feeToken.deploymentId} hot -${whole}`]);
});

test("one that charges its sender cannot be swept as a whole: it stays, and is said", async () => {
  const scene = await openFees("TopToken");
  await scene.arriveFees(100n * whole);
  await scene.settle();
  expect(await scene.sweeps()).toEqual([]);
  expect(scene.alarms.map(([what]) => what)).toContain("sweep_failed");
  expect(await scene.booked("chain:deposit_addresses")).toBe(100n * whole);
  expect(await scene.compare()).toEqual([]);
});
