// What an operator sees of what waits for somebody.

import { expect, test } from "vitest";
import { ChainSettings } from "../../service/sweeps/settings.ts";
import { engines } from "../support/engines.ts";
import { chainId, openScene, usdc, whole } from "../withdrawals/scene.ts";
import { compare, monitoringOf } from "./comparing.ts";

test.each(engines)(
  "on %s: what waits for an operator, and why, and what was spent",
  async (engine) => {
    const scene = await openScene(engine);
    const owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    const { id: addressId } = await scene.register(owner);
    await scene.policy.setLimits(usdc.deploymentId, { single: "100", daily: "150" });
    await scene.policy.stop(chainId, "a test");
    for (const amount of ["100", "100.000001", "1"]) await scene.request(owner, addressId, amount);
    scene.clock.advance(90_000);
    await compare(scene.database, scene.clock.nowMilliseconds(), new Set());
    const monitoring = monitoringOf(scene.database, scene.clock.nowMilliseconds());
    const { withdrawals, attention, gas } = await monitoring.read();
    const held = withdrawals.map(({ heldBecause, count }) => [heldBecause, count] as const);
    expect(new Map(held)).toEqual(
      new Map([
        [null, 1],
        ["above_single_limit", 1],
        ["above_daily_limit", 1],
      ]),
    );
    for (const { oldestMilliseconds } of withdrawals) expect(oldestMilliseconds).toBe(90_000);
    expect(attention.stoppedChainIds).toEqual([chainId]);
    expect(gas).toEqual([{ chainId, spentRaw: 0n, budgetRaw: null }]);
  },
);

test.each(engines)(
  "on %s: what x402 may spend in a day, where there is a limit",
  async (engine) => {
    const scene = await openScene(engine);
    await new ChainSettings(scene).setGasBudget(chainId, "0.5");
    const { gas, floats } = await monitoringOf(
      scene.database,
      scene.clock.nowMilliseconds(),
    ).read();
    expect(gas).toEqual([{ chainId, spentRaw: 0n, budgetRaw: 500_000_000_000_000_000n }]);
    expect(floats).toEqual([]);
  },
);
