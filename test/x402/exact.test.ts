// An exact authorization becomes money: at once on the chain, in the ledger when it is final.

import { describe, expect, test } from "vitest";
import { settlementAddress } from "./action-signer.ts";
import { authorize } from "./payers.ts";
import { merchant, price } from "./scene.ts";
import { local, scene, useStage } from "./stage.ts";

useStage();

describe("an exact authorization by EIP-3009", () => {
  test("is settled by one transaction, and paid when that is final", async () => {
    const { x402, ...process } = scene.startProcess();
    const id = await scene.addPayment({ splitBps: 1_000 });
    const before = await local.balanceOf(settlementAddress);
    const result = await x402.settle(merchant, await authorize(scene, id));
    expect(result).toMatchObject({ isSettled: true, isReplayed: false, paymentId: id });
    expect(await local.balanceOf(settlementAddress)).toBe(before + price);
    expect(await scene.status(id)).toBe("confirming");
    expect(await scene.sent()).toEqual([result.txHash]);

    await scene.watch();
    await process.reconcile();
    await scene.mine(4);
    await scene.watch();
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.events(id)).toEqual([
      "payment.confirming",
      "x402.settlement_submitted",
      "x402.settled",
      "payment.paid",
    ]);
    expect(await scene.settlements(id)).toMatchObject([{ status: "final" }]);
    expect(await scene.balances()).toEqual({
      "chain:settlement": price,
      "merchant:available": price - 250_000n - 2_475_000n,
      "merchant:available mer_partner": 2_475_000n,
      "platform:fees": 250_000n,
    });
    expect(await scene.differences()).toEqual([]);
  });
});
