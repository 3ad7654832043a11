// A debt that the platform has borne is not paid twice: when the money behind it comes again, the
// platform is paid back first (threat 107).

import { describe, expect, test } from "vitest";
import { paidBackJob } from "../../service/ledger/borne-debts.ts";
import { OperatorError } from "../../service/operator-error.ts";
import { Debts } from "../../service/suspense/debts.ts";

import { creator, openWorld, partner, price } from "../payments/progress-world.ts";
import type { PaymentWish } from "../payments/progress-world.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";

const deploymentId = "dep_usdc_base";
/** 1 % of the price */
const fee = 250_000n;
const credit = price - fee;

/** The creator has sent away what a payment brought, and a reorganisation takes that. */
async function openDebt(engine: Engine, wish: PaymentWish = {}) {
  const world = await openWorld(await openDatabase(engine));
  const debts = new Debts(world.parts);
  const told: Readonly<Record<string, unknown>>[] = [];
  const alarm = (what: string, facts: Readonly<Record<string, unknown>>) =>
    void told.push({ what, ...facts });
  const job = paidBackJob({ ...world.parts, alarm });
  const payment = await world.addPayment(wish);
  const hash = await world.see({ payment });
  await world.finalize(hash);
  const [gained = 0n] = [(await world.balances())["merchant:available creator"]];
  await world.spend(gained);
  world.clock.advance(60_000);
  await world.orphan(hash);
  world.clock.advance(60_000);
  return {
    ...world,
    debts,
    payment,
    hash,
    writeOff: (amount: string, owner = creator) =>
      debts.writeOff({ ...owner, deploymentId, amount, evidence: "insolvent" }),
    again: async (one: string) => {
      world.clock.advance(60_000);
      await world.include(one);
      await world.finalize(one);
    },
    tell: async () => {
      await job.run();
      await job.run();
      return told.splice(0);
    },
  };
}

describe.each(engines)("on %s", (engine) => {
  test("what was written off and comes again pays the platform back, and people hear of it once", async () => {
    const { writeOff, again, hash, balances, tell, spend } = await openDebt(engine);
    await writeOff("24.75");
    expect(await balances()).toEqual({
      "merchant:withdrawing creator": credit,
      "platform:fees": -credit,
    });
    expect(await tell()).toEqual([]);
    await again(hash);
    expect(await balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:withdrawing creator": credit,
      "platform:fees": fee,
    });
    await expect(spend(1n)).rejects.toThrow(/ledger_accounts_not_negative/);
    expect(await tell()).toEqual([
      {
        what: "debt_paid_back",
        merchant_id: creator.merchantId,
        environment: "live",
        deployment_id: deploymentId,
        amount_raw: `${credit}`,
        paid_back_raw: `${credit}`,
        written_off_raw: `${credit}`,
      },
    ]);
  });

  test("the same payer's second transfer for that payment pays it back, too", async () => {
    const { writeOff, see, finalize, payment, balances } = await openDebt(engine);
    await writeOff("24.75");
    await finalize(await see({ payment }));
    expect(await balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:withdrawing creator": credit,
      "platform:fees": fee,
    });
  });

  test("no more is paid back than was borne, and what came from elsewhere is the merchant's", async () => {
    const world = await openDebt(engine);
    await world.writeOff("10");
    const other = await world.addPayment();
    await world.finalize(await world.see({ payment: other }));
    // It has paid the debt that is left.
    expect(await world.balances()).toMatchObject({ "merchant:available creator": 10_000_000n });
    await world.again(world.hash);
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": 2n * price,
      "merchant:available creator": credit,
      "merchant:withdrawing creator": credit,
      "platform:fees": 2n * fee,
    });
    // What was lost after that was borne by nobody but the merchant.
    const later = await world.see({ payment: other });
    await world.finalize(later);
    await world.orphan(later);
    await world.again(later);
    expect(await world.balances()).toMatchObject({ "merchant:available creator": 2n * credit });
  });

  test("what was lost after the write-off is not behind it", async () => {
    const world = await openDebt(engine);
    const other = await world.addPayment();
    await world.writeOff("24.75");
    world.clock.advance(60_000);
    const later = await world.see({ payment: other });
    await world.finalize(later);
    await world.orphan(later);
    await world.again(later);
    expect(await world.balances()).toMatchObject({
      "merchant:available creator": credit,
      "platform:fees": -credit + fee,
    });
  });

  test("what the merchant has paid is the merchant's when the money comes again", async () => {
    const { debts, again, hash, balances, tell } = await openDebt(engine);
    const said = { deploymentId, evidence: "bank transfer 4711" };
    await debts.settle({ ...creator, ...said, amount: "24.75" });
    await again(hash);
    expect(await balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:available creator": credit,
      "merchant:withdrawing creator": credit,
      "platform:fees": fee - credit,
    });
    expect(await tell()).toEqual([]);
  });

  test("a partner's share is paid back as well, and only of whose debt was borne", async () => {
    const splits = [{ merchantId: partner.merchantId, bps: 5_000 }];
    const world = await openDebt(engine, { splits });
    const half = credit / 2n;
    expect(await world.balances()).toMatchObject({ "merchant:debt creator": half });
    await world.again(world.hash);
    await world.spend(half, partner.merchantId);
    world.clock.advance(60_000);
    await world.orphan(world.hash);
    world.clock.advance(60_000);
    expect(await world.balances()).toMatchObject({ "merchant:debt partner": half });
    await world.writeOff("12.375", partner);
    await world.again(world.hash);
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:withdrawing creator": half,
      "merchant:withdrawing partner": half,
      "platform:fees": fee,
    });
  });

  test("gone once more after it has paid back, it is a debt again", async () => {
    const { writeOff, again, hash, balances, orphan } = await openDebt(engine);
    await writeOff("24.75");
    await again(hash);
    await orphan(hash);
    expect(await balances()).toEqual({
      "merchant:withdrawing creator": credit,
      "merchant:debt creator": credit,
    });
    await expect(writeOff("24.75")).rejects.toThrow(OperatorError);
  });
});
