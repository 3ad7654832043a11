// Settlements of dust: each costs us gas, so there is a least amount, and what one merchant's cost in a
// day has a bound of its own (threat 108).

import { describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { paymentOf } from "../../service/payments/facts.ts";
import { openDatabase } from "../support/engines.ts";
import { expectRefusal } from "../support/refusal.ts";
import { query } from "../support/service-parts.ts";
import { authorize } from "./payers.ts";
import { localCurrencies, merchant, openScene, partner, price, settleDown } from "./scene.ts";
import type { Process, Scene } from "./scene.ts";
import { local, scene, shop, useStage } from "./stage.ts";
import { submit } from "./strangers.ts";

useStage();

const gwei = 10n ** 9n;
/** Of the local token, whose high value is ten thousand dollars. */
const cent = 10_000n;

async function offeredRaw(of: Scene, process: Process, priceRaw: bigint) {
  const id = await of.addPayment({ priceRaw });
  const [row] = await of.payments([id]);
  if (row === undefined) throw new Error(`there is no ${id}`);
  const offers = await process.x402.paymentRequirements(paymentOf(row));
  return new Set(offers.map(({ maxAmountRaw }) => maxAmountRaw));
}

/** With a catalog that says more of x402. */
async function sceneWith(more: Readonly<Record<string, string>>): Promise<Scene> {
  const currencies = localCurrencies().map((currency) => ({
    ...currency,
    deployments: currency.deployments.map((deployment) => ({
      ...deployment,
      capabilities: deployment.capabilities.map((one) =>
        one.scope === "x402" ? { ...one, parameters: { ...one.parameters, ...more } } : one,
      ),
    })),
  }));
  return openScene(await openDatabase("PostgreSQL"), local, currencies);
}

describe("a least amount", () => {
  test("is a cent where the catalog says nothing: no terms below it, and no settlement", async () => {
    expect(await offeredRaw(scene, shop, cent)).toEqual(new Set([cent]));
    expect(await offeredRaw(scene, shop, cent - 1n)).toEqual(new Set());
    const id = await scene.addPayment({ priceRaw: cent - 1n });
    const command = await authorize(scene, id, { amountRaw: cent - 1n });
    await expectRefusal(shop.x402.settle(merchant, command), "x402_requirements_mismatch", {
      field: "max_amount_required",
      least_raw: "10000",
    });
    expect(await scene.settlements(id)).toEqual([]);
    expect(await scene.sent()).toEqual([]);
  });

  test("does not refuse what somebody else has paid the gas for", async () => {
    const id = await scene.addPayment({ priceRaw: cent - 1n });
    const command = await authorize(scene, id, { amountRaw: cent - 1n });
    const hash = await submit(command);
    await scene.mine();
    expect(await shop.x402.settle(merchant, command)).toMatchObject({
      isSettled: true,
      txHash: hash,
    });
    await settleDown(scene, shop);
    expect(await scene.sent()).toEqual([]);
  });

  test("is what the catalog says", async () => {
    const said = await sceneWith({ least_raw: "2000000" });
    const process = said.startProcess();
    expect(await offeredRaw(said, process, 2_000_000n)).toEqual(new Set([2_000_000n]));
    expect(await offeredRaw(said, process, 1_999_999n)).toEqual(new Set());
  });

  test("rises with the cost of gas, and takes what was offered until it has doubled", async () => {
    const priced = await sceneWith({ raw_per_coin: "4000000000" });
    let fee = 30n * gwei;
    const fees = () => Promise.resolve({ maxFeePerGas: fee, maxPriorityFeePerGas: gwei });
    const process = priced.startProcess({ chain: { ...priced.chain, fees } });
    // 100,000 units at 30 gwei, of a coin for 4,000 dollars: 12 dollars.
    expect(await offeredRaw(priced, process, 12_000_000n)).toEqual(new Set([12_000_000n]));
    expect(await offeredRaw(priced, process, 11_999_999n)).toEqual(new Set());
    fee = 120n * gwei;
    priced.clock.advance(60_000);
    expect(await offeredRaw(priced, process, price)).toEqual(new Set());
    const id = await priced.addPayment();
    const command = await authorize(priced, id);
    await expect(process.x402.settle(merchant, command)).resolves.toMatchObject({
      isSettled: true,
    });
    fee = 130n * gwei;
    priced.clock.advance(60_000);
    const late = await authorize(priced, await priced.addPayment());
    await expectRefusal(process.x402.settle(merchant, late), "x402_requirements_mismatch", {
      least_raw: "26000000",
    });
  });
});

describe("a merchant's part of the day's gas", () => {
  test("used up is 429 until midnight for that merchant, and the others go on", async () => {
    const { maxFeePerGas } = await scene.chain.fees();
    // One settlement of about 100,000 units of gas fits into it, and a second one does not.
    const partRaw = 150_000n * maxFeePerGas;
    const process = scene.startProcess({ merchantGasRaw: () => partRaw });
    const settle = async (owner: Owner = merchant) => {
      const id = await scene.addPayment({ owner });
      const answer = await process.x402
        .settle(owner, await authorize(scene, id))
        .catch((error: unknown) => error);
      return { id, answer };
    };
    expect((await settle()).answer).toMatchObject({ isSettled: true });
    const more = await settle();
    const midnight = 86_400 - (Number(scene.nowSeconds()) % 86_400);
    expect(more.answer).toMatchObject({
      code: "rate_limited",
      details: { policy: "x402_gas" },
      retryAfterSeconds: midnight,
    });
    expect(await scene.settlements(more.id)).toEqual([]);
    expect((await settle(partner)).answer).toMatchObject({ isSettled: true });
    // A day later nothing of yesterday counts.
    scene.clock.advance(86_400_000);
    await local.setTime(scene.nowSeconds());
    await scene.mine();
    expect((await settle()).answer).toMatchObject({ isSettled: true });
  });

  test("too small for a single settlement: nothing is accepted that nobody would send", async () => {
    const process = scene.startProcess({ merchantGasRaw: () => 1n });
    const id = await scene.addPayment();
    const settling = process.x402.settle(merchant, await authorize(scene, id));
    await expect(settling).rejects.toMatchObject({ code: "rate_limited" });
    expect(await scene.settlements(id)).toEqual([]);
  });

  test("holds for what was accepted before: it waits, and another merchant's is sent", async () => {
    // An operator makes it smaller in between.
    const parts = [10n ** 18n];
    const merchantGasRaw = () => parts.shift() ?? 1n;
    const waiting = scene.startProcess({ merchantGasRaw, waitMilliseconds: 0 });
    const id = await scene.addPayment();
    expect(await waiting.x402.settle(merchant, await authorize(scene, id))).toMatchObject({
      isSettled: false,
    });
    const rows = await query(scene.database)<{ last_problem: string; status: string }>`
      select last_problem, status from outgoing_transactions`;
    expect(rows).toEqual([{ last_problem: "merchant_gas_used_up", status: "queued" }]);
    expect(scene.alarms).toMatchObject([["merchant_gas_used_up", {}]]);
    const theirs = await scene.addPayment({ owner: partner });
    expect(await shop.x402.settle(partner, await authorize(scene, theirs))).toMatchObject({
      isSettled: true,
    });
  });
});
