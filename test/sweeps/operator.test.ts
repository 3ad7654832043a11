// What an operator sees of sweeps and of what is sent, and orders.

import { sql } from "kysely";
import { query } from "../support/service-parts.ts";
import { beforeEach, expect, test } from "vitest";
import { runAdmin } from "../../adapters/operator/command.ts";
import type { Operator } from "../../adapters/operator/command.ts";
import { rehearsing } from "../../adapters/operator/rehearsal.ts";
import { buildChainOperator } from "../../adapters/assembly/operator.ts";
import type { Database } from "../../service/ports/database.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, openScene, type Scene, usdc, whole } from "../sending/scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene("PostgreSQL");
});

async function run(...words: readonly string[]): Promise<string> {
  // Only commands about chains are given here.
  const build = (database: Database): Operator => {
    const own = buildChainOperator({ ...scene, database, alarm: () => undefined });
    return { ...own, rehearse: rehearsing(scene.database, build) } as Operator;
  };
  const { exitCode, output, errors } = await runAdmin({ words }, build(scene.database));
  return exitCode === 0 ? output : `${exitCode}: ${errors}`;
}

test("sweeps are listed with their address and where they go, and so is what is on its way", async () => {
  const address = addressOf("deposit 1");
  scene.chain.mint(address, usdc.contractAddress, 100n * whole);
  const { deploymentId } = usdc;
  await bookDeposit(scene, { chainId, deploymentId, address, index: 1n, amountRaw: 100n * whole });
  const process = scene.startProcess();
  await process.sweep();
  await process.send();
  expect(await run("chain", "sweeps")).toMatch(new RegExp(`${deploymentId} +${address} +gas +hot`));
  expect(await run("chain", "outgoing")).toMatch(/sweep_gas +swp_\w+ +broadcast +0 +0x/);
});

test("what waits is listed with why", async () => {
  scene.chain.impossible.push("execution reverted: paused");
  await scene.queue();
  await scene.startProcess().send();
  expect(await run("chain", "outgoing")).toContain("execution reverted: paused");
});

test("a dry run of an order says what it would move and cost, and orders nothing", async () => {
  const { deploymentId } = usdc;
  for (const index of [1n, 2n]) {
    const address = addressOf(`deposit ${index}`);
    await bookDeposit(scene, { chainId, deploymentId, address, index, amountRaw: 1n });
  }
  const shown = await run("chain", "sweep", "--chain", chainId, "--dry-run");
  expect(shown).toMatch(/^Dry run: nothing was changed\./);
  expect(shown).toMatch(new RegExp(`${deploymentId} +2 +0\\.000002 +200000\\n`));
  expect(await query(scene.database, sql`select from sweep_orders`)).toEqual([]);
});

test("a chain is swept out of turn only by its name", async () => {
  expect(await run("chain", "sweep", "--chain", chainId)).toContain(chainId);
  expect(await run("chain", "sweep", "--chain", "eip155:666")).toMatch(/^1: .*eip155:666/);
  for (const none of [[], ["--chain", " "]]) {
    expect(await run("chain", "sweep", ...none)).toMatch(/^2: --chain is missing/);
  }
});
