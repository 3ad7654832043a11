// The chain that tests are given: blocks come and go as the test says.

import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { testAccounts } from "../support/test-accounts.ts";

const [payer, shop] = testAccounts;
const genesisSeconds = 1_800_000_000;

let chain: TestChain;

beforeAll(async () => {
  chain = await startTestChain({ genesisSeconds, secondsPerBlock: 12 });
  await chain.mint(payer.address, 1_000_000_000n);
});
afterAll(() => chain.close());

const pay = (amountRaw: bigint) =>
  chain.transfer({ from: payer.address, to: shop.address, amountRaw });

test("nothing is in a block before the test mines one", async () => {
  const hash = await pay(1n);
  expect(await chain.receipt(hash)).toBeUndefined();
  const block = await chain.mine();
  expect(await chain.receipt(hash)).toMatchObject({ isSuccess: true, blockHash: block.hash });
});

test("a reorg takes a transaction away, and its own bytes bring it back", async () => {
  const hash = await pay(2n);
  const before = await chain.mine();
  const raw = await chain.rawOf(hash);
  await chain.mine(2);
  await chain.reorg(3);
  expect(await chain.receipt(hash)).toBeUndefined();
  const after = await chain.block(before.number);
  expect(after.hash).not.toBe(before.hash);
  expect(after.timestamp).toBe(before.timestamp);
  expect(await chain.sendRaw(raw)).toBe(hash);
  await chain.mine();
  expect(await chain.receipt(hash)).toMatchObject({ isSuccess: true });
});

test("a reorg can move a transaction to a sibling block", async () => {
  const hash = await pay(3n);
  const before = await chain.mine();
  await chain.mine();
  await chain.reorg(2, [hash]);
  const receipt = await chain.receipt(hash);
  expect(receipt).toMatchObject({ isSuccess: true, blockNumber: before.number });
  expect(receipt?.blockHash).not.toBe(before.hash);
});

test("blocks that are taken back come again as others", async () => {
  const before = await chain.mine();
  await chain.rollback(1);
  const after = await chain.mine();
  expect([after.number, after.timestamp]).toEqual([before.number, before.timestamp]);
  expect(after.hash).not.toBe(before.hash);
});

test("time is what the test says, and goes on from there", async () => {
  const block = await chain.mine();
  await chain.setTime(block.timestamp + 1_000n);
  expect((await chain.mine()).timestamp).toBe(block.timestamp + 1_000n);
  expect((await chain.mine()).timestamp).toBe(block.timestamp + 1_012n);
});

test("whoever has no key here can send as well", async () => {
  const someone = "0x00000000000000000000000000000000000000aa";
  await chain.giveCoin(someone, 10n ** 18n);
  await chain.mint(someone, 5n);
  const hash = await chain.transfer({ from: someone, to: shop.address, amountRaw: 5n });
  await chain.mine();
  expect(await chain.receipt(hash)).toMatchObject({ isSuccess: true });
});

test("a snapshot brings everything back, blocks and balances", async () => {
  const [block, balance] = [await chain.mine(), await chain.balanceOf(shop.address)];
  const snapshot = await chain.snapshot();
  await pay(4n);
  await chain.mine(3);
  await chain.revert(snapshot);
  expect(await chain.newestBlock()).toEqual(block);
  expect(await chain.balanceOf(shop.address)).toBe(balance);
});
