// What whoever has the link of a payment is asked for, and what is taken from them without a key: exactly
// that (threat 102). Whether a payment waits for its usage is the merchant's decision.

import { describe, expect, test } from "vitest";
import { paymentOf } from "../../service/payments/facts.ts";
import { sumMerchantSettlementGas } from "../../service/sending/gas.sql.ts";
import { expectRefusal } from "../support/refusal.ts";
import { accountOf } from "../support/test-accounts.ts";
import { authorize, payer, type SigningWish } from "./payers.ts";
import { merchant, price } from "./scene.ts";
import { settlementAddress } from "./action-signer.ts";
import { finalize, local, scene, shop, useStage } from "./stage.ts";

useStage({ isPermitted: true });

async function offered(id: string) {
  const [row] = await scene.payments([id]);
  if (row === undefined) throw new Error(`there is no ${id}`);
  const offers = await shop.x402.paymentRequirements(paymentOf(row));
  return offers.map(({ scheme, method, maxAmountRaw }) => [scheme, method, maxAmountRaw]);
}

const uptos = [
  { scheme: "upto", method: "permit2" },
  { scheme: "upto", method: "eip3009" },
] as const;

async function byLink(id: string, wish: SigningWish) {
  return shop.x402.settleByLink(merchant, await authorize(scene, id, wish));
}

describe("by the link", () => {
  test("exact is asked for and taken, by the one method that is asked for", async () => {
    const id = await scene.addPayment();
    expect(await offered(id)).toEqual([["exact", "eip3009", price]]);
    const permit = byLink(id, { method: "permit2" });
    await expectRefusal(permit, "x402_payload_scheme_mismatch");
    expect(await scene.status(id)).toBe("pending");
    expect(await byLink(id, {})).toMatchObject({ isSettled: true });
  });

  test.each(uptos)("$scheme by $method is the merchant's decision", async (wish) => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, wish);
    const details = { field: "scheme", x402_reason: "invalid_upto_evm_scheme" };
    await expectRefusal(
      shop.x402.settleByLink(merchant, command),
      "x402_requirements_mismatch",
      details,
    );
    expect([await scene.status(id), await scene.settlements(id)]).toEqual(["pending", []]);
    expect(await scene.sent()).toEqual([]);
    await shop.x402.settle(merchant, command);
    expect(await scene.status(id)).toBe("authorized");
  });

  test("what the merchant has used already is asked for by upto, and charged at once", async () => {
    const before = await local.balanceOf(payer.address);
    const id = await scene.addPayment();
    await scene.reportUsage(shop, id, "1.25");
    expect(await offered(id)).toEqual([["upto", "permit2", price]]);
    await expectRefusal(byLink(id, {}), "x402_requirements_mismatch", { field: "scheme" });
    await expectRefusal(byLink(id, uptos[1]), "x402_payload_scheme_mismatch");
    expect(await byLink(id, uptos[0])).toMatchObject({ isSettled: true });
    await finalize();
    expect(await scene.status(id)).toBe("paid");
    expect(await local.balanceOf(payer.address)).toBe(before - 1_250_000n);
    expect(await scene.differences()).toEqual([]);
  });

  test("nobody ends a payment of which nothing was used", async () => {
    const id = await scene.addPayment();
    await scene.reportUsage(shop, id, "0");
    expect(await offered(id)).toEqual([]);
    for (const wish of [{}, ...uptos]) {
      await expectRefusal(byLink(id, wish), "x402_requirements_mismatch", { field: "scheme" });
    }
    expect([await scene.status(id), await scene.settlements(id)]).toEqual(["pending", []]);
  });
});

test("failures that strangers bring about leave half of the merchant's part of the gas to its keys", async () => {
  const thieves = ["a1", "a2"].map((one) => accountOf(`0x${one.repeat(32)}`));
  let partRaw = 10n ** 18n;
  let toDrain: (typeof thieves)[number] | undefined;
  const process = scene.startProcess({
    merchantGasRaw: () => partRaw,
    onPause: async () => {
      // It is there until it was accepted, and gone when it is mined.
      if (toDrain !== undefined && (await local.balanceOf(toDrain.address)) > 0n)
        await scene.drain(toDrain);
      return local.mine();
    },
  });
  for (const thief of thieves) {
    await local.giveCoin(thief.address, 10n ** 20n);
    for (let count = 0; count < 2; count++) {
      await local.mint(thief.address, price);
      toDrain = thief;
      const command = await authorize(scene, await scene.addPayment(), { payer: thief });
      await expectRefusal(process.x402.settleByLink(merchant, command), "x402_reverted");
      toDrain = undefined;
      await scene.mine(3);
      await process.reconcile();
    }
  }
  const since = new Date(scene.clock.nowMilliseconds() - 86_400_000);
  const { merchantId } = merchant;
  const of = { chainId: local.chainId, account: settlementAddress, since, merchantId };
  const sum = () => scene.database.run(sumMerchantSettlementGas, { ...of, settlementId: null });
  const [spent] = await sum();
  expect(spent?.failed_raw).toBe(spent?.raw);
  partRaw = 2n * BigInt(spent?.raw ?? 0);
  const [id, another] = [await scene.addPayment(), await scene.addPayment()];
  const command = await authorize(scene, id);
  await expectRefusal(process.x402.settleByLink(merchant, command), "rate_limited", {
    policy: "x402_gas",
  });
  expect(await process.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
  expect((await sum())[0]?.failed_raw).toBe(spent?.raw);
  // Where less than half of it was for nothing, links settle as ever.
  partRaw = 10n ** 18n;
  const settled = process.x402.settleByLink(merchant, await authorize(scene, another));
  expect(await settled).toMatchObject({ isSettled: true });
});
