// Of every write of a payment by usage nobody hears what became of it, once though it was done and once because it was
// not. Who asks again brings it to its end: charged once, given back once.

import { afterAll, beforeAll, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { Cuts } from "../support/cuts.ts";
import { openDatabase } from "../support/engines.ts";
import type { TestChain } from "../support/local-chain.ts";
import { approvePermit2 } from "../support/permit2.ts";
import { authorize, payer } from "./payers.ts";
import { finishingOf, hourMilliseconds, merchant, openScene, startX402Chain } from "./scene.ts";
import type { Process, Scene } from "./scene.ts";

const cuts = new Cuts(
  new Map([
    [1, "done"],
    [2, "not done"],
    [4, "done"],
  ]),
);
/** Each cut is another one: a piece of work has fewer writes than this. */
const attemptsMax = 60;
const fee = 12_500n;
const usedRaw = 1_250_000n;

let local: TestChain;
let scene: Scene;
let shop: Process;

beforeAll(async () => {
  local = await startX402Chain();
  await local.mint(payer.address, 10n ** 12n);
  await approvePermit2(local, payer.address);
});
afterAll(() => local.close());

/** Whoever hears that the database is away asks again. */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await cuts.during(work);
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === "service_unavailable";
      if (!isAway || attempts === attemptsMax) throw error;
    }
  }
}

async function settle(paymentId: string, method: "eip3009" | "permit2"): Promise<void> {
  const command = await authorize(scene, paymentId, { scheme: "upto", method });
  await insist(() => shop.x402.settle(merchant, command));
}

async function report(paymentId: string): Promise<void> {
  const reporter = { ...merchant, keyId: "mk_test_1" };
  const said = { paymentId, actualAmount: "1.25", usageId: `usage of ${paymentId}`, evidence: {} };
  await insist(() =>
    shop.x402.reportUsage(reporter, said, () => finishingOf(merchant.merchantId, scene.clock)),
  );
}

/** Until what can happen by itself has happened. */
async function comeToRest(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await insist(() => scene.watch());
    await insist(() => shop.reconcile());
    await insist(() => shop.release());
    await insist(() => shop.send());
    await scene.mine(4);
    await insist(() => shop.confirm());
  }
}

test("each is charged what was used, and gets back the rest, once", async () => {
  scene = await openScene(cuts.of(await openDatabase("PostgreSQL")), local);
  shop = scene.startProcess();
  const before = await local.balanceOf(payer.address);
  const used: string[] = [];
  const unused: string[] = [];
  for (let count = 0; count < 4; count++) {
    for (const method of ["eip3009", "permit2"] as const) {
      const late = await scene.addPayment();
      await settle(late, method);
      await report(late);
      const early = await scene.addPayment();
      await report(early);
      await settle(early, method);
      used.push(late, early);
    }
    unused.push(await scene.addPayment());
    await settle(unused.at(-1) ?? "", "eip3009");
    await comeToRest();
  }
  scene.clock.advance(24 * hourMilliseconds);
  await comeToRest();

  for (const id of used) {
    expect(await scene.status(id)).toBe("paid");
    const types = await scene.events(id);
    for (const once of ["x402.usage_reported", "payment.paid"]) {
      expect(types.filter((type) => type === once)).toHaveLength(1);
    }
  }
  for (const id of unused) expect(await scene.status(id)).toBe("expired");
  const count = BigInt(used.length);
  expect(await scene.balances()).toEqual({
    "chain:settlement": count * usedRaw,
    "merchant:available": count * (usedRaw - fee),
    "platform:fees": count * fee,
  });
  expect(await local.balanceOf(payer.address)).toBe(before - count * usedRaw);
  expect(await scene.differences()).toEqual([]);
  // What never happens proves nothing.
  const both = new Set(["done", "not done"]);
  for (const name of [
    "insert_x402_settlement",
    "use_x402_settlement",
    "charge_x402_settlement",
    "release_x402_settlement",
    "close_x402_settlement",
    "finish_x402_settlement",
    "queue_outgoing",
    "store_signed_outgoing",
    "end_outgoing",
  ]) {
    expect([name, cuts.cut.get(name)]).toEqual([name, both]);
  }
});
