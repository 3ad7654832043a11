// A token that may keep a part of what is sent is no token for x402; and what an authorization brought
// before anybody knew counts for what came.

import { beforeEach, describe, expect, test } from "vitest";
import { paymentOf } from "../../service/payments/facts.ts";
import { queryOf } from "./found-looks.ts";
import { authorize } from "./payers.ts";
import { deploymentId, finishingOf, merchant, price, settleDown } from "./scene.ts";
import { finalize, impatient, local, scene, setStage, shop, useStage } from "./stage.ts";
import { submit } from "./strangers.ts";
import { engines } from "../support/engines.ts";
import { expectRefusal } from "../support/refusal.ts";

useStage({ isPermitted: true });

const looks = queryOf(() => scene.database);
const arrived = (price * 99n) / 100n;

/** From now on the catalog says it. */
async function mark(): Promise<void> {
  await looks.run`insert into capabilities
    values (${deploymentId}, 'deposit', 'transfer_fee', 'supported', '{}', 1, null) returning key`;
  await looks.run`update catalog set version = version + 1 returning version`;
}

/** It says it no more. */
async function unmark(): Promise<void> {
  await looks.run`delete from capabilities where key = 'transfer_fee' returning key`;
  await looks.run`update catalog set version = version + 1 returning version`;
}

/** From now on the token keeps one of so many parts of what somebody has signed. */
async function tax(parts = 100n): Promise<void> {
  const code = await local.deploy("TestUSD");
  const made = await local.deploy("TaxedProxy", [code, parts]);
  const proxy = await local.rpc("eth_getCode", [made, "latest"]);
  await local.rpc("anvil_setCode", [local.usdAddress, proxy]);
}

const measured = () =>
  looks.run`select logged_raw::text as logged, arrived_raw::text as arrived from measured_transfers`;

async function offers(id: string) {
  const [row] = await scene.payments([id]);
  if (row === undefined) throw new Error(`there is no ${id}`);
  return shop.x402.paymentRequirements(paymentOf(row));
}

describe("once the catalog says that the token may keep a part", () => {
  test("x402 is not offered, and an authorization is refused with the reason", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id);
    expect(await offers(id)).not.toEqual([]);
    await mark();
    expect(await offers(id)).toEqual([]);
    const refused = shop.x402.settle(merchant, command);
    await expect(refused).rejects.toThrow("may keep a part");
    await expect(refused).rejects.toMatchObject({
      code: "x402_requirements_mismatch",
      details: { field: "scheme" },
    });
    expect(await scene.sent()).toEqual([]);
  });

  test("nor is an upto authorization taken", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, { scheme: "upto", method: "permit2" });
    await mark();
    await expect(shop.x402.settle(merchant, command)).rejects.toMatchObject({
      code: "x402_requirements_mismatch",
    });
    const said = { paymentId: id, actualAmount: "1", usageId: "usage-1", evidence: {} };
    const reporter = { ...merchant, keyId: "mk_test_1" };
    const finish = () => finishingOf(merchant.merchantId, scene.clock);
    const usage = shop.x402.reportUsage(reporter, said, finish);
    await expect(usage).rejects.toThrow("cannot be settled by the upto");
  });
});

describe.each(engines)("what an authorization has brought, on %s", (engine) => {
  beforeEach(() => setStage(engine));

  test("by a stranger: it is the payment's, for what came", async () => {
    const id = await scene.addPayment();
    const [offer] = await offers(id);
    const command = await authorize(scene, id, { nonce: offer?.nonce ?? "" });
    await mark();
    await tax();
    await submit(command);
    await scene.mine();
    await settleDown(scene, shop);
    expect(await looks.deposits()).toMatchObject([
      { payment_id: id, amount_raw: `${arrived}`, source: "settlement" },
    ]);
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: `${arrived}` }]);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": arrived });
    expect(await scene.differences()).toEqual([]);
  });

  test("nothing, as was measured, for a payment that is over: it is refused", async () => {
    const id = await scene.addPayment({ lifeMilliseconds: 300_000 });
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 60n });
    await mark();
    await tax(1n);
    await submit(command);
    await scene.mine();
    await local.setTime(scene.nowSeconds() + 400n);
    await scene.mine();
    await scene.watch();
    await scene.expire([id]);
    await unmark();
    // By its block it was in time.
    const settled = shop.x402.settle(merchant, command);
    await expectRefusal(settled, "payment_not_payable", { status: "expired" });
    await settleDown(scene, shop);
    expect(await measured()).toEqual([{ logged: `${price}`, arrived: "0" }]);
    expect(await looks.deposits()).toEqual([]);
    expect(await scene.differences()).toEqual([]);
  });

  test("that was under way: it is written down when the watcher has measured it", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id);
    await tax();
    await impatient().x402.settle(merchant, command);
    await mark();
    await scene.mine();
    await shop.reconcile();
    expect(await looks.deposits()).toEqual([]);
    await finalize();
    expect(await looks.deposits()).toMatchObject([
      { payment_id: id, amount_raw: `${arrived}`, source: "x402" },
    ]);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": arrived });
    expect(await scene.differences()).toEqual([]);
  });

  test("up to an amount, all of it used: what came is charged, and nothing is left to give back", async () => {
    const id = await scene.addPayment();
    await scene.reportUsage(shop, id, "25");
    await tax();
    const command = await authorize(scene, id, { scheme: "upto" });
    await impatient().x402.settle(merchant, command);
    await mark();
    await scene.mine();
    await settleDown(scene, shop);
    expect(await looks.deposits()).toMatchObject([{ payment_id: id, amount_raw: `${arrived}` }]);
    expect(await looks.run`select refund_raw::text from x402_settlements`).toEqual([
      { refund_raw: "0" },
    ]);
    const balances = await scene.balances();
    expect(balances).toMatchObject({ "chain:settlement": arrived });
    expect(balances["merchant:x402_hold"] ?? 0n).toBe(0n);
    expect(await scene.differences()).toEqual([]);
  });
});
