// From a transaction on a real chain to a paid payment, through whatever the chain does.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hexOf } from "../../adapters/evm/calldata.ts";
import { openDatabase } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { localSigner } from "../support/local-signer.ts";
import { lifeMilliseconds, price } from "../payments/progress-world.ts";
import {
  eurc,
  finalBlocks,
  putCode,
  secondsPerBlock,
  startBase,
  usdc,
  watchBase,
} from "./watched-world.ts";

let local: TestChain;
beforeAll(async () => {
  local = await startBase();
});
afterAll(() => local.close());

const watch = async () => await watchBase(local, await openDatabase("PostgreSQL"));
const fee = price / 100n;
const blocksOfLife = lifeMilliseconds / 1000 / secondsPerBlock;
const cent = 10_000n;

const paidOut = {
  "chain:deposit_addresses": price,
  "merchant:available creator": price - fee,
  "platform:fees": fee,
};

test("a deposit is confirming, then paid, and each is told once", async () => {
  const { look, mine, newPayment, told, status, balances, events } = await watch();
  const { id, pay } = await newPayment();
  const hash = await pay();
  await look();
  expect(await status(id)).toBe("pending");
  await mine();
  await look();
  expect(await status(id)).toBe("confirming");
  await mine(finalBlocks);
  await look();
  expect(await told(id)).toEqual(["confirming", "paid"]);
  expect((await events(id))[1]?.data).toMatchObject({ tx_hash: hash });
  expect(await balances()).toEqual(paidOut);
});

describe("threat 24: a reorganisation", () => {
  test("of three blocks that has the transaction in another block is no news", async () => {
    const { look, mine, newPayment, told, balances, deposits } = await watch();
    const { id, pay } = await newPayment();
    await mine();
    const hash = await pay();
    await mine(2);
    await look();
    await local.reorg(3, [hash]);
    await mine();
    await look();
    expect(await told(id)).toEqual(["confirming"]);
    expect(await deposits(id)).toMatchObject([{ tx_hash: hash, status: "seen" }]);
    await mine(finalBlocks);
    await look();
    expect(await told(id)).toEqual(["confirming", "paid"]);
    expect(await balances()).toEqual(paidOut);
  });

  test("that moves its log within the block counts it once", async () => {
    const { look, mine, newPayment, deposits, balances } = await watch();
    const { id, pay } = await newPayment();
    const hash = await pay();
    await mine();
    await look();
    // In the other branch somebody else's transfer comes first.
    const before = await local.transfer({
      from: local.accounts[1].address,
      to: localSigner("elsewhere").address,
      contractAddress: usdc,
      amountRaw: 0n,
    });
    await mine();
    await local.reorg(2, [before, hash]);
    await mine(finalBlocks);
    await look();
    expect((await deposits(id)).filter((one) => one.status === "final")).toHaveLength(1);
    expect(await balances()).toEqual(paidOut);
  });

  test("that loses the transaction takes the payment back, and sent again it counts", async () => {
    const { look, mine, newPayment, told, status, balances } = await watch();
    const { id, pay } = await newPayment();
    const hash = await pay();
    const raw = String(await local.rpc("eth_getRawTransactionByHash", [hash]));
    await mine(3);
    await look();
    await local.reorg(3);
    await mine();
    await look();
    expect(await status(id)).toBe("pending");
    await local.sendRaw(hexOf(raw));
    await mine();
    await look();
    await mine(finalBlocks);
    await look();
    expect(await told(id)).toEqual(["confirming", "reorged", "confirming", "paid"]);
    expect(await balances()).toEqual(paidOut);
  });
});

test("threat 25: one that is deeper than what counts as final reverses the payment", async () => {
  const { look, mine, newPayment, told, balances } = await watch();
  const { id, pay } = await newPayment();
  await pay();
  await mine(finalBlocks);
  await look();
  expect(await told(id)).toEqual(["confirming", "paid"]);
  await local.reorg(finalBlocks);
  await mine();
  await look();
  expect(await told(id)).toEqual(["confirming", "paid", "reversed"]);
  expect(await balances()).toEqual({});
  // The payer's wallet sends it again.
  await pay();
  await mine(finalBlocks);
  await look();
  expect(await told(id)).toEqual(["confirming", "paid", "reversed", "restored"]);
  expect(await balances()).toMatchObject({ "chain:deposit_addresses": price });
});

test("coin counts, sent or paid out by a contract", async () => {
  const { look, mine, newPayment, told, deposits, balances } = await watch();
  const eth = 10n ** 16n;
  const { id, pay, to } = await newPayment({ eth: `${eth}` });
  const contract = await local.deploy("Payer");
  await pay(eth / 2n, null);
  await local.write(local.accounts[0].address, {
    contract: "Payer",
    address: contract,
    functionName: "pay",
    parameters: [to, 0n],
  });
  await local.transfer({
    from: local.accounts[0].address,
    to: contract,
    amountRaw: eth,
    contractAddress: null,
  });
  await local.write(local.accounts[0].address, {
    contract: "Payer",
    address: contract,
    functionName: "pay",
    parameters: [to, eth / 2n],
  });
  await mine();
  await look();
  await mine(finalBlocks);
  await look();
  expect(await deposits(id)).toMatchObject([
    { amount: `${eth / 2n}`, status: "final" },
    { amount: `${eth / 2n}`, status: "final" },
  ]);
  expect(await told(id)).toEqual(["confirming", "paid"]);
  expect(await balances("dep_eth_base")).toMatchObject({ "chain:deposit_addresses": eth });
  expect(await local.balanceOf(to, null)).toBe(eth);
});

test("threat 29: what came while nobody looked is found, in its time", async () => {
  const { look, mine, newPayment, told } = await watch();
  const [paid, unpaid] = [await newPayment(), await newPayment()];
  await mine(5);
  const hashes = [await paid.pay(price / 2n)];
  await mine(10);
  hashes.push(await paid.pay(price / 2n));
  await mine(60);
  await look();
  expect(new Set(hashes).size).toBe(2);
  expect(await told(paid.id)).toEqual(["confirming", "paid"]);
  expect(await told(unpaid.id)).toEqual([]);
  expect(blocksOfLife).toBeGreaterThan(60);
});

test("threats 76 and 77: dust and nothing change nothing", async () => {
  const { look, mine, newPayment, told, deposits } = await watch();
  const { id, pay, to } = await newPayment();
  await pay(0n);
  await pay(1n);
  await pay(price / 10_000n - 1n);
  await pay(1n, null);
  // Anybody can move nothing in anybody's name.
  await local.transfer({
    from: local.accounts[3].address,
    to,
    amountRaw: 0n,
    contractAddress: null,
  });
  await mine(finalBlocks);
  await look();
  expect(await deposits(id)).toEqual([]);
  expect(await told(id)).toEqual([]);
  await pay(cent);
  await mine();
  await look();
  expect(await deposits(id)).toHaveLength(1);
});

test("threat 30: a contract that only looks like the token moves nothing", async () => {
  const { look, mine, newPayment, deposits } = await watch();
  const { id, to, pay } = await newPayment();
  const twin = await local.deploy("FalseToken");
  const liar = await local.deploy("LyingToken");
  const from = local.accounts[0].address;
  await local.mint(to, price, twin);
  const lie = { contract: "LyingToken", address: liar, functionName: "lie" };
  await local.write(from, { ...lie, parameters: [from, to, price] });
  await mine();
  await look();
  expect(await deposits(id)).toEqual([]);
  await pay();
  await mine();
  await look();
  expect(await deposits(id)).toHaveLength(1);
});

test("threat 31: of a token that keeps a fee counts what its log says has arrived", async () => {
  await putCode(local, eurc, "FeeToken");
  const { look, mine, newPayment, deposits } = await watch();
  const { id, pay, to } = await newPayment();
  await local.mint(local.accounts[0].address, 10n ** 12n, eurc);
  await pay(price, eurc);
  await mine();
  await look();
  const arrived = price - price / 100n;
  expect(await deposits(id)).toMatchObject([
    { deployment_id: "dep_eurc_base", amount: `${arrived}` },
  ]);
  expect(await local.balanceOf(to, eurc)).toBe(arrived);
});

test("threat 32: a token that answers nothing is believed by its log, one that says false by none", async () => {
  await putCode(local, eurc, "SilentToken");
  const { look, mine, newPayment, deposits } = await watch();
  const { id, pay, to } = await newPayment();
  await local.mint(local.accounts[0].address, 10n ** 12n, eurc);
  await pay(price, eurc);
  // More than the payer has: the transaction succeeds, and nothing moves.
  const from = local.accounts[4].address;
  const hash = await local.transfer({ from, to, amountRaw: price, contractAddress: usdc });
  await mine();
  await look();
  expect(await local.receipt(hash)).toMatchObject({ isSuccess: true, logs: [] });
  expect(await deposits(id)).toMatchObject([
    { deployment_id: "dep_eurc_base", amount: `${price}` },
  ]);
});
