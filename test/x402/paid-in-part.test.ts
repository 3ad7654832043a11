// Who signs less than is missing, and hands it to the chain himself, is not told that he has paid: what he
// sent is credited, and does not count a second time (threat 94).

import { describe, expect, test } from "vitest";
import { paymentOf } from "../../service/payments/facts.ts";
import { authorize } from "./payers.ts";
import { merchant, price, settleDown } from "./scene.ts";
import { local, scene, shop, useStage } from "./stage.ts";
import { submit } from "./strangers.ts";
import { expectRefusal } from "../support/refusal.ts";

useStage({ isPermitted: true });

async function toldNonce(id: string): Promise<string> {
  const [row] = await scene.payments([id]);
  if (row === undefined) throw new Error(`there is no ${id}`);
  const [offer] = await shop.x402.paymentRequirements(paymentOf(row));
  if (offer === undefined) throw new Error("x402 cannot pay it");
  return offer.nonce;
}

describe("a payer who signs less than the price and submits it himself", () => {
  test("half the price, seen by the watcher, is not settled", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, {
      amountRaw: price / 2n,
      nonce: await toldNonce(id),
    });
    await submit(command);
    await scene.mine();
    await scene.watch();
    await shop.match();
    expect(await scene.status(id)).toBe("partially_paid");
    await expectRefusal(shop.x402.settle(merchant, command), "x402_requirements_mismatch", {
      field: "max_amount_required",
    });
    await settleDown(scene, shop);
    await scene.mine(4);
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("partially_paid");
    // The rest can still be settled.
    const rest = await authorize(scene, id, { amountRaw: price - price / 2n });
    expect(await shop.x402.settle(merchant, rest)).toMatchObject({ isSettled: true });
    await settleDown(scene, shop);
    await scene.mine(4);
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.differences()).toEqual([]);
  });

  test("one unit, after the payment's end, is not settled", async () => {
    const id = await scene.addPayment({ lifeMilliseconds: 300_000 });
    const command = await authorize(scene, id, {
      amountRaw: 1n,
      validBefore: scene.nowSeconds() + 60n,
    });
    const hash = await submit(command);
    await scene.mine();
    await local.setTime(scene.nowSeconds() + 400n);
    await scene.mine();
    await scene.watch();
    await scene.expire([id]);
    await expectRefusal(shop.x402.settle(merchant, command), "payment_not_payable", {
      status: "expired",
      tx_hash: hash,
    });
    await settleDown(scene, shop);
    await scene.mine(4);
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("expired");
    expect(await scene.balances()).toMatchObject({ "chain:settlement": 1n });
    expect(await scene.differences()).toEqual([]);
  });
});
