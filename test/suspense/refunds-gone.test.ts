// What a payer is due of an authorization, when a reorganisation takes away the settlement behind it: it
// is not sent, the books say who bears what was decided, and people hear of it (threats 48 and 107).

import { beforeEach, expect, test } from "vitest";
import { query } from "../support/service-parts.ts";
import { authorize, payer } from "../x402/payers.ts";
import { merchant, price, settleDown } from "../x402/scene.ts";
import { finalize, local, scene, shop, useStage } from "../x402/stage.ts";
import { failedRelease, onlyItem, openDesk, sendDown, setBlocked } from "./desk.ts";

useStage();

/** Nobody else's on this chain. */
const home = "0x00000000000000000000000000000000000A11cE";
const used = 1_250_000n;
const fee = 12_500n;
const rest = price - used;
const divided = { "merchant:available": used - fee, "platform:fees": fee };

beforeEach(async () => {
  await setBlocked(false);
  await scene.mine();
});

const blockPayer = () => setBlocked(true);

/** The block of the settlement and all after it are gone, with nothing in their place. */
async function takeSettlementAway(id: string): Promise<void> {
  const [hash = ""] = await scene.sentFor(id);
  const receipt = await local.receipt(hash as `0x${string}`);
  const { number } = await local.newestBlock();
  await local.reorg(Number(number - (receipt?.blockNumber ?? number)) + 1, []);
  await scene.mine();
  await scene.watch();
}

/** Hashes of what was signed to give a payer its rest. */
async function sentBack(): Promise<readonly string[]> {
  const rows = await query(scene.database)<{ tx_hash: string }>`
    select a.tx_hash from outgoing_attempts a
    join outgoing_transactions o on o.id = a.outgoing_id
    where o.purpose in ('x402_release', 'refund') order by a.signed_at`;
  return rows.map(({ tx_hash: hash }) => hash);
}

const goneAlarms = () => scene.alarms.filter(([what]) => what === "suspense_money_gone");

test("what waits for a decision is not due while its settlement is gone, and is due again with it", async () => {
  await openDesk();
  const { id, item } = await failedRelease(blockPayer);
  await takeSettlementAway(id);
  // The payer has its money on the chain: nobody owes anybody anything.
  expect(await scene.balances()).toEqual({});
  const { admin } = await openDesk();
  for (const way of [`return ${item} --to ${home}`, `write-off ${item}`]) {
    const refused = await admin(`suspense ${way} --evidence x`);
    expect(refused.errors).toContain(`Nothing waits as ${item}`);
  }
  await settleDown(scene, shop, 6);
  expect(await scene.balances()).toMatchObject({ ...divided, "chain:settlement": used });
  expect(await scene.balances()).not.toHaveProperty("payer:refund_due");
  expect(await scene.differences()).toEqual([]);
});

test("a release that waits in the queue is not signed while its settlement is gone, and once after that", async () => {
  const id = await scene.addPayment();
  await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
  await finalize();
  await scene.reportUsage(shop, id, "1.25");
  expect(await scene.balances()).toMatchObject({ "payer:refund_due": rest });
  const had = await local.balanceOf(payer.address);
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({});
  await shop.send();
  expect(await sentBack()).toEqual([]);
  await settleDown(scene, shop, 6);
  expect(await scene.balances()).toEqual({ ...divided, "chain:settlement": used });
  expect(await local.balanceOf(payer.address)).toBe(had + price - used);
  const released = await query(scene.database)<{ count: number }>`
    select count(*)::integer as count from outgoing_transactions where purpose = 'x402_release'`;
  expect(released).toEqual([{ count: 1 }]);
  expect(await scene.differences()).toEqual([]);
});

test("what an operator sends back is not signed while its settlement is gone, and waits again with it", async () => {
  const { admin } = await openDesk();
  const { id, item } = await failedRelease(blockPayer);
  await admin(`suspense return ${item} --to ${home} --evidence "a second account"`);
  const had = await local.balanceOf(home);
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({ "payer:refunding": rest, "merchant:debt": rest });
  await shop.send();
  expect(await sentBack()).toEqual([]);
  expect(await scene.balances()).toEqual({});
  expect(scene.alarms).toContainEqual(["refund_failed", expect.anything()]);
  await settleDown(scene, shop, 6);
  expect(await local.balanceOf(home)).toBe(had);
  expect(await scene.balances()).toEqual({
    ...divided,
    "chain:settlement": price,
    "payer:refund_due": rest,
  });
  await admin(`suspense return ${await onlyItem()} --to ${home} --evidence "once more"`);
  await sendDown();
  expect(await local.balanceOf(home)).toBe(had + rest);
  expect(await scene.balances()).toEqual({ ...divided, "chain:settlement": used });
  expect(await scene.differences()).toEqual([]);
});

test("what was sent back is the merchant's debt, people hear of it, and it is paid when it comes again", async () => {
  const { admin } = await openDesk();
  const { id, item } = await failedRelease(blockPayer);
  await admin(`suspense return ${item} --to ${home} --evidence x`);
  await sendDown();
  const whole = await scene.balances();
  expect(whole).toEqual({ ...divided, "chain:settlement": used });
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({ "chain:settlement": -rest, "merchant:debt": rest });
  await shop.tellGone();
  await shop.tellGone();
  expect(goneAlarms()).toMatchObject([
    ["suspense_money_gone", { settlement_id: item, way: "sent_back", amount_raw: `${rest}` }],
  ]);
  await local.mint(scene.signer.accounts.settlementAddress, price);
  await settleDown(scene, shop, 6);
  expect(await scene.balances()).toMatchObject(divided);
  expect(await scene.balances()).not.toHaveProperty("merchant:debt");
  expect(await scene.differences()).toEqual([]);
});

test("what was written off is the platform's loss, not the merchant's, and its again when it comes again", async () => {
  const { admin } = await openDesk();
  const { id, item } = await failedRelease(blockPayer);
  await admin(`suspense write-off ${item} --evidence "nobody asks"`);
  const whole = await scene.balances();
  expect(whole).toEqual({
    "chain:settlement": price,
    "merchant:available": used - fee,
    "platform:fees": fee + rest,
  });
  await takeSettlementAway(id);
  expect(await scene.balances()).toEqual({});
  await shop.tellGone();
  expect(goneAlarms()).toMatchObject([["suspense_money_gone", { way: "written_off" }]]);
  await settleDown(scene, shop, 6);
  expect(await scene.balances()).toEqual(whole);
  expect(await scene.differences()).toEqual([]);
});
