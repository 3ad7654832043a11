// What was not used goes back to its payer in a token that may keep a part, on a real chain: what has really
// left the settlement account decides, and the books follow it.

import { beforeEach, expect, test } from "vitest";
import { queryOf } from "./found-looks.ts";
import { authorize, payer } from "./payers.ts";
import { settlementAddress } from "./action-signer.ts";
import { deploymentId, merchant, price } from "./scene.ts";
import { finalize, local, scene, setStage, shop, useStage } from "./stage.ts";

useStage({ isPermitted: true });

const looks = queryOf(() => scene.database);
const used = 1_250_000n;
const rest = price - used;
const hundredth = rest / 100n;

let plain: unknown;
beforeEach(async () => {
  await setStage("PostgreSQL");
  plain ??= await local.rpc("eth_getCode", [local.usdAddress, "latest"]);
  await local.rpc("anvil_setCode", [local.usdAddress, plain]);
});

/** What was not used is on its way back when the catalog says what the token is like. */
async function releaseIn(name: string): Promise<string> {
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
  await scene.reportUsage(shop, id, "1.25");
  await finalize();
  const made = await local.deploy(name);
  const code = await local.rpc("eth_getCode", [made, "latest"]);
  await local.rpc("anvil_setCode", [local.usdAddress, code]);
  await looks.run`insert into capabilities
    values (${deploymentId}, 'deposit', 'transfer_fee', 'supported', '{}', 1, null) returning key`;
  await looks.run`update catalog set version = version + 1 returning version`;
  return id;
}

/** @returns what has left, what the payer got, and whether the books know it */
async function release(name: string) {
  const id = await releaseIn(name);
  const held = () => local.balanceOf(settlementAddress);
  const [before, had] = [await held(), await local.balanceOf(payer.address)];
  const { "chain:settlement": booked = 0n } = await scene.balances();
  await shop.send();
  await scene.mine(4);
  await shop.confirm();
  const left = before - (await held());
  const balances = await scene.balances();
  expect(balances["chain:settlement"] ?? 0n).toBe(booked - left);
  expect(await scene.differences()).toEqual([]);
  return {
    left,
    balances,
    got: (await local.balanceOf(payer.address)) - had,
    isReleased: (await scene.events(id)).includes("x402.released"),
    alarms: scene.alarms.filter(([what]) => what.startsWith("x402_release")),
  };
}

test("it is released when its amount has left, whatever the payer got of it", async () => {
  const { left, got, isReleased, balances, alarms } = await release("ShortToken");
  expect([left, got, isReleased]).toEqual([rest, rest - hundredth, true]);
  expect(balances).not.toHaveProperty("payer:refund_due");
  expect(alarms).toEqual([]);
});

test("what the token charges beside is an expense, and people are told", async () => {
  const { left, got, isReleased, balances, alarms } = await release("TopToken");
  expect([left, got, isReleased]).toEqual([rest + hundredth, rest, true]);
  expect(balances).not.toHaveProperty("payer:refund_due");
  expect(balances).toMatchObject({ "platform:gas": hundredth });
  expect(alarms).toEqual([
    [
      "x402_release_charged",
      expect.objectContaining({ amount_raw: `${rest}`, left_raw: `${rest + hundredth}` }),
    ],
  ]);
});

test("a log that nothing stands behind gives nothing back: it stays owed", async () => {
  const { left, got, isReleased, balances, alarms } = await release("EmptyToken");
  expect([left, got, isReleased]).toEqual([0n, 0n, false]);
  expect(balances).toMatchObject({ "payer:refund_due": rest });
  expect(alarms).toEqual([
    ["x402_release_failed", expect.objectContaining({ amount_raw: `${rest}`, left_raw: "0" })],
  ]);
});

test("where less has left it stays owed, and what left is booked", async () => {
  const { left, got, isReleased, balances, alarms } = await release("HalfToken");
  expect([left, got, isReleased]).toEqual([rest / 2n, rest / 2n, false]);
  expect(balances).toMatchObject({ "payer:refund_due": rest, "platform:gas": rest / 2n });
  expect(alarms).toEqual([
    ["x402_release_failed", expect.objectContaining({ left_raw: `${rest / 2n}` })],
  ]);
});
