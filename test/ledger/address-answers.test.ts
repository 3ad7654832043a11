// The chain gives no answer for some addresses of payments: nothing else stays uncompared for it.

import { describe, expect, test } from "vitest";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, usdc, whole } from "../sending/scene.ts";
import { engines } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { openCheck } from "./account-scene.ts";

const addressAt = (number: number): string => `0x${String(number).padStart(40, "0")}`;
const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** A dollar at each of so many addresses; the chain says nothing of those that are silent. */
async function openSilent(engine: Engine, count: number, addressesMax: number) {
  const check = await openCheck(engine, { addressesMax, againMax: 10 });
  const { chain } = check;
  for (const number of numbersTo(count)) {
    const wish = { chainId, deploymentId: usdc.deploymentId, index: BigInt(number) };
    await bookDeposit(check, { ...wish, amountRaw: whole, address: addressAt(number) });
    chain.mint(addressAt(number), usdc.contractAddress, whole);
  }
  const ofPayments = async (): Promise<readonly string[]> =>
    (await check.runAnew()).filter((one) => /^0x0{30}/.test(one));
  const steal = async (from: string) => {
    chain.mint(from, usdc.contractAddress, -whole);
    chain.mine(3);
    await check.read();
  };
  return { ...check, ofPayments, steal };
}

describe.each(engines)("on %s", (engine) => {
  test("an address without an answer hides no loss, neither of an account nor of another address", async () => {
    const { silent, steal, settlement, compare, admin } = await openSilent(engine, 2, 5);
    silent.add(addressAt(1));
    await steal(settlement);
    await steal(addressAt(2));
    const unanswered = `${usdc.deploymentId} 1 unanswered`;
    expect(await compare()).toEqual([
      unanswered,
      unanswered,
      `${usdc.deploymentId} deposit_addresses_with_less -${whole}`,
      `${usdc.deploymentId} settlement -${whole}`,
    ]);
    expect((await admin("ledger balances")).output).toContain("; LEFT OUT 1 since ");
  });

  test("the round goes on, and what was left out is asked about in each run until it answers", async () => {
    const { silent, steal, ofPayments, compare, admin } = await openSilent(engine, 4, 2);
    silent.add(addressAt(1));
    await steal(addressAt(1));
    expect(await ofPayments()).toEqual([1, 2].map(addressAt));
    expect(await ofPayments()).toEqual([3, 4, 1].map(addressAt));
    silent.clear();
    expect(await compare()).toEqual([`${usdc.deploymentId} deposit_addresses_with_less -${whole}`]);
    expect((await admin("ledger balances")).output).not.toContain("LEFT OUT");
  });

  test("a chain that goes away is not asked about the whole page, and the round goes on after it", async () => {
    const { silent, ofPayments, chain, read } = await openSilent(engine, 30, 30);
    chain.mine(3);
    await read();
    for (const number of numbersTo(30)) silent.add(addressAt(number));
    expect(await ofPayments()).toEqual(numbersTo(8).map(addressAt));
    silent.clear();
    const asked = await ofPayments();
    expect(asked.slice(0, 22)).toEqual(numbersTo(30).slice(8).map(addressAt));
    expect(asked.slice(22)).toEqual(numbersTo(8).map(addressAt));
  });
});
