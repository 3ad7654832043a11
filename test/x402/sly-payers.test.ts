// A payer who works out a nonce before it is told, signs two authorizations for one transfer, or has one of the scheme upto
// used otherwise: one transfer is one payment's, for what it is (threats 40 and 47).

import { describe, expect, test } from "vitest";
import { nonceOf } from "../../service/x402/requirements.ts";
import { cancel, claim, expectPaidAlone, looks, soon, tellNonce } from "./claims.ts";
import { authorize, newNonce, otherPayer, payer, signed, stranger } from "./payers.ts";
import { deploymentId, merchant, partner, price, settleDown } from "./scene.ts";
import { addDrainer, finalize, impatient, local, scene, shop, useStage } from "./stage.ts";
import { callOf, permitCallOf, submit, submitByContract } from "./strangers.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { expectRefusal } from "../support/refusal.ts";

useStage({ isPermitted: true });

test("the same nonce of the same payer on another chain is in nobody's way", async () => {
  const id = await scene.addPayment();
  const command = await authorize(scene, id);
  const other = await scene.addPayment();
  const { from, nonce } = command.payload;
  await looks.run`insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw)
    select ${nonce}, ${from}, ${other}, id, 1 from deployments where id <> ${deploymentId} limit 1
    returning nonce`;
  expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
  await expectPaidAlone(id);
});

test("what failed is its payment's, also where the payer has used up that nonce on another chain", async () => {
  const { drainer, x402, refill } = await addDrainer("49");
  const theft = await scene.addPayment({ owner: partner });
  await cancel(theft);
  const [id, abroad] = [await scene.addPayment(), await scene.addPayment()];
  const nonce = `0x${"1".padStart(64, "0")}`;
  await approvePermit2(local, drainer.address);
  const wish = { payer: drainer, method: "permit2", nonce, ...soon() } as const;
  const command = await authorize(scene, id, wish);
  await looks.run`insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw)
    select ${nonce}, ${drainer.address}, ${abroad}, id, 1 from deployments where id <> ${deploymentId}
    limit 1 returning nonce`;
  await expectRefusal(x402.settle(merchant, command), "x402_reverted");
  await scene.mine(3);
  await shop.reconcile();
  expect(await scene.settlements(id)).toMatchObject([{ status: "failed" }]);
  await refill();
  await submitByContract([permitCallOf(await signed(scene, wish))]);
  await scene.mine();
  await scene.watch();
  await claim(command, theft);
  scene.clock.advance(60_000);
  await shop.reconcile();
  await finalize();
  await expectPaidAlone(id);
});

test.each(["told", "the payer's own"])(
  "what failed and was to be charged by its usage is not charged in full, whoever uses it (its nonce is %s)",
  async (nonceOfWhom) => {
    const { drainer, x402, refill } = await addDrainer(nonceOfWhom === "told" ? "46" : "47");
    const id = await scene.addPayment();
    await scene.reportUsage(shop, id, "1.25");
    const nonce = nonceOfWhom === "told" ? nonceOf(id, deploymentId) : newNonce();
    if (nonceOfWhom === "told") await tellNonce(id, nonce);
    const command = await authorize(scene, id, { payer: drainer, scheme: "upto", nonce });
    await expectRefusal(x402.settle(merchant, command), "x402_reverted");
    await scene.mine(3);
    await shop.reconcile();
    expect(await scene.settlements(id)).toMatchObject([{ status: "failed" }]);
    await refill();
    await submit(command);
    await scene.mine();
    await scene.watch();
    await shop.match();
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "payer:unmatched": price });
    scene.clock.advance(60_000);
    await shop.reconcile();
    await finalize();
    expect((await looks.deposits()).map(({ source }) => source)).toEqual(["x402"]);
    expect(await scene.balances()).toEqual({
      "chain:settlement": price,
      "merchant:unmatched": price,
    });
    expect(await scene.differences()).toEqual([]);
  },
);

test("what failed and was to be charged by its usage is not charged in full, where its nonce is used by Permit2 for another", async () => {
  const { drainer, x402, refill } = await addDrainer("51");
  await approvePermit2(local, drainer.address);
  const id = await scene.addPayment();
  await scene.reportUsage(shop, id, "1.25");
  const wish = { payer: drainer, method: "permit2", nonce: newNonce(), ...soon() } as const;
  const command = await authorize(scene, id, { ...wish, scheme: "upto" });
  await expectRefusal(x402.settle(merchant, command), "x402_reverted");
  await scene.mine(3);
  await shop.reconcile();
  expect(await scene.settlements(id)).toMatchObject([{ status: "failed" }]);
  await refill();
  await submitByContract([permitCallOf(await signed(scene, wish))]);
  await finalize();
  await shop.match();
  expect((await looks.deposits()).at(-1)).toMatchObject({ payment_id: null });
  expect(await scene.balances()).toMatchObject({ "payer:unmatched": price });
  expect(await scene.status(id)).not.toBe("paid");
  expect(await scene.differences()).toEqual([]);
});

describe("a nonce that a payer works out before it is told", () => {
  /** Of two merchants: one is over, and so far within what its payer may sign. */
  async function twoPayments() {
    const over = await scene.addPayment({ owner: partner, lifeMilliseconds: 1_000 });
    const id = await scene.addPayment();
    return { over, id };
  }

  test.each([true, false])(
    "leaves what was accepted with its payment (the block is read: %s)",
    async (isRead) => {
      const { over, id } = await twoPayments();
      const nonce = nonceOf(over, deploymentId);
      const command = await authorize(scene, id, { nonce, ...soon() });
      expect(await impatient().x402.settle(merchant, command)).toMatchObject({ isSettled: false });
      await tellNonce(over, nonce);
      scene.clock.advance(2_000);
      await scene.expire([over]);
      await scene.mine();
      if (isRead) await scene.watch();
      await claim(command, over);
      expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
      await expectPaidAlone(id);
    },
  );

  test.each([true, false])(
    "leaves what was found used with its payment (the block is read: %s)",
    async (isRead) => {
      const { over, id } = await twoPayments();
      scene.clock.advance(2_000);
      await scene.expire([over]);
      const nonce = nonceOf(id, deploymentId);
      const command = await authorize(scene, id, { nonce, ...soon() });
      const hash = await submit(command);
      await scene.mine();
      if (isRead) await scene.watch();
      const late = { ...command, paymentId: over };
      const told = { isSettled: isRead, txHash: hash };
      expect(await shop.x402.settle(partner, late)).toMatchObject(told);
      await tellNonce(id, nonce);
      await expectRefusal(shop.x402.settle(merchant, command), "x402_authorization_used");
      await settleDown(scene, shop);
      expect(await scene.status(over)).toBe("paid_late");
      expect(await scene.status(id)).toBe("pending");
      expect(await shop.x402.settle(partner, late)).toMatchObject({ isSettled: true });
      expect(await scene.differences()).toEqual([]);
    },
  );
});

test.each([true, false])(
  "one transfer is not told to two authorizations of its transaction (the other payment is open: %s)",
  async (isOpen) => {
    const life = { lifeMilliseconds: 1_000 };
    // The chain is one for both: of what the other has sent, nothing is known here.
    const by = isOpen ? payer : otherPayer;
    await local.mint(by.address, 2n * price);
    await approvePermit2(local, by.address);
    const decoyed = await scene.addPayment({ owner: partner, ...life });
    const id = await scene.addPayment(isOpen ? {} : life);
    scene.clock.advance(2_000);
    await scene.expire(isOpen ? [decoyed] : [decoyed, id]);
    // Permit2 says nothing of where what its nonce was used for has gone.
    const wish = { nonce: newNonce(), method: "permit2", payer: by, ...soon() } as const;
    const claimed = await authorize(scene, decoyed, wish);
    const away = await signed(scene, { ...wish, to: stranger.address });
    const real = await authorize(scene, id, { payer: by, ...soon() });
    const own = { target: local.usdAddress, callData: callOf(real.payload) };
    await submitByContract([permitCallOf(away), own]);
    await scene.mine();
    const outcomes = async () => {
      const asked = [shop.x402.settle(partner, claimed), shop.x402.settle(merchant, real)];
      const answers = await Promise.allSettled(asked);
      return answers.filter((one) => one.status === "fulfilled" && one.value.isSettled).length;
    };
    expect(await outcomes()).toBeLessThanOrEqual(1);
    await scene.watch();
    expect(await outcomes()).toBe(1);
    await settleDown(scene, shop);
    expect(await outcomes()).toBe(1);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
    expect(await scene.differences()).toEqual([]);
  },
);
