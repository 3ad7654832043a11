// Sweeps on a real chain, with the keys in their own process: each of the three kinds moves what is
// there once, whatever dies when, and the ledger says what the chain says.

import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { leaseMilliseconds } from "../../service/sending/lease.ts";
import { query } from "../support/service-parts.ts";
import { runUntilKilled, useChain } from "../withdrawals/on-chain.ts";
import { feeToken, openChainScene } from "./on-chain-scene.ts";
import type { ChainScene } from "./on-chain-scene.ts";
import { coin, ether, finalBlocks, usdc, whole } from "./scene.ts";

const world = useChain();
let feeAddress: string;
let scene: ChainScene;
/** never the same address twice: the chain remembers */
let index = 100n;

beforeAll(async () => {
  const { node, signer } = world();
  await node.giveCoin(signer.accounts.settlementAddress, 10n * ether);
  feeAddress = await node.deploy("FeeToken");
});

beforeEach(async () => {
  await world().node.mine(2);
  scene = await openChainScene(world(), feeAddress);
  index += 1n;
});

const hot = () => world().signer.accounts.hotAddress;
const settlement = () => world().signer.accounts.settlementAddress;
const held = (address: string, contract: string | null) =>
  world().node.balanceOf(address, contract);

/** As long as it takes until nothing more happens. */
async function settle(process = scene.startProcess(), rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await process.sweep();
    await process.send();
    await world().node.mine(finalBlocks);
    scene.clock.advance(20_000);
    await process.confirm();
  }
}

const sweeps = () =>
  query(
    scene.database,
    sql<{ status: string; method: string; left: string; arrived: string }>`
      select status, method, left_raw::text as left, arrived_raw::text as arrived from sweeps`,
  );

/** What the accounts of the ledger say of a coin has to be what the chain says. */
async function expectCoinAsBooked(before: bigint, address: string, given = 0n): Promise<void> {
  const change = (await held(settlement(), null)) - before;
  expect(await scene.balance("chain:settlement", coin.deploymentId)).toBe(change);
  const atAddress = (await held(address, null)) - given;
  expect(await scene.balance("chain:deposit_addresses", coin.deploymentId)).toBe(atAddress);
}

test("a token with EIP-3009 leaves an address that never had any coin", async () => {
  const address = await scene.arrive(index, 25n * whole);
  const before = await held(hot(), usdc.contractAddress);
  const coinBefore = await held(settlement(), null);
  await settle();
  expect(await sweeps()).toMatchObject([{ status: "moved", method: "collect" }]);
  expect((await held(hot(), usdc.contractAddress)) - before).toBe(25n * whole);
  expect(await held(address, usdc.contractAddress)).toBe(0n);
  expect(await scene.balance("chain:hot")).toBe(25n * whole);
  expect(await scene.balance("chain:deposit_addresses")).toBe(0n);
  await expectCoinAsBooked(coinBefore, address);
  expect(await scene.isLedgerWhole()).toBe(true);
});

test("the chain's own coin leaves but for its gas", async () => {
  const address = await scene.arrive(index, ether, coin.deploymentId);
  const before = await held(hot(), null);
  await settle();
  expect(await sweeps()).toMatchObject([{ status: "moved", method: "transfer" }]);
  const arrived = (await held(hot(), null)) - before;
  expect(arrived).toBeGreaterThan((ether * 99n) / 100n);
  expect(await scene.balance("chain:hot", coin.deploymentId)).toBe(arrived);
  const left = await scene.balance("chain:deposit_addresses", coin.deploymentId);
  expect(left).toBe(await held(address, null));
  expect(await scene.isLedgerWhole()).toBe(true);
});

test("a token that keeps a part gets coin first, and the part is an expense", async () => {
  const address = await scene.arrive(index, 100n * whole, feeToken.deploymentId);
  const coinBefore = await held(settlement(), null);
  const before = await held(hot(), feeAddress);
  await settle();
  expect(await sweeps()).toMatchObject([
    { status: "moved", method: "topped_up", left: "100000000", arrived: "99000000" },
  ]);
  expect((await held(hot(), feeAddress)) - before).toBe(99n * whole);
  expect(await scene.balance("chain:hot", feeToken.deploymentId)).toBe(99n * whole);
  expect(await scene.balance("platform:gas", feeToken.deploymentId)).toBe(whole);
  expect(await scene.balance("chain:deposit_addresses", feeToken.deploymentId)).toBe(0n);
  await expectCoinAsBooked(coinBefore, address);
  expect(await scene.isLedgerWhole()).toBe(true);
});

test("a reorganisation takes a sweep back: the same bytes are sent again", async () => {
  const address = await scene.arrive(index, 3n * whole);
  const process = scene.startProcess();
  await process.sweep();
  await process.send();
  await world().node.mine(2);
  expect(await held(address, usdc.contractAddress)).toBe(0n);
  await world().node.reorg(2);
  expect(await held(address, usdc.contractAddress)).toBe(3n * whole);
  scene.clock.advance(20_000);
  await settle(process);
  expect(await sweeps()).toMatchObject([{ status: "moved" }]);
  expect(await held(address, usdc.contractAddress)).toBe(0n);
  expect(await scene.balance("chain:hot")).toBe(3n * whole);
});

describe("a process that is killed", () => {
  const points = ["signed", "stored", "sent"] as const;
  test.each(points)(
    "when it has just %s: another one goes on, and it is moved once",
    async (dieAt) => {
      const address = await scene.arrive(index, 7n * whole);
      const before = await held(hot(), usdc.contractAddress);
      await runUntilKilled(world(), scene, { steps: ["sweep", "send"], dieAt });
      scene.clock.advance(leaseMilliseconds);
      await settle();
      expect(await sweeps()).toMatchObject([{ status: "moved" }]);
      expect((await held(hot(), usdc.contractAddress)) - before).toBe(7n * whole);
      expect(await held(address, usdc.contractAddress)).toBe(0n);
      expect(await scene.nonces()).toHaveLength(1);
      expect(await scene.balance("chain:hot")).toBe(7n * whole);
      expect(await scene.isLedgerWhole()).toBe(true);
    },
  );

  test.each(["ended"] as const)(
    "when it has just %s of the gas: coin goes there once, and the token follows once",
    async (dieAt) => {
      const address = await scene.arrive(index, 50n * whole, feeToken.deploymentId);
      const before = await held(hot(), feeAddress);
      const coinBefore = await held(settlement(), null);
      const process = scene.startProcess();
      await process.sweep();
      await process.send();
      await world().node.mine(finalBlocks);
      scene.clock.advance(20_000);
      await runUntilKilled(world(), scene, { steps: ["confirm"], dieAt });
      await settle(process);
      expect(await sweeps()).toMatchObject([{ status: "moved", method: "topped_up" }]);
      expect((await held(hot(), feeAddress)) - before).toBe((50n * whole * 99n) / 100n);
      await expectCoinAsBooked(coinBefore, address);
      expect(await scene.isLedgerWhole()).toBe(true);
    },
  );
});
