// Up to an amount, by usage: what was used is charged, the rest goes back, once (threats 47 and 48).

import { describe, expect, test } from "vitest";
import type { RecordedUsage } from "../../service/x402/usage.ts";
import { query } from "../support/service-parts.ts";
import { authorize, payer } from "./payers.ts";
import { finishingOf, hourMilliseconds, merchant, price } from "./scene.ts";
import { expectRefusal } from "../support/refusal.ts";
import { finalize, scene, local, sendTo, shop, useStage } from "./stage.ts";

useStage({ isPermitted: true });

const reporter = { ...merchant, keyId: "mk_test_1" };
async function report(paymentId: string, actualAmount: string, usageId = "usage-1") {
  const answers: RecordedUsage[] = [];
  const evidence = { tokens: 12, model: "large" };
  const said = { paymentId, actualAmount, usageId, evidence };
  await shop.x402.reportUsage(reporter, said, (recorded) => {
    answers.push(recorded);
    return finishingOf(merchant.merchantId, scene.clock);
  });
  return answers.at(-1);
}

async function settle(paymentId: string, method: "eip3009" | "permit2", process = shop) {
  const command = await authorize(scene, paymentId, { scheme: "upto", method });
  return { command, result: await process.x402.settle(merchant, command) };
}

/** What goes back is sent, mined, and final. */
async function released(): Promise<void> {
  await shop.send();
  await scene.mine(4);
  await shop.confirm();
}

const fee = 12_500n;
const used = { "merchant:available": 1_250_000n - fee, "platform:fees": fee };

describe("upto by EIP-3009", () => {
  test("holds the maximum, charges what was used, gives back the rest", async () => {
    const before = await local.balanceOf(payer.address);
    const id = await scene.addPayment();
    const { result } = await settle(id, "eip3009");
    expect(result.isSettled).toBe(true);
    expect(await scene.status(id)).toBe("authorized");
    await finalize();
    expect(await scene.balances()).toEqual({
      "chain:settlement": price,
      "merchant:x402_hold": price,
    });
    expect(await report(id, "1.25")).toEqual({
      paymentId: id,
      maxRaw: price,
      actualRaw: 1_250_000n,
      usageId: "usage-1",
    });
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toEqual({
      ...used,
      "chain:settlement": price,
      "payer:refund_due": price - 1_250_000n,
    });
    await released();
    expect(await local.balanceOf(payer.address)).toBe(before - 1_250_000n);
    expect(await scene.balances()).toEqual({ ...used, "chain:settlement": 1_250_000n });
    expect(await scene.events(id)).toEqual([
      "x402.authorized",
      "x402.settlement_submitted",
      "x402.settled",
      "x402.usage_reported",
      "payment.paid",
      "x402.released",
    ]);
    const [, transfer] = await scene.sent();
    expect(await scene.eventData(id, "x402.released")).toMatchObject({
      status: "paid",
      x402: { actual_raw: "1250000", refund_raw: `${price - 1_250_000n}` },
    });
    expect(transfer).toMatch(/^0x/);
    // Nothing is left to be sent again.
    await released();
    expect(await scene.sent()).toHaveLength(2);
    expect(await scene.differences()).toEqual([]);
  });

  test("with its usage before it is final gives nothing back before that", async () => {
    const id = await scene.addPayment();
    await settle(id, "eip3009");
    await report(id, "1.25");
    await released();
    expect(await scene.sent()).toHaveLength(1);
    expect(await scene.status(id)).toBe("authorized");
    await finalize();
    expect(await scene.status(id)).toBe("paid");
    await released();
    expect(await scene.balances()).toEqual({ ...used, "chain:settlement": 1_250_000n });
    expect(await scene.differences()).toEqual([]);
  });

  test("with its usage first charges when it is settled", async () => {
    const id = await scene.addPayment();
    await report(id, "1.25");
    expect(await scene.status(id)).toBe("pending");
    const exact = shop.x402.settle(merchant, await authorize(scene, id));
    await expect(exact).rejects.toMatchObject({ details: { field: "scheme" } });
    await settle(id, "eip3009");
    await finalize();
    await released();
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toEqual({ ...used, "chain:settlement": 1_250_000n });
  });

  test("with no usage in time goes back as a whole, and no usage comes after that", async () => {
    const before = await local.balanceOf(payer.address);
    const id = await scene.addPayment();
    const { command } = await settle(id, "eip3009");
    await finalize();
    scene.clock.advance(23 * hourMilliseconds);
    await shop.release();
    expect(await scene.status(id)).toBe("authorized");
    scene.clock.advance(hourMilliseconds);
    await shop.release();
    expect(await scene.status(id)).toBe("expired");
    await expectRefusal(report(id, "1.25"), "usage_closed", { status: "expired" });
    await released();
    expect(await scene.events(id)).toContain("x402.released");
    expect(await local.balanceOf(payer.address)).toBe(before);
    expect(await scene.balances()).toEqual({});
    expect(await scene.differences()).toEqual([]);
    const again = await shop.x402.settle(merchant, command);
    expect(again).toMatchObject({ isSettled: true, isReplayed: true });
  });

  test("a usage of zero gives everything back", async () => {
    const id = await scene.addPayment();
    await settle(id, "eip3009");
    await finalize();
    await report(id, "0.00");
    expect(await scene.status(id)).toBe("expired");
    await released();
    expect(await scene.balances()).toEqual({});
  });

  test("a usage of the maximum gives nothing back", async () => {
    const id = await scene.addPayment();
    await settle(id, "eip3009");
    await finalize();
    await report(id, "25");
    await released();
    expect(await scene.sent()).toHaveLength(1);
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
  });
});

describe("upto by Permit2", () => {
  test("waits for its usage, and moves that amount only", async () => {
    const before = await local.balanceOf(payer.address);
    const id = await scene.addPayment();
    const { command, result } = await settle(id, "permit2");
    expect(result).toMatchObject({ isSettled: false, txHash: "", isReplayed: false });
    expect(await scene.status(id)).toBe("authorized");
    expect(await scene.events(id)).toEqual(["x402.authorized"]);
    expect(await shop.x402.settle(merchant, command)).toMatchObject({
      isSettled: false,
      txHash: "",
      isReplayed: true,
    });
    expect(await scene.sent()).toEqual([]);
    await report(id, "1.25");
    const [hash] = await scene.sent();
    await scene.mine();
    await finalize();
    expect(await local.balanceOf(payer.address)).toBe(before - 1_250_000n);
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toEqual({ ...used, "chain:settlement": 1_250_000n });
    expect(await shop.x402.settle(merchant, command)).toMatchObject({
      isSettled: true,
      txHash: hash,
    });
    expect(await scene.sent()).toHaveLength(1);
    expect(await scene.differences()).toEqual([]);
  });

  test("with its usage first is settled at once", async () => {
    const id = await scene.addPayment();
    await report(id, "1.25");
    const { result } = await settle(id, "permit2");
    expect(result.isSettled).toBe(true);
    await finalize();
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toEqual({ ...used, "chain:settlement": 1_250_000n });
  });

  test.each(["before", "after"])("a usage of zero %s it sends nothing", async (order) => {
    const id = await scene.addPayment();
    if (order === "before") await report(id, "0");
    const { command, result } = await settle(id, "permit2");
    expect(result).toMatchObject({ isSettled: order === "before", txHash: "" });
    if (order === "after") await report(id, "0");
    expect(await scene.status(id)).toBe("expired");
    expect(await shop.x402.settle(merchant, command)).toMatchObject({
      isSettled: true,
      txHash: "",
    });
    expect(await scene.sent()).toEqual([]);
    expect(await scene.balances()).toEqual({});
  });

  test("whose payer has nothing any more when it is used fails at its deadline", async () => {
    const snapshot = await local.snapshot();
    const id = await scene.addPayment();
    const { command } = await settle(id, "permit2");
    const has = await local.balanceOf(payer.address);
    const to = `0x${"dead".repeat(10)}`;
    await local.transfer({ from: payer.address, to, amountRaw: has });
    await scene.mine();
    await report(id, "1.25");
    await shop.reconcile();
    expect(await scene.sent()).toEqual([]);
    expect(await scene.status(id)).toBe("authorized");
    await local.setTime(command.payload.validBefore + 1n);
    await scene.mine();
    await shop.reconcile();
    expect(await scene.settlements(id)).toMatchObject([
      { status: "failed", reason: "x402_expired" },
    ]);
    expect(await scene.status(id)).toBe("pending");
    expect(await scene.events(id)).toContain("x402.settlement_failed");
    await shop.send();
    expect(await scene.sent()).toEqual([]);
    await local.revert(snapshot);
  });

  test("lapses at its deadline", async () => {
    const id = await scene.addPayment();
    const { command } = await settle(id, "permit2");
    const end = command.payload.validBefore + 1n;
    const snapshot = await local.snapshot();
    await local.setTime(end);
    await scene.mine();
    await shop.reconcile();
    await scene.expire([id]);
    expect(await scene.status(id)).toBe("expired");
    await expect(report(id, "1")).rejects.toMatchObject({ code: "usage_closed" });
    await expectRefusal(shop.x402.settle(merchant, command), "x402_expired");
    await local.revert(snapshot);
  });

  test.each([
    ["pending", 0n],
    ["partially_paid", price / 2n],
  ])("lapses long before the payment's end, which is %s again", async (status, paidRaw) => {
    const snapshot = await local.snapshot();
    const id = await scene.addPayment();
    if (paidRaw > 0n) await sendTo(id, paidRaw);
    expect(await scene.status(id)).toBe(status);
    const end = scene.nowSeconds() + 60n;
    const wish = { scheme: "upto", method: "permit2", validBefore: end } as const;
    const command = await authorize(scene, id, wish);
    await shop.x402.settle(merchant, command);
    expect(await scene.status(id)).toBe("authorized");
    await local.setTime(end + 1n);
    await scene.mine();
    await shop.reconcile();
    expect(await scene.status(id)).toBe(status);
    expect(await scene.events(id)).toContain("x402.settlement_failed");
    expect(await scene.events(id)).not.toContain("payment.expired");
    expect(await scene.sent()).toEqual([]);
    await expectRefusal(shop.x402.settle(merchant, command), "x402_expired");
    // Nothing is authorized that it could be charged from.
    await expectRefusal(report(id, "1"), "usage_closed", { status });
    // Nobody is kept out: it is settled by another one.
    await settle(id, "permit2");
    await report(id, "1.25");
    await scene.mine();
    await finalize();
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.differences()).toEqual([]);
    await local.revert(snapshot);
  });

  test("what is used first, and cannot be moved, ends at once", async () => {
    const snapshot = await local.snapshot();
    const id = await scene.addPayment();
    await report(id, "1.25");
    scene.clock.advance(1_000);
    const drained = scene.startProcess({
      waitMilliseconds: 0,
      reached: async (point) => {
        if (point !== "accepted") return;
        const amountRaw = await local.balanceOf(payer.address);
        const to = `0x${"dead".repeat(10)}`;
        await local.transfer({ from: payer.address, to, amountRaw });
        await scene.mine();
      },
    });
    const settling = settle(id, "permit2", drained);
    await expectRefusal(settling, "x402_insufficient_funds");
    expect(await scene.status(id)).toBe("pending");
    expect(await scene.sent()).toEqual([]);
    await local.revert(snapshot);
  });
});

describe("a report of usage", () => {
  test("is taken once: the same again is answered, anything else is refused", async () => {
    const id = await scene.addPayment();
    await settle(id, "eip3009");
    const first = await report(id, "1.25");
    expect(await report(id, "1.250")).toEqual(first);
    const taken = { code: "usage_already_reported" };
    await expect(report(id, "1.26")).rejects.toMatchObject(taken);
    await expect(report(id, "1.25", "usage-2")).rejects.toMatchObject(taken);
    const told = (await scene.events(id)).filter((type) => type === "x402.usage_reported");
    expect(told).toHaveLength(1);
  });

  test("is at most the maximum, and as exact as the token (threat 47)", async () => {
    const id = await scene.addPayment();
    await settle(id, "eip3009");
    await expect(report(id, "25.000001")).rejects.toMatchObject({ code: "usage_exceeds_max" });
    await expect(report(id, "1.0000001")).rejects.toMatchObject({ code: "amount_precision" });
    await expect(report(id, "9".repeat(78))).rejects.toMatchObject({ code: "amount_too_large" });
    expect((await report(id, "25.000000"))?.actualRaw).toBe(price);
  });

  test("is for payments that are upto, or can be", async () => {
    const id = await scene.addPayment();
    await shop.x402.settle(merchant, await authorize(scene, id));
    await expect(report(id, "1")).rejects.toMatchObject({ code: "usage_not_upto" });
    await expect(report("pay_none", "1")).rejects.toMatchObject({ code: "not_found" });
    const over = await scene.addPayment();
    await query(
      scene.database,
    )`update payments set status = 'cancelled' where id = ${over} returning id`;
    await expectRefusal(report(over, "1"), "usage_closed", { status: "cancelled" });
  });

  test("leaves the hash of its evidence in the audit log and in the event", async () => {
    const id = await scene.addPayment();
    await settle(id, "eip3009");
    await report(id, "1");
    // Of {"model":"large","tokens":12}.
    const evidence_hash = "b0fa0dbaf13bda994ea5efd6895d5f339ec6dccbd9e6f897a4f45816b41f6f8b";
    const [entry] = await query(scene.database)<{
      details: string;
    }>`select details from audit_entries
      where action = 'x402.usage_reported'`;
    expect(JSON.parse(entry?.details ?? "{}")).toMatchObject({ evidence_hash });
    const data = await scene.eventData(id, "x402.usage_reported");
    expect(data).toMatchObject({ x402: { usage_id: "usage-1", evidence_hash } });
  });
});
