// What is sent back in a token that may keep a part, on a real chain: what left, what arrived, and what stays
// due.

import { beforeEach, expect, test } from "vitest";
import { settlementAddress } from "../x402/action-signer.ts";
import { deploymentId, price } from "../x402/scene.ts";
import { local, scene, useStage } from "../x402/stage.ts";
import { query } from "../support/service-parts.ts";
import { openDesk, sendDown, strayItem } from "./desk.ts";

useStage();

/** Nobody else's on this chain. */
const home = "0x00000000000000000000000000000000000a11cE";
const hundredth = price / 100n;

let plain: unknown;
beforeEach(async () => {
  plain ??= await local.rpc("eth_getCode", [local.usdAddress, "latest"]);
  await local.rpc("anvil_setCode", [local.usdAddress, plain]);
});

/** It came before the token became like this one, and goes back after that. */
async function sendBack(name: string) {
  const desk = await openDesk();
  const item = await strayItem();
  const made = await local.deploy(name);
  const code = await local.rpc("eth_getCode", [made, "latest"]);
  await local.rpc("anvil_setCode", [local.usdAddress, code]);
  await query(scene.database)`insert into capabilities
    values (${deploymentId}, 'deposit', 'transfer_fee', 'supported', '{}', 1, null)`;
  await query(scene.database)`update catalog set version = version + 1`;
  // What it may charge beside is there.
  await local.mint(settlementAddress, price);
  const held = () => local.balanceOf(settlementAddress);
  const [before, had] = [await held(), await local.balanceOf(home)];
  await desk.admin(`suspense return ${item} --to ${home.toLowerCase()} --evidence x`);
  await sendDown();
  const [, id = ""] = /^(sus_\w+)/m.exec((await desk.admin("suspense list")).output) ?? [];
  return {
    left: before - (await held()),
    got: (await local.balanceOf(home)) - had,
    due: await scene.balances(),
    told: scene.alarms.filter(([what]) => what === "unclear_refund"),
    decide: async (as: "sent" | "failed") => {
      const line = `suspense decide ${id} --as ${as} --reason "looked at on the chain"`;
      expect(await desk.admin(line)).toMatchObject({ exitCode: 0, errors: "" });
      scene.clock.advance(20_000);
      await sendDown();
      expect(await scene.differences()).toEqual([]);
      return scene.balances();
    },
  };
}

const waits = { "chain:settlement": price, "payer:refunding": price };
const numbers = (left: bigint): readonly unknown[] => [
  "unclear_refund",
  expect.objectContaining({ amount_raw: `${price}`, left_raw: `${left}` }),
];

test.each(["ShortToken", "BackFeeToken"])(
  "of %s the amount leaves, the payer gets less, and nothing stays due",
  async (name) => {
    const { left, got, due, told } = await sendBack(name);
    expect([left, got]).toEqual([price, price - hundredth]);
    expect(due).toEqual({});
    expect(told).toEqual([]);
  },
);

test("what the token charges beside waits for people: decided as sent, it is an expense", async () => {
  const { left, got, due, told, decide } = await sendBack("TopToken");
  expect([left, got]).toEqual([price + hundredth, price]);
  expect(due).toEqual(waits);
  expect(told).toEqual([numbers(price + hundredth)]);
  expect(await decide("sent")).toEqual({
    "chain:settlement": -hundredth,
    "platform:gas": hundredth,
  });
});

test("a log that nothing stands behind: decided as failed, it is due as before", async () => {
  const { left, got, due, told, decide } = await sendBack("EmptyToken");
  expect([left, got]).toEqual([0n, 0n]);
  expect(due).toEqual(waits);
  expect(told).toEqual([numbers(0n)]);
  expect(await decide("failed")).toEqual({ "chain:settlement": price, "payer:unmatched": price });
});

test("where half of it left, it stays due until people have decided", async () => {
  const { left, got, due, told } = await sendBack("HalfToken");
  expect([left, got]).toEqual([price / 2n, price / 2n]);
  expect(due).toEqual(waits);
  expect(told).toEqual([numbers(price / 2n)]);
});
