// What an operator sets about money on chains counts from the next run on: the float of the hot
// account (threat 67), and the gas that settlements may use up in a day (threat 49).

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { warnOfTreasury } from "../../adapters/assembly/money.ts";
import { ChainSettings } from "../../service/sweeps/settings.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { TestClock, query } from "../support/service-parts.ts";
import { bookDeposit } from "../sending/deposits.ts";
import { buildMoney } from "../sending/money.ts";
import { chainId, coin, ether, finalBlocks, openScene, usdc, whole } from "../sending/scene.ts";

const treasury = addressOf("the treasury");
const { deploymentId } = usdc;

async function openSettings(engine: Engine) {
  const scene = await openScene(engine);
  const money = buildMoney(scene, scene, treasury);
  let index = 0n;
  return {
    ...scene,
    ...money,
    arrive: async (amountRaw: bigint) => {
      index += 1n;
      const address = addressOf(`deposit ${index}`);
      scene.chain.mint(address, usdc.contractAddress, amountRaw);
      await bookDeposit(scene, { chainId, deploymentId, address, index, amountRaw });
    },
    settle: async () => {
      for (let round = 0; round < 4; round++) {
        await money.sweep();
        await money.send();
        scene.chain.mine(finalBlocks);
        scene.clock.advance(20_000);
        await money.confirm();
      }
    },
    at: (account: string) => scene.balance(`chain:${account}`),
    audited: (action: string) =>
      query(
        scene.database,
        sql<{ subject_type: string; subject_id: string; details: string }>`
          select subject_type, subject_id, details from audit_entries where action = ${action} order by sequence`,
      ),
  };
}

describe.each(engines)("on %s", (engine) => {
  test("a float counts from the next sweep on, and no longer when it is taken away", async () => {
    const { admin, arrive, settle, at, audited } = await openSettings(engine);
    await arrive(100n * whole);
    await settle();
    expect([await at("hot"), await at("treasury")]).toEqual([100n * whole, 0n]);
    const set = `chain float --deployment ${deploymentId} --max`;
    expect(await admin(`${set} 100`)).toContain("100");
    await arrive(60n * whole);
    await settle();
    expect([await at("hot"), await at("treasury")]).toEqual([100n * whole, 60n * whole]);
    expect(await admin("chain settings")).toMatch(new RegExp(`${deploymentId} +100 +100\\n`));
    expect(await admin(`${set} none`)).toContain("none");
    await arrive(5n * whole);
    await settle();
    expect([await at("hot"), await at("treasury")]).toEqual([105n * whole, 60n * whole]);
    expect((await audited("float.set")).map(({ details }) => details)).toEqual([
      '{"max_raw":"100000000"}',
      '{"max_raw":null}',
    ]);
  });

  test("where nobody has priced a token, gas is asked only when there is something to sweep", async () => {
    const { chain, sweep, arrive } = await openSettings(engine);
    chain.faults.next("fees", { kind: "unavailable" }, Infinity);
    await sweep();
    await arrive(100n * whole);
    await expect(sweep()).rejects.toMatchObject({ code: "chain_unavailable" });
  });

  test("a large amount does not fill the hot account to many times its float", async () => {
    const { admin, arrive, settle, at } = await openSettings(engine);
    await admin(`chain float --deployment ${deploymentId} --max 100`);
    await arrive(150n * whole);
    await settle();
    // Nearer than nothing at all.
    expect([await at("hot"), await at("treasury")]).toEqual([150n * whole, 0n]);
    await admin(`chain float --deployment ${deploymentId} --max 200`);
    await arrive(5_000n * whole);
    await arrive(60n * whole);
    await settle();
    expect([await at("hot"), await at("treasury")]).toEqual([210n * whole, 5_000n * whole]);
  });

  test("what the settlement account does not need goes to the treasury too", async () => {
    const scene = await openSettings(engine);
    await scene.admin(`chain float --deployment ${deploymentId} --max 0`);
    const of = { deploymentId, owner: null };
    await scene.post([
      { ...of, account: "chain:settlement", amountRaw: 80n * whole },
      { ...of, account: "platform:capital", amountRaw: -80n * whole },
    ]);
    await scene.settle();
    expect([await scene.at("hot"), await scene.at("treasury")]).toEqual([0n, 80n * whole]);
    expect(scene.chain.transfersTo(treasury)).toHaveLength(1);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("the gas of settlements in a day is limited as soon as somebody says so (threat 49)", async () => {
    const scene = await openSettings(engine);
    const set = `chain gas-budget --chain ${chainId} --per-day`;
    await scene.admin(`${set} 0`);
    const { id } = await scene.queue({ purpose: "x402_settlement" });
    await scene.send();
    expect(await scene.problemOf(id)).toBe("gas_budget_used_up");
    expect(await scene.admin(`${set} none`)).toContain("none");
    scene.clock.advance(600_000);
    await scene.send();
    expect(await scene.statusOf(id)).toBe("broadcast");
    const subject = { subject_type: "chain", subject_id: chainId };
    expect(await scene.audited("gas_budget.set")).toMatchObject([
      { ...subject, details: '{"per_day_raw":"0","per_merchant_raw":null}' },
      { ...subject, details: '{"per_day_raw":null,"per_merchant_raw":null}' },
    ]);
  });

  test("main networks have a budget before anybody says anything", async () => {
    const { admin, database, clock } = await openSettings(engine);
    const settings = new ChainSettings({ database, clock });
    expect(await settings.gasBudgetRaw("eip155:8453")).toBe(ether / 20n);
    expect(await settings.gasBudgetRaw("eip155:666")).toBe(ether / 20n);
    expect(await settings.gasBudgetRaw(chainId)).toBeNull();
    await admin("chain gas-budget --chain eip155:8453 --per-day 0.25");
    expect(await settings.gasBudgetRaw("eip155:8453")).toBe(ether / 4n);
    const listed = await admin("chain settings");
    expect(listed).toMatch(/eip155:8453 +0\.25 +0\.0625 +operator/);
    expect(listed).toMatch(/eip155:1 +0\.05 +0\.0125 +default/);
    expect(listed).toMatch(/eip155:84532 +none +none +default/);
  });

  test("a merchant has a quarter of the budget, or what somebody says", async () => {
    const { admin, database, clock, audited } = await openSettings(engine);
    const settings = new ChainSettings({ database, clock });
    expect(await settings.merchantGasRaw("eip155:8453")).toBe(ether / 80n);
    expect(await settings.merchantGasRaw("eip155:666")).toBe(ether / 80n);
    expect(await settings.merchantGasRaw(chainId)).toBeNull();
    const set = "chain gas-budget --chain eip155:8453 --per-day";
    expect(await admin(`${set} 0.2`)).toContain("a quarter");
    expect(await settings.merchantGasRaw("eip155:8453")).toBe(ether / 20n);
    expect(await admin(`${set} none`)).toMatch(/Merchant +none/);
    expect(await settings.merchantGasRaw("eip155:8453")).toBeNull();
    expect(await admin(`${set} none --per-merchant 0.3`)).toMatch(/Merchant +0\.3/);
    expect(await settings.merchantGasRaw("eip155:8453")).toBe((3n * ether) / 10n);
    expect(await settings.gasBudgetRaw("eip155:8453")).toBeNull();
    expect(await audited("gas_budget.set")).toMatchObject([
      {},
      {},
      {
        details: '{"per_day_raw":null,"per_merchant_raw":"300000000000000000"}',
      },
    ]);
    expect(await admin(`${set} 1 --per-merchant much`)).toMatch(/^[12]: /);
  });

  test("a budget counts in the coin of its chain, whatever decimals that has", async () => {
    const { admin, database, clock } = await openSettings(engine);
    await query(database)`update deployments set decimals = 8
      where chain_id = ${chainId} and asset_kind = 'native' returning id`;
    await admin(`chain gas-budget --chain ${chainId} --per-day 0.5`);
    expect(await new ChainSettings({ database, clock }).gasBudgetRaw(chainId)).toBe(50_000_000n);
    expect(await admin("chain settings")).toMatch(new RegExp(`${chainId} +0\\.5 +0\\.125 `));
  });

  test("what makes no sense is refused, and changes nothing", async () => {
    const { admin, audited } = await openSettings(engine);
    for (const line of [
      `chain float --deployment ${deploymentId}`,
      `chain float --deployment ${deploymentId} --max -1`,
      `chain float --deployment ${deploymentId} --max 0.0000001`,
      `chain float --deployment ${deploymentId} --max none`,
      "chain float --deployment dep_nothing --max 1",
      `chain gas-budget --chain ${chainId}`,
      `chain gas-budget --chain ${chainId} --per-day much`,
      "chain gas-budget --chain eip155:666 --per-day 1",
      "chain rescan --chain eip155:1",
      "chain rescan --chain eip155:1 --from -4",
      "chain rescan --chain eip155:1 --from 5 --yes",
    ]) {
      expect(await admin(line)).toMatch(/^[12]: /);
    }
    expect(await admin("chain troubles")).toMatch(/^PAYMENT +SINCE +TRIES/);
    expect(await audited("float.set")).toEqual([]);
    expect(await audited("gas_budget.set")).toEqual([]);
  });
});

test("whoever starts with a treasury and no float, or the other way round, is warned", async () => {
  const database = await openDatabase("PostgreSQL");
  const clock = new TestClock();
  const warned: string[] = [];
  const log = { warn: (_: object, text: string) => void warned.push(text) };
  const start = (treasuryAddress: string | undefined) =>
    warnOfTreasury({
      database,
      clock,
      log,
      configuration: { treasuryAddress, x402ReleaseSeconds: 1, withdrawalGasUnitsMax: 250_000n },
    });
  await start(undefined);
  expect(warned).toEqual([]);
  await start(treasury);
  expect(warned.splice(0)).toEqual([expect.stringContaining("no deployment has a float")]);
  const scene = await openScene("PostgreSQL");
  await new ChainSettings(scene).setFloat(coin.deploymentId, "1");
  const { database: other } = scene;
  const configuration = {
    treasuryAddress: undefined,
    x402ReleaseSeconds: 1,
    withdrawalGasUnitsMax: 250_000n,
  };
  await warnOfTreasury({ database: other, clock, log, configuration });
  expect(warned.splice(0)).toEqual([expect.stringContaining("without TREASURY_ADDRESS")]);
  await warnOfTreasury({
    database: other,
    clock,
    log,
    configuration: { ...configuration, treasuryAddress: treasury },
  });
  expect(warned).toEqual([]);
});
