// A full float with nothing scripted: a real chain, and a signer whose policy names the treasury.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { addressOf } from "../support/scripted-signer.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { useChain } from "../withdrawals/on-chain.ts";
import { openChainScene } from "../sending/on-chain-scene.ts";
import { buildMoney } from "../sending/money.ts";
import { chainId, coin, ether, finalBlocks, usdc, whole } from "../sending/scene.ts";

// its folders go with it
afterAll(endChildren);

const treasury = addressOf("the treasury");

function writePolicy(): string {
  const amounts = { per_transaction_raw: "unlimited", per_day_raw: "unlimited" };
  const limits = ["settlement", "deposit"].map((account) => ({
    account,
    contract_address: "any",
    ...amounts,
  }));
  const gas = { gas_per_transaction_raw: "unlimited", gas_per_day_raw: "unlimited" };
  const policy = { chains: { [chainId]: { treasury_address: treasury, ...gas, limits } } };
  const path = join(makeFolder(), "policy.json");
  writeFileSync(path, JSON.stringify(policy));
  return path;
}

const world = useChain({ SIGNER_POLICY: writePolicy() });

test("with a full float what arrives goes to the treasury, by authorization and by transfer (threat 67)", async () => {
  const { node, chain, signer } = world();
  const { settlementAddress, hotAddress } = signer.accounts;
  await node.giveCoin(settlementAddress, 10n * ether);
  const scene = await openChainScene(world(), addressOf("another token"));
  const money = buildMoney(scene, { chain, signer }, treasury);
  // The hot account has more than that of both from the beginning.
  await money.admin(`chain float --deployment ${usdc.deploymentId} --max 1000`);
  await money.admin(`chain float --deployment ${coin.deploymentId} --max 1`);
  const before = await node.balanceOf(hotAddress, usdc.contractAddress);
  await scene.arrive(700n, 25n * whole);
  await scene.arrive(701n, ether, coin.deploymentId);
  await node.mint(settlementAddress, 40n * whole, usdc.contractAddress);
  const of = { deploymentId: usdc.deploymentId, owner: null };
  await scene.post([
    { ...of, account: "chain:settlement", amountRaw: 40n * whole },
    { ...of, account: "platform:capital", amountRaw: -40n * whole },
  ]);
  for (let round = 0; round < 3; round++) {
    await money.sweep();
    await money.send();
    await node.mine(finalBlocks);
    scene.clock.advance(20_000);
    await money.confirm();
  }
  expect(await node.balanceOf(treasury, usdc.contractAddress)).toBe(65n * whole);
  expect(await node.balanceOf(hotAddress, usdc.contractAddress)).toBe(before);
  expect(await node.balanceOf(scene.addressAt(700n), usdc.contractAddress)).toBe(0n);
  expect(await scene.balance("chain:treasury")).toBe(65n * whole);
  const coins = await node.balanceOf(treasury, null);
  expect(coins).toBeGreaterThan((ether * 99n) / 100n);
  expect(await scene.balance("chain:treasury", coin.deploymentId)).toBe(coins);
  expect(await scene.isLedgerWhole()).toBe(true);
});
