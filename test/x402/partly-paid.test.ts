// A payment that has seen some money already is settled for what is missing of it: dust that a stranger
// sends, or that a payer has sent before, is in nobody's way (threat 94).

import { describe, expect, test } from "vitest";
import { lockPayments } from "../../service/payments/facts.sql.ts";
import { paymentOf } from "../../service/payments/facts.ts";
import { expectRefusal } from "../support/refusal.ts";
import { authorize } from "./payers.ts";
import { merchant, price, settleDown } from "./scene.ts";
import { local, scene, sendTo, shop, useStage } from "./stage.ts";

useStage({ isPermitted: true });

/** What our 402 asks for now. */
async function asked(id: string): Promise<bigint | undefined> {
  const [row] = await scene.database.transaction((inside) =>
    inside.run(lockPayments, { ids: [id] }),
  );
  if (row === undefined) throw new Error(`there is no ${id}`);
  const [offer] = await shop.x402.paymentRequirements(paymentOf(row));
  return offer?.maxAmountRaw;
}

async function expectPaid(id: string, status: string): Promise<void> {
  await settleDown(scene, shop);
  await scene.mine(4);
  await settleDown(scene, shop);
  expect(await scene.status(id)).toBe(status);
  expect(await scene.differences()).toEqual([]);
}

describe("a payment that somebody has sent a little to", () => {
  // A cent of 25, which changes no state, and a twentieth, which does.
  test.each([
    [10_000n, "pending"],
    [1_250_000n, "partially_paid"],
  ])("of %d is %s, and settled for the rest", async (dustRaw, status) => {
    const id = await scene.addPayment();
    await sendTo(id, dustRaw);
    expect(await scene.status(id)).toBe(status);
    expect(await asked(id)).toBe(price - dustRaw);
    const command = await authorize(scene, id, { amountRaw: price - dustRaw });
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
    await expectPaid(id, "paid");
  });

  test("after the terms were read is settled by what they said, and the rest is too much", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id);
    await sendTo(id, 1_250_000n);
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
    await expectPaid(id, "overpaid");
  });

  test("is not settled by less than what is missing, nor by more than the price", async () => {
    const id = await scene.addPayment();
    await sendTo(id, 1_250_000n);
    for (const amountRaw of [price - 1_250_001n, price + 1n]) {
      const command = await authorize(scene, id, { amountRaw });
      await expectRefusal(shop.x402.settle(merchant, command), "x402_requirements_mismatch", {
        field: "max_amount_required",
      });
    }
  });

  test("is partly paid again when its authorization fails, and asks for the same", async () => {
    const id = await scene.addPayment();
    await sendTo(id, 1_250_000n);
    const wish = { amountRaw: price - 1_250_000n, validBefore: scene.nowSeconds() + 60n };
    const command = await authorize(scene, id, wish);
    const { x402 } = scene.startProcess({ waitMilliseconds: 0 });
    expect(await x402.settle(merchant, command)).toMatchObject({ isSettled: false });
    await local.rpc("anvil_dropAllTransactions", []);
    expect(await scene.status(id)).toBe("confirming");
    // What the pool has forgotten is sent again, and is too late.
    await local.setTime(scene.nowSeconds() + 61n);
    await scene.mine();
    await expectPaid(id, "partially_paid");
    expect(await scene.settlements(id)).toMatchObject([{ status: "failed" }]);
    expect(await asked(id)).toBe(price - 1_250_000n);
  });

  test("takes an authorization of up to the price, and the usage reported of it", async () => {
    const id = await scene.addPayment();
    await sendTo(id, 1_250_000n);
    const command = await authorize(scene, id, { scheme: "upto", method: "permit2" });
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: false });
    expect(await scene.status(id)).toBe("authorized");
    await scene.reportUsage(shop, id, "7");
    await expectPaid(id, "paid");
  });

  test("takes the report of a usage before its authorization", async () => {
    const id = await scene.addPayment();
    await sendTo(id, 1_250_000n);
    await scene.reportUsage(shop, id, "7");
    const command = await authorize(scene, id, { scheme: "upto", method: "permit2" });
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
    await expectPaid(id, "paid");
  });
});
