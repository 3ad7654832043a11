// Tokens and wallets that tests of the service need: each is as nasty as it says.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestChain, type TestChain } from "../support/local-chain.ts";
import { testAccounts } from "../support/test-accounts.ts";

const [payer, shop] = testAccounts;

let chain: TestChain;
let start: unknown;

beforeAll(async () => {
  chain = await startTestChain();
  start = await chain.snapshot();
});
beforeEach(async () => {
  await chain.revert(start);
  start = await chain.snapshot();
});
afterAll(() => chain.close());

async function pays(contractAddress: string | null, amountRaw: bigint) {
  const from = payer.address;
  const hash = await chain.transfer({ from, to: shop.address, amountRaw, contractAddress });
  await chain.mine();
  const receipt = await chain.receipt(hash);
  return { isSuccess: receipt?.isSuccess, logs: receipt?.logs.length };
}

test("one keeps a hundredth of each transfer", async () => {
  const token = await chain.deploy("FeeToken");
  await chain.mint(payer.address, 1_000n, token);
  expect(await pays(token, 1_000n)).toEqual({ isSuccess: true, logs: 2 });
  expect(await chain.balanceOf(shop.address, token)).toBe(990n);
});

test("one answers nothing", async () => {
  const token = await chain.deploy("SilentToken");
  await chain.mint(payer.address, 1_000n, token);
  expect(await pays(token, 1_000n)).toEqual({ isSuccess: true, logs: 1 });
  const data = `0xa9059cbb${shop.address.slice(2).padStart(64, "0")}${"0".repeat(64)}`;
  expect(await chain.rpc("eth_call", [{ from: payer.address, to: token, data }])).toBe("0x");
});

test("one answers false, and its transaction succeeds", async () => {
  const token = await chain.deploy("FalseToken");
  await chain.mint(payer.address, 1_000n, token);
  expect(await pays(token, 1_001n)).toEqual({ isSuccess: true, logs: 0 });
  expect(await pays(token, 1_000n)).toEqual({ isSuccess: true, logs: 1 });
});

test("one refuses every transfer until it is opened", async () => {
  const token = await chain.deploy("RefusingToken");
  await chain.mint(payer.address, 1_000n, token);
  expect(await pays(token, 1n)).toEqual({ isSuccess: false, logs: 0 });
  await chain.write(payer.address, {
    contract: "RefusingToken",
    address: token,
    functionName: "setClosed",
    parameters: [false],
  });
  expect(await pays(token, 1n)).toEqual({ isSuccess: true, logs: 1 });
});

test("one says that money has come, and none has", async () => {
  const token = await chain.deploy("LyingToken");
  const hash = await chain.write(payer.address, {
    contract: "LyingToken",
    address: token,
    functionName: "lie",
    parameters: [payer.address, shop.address, 1_000n],
  });
  await chain.mine();
  expect((await chain.receipt(hash))?.logs).toHaveLength(1);
});

test("a contract pays coin out, and no log says so", async () => {
  const contract = await chain.deploy("Payer");
  const before = await chain.balanceOf(shop.address, null);
  await chain.send({ from: payer.address, to: contract, coinRaw: 1_000n });
  const hash = await chain.write(payer.address, {
    contract: "Payer",
    address: contract,
    functionName: "pay",
    parameters: [shop.address, 1_000n],
  });
  await chain.mine();
  expect(await chain.receipt(hash)).toMatchObject({ isSuccess: true, logs: [] });
  expect((await chain.balanceOf(shop.address, null)) - before).toBe(1_000n);
});
