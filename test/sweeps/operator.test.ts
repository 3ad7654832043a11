// What an operator sees of sweeps and of what is sent, and orders.

import { beforeEach, expect, test } from "vitest";
import { chainCommands } from "../../adapters/operator/chains.ts";
import { UsageError } from "../../adapters/operator/words.ts";
import { buildChainOperator } from "../../adapters/assembly/operator.ts";
import { OperatorError } from "../../service/operator-error.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, openScene, type Scene, usdc, whole } from "../sending/scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene("PGlite");
});

const run = (name: string, chain?: string, more: Readonly<Record<string, string>> = {}) => {
  const [, command] = chainCommands.find(([one]) => one === name) ?? [];
  if (command === undefined) throw new Error(`there is no ${name}`);
  const operator = buildChainOperator({ ...scene, alarm: () => undefined });
  return command.run({ values: { chain, ...more }, places: [] }, operator);
};

test("sweeps are listed with their address and where they go, and so is what is on its way", async () => {
  const address = addressOf("deposit 1");
  scene.chain.mint(address, usdc.contractAddress, 100n * whole);
  const { deploymentId } = usdc;
  await bookDeposit(scene, { chainId, deploymentId, address, index: 1n, amountRaw: 100n * whole });
  const process = scene.startProcess();
  await process.sweep();
  await process.send();
  expect(await run("chain sweeps")).toMatch(new RegExp(`${deploymentId} +${address} +gas +hot`));
  expect(await run("chain outgoing")).toMatch(/sweep_gas +swp_\w+ +broadcast +0x/);
});

test("what waits is listed with why", async () => {
  scene.chain.impossible.push("execution reverted: paused");
  await scene.queue();
  await scene.startProcess().send();
  expect(await run("chain outgoing")).toContain("execution reverted: paused");
});

test("a chain is swept out of turn only by its name", async () => {
  expect(await run("chain sweep", chainId)).toContain(chainId);
  await expect(run("chain sweep", "eip155:666")).rejects.toThrow(OperatorError);
  for (const chain of [undefined, " "]) {
    await expect(run("chain sweep", chain)).rejects.toThrow(UsageError);
  }
});
