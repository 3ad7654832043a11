// What the chain says of a withdrawal before it is sent: what cannot be said of one holds up no other,
// and what it said is what is signed.

import { beforeEach, describe, expect, test } from "vitest";
import { hindranceOf, withMargin } from "../../service/sending/gas-units.ts";
import type { Owner } from "../../service/owner.ts";
import { listQueuedBeside } from "../../service/withdrawals/sending.sql.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { ScriptedActionSigner, ScriptedOutgoingChain } from "../support/scripted-outgoing.ts";
import { query } from "../support/service-parts.ts";
import { chainId, coin, finalBlocks, openScene, openSceneOn, usdc, whole } from "./scene.ts";

const ether = 10n ** 18n;

async function openEstimating(engine: Engine) {
  const database = await openDatabase(engine);
  const chain = new ScriptedOutgoingChain({ chainId });
  const signer = new ScriptedActionSigner();
  const { hotAddress } = signer.accounts;
  chain.mint(hotAddress, null, 100n * ether);
  chain.mint(hotAddress, usdc.contractAddress, 1_000n * whole);
  return { ...(await openSceneOn(database, { chain, signer })), chain, signer, hotAddress };
}

describe.each(engines)("on %s", (engine) => {
  let scene: Awaited<ReturnType<typeof openEstimating>>;
  let owner: Owner;
  beforeEach(async () => {
    scene = await openEstimating(engine);
    owner = await scene.newOwner();
    await scene.fund(owner, 10_000n * whole);
    await scene.fund(owner, 10n * ether, coin);
  });

  const ask = async (amount = "1") => {
    const { id: addressId, address } = await scene.register(owner);
    scene.clock.advance(1);
    return { address, ...(await scene.request(owner, addressId, amount)) };
  };
  const statusesOf = (all: readonly { readonly id: string }[]) =>
    Promise.all(all.map(({ id }) => scene.statusOf(id)));

  test("one that nobody can say anything about waits alone, longer each time", async () => {
    const { silent, estimated } = scene.chain;
    const first = await ask();
    silent.add(first.address);
    const others = [await ask(), await ask()];
    const process = scene.startProcess();
    await expect(process.send()).rejects.toThrow("the node does not know");
    expect(await statusesOf([first, ...others])).toEqual(["pending", "broadcast", "broadcast"]);
    const asked = () => estimated.filter((one) => "to" in one && one.to === first.address).length;
    // After ten seconds, then after as long as it has waited.
    scene.clock.advance(9_900);
    await process.send();
    expect(asked()).toBe(1);
    scene.clock.advance(50_000);
    await expect(process.send()).rejects.toThrow("the node does not know");
    expect(asked()).toBe(2);
    scene.clock.advance(50_000);
    await process.send();
    expect(asked()).toBe(2);
    silent.clear();
    scene.clock.advance(50_000);
    await process.send();
    expect(await scene.statusOf(first.id)).toBe("broadcast");
  });

  test("many of them do not stop the turn for the others for good", async () => {
    for (let count = 0; count < 7; count++) scene.chain.silent.add((await ask()).address);
    const good = await ask();
    const process = scene.startProcess();
    for (let round = 0; round < 3; round++) {
      await process.send().catch(() => undefined);
      scene.clock.advance(10_000);
    }
    expect(await scene.statusOf(good.id)).toBe("broadcast");
  });

  test("the other withdrawals of their merchant go behind with the first three (threat 18)", async () => {
    const ids: string[] = [];
    // More than come into the queue in one round.
    for (let count = 0; count < 60; count++) {
      const { id, address } = await ask("0.5");
      ids.push(id);
      scene.chain.silent.add(address);
    }
    const another = await scene.newOwner();
    await scene.fund(another, 10n * whole);
    const { id: addressId } = await scene.register(another);
    scene.clock.advance(1);
    const good = await scene.request(another, addressId, "1");
    const process = scene.startProcess();
    const waiting = async () => {
      const [row] = await query(scene.database)<{ asked: number; beside: number }>`
        select count(*) filter (where last_problem like 'unanswered: %')::integer as asked,
          count(*) filter (where last_problem like 'beside unanswered: %')::integer as beside
        from outgoing_transactions where subject_id = any(${ids}::text[])`;
      return row;
    };
    for (const expected of [
      { asked: 3, beside: 47 },
      { asked: 6, beside: 54 },
    ]) {
      await expect(process.send()).rejects.toThrow("the node does not know");
      expect(await waiting()).toEqual(expected);
    }
    await process.send();
    expect(await scene.statusOf(good.id)).toBe("broadcast");
    // They are sent as soon as somebody knows.
    scene.chain.silent.clear();
    scene.clock.advance(60_000);
    for (let round = 0; round < 6; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(10_000);
    }
    expect(new Set(await statusesOf(ids.map((id) => ({ id }))))).toEqual(new Set(["broadcast"]));
  });

  test("beside a withdrawal waits what its merchant has in the queue without a nonce, the oldest first", async () => {
    const first = await ask();
    const cancelled = await ask();
    const [second, third] = [await ask(), await ask()];
    const another = await scene.newOwner();
    await scene.fund(another, 10n * whole);
    const { id: addressId } = await scene.register(another);
    scene.clock.advance(1);
    const others = await scene.request(another, addressId, "1");
    await scene.cancel(owner, cancelled.id);
    const { silent } = scene.chain;
    for (const { address } of [first, second, third]) silent.add(address);
    const process = scene.startProcess();
    await expect(process.send()).rejects.toThrow("the node does not know");
    const beside = async (ids: readonly string[], change: object = {}) => {
      const values = { chainId, ids, rowsMax: 10, ...change };
      return (await scene.database.run(listQueuedBeside, values)).map(({ id }) => id);
    };
    const own = [first.id, second.id, third.id];
    expect(await beside([second.id])).toEqual(own);
    expect(await beside([second.id], { rowsMax: 2 })).toEqual(own.slice(0, 2));
    expect(await beside([second.id], { chainId: "eip155:1" })).toEqual([]);
    expect(await beside([others.id])).toEqual([others.id]);
    expect(await beside([cancelled.id, others.id])).toEqual([...own, others.id]);
    expect(await beside([])).toEqual([]);
    const { accounts, nextNonce } = scene.signer;
    const signAction = () => Promise.reject(new Error("the signer is away"));
    const away = scene.startProcess({ signer: { accounts, nextNonce, signAction } });
    await expect(away.send()).rejects.toThrow("the signer is away");
    expect(await beside([others.id])).toEqual([]);
  });

  test("what has its nonce is sent also when nobody can say what it takes any more", async () => {
    const first = await ask();
    const second = await ask();
    const { signer } = scene;
    const { accounts, nextNonce } = signer;
    const signAction = () => Promise.reject(new Error("the signer is away"));
    const away = { accounts, nextNonce, signAction };
    await expect(scene.startProcess({ signer: away }).send()).rejects.toThrow("is away");
    expect(await statusesOf([first, second])).toEqual(["processing", "pending"]);
    scene.chain.silent.add(first.address);
    await scene.startProcess().send();
    expect(await statusesOf([first, second])).toEqual(["broadcast", "broadcast"]);
    expect(signer.intents.map(({ nonce, gasUnitsMax }) => [nonce, gasUnitsMax])).toEqual([
      [0n, 100_000n],
      [1n, 65_000n],
    ]);
  });

  test("the gas that was estimated is signed, with a margin", async () => {
    await ask();
    const { id: addressId } = await scene.register(owner);
    scene.clock.advance(1);
    await scene.request(owner, addressId, { amount: "0.5", ...coin });
    await scene.startProcess().send();
    const gas = scene.signer.intents.map(({ gasUnitsMax }) => gasUnitsMax);
    // 50,000 for the token, 21,000 for the coin, and 30 % more.
    expect(gas).toEqual([65_000n, 27_300n]);
  });

  test("threat 97: what takes more gas than a withdrawal may is rejected, and the money is there", async () => {
    const [costly, fine] = [await ask(), await ask()];
    scene.chain.gasUnits.set(costly.address, 250_001n).set(fine.address, 250_000n);
    await scene.policy.setLimits(usdc.deploymentId, { single: null, daily: "2" });
    const process = scene.startProcess();
    await process.send();
    expect(await statusesOf([costly, fine])).toEqual(["rejected", "broadcast"]);
    const text = "it would take 250001 units of gas, and may take 250000";
    const { id } = costly;
    expect(scene.alarms).toMatchObject([["transaction_would_fail", { withdrawal_id: id, text }]]);
    expect((await scene.eventsOf(id)).at(-1)).toBe("withdrawal.rejected");
    const [row] = await query(scene.database)<{ reason: string }>`
      select reason from withdrawals where id = ${id}`;
    expect(row?.reason).toBe("gas_above_limit");
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(whole);
    expect(await scene.isLedgerWhole()).toBe(true);
    // Nothing of it is left in the queue, and its part of the day is given back.
    await process.send();
    expect(scene.alarms).toHaveLength(1);
    await ask();
    expect(await scene.policy.held()).toEqual([]);
  });

  test("threat 97: an operator may let withdrawals take more", async () => {
    const costly = await ask();
    scene.chain.gasUnits.set(costly.address, 390_000n);
    await scene.startProcess({ withdrawalGasUnitsMax: 400_000n }).send();
    expect(await scene.statusOf(costly.id)).toBe("broadcast");
    expect(scene.signer.intents.map(({ gasUnitsMax }) => gasUnitsMax)).toEqual([400_000n]);
  });

  test("what would fail is not sent and waits as pending; what the account lacks is another alarm", async () => {
    const large = await ask("2000");
    const paused = await ask();
    const process = scene.startProcess();
    scene.chain.impossible.push("execution reverted: paused");
    await process.send();
    expect(await statusesOf([large, paused])).toEqual(["pending", "pending"]);
    expect(scene.alarms).toMatchObject([
      ["account_cannot_pay", { withdrawal_id: large.id }],
      ["transaction_would_fail", { withdrawal_id: paused.id, text: "execution reverted: paused" }],
    ]);
    scene.chain.mint(scene.hotAddress, usdc.contractAddress, 2_000n * whole);
    scene.clock.advance(60_000);
    for (let round = 0; round < 3; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
    expect(await statusesOf([large, paused])).toEqual(["confirmed", "confirmed"]);
  });

  test("a key for another account sends what waited for the one before", async () => {
    const waiting = await ask("2000");
    await scene.startProcess().send();
    expect(await scene.statusOf(waiting.id)).toBe("pending");
    const next = new ScriptedActionSigner("the next hot wallet");
    const { hotAddress } = next.accounts;
    scene.chain.mint(hotAddress, null, ether);
    scene.chain.mint(hotAddress, usdc.contractAddress, 2_000n * whole);
    await scene.startProcess({ signer: next }).send();
    scene.chain.mine();
    expect(scene.chain.transfersTo(waiting.address)).toMatchObject([{ from: hotAddress }]);
  });

  test("what has a nonce of an account whose key is gone is signed by no other", async () => {
    const reserved = await ask();
    const waiting = await ask();
    const { accounts, nextNonce } = scene.signer;
    const signAction = () => Promise.reject(new Error("the signer is away"));
    const away = { accounts, nextNonce, signAction };
    await expect(scene.startProcess({ signer: away }).send()).rejects.toThrow("is away");
    const next = new ScriptedActionSigner("the next hot wallet");
    scene.chain.mint(next.accounts.hotAddress, null, ether);
    scene.chain.mint(next.accounts.hotAddress, usdc.contractAddress, 10n * whole);
    scene.clock.advance(60_000);
    const process = scene.startProcess({ signer: next });
    // It does not hold up the account whose key is there, and is tried again later and later.
    await process.send();
    const failed = () => scene.alarms.filter(([what]) => what === "account_turn_failed");
    expect(failed()).toMatchObject([[expect.any(String), { account: scene.hotAddress }]]);
    expect(await statusesOf([reserved, waiting])).toEqual(["processing", "broadcast"]);
    await process.send();
    expect(failed()).toHaveLength(1);
    scene.clock.advance(1_000);
    await process.send();
    scene.clock.advance(1_000);
    await process.send();
    expect(failed()).toHaveLength(2);
    expect(next.intents).toHaveLength(1);
    await scene.startProcess().send();
    expect(await scene.statusOf(reserved.id)).toBe("broadcast");
  });

  test("a turn that the first one stops asks for no other turn at once", async () => {
    // More than one turn has room for, so that there is more behind them.
    for (let count = 0; count < 17; count++) await ask();
    const { accounts, nextNonce } = scene.signer;
    const signAction = () => Promise.reject(new Error("the signer is away"));
    const away = { accounts, nextNonce, signAction };
    await expect(scene.startProcess({ signer: away }).send()).rejects.toThrow("is away");
    // Even for nothing the nonce of the first one cannot be used.
    const coins = await scene.chain.balance(scene.hotAddress, null);
    scene.chain.mint(scene.hotAddress, null, -coins);
    expect(await scene.startProcess().send()).toMatchObject({ done: 0, isMore: false });
    scene.chain.mint(scene.hotAddress, null, coins);
    expect(await scene.startProcess().send()).toMatchObject({ done: 16, isMore: true });
  });

  test("a chain that cannot be asked gets a bound", async () => {
    const asked = await openScene(engine);
    const merchant = await asked.newOwner();
    await asked.fund(merchant, 10n * whole);
    await asked.fund(merchant, ether, coin);
    const { id: addressId } = await asked.register(merchant);
    await asked.request(merchant, addressId, "1");
    asked.clock.advance(1);
    await asked.request(merchant, addressId, { amount: "0.5", ...coin });
    await asked.startProcess().send();
    expect(asked.signer.intents.map(({ gasUnitsMax }) => gasUnitsMax)).toEqual([100_000n, 60_000n]);
  });
});

test("no margin goes beyond what anything takes, more where gas pays for data too", () => {
  // Three tenths more, and no unit less.
  const sweep = { chainId, purpose: "sweep" } as const;
  const units = [21_000n, 21_001n, 21_009n, 461_538n, 461_539n];
  expect(units.map((one) => withMargin(sweep, one))).toEqual([
    27_300n,
    27_302n,
    27_312n,
    600_000n,
    600_000n,
  ]);
  expect(withMargin(sweep, 500_000n)).toBe(600_000n);
  expect(withMargin({ chainId: "eip155:42161", purpose: "sweep" }, 700_000n)).toBe(910_000n);
});

test("a withdrawal whose recipient uses up gas on purpose is not sent", () => {
  const withdrawal = { chainId, purpose: "withdrawal" } as const;
  const taking = (gasUnits: bigint) => ({ isPossible: true, gasUnits }) as const;
  expect(hindranceOf(withdrawal, taking(250_000n))).toBeUndefined();
  expect(hindranceOf(withdrawal, taking(250_001n))).toEqual({
    text: "it would take 250001 units of gas, and may take 250000",
    isAboveGasLimit: true,
  });
  const more = { ...withdrawal, withdrawalGasUnitsMax: 400_000n };
  expect(hindranceOf(more, taking(400_000n))).toBeUndefined();
  expect(hindranceOf(more, taking(400_001n))).toMatchObject({ isAboveGasLimit: true });
  expect(withMargin(withdrawal, 240_000n)).toBe(250_000n);
});
