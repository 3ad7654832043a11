// What pays back a debt that the platform has borne: only what was taken and lacks still, not what any
// payment brings that was gone for a while (threat 110).

import { describe, expect, test } from "vitest";
import { Debts } from "../../service/suspense/debts.ts";
import { creator, openWorld, price } from "../payments/progress-world.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

const deploymentId = "dep_usdc_base";
/** 1 % of the price */
const fee = 250_000n;
const credit = price - fee;
/** What a fifth of the price leaves the merchant. */
const fifth = credit / 5n;

async function openBooks(engine: Engine) {
  const world = await openWorld(await openDatabase(engine));
  const debts = new Debts(world.parts);
  let written = 0;
  const later = () => world.clock.advance(60_000);
  const has = async (account: string): Promise<bigint> =>
    (await world.balances())[`${account} creator`] ?? 0n;
  /** Booked after everything before. */
  const bring = async (payment: string, amountRaw = price): Promise<string> => {
    later();
    const hash = await world.see({ payment, amountRaw });
    await world.finalize(hash);
    return hash;
  };
  return {
    ...world,
    debts,
    has,
    bring,
    gone: async (hash: string) => {
      later();
      await world.orphan(hash);
    },
    again: async (hash: string) => {
      later();
      await world.include(hash);
      await world.finalize(hash);
    },
    spendAll: async () => {
      later();
      await world.spend(await has("merchant:available"));
    },
    writeOff: async (amount: string) => {
      later();
      const evidence = `insolvent ${++written}`;
      return debts.writeOff({ ...creator, deploymentId, amount, evidence });
    },
    /** What it has borne, and did not get back. */
    borne: async (): Promise<readonly bigint[]> => {
      const rows = await query(world.database)<{ raw: string }>`
        select (borne_raw - paid_back_raw)::text as raw from debts_borne order by borne_at`;
      return rows.map(({ raw }) => BigInt(raw));
    },
  };
}

type Books = Awaited<ReturnType<typeof openBooks>>;

/** Gone and booked again, so that nobody lacks anything; and another one spent and gone for good. */
async function goneAndThere({ addPayment, bring, gone, again, spendAll }: Books) {
  const [there, lost] = [await addPayment(), await addPayment()];
  const hash = await bring(there);
  await gone(hash);
  await again(hash);
  const lostHash = await bring(lost);
  await spendAll();
  await gone(lostHash);
  return { there, hash, lost, lostHash };
}

describe.each(engines)("on %s", (engine) => {
  test("a payment that was gone and is there again gives nothing for another's debt", async () => {
    const books = await openBooks(engine);
    const { there, hash, lostHash } = await goneAndThere(books);
    await books.writeOff("24.75");
    await books.bring(there);
    expect(await books.has("merchant:available")).toBe(credit);
    // Nor when it is gone once more, and comes again.
    await books.gone(hash);
    await books.again(hash);
    expect(await books.has("merchant:available")).toBe(credit);
    expect(await books.borne()).toEqual([credit]);
    await books.again(lostHash);
    expect(await books.has("merchant:available")).toBe(credit);
    expect(await books.borne()).toEqual([0n]);
  });

  test("a transaction that was back at another place of its block gives nothing, either", async () => {
    const books = await openBooks(engine);
    const [there, lost] = [await books.addPayment(), await books.addPayment()];
    const hash = await books.bring(there);
    await books.gone(hash);
    books.clock.advance(60_000);
    await books.see({ payment: there, txHash: hash, logIndex: 7 });
    await query(books.database)`update deposits set status = 'final'
      where tx_hash = ${hash} and log_index = 7`;
    await books.touch(there);
    const lostHash = await books.bring(lost);
    await books.spendAll();
    await books.gone(lostHash);
    await books.writeOff("24.75");
    await books.bring(there);
    expect(await books.has("merchant:available")).toBe(credit);
    // But what lacks comes back at another place as well.
    books.clock.advance(60_000);
    await books.see({ payment: lost, txHash: lostHash, logIndex: 7 });
    await query(books.database)`update deposits set status = 'final'
      where tx_hash = ${lostHash} and log_index = 7`;
    await books.touch(lost);
    expect(await books.borne()).toEqual([0n]);
  });

  test("a payment whose payer had sent once more before gives nothing", async () => {
    const books = await openBooks(engine);
    const [paid, lost] = [await books.addPayment(), await books.addPayment()];
    const [first, other] = [await books.bring(paid), await books.bring(lost)];
    await books.spendAll();
    await books.gone(first);
    await books.gone(other);
    await books.bring(paid);
    expect(await books.has("merchant:debt")).toBe(credit);
    await books.writeOff("24.75");
    await books.again(first);
    expect(await books.has("merchant:available")).toBe(credit);
  });

  test("a payment gives no more than it lacks, and the rest of the debt waits for the other", async () => {
    const books = await openBooks(engine);
    const [small, lost] = [await books.addPayment(), await books.addPayment()];
    const [smallHash, hash] = [await books.bring(small, price / 5n), await books.bring(lost)];
    await books.spendAll();
    await books.gone(smallHash);
    await books.gone(hash);
    await books.writeOff("29.7");
    await books.bring(small);
    expect(await books.has("merchant:available")).toBe(credit - fifth);
    expect(await books.borne()).toEqual([credit]);
    await books.again(smallHash);
    expect(await books.has("merchant:available")).toBe(credit);
    await books.again(hash);
    expect(await books.has("merchant:available")).toBe(credit);
    expect(await books.borne()).toEqual([0n]);
  });

  test("a payment behind several write-offs gives once what it lacks", async () => {
    const books = await openBooks(engine);
    const [one, other] = [await books.addPayment(), await books.addPayment()];
    const [first, second] = [await books.bring(one), await books.bring(other)];
    await books.spendAll();
    await books.gone(first);
    await books.gone(second);
    await books.writeOff("10");
    await books.writeOff("39.5");
    // Twice as much as it lacks, at once.
    await books.bring(one, 2n * price);
    expect(await books.has("merchant:available")).toBe(credit);
    expect(await books.borne()).toEqual([0n, credit]);
    await books.bring(one);
    expect(await books.has("merchant:available")).toBe(2n * credit);
    await books.again(second);
    expect(await books.borne()).toEqual([0n, 0n]);
    expect(await books.has("merchant:available")).toBe(2n * credit);
  });

  test("what lacked before the debt began is the merchant's, who has paid it", async () => {
    const books = await openBooks(engine);
    const [paid, other, lost] = [
      await books.addPayment(),
      await books.addPayment(),
      await books.addPayment(),
    ];
    const hash = await books.bring(paid);
    await books.spendAll();
    await books.gone(hash);
    // The income of another one pays that debt.
    await books.bring(other);
    expect(await books.has("merchant:debt")).toBe(0n);
    const lostHash = await books.bring(lost);
    await books.spendAll();
    await books.gone(lostHash);
    await books.writeOff("24.75");
    await books.again(hash);
    expect(await books.has("merchant:available")).toBe(credit);
    await books.again(lostHash);
    expect(await books.has("merchant:available")).toBe(credit);
    expect(await books.borne()).toEqual([0n]);
  });

  test("what the same payment brings in another deployment is the merchant's", async () => {
    const books = await openBooks(engine);
    const lost = await books.addPayment();
    const hash = await books.bring(lost);
    await books.spendAll();
    await books.gone(hash);
    await books.writeOff("24.75");
    books.clock.advance(60_000);
    const elsewhere = { deploymentId: "dep_usdc_ethereum", chainId: "eip155:1" };
    await books.finalize(await books.see({ payment: lost, ...elsewhere }));
    expect((await books.balances("dep_usdc_ethereum"))["merchant:available creator"]).toBe(credit);
    expect(await books.borne()).toEqual([credit]);
  });
});
