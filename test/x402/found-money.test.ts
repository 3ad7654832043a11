// Money of x402 that is on the settlement account already: the chain and the time of its block decide
// whose it is, whoever handed it in, and whenever we hear of it (threats 43 and 93).

import { describe, expect, test } from "vitest";
import { paymentOf } from "../../service/payments/facts.ts";
import { queryOf, type Stored } from "./found-looks.ts";
import { authorize, payer, signed, stranger } from "./payers.ts";
import { merchant, partner, price, settleDown } from "./scene.ts";
import { settlementAddress } from "./action-signer.ts";
import { finalize, impatient, local, scene, shop, useStage } from "./stage.ts";
import { callOf, type ContractCall, permitCallOf, submit, submitByContract } from "./strangers.ts";
import type { SettleCommand } from "../../service/x402/model.ts";
import { expectRefusal } from "../support/refusal.ts";

useStage({ isPermitted: true });

const looks = queryOf(() => scene.database);

/** Blocks and the clock go on to so many seconds from now. */
async function goOn(seconds: bigint): Promise<void> {
  await local.setTime(scene.nowSeconds() + seconds);
  await scene.mine();
}

/** The nonce that our own 402 asks for. */
async function toldNonce(id: string): Promise<string> {
  const [row] = await scene.payments([id]);
  if (row === undefined) throw new Error(`there is no ${id}`);
  const [offer] = await shop.x402.paymentRequirements(paymentOf(row));
  if (offer === undefined) throw new Error("x402 cannot pay it");
  return offer.nonce;
}

async function cancel(id: string): Promise<void> {
  await looks.run`update payments set status = 'cancelled', version = version + 1 where id = ${id} returning id`;
}

describe("an authorization that a stranger handed in, and that we hear of late", () => {
  test("is settled after its end: its block was in time", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 60n });
    const hash = await submit(command);
    await scene.mine();
    await goOn(120n);
    const result = await shop.x402.settle(merchant, command);
    expect(result).toMatchObject({ isSettled: true, txHash: hash });
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.sent()).toEqual([]);
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
    expect(await scene.differences()).toEqual([]);
  });

  test("is settled after the payment's end, when its block was in time", async () => {
    const id = await scene.addPayment({ lifeMilliseconds: 300_000 });
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 60n });
    const hash = await submit(command);
    await scene.mine();
    await goOn(400n);
    await scene.watch();
    await scene.expire([id]);
    const result = await shop.x402.settle(merchant, command);
    expect(result).toMatchObject({ isSettled: true, txHash: hash });
    await settleDown(scene, shop);
    expect(await scene.status(id)).toMatch(/^paid/);
    expect(await scene.differences()).toEqual([]);
    // The same again says the same.
    expect(await shop.x402.settle(merchant, command)).toMatchObject({
      isSettled: true,
      txHash: hash,
    });
    expect(await scene.sent()).toEqual([]);
  });

  test("is paid late, when its block came after the payment's end", async () => {
    const id = await scene.addPayment({ lifeMilliseconds: 100_000 });
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 600n });
    await goOn(200n);
    await scene.watch();
    await scene.expire([id]);
    expect(await scene.status(id)).toBe("expired");
    const hash = await submit(command);
    await scene.mine();
    const settle = () => shop.x402.settle(merchant, command);
    // Nobody has a row of it before its block is read.
    expect(await settle()).toMatchObject({ isSettled: false, txHash: hash });
    await scene.watch();
    expect(await settle()).toMatchObject({ isSettled: true, txHash: hash });
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid_late");
    expect(await scene.differences()).toEqual([]);
  });

  test("of a payment that was cancelled is the merchant's, apart, and the answer names it", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id);
    await cancel(id);
    const hash = await submit(command);
    await scene.mine();
    expect(await shop.x402.settle(merchant, command)).toMatchObject({
      isSettled: false,
      txHash: hash,
    });
    await scene.watch();
    await expectRefusal(shop.x402.settle(merchant, command), "payment_not_payable", {
      status: "cancelled",
      tx_hash: hash,
    });
    await settleDown(scene, shop);
    expect(await scene.balances()).toEqual({
      "chain:settlement": price,
      "merchant:unmatched": price,
    });
    expect(await scene.events(id)).toContain("payment.deposit_after_close");
  });

  test("is found however long ago it was, by what the watcher has written down", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 60n });
    const hash = await submit(command);
    await scene.mine();
    await scene.watch();
    await goOn(120n);
    await scene.mine(3);
    await scene.watch();
    // Nobody has its block any more, and nobody looks so far back.
    const chain = { ...scene.chain, useOf: () => Promise.resolve(undefined) };
    const { number } = await local.newestBlock();
    await looks.run`delete from chain_blocks where block_number < ${number} returning block_number`;
    const process = scene.startProcess({ chain });
    const result = await process.x402.settle(merchant, command);
    expect(result).toMatchObject({ isSettled: true, txHash: hash });
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
  });

  test("by Permit2 through a contract of the stranger is settled too", async () => {
    const id = await scene.addPayment();
    const wish = { method: "permit2", validBefore: scene.nowSeconds() + 60n } as const;
    const nonce = await toldNonce(id);
    const command = await authorize(scene, id, { ...wish, nonce });
    const hash = await submitByContract([permitCallOf(await signed(scene, { ...wish, nonce }))]);
    await scene.mine();
    const result = await shop.x402.settle(merchant, command);
    expect(result).toMatchObject({ isSettled: true, txHash: hash });
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.sent()).toEqual([]);
  });

  test("is not settled twice by one transfer", async () => {
    const [one, other] = [await scene.addPayment(), await scene.addPayment()];
    const first = await authorize(scene, one, { validBefore: scene.nowSeconds() + 60n });
    await submit(first);
    await scene.mine();
    await goOn(120n);
    await shop.x402.settle(merchant, first);
    await expectRefusal(
      shop.x402.settle(merchant, { ...first, paymentId: other }),
      "x402_authorization_used",
    );
    await settleDown(scene, shop);
    expect(await scene.status(other)).toBe("pending");
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
  });

  test("and that the chain knows nothing of is expired as before", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 60n });
    await goOn(120n);
    await expectRefusal(shop.x402.settle(merchant, command), "x402_expired");
  });
});

describe("what arrives at the settlement account with nobody asking for it", () => {
  test.each(["eip3009", "permit2"] as const)(
    "is credited to the payment whose nonce was signed (%s)",
    async (method) => {
      const id = await scene.addPayment();
      const nonce = await toldNonce(id);
      const command = await authorize(scene, id, { nonce, method });
      const one = await signed(scene, { nonce, method });
      const call =
        method === "permit2"
          ? permitCallOf(one)
          : { target: local.usdAddress, callData: callOf({ ...command.payload }) };
      await submitByContract([call]);
      await scene.mine();
      await scene.watch();
      await shop.match();
      expect(await scene.status(id)).toBe("confirming");
      await finalize();
      expect(await scene.status(id)).toBe("paid");
      expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
      // Whoever hands it in afterwards hears that.
      expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
      expect(await scene.sent()).toEqual([]);
      expect(await scene.differences()).toEqual([]);
    },
  );

  test("is apart from everything when nothing says whose it is, and an alarm tells of it", async () => {
    await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: price });
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    expect(await scene.balances()).toEqual({ "chain:settlement": price, "payer:unmatched": price });
    expect(scene.alarms).toMatchObject([
      ["settlement_unmatched", { sender: payer.address, amount_raw: price.toString() }],
    ]);
    // Once.
    await shop.match();
    await scene.mine();
    await scene.watch();
    await shop.match();
    expect(scene.alarms).toHaveLength(1);
    expect(await scene.differences()).toEqual([]);
  });

  test("goes from there to the payment that it was signed for, when that is settled", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id, { validBefore: scene.nowSeconds() + 60n });
    await submit(command);
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    expect(await scene.balances()).toMatchObject({ "payer:unmatched": price });
    await goOn(120n);
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    const balances = await scene.balances();
    expect(balances).toMatchObject({ "chain:settlement": price });
    expect(balances["payer:unmatched"]).toBeUndefined();
    expect(await scene.differences()).toEqual([]);
  });

  test("is taken out of the books again with its block", async () => {
    await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: price });
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    await local.reorg(6);
    await scene.mine(2);
    await scene.watch();
    await shop.match();
    expect(await scene.balances()).toEqual({});
    expect(await scene.differences()).toEqual([]);
  });

  test("is not what we settle ourselves, nor what our own accounts bring", async () => {
    const id = await scene.addPayment();
    const { x402 } = impatient();
    await x402.settle(merchant, await authorize(scene, id));
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    expect(await scene.balances()).toEqual({});
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    expect((await scene.balances())["payer:unmatched"]).toBeUndefined();
    expect(scene.alarms).toEqual([]);
  });
});

describe("the nonce that names a payment", () => {
  const other = partner;
  let command: SettleCommand;

  async function claimByAnother(isMined: boolean): Promise<string> {
    const id = await scene.addPayment();
    command = await authorize(scene, id, { nonce: await toldNonce(id) });
    if (isMined) {
      await submit(command);
      await scene.mine();
    }
    const claimed = await scene.addPayment({ owner: other });
    await expectRefusal(
      shop.x402.settle(other, { ...command, paymentId: claimed }),
      "x402_nonce_mismatch",
    );
    expect(await scene.settlements(claimed)).toEqual([]);
    return id;
  }

  test.each([true, false])("keeps it from any other merchant (mined: %s)", async (isMined) => {
    const id = await claimByAnother(isMined);
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    const rows: readonly Stored[] = await looks.deposits();
    expect(rows.map(({ payment_id: paymentId }) => paymentId)).toEqual([id]);
  });

  test("pays each of two payments that somebody handed in together", async () => {
    const ids = [await scene.addPayment(), await scene.addPayment()];
    const calls: ContractCall[] = [];
    for (const id of ids) {
      const { payload } = await authorize(scene, id, { nonce: await toldNonce(id) });
      calls.push({ target: local.usdAddress, callData: callOf(payload) });
    }
    await submitByContract(calls);
    await settleDown(scene, shop);
    for (const id of ids) expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toMatchObject({ "chain:settlement": 2n * price });
    expect(await scene.differences()).toEqual([]);
  });

  test("is stronger than another authorization in the same transaction", async () => {
    const [one, wrong] = [await scene.addPayment(), await scene.addPayment()];
    const real = await authorize(scene, one, { nonce: await toldNonce(one) });
    const decoyed = await authorize(scene, wrong);
    const decoy = await signed(scene, { nonce: decoyed.payload.nonce, to: stranger.address });
    if (decoy.authorization.method !== "eip3009") throw new Error("it is signed by EIP-3009");
    const decoyCall = callOf({ ...decoy.authorization, signature: decoy.signature });
    await submitByContract(
      [decoyCall, callOf(real.payload)].map((callData) => ({
        target: local.usdAddress,
        callData,
      })),
    );
    await scene.mine();
    await expectRefusal(shop.x402.settle(merchant, decoyed), "x402_transfer_mismatch");
    expect(await shop.x402.settle(merchant, real)).toMatchObject({ isSettled: true });
    await settleDown(scene, shop);
    expect(await scene.status(one)).toBe("paid");
    expect(await scene.status(wrong)).toBe("pending");
  });
});

describe("the money of a settlement that the watcher reads first", () => {
  test("is never nobody's, however soon somebody looks for such", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id);
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true });
    // Final, read, and looked at before the settlement takes it.
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    expect((await scene.balances())["payer:unmatched"]).toBeUndefined();
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.differences()).toEqual([]);
  });

  test("nor is any other of its payer while it is on its way", async () => {
    const id = await scene.addPayment();
    const command = await authorize(scene, id);
    expect(await impatient().x402.settle(merchant, command)).toMatchObject({ isSettled: false });
    await local.transfer({ from: payer.address, to: settlementAddress, amountRaw: 7n * price });
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    expect(await scene.balances()).toEqual({});
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    await shop.match();
    expect(await scene.balances()).toMatchObject({ "payer:unmatched": 7n * price });
    expect(await scene.differences()).toEqual([]);
  });

  test("of two transfers in one transaction that nobody knows, a reorganisation takes each once", async () => {
    const calls: ContractCall[] = [];
    for (const amountRaw of [price, 2n * price]) {
      const { authorization, signature } = await signed(scene, { amountRaw });
      if (authorization.method !== "eip3009") throw new Error("it is signed by EIP-3009");
      const callData = callOf({ ...authorization, signature });
      calls.push({ target: local.usdAddress, callData });
    }
    await submitByContract(calls);
    await scene.mine(4);
    await scene.watch();
    await shop.match();
    expect(await scene.balances()).toMatchObject({ "payer:unmatched": 3n * price });
    await local.reorg(6, []);
    await scene.watch();
    expect(await scene.balances()).toEqual({});
    expect(await scene.differences()).toEqual([]);
  });
});
