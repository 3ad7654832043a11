// What is left of a payment after a deep reorganisation is divided as if what is gone had never come.

import { describe, expect, test } from "vitest";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { quotesOf } from "./progress-quotes.ts";
import { openWorld, partner } from "./progress-world.ts";
import type { PaymentWish, World } from "./progress-world.ts";

const price = 20_000_000n;
const half = { merchantId: partner.merchantId, bps: 5000 };
const shared: PaymentWish = {
  quotes: quotesOf({ usdc: `${price}`, eth: "10000000000000000" }),
  feeBps: 0,
  splits: [half],
};

/** @returns the hashes of the transactions, all final */
async function payInTurn(
  world: World,
  payment: string,
  ...amounts: readonly bigint[]
): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (const amountRaw of amounts) {
    const hash = await world.see({ payment, amountRaw });
    await world.finalize(hash);
    hashes.push(hash);
  }
  return hashes;
}

async function orphan(world: World, hash: string | undefined): Promise<void> {
  if (hash === undefined) throw new Error("there is such a deposit");
  await world.orphan(hash);
}

describe.each(engines)("on %s", (engine) => {
  const open = async () => openWorld(await openDatabase(engine));

  test("a surplus becomes the price when the price goes, and the partner keeps its share", async () => {
    const world = await open();
    const id = await world.addPayment(shared);
    const [paid] = await payInTurn(world, id, price, price);
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": 40_000_000n,
      "merchant:available creator": 30_000_000n,
      "merchant:available partner": 10_000_000n,
    });
    await orphan(world, paid);
    expect(await world.status(id)).toBe("paid");
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": 20_000_000n,
      "merchant:available creator": 10_000_000n,
      "merchant:available partner": 10_000_000n,
    });
  });

  test("what comes with the same news as what goes is added to what is left, as if it had come after", async () => {
    const world = await open();
    const id = await world.addPayment(shared);
    const at = (milliseconds: number) => ({ payment: id, blockTime: world.after(milliseconds) });
    const coin = { deploymentId: "dep_eth_base", amountRaw: 5_000_000_000_000_000n };
    const gone = await world.see({ ...at(0), amountRaw: price });
    const fresh = await world.see({ ...at(1_000), amountRaw: price });
    const left = await world.see({ ...at(2_000), ...coin });
    await world.finalize(gone);
    await world.finalize(left);
    // All of the coin is surplus, which is the creator's.
    expect(await world.balances("dep_eth_base")).toMatchObject({
      "merchant:available creator": 5_000_000_000_000_000n,
    });
    // Both are read at once, as after news that could not be followed up in time.
    await query(world.database)`
      update deposits set status = case tx_hash when ${gone} then 'orphaned' else 'final' end
      where tx_hash in (${gone}, ${fresh})`;
    await world.touch(id);
    // Half of the price is the coin, which came first; half of it is half of what is fresh.
    expect(await world.balances("dep_eth_base")).toMatchObject({
      "merchant:available creator": 2_500_000_000_000_000n,
      "merchant:available partner": 2_500_000_000_000_000n,
    });
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": price,
      "merchant:available creator": 15_000_000n,
      "merchant:available partner": 5_000_000n,
    });
  });

  test("whatever goes next and comes back, nobody has more or less than was left", async () => {
    const world = await open();
    const id = await world.addPayment(shared);
    const [one, other] = await payInTurn(world, id, price, price);
    await orphan(world, one);
    await orphan(world, other);
    expect(await world.balances()).toEqual({});
    for (const hash of [other, one]) {
      await world.include(hash ?? "");
      await world.finalize(hash ?? "");
    }
    expect(await world.balances()).toMatchObject({
      "merchant:available creator": 30_000_000n,
      "merchant:available partner": 10_000_000n,
    });
    await orphan(world, other);
    await orphan(world, one);
    expect(await world.balances()).toEqual({});
  });

  test("the fee is that of what is left, and each booking says what it is now", async () => {
    const world = await open();
    const id = await world.addPayment({ ...shared, feeBps: 250 });
    const [one] = await payInTurn(world, id, 15_000_000n, 10_000_000n, 7_000_000n);
    await orphan(world, one);
    // 17 of 20: all of it pays the price.
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": 17_000_000n,
      "merchant:available creator": 8_287_500n,
      "merchant:available partner": 8_287_500n,
      "platform:fees": 425_000n,
    });
    const booked = await query(world.database)<{ regular: string; surplus: string }>`
      select regular_raw::text as regular, surplus_raw::text as surplus from deposits
      where payment_id = ${id} and bookings > reversals order by amount_raw desc`;
    expect(booked).toEqual([
      { regular: "10000000", surplus: "0" },
      { regular: "7000000", surplus: "0" },
    ]);
  });

  test("a surplus in another currency becomes the price in its own units", async () => {
    const world = await open();
    const id = await world.addPayment(shared);
    const [paid] = await payInTurn(world, id, price);
    const eth = 12_000_000_000_000_000n;
    const coins = { payment: id, amountRaw: eth, deploymentId: "dep_eth_base" };
    const hash = await world.see(coins);
    await world.finalize(hash);
    expect(await world.balances("dep_eth_base")).toEqual({
      "chain:deposit_addresses": eth,
      "merchant:available creator": eth,
    });
    await orphan(world, paid);
    expect(await world.balances()).toEqual({});
    expect(await world.balances("dep_eth_base")).toEqual({
      "chain:deposit_addresses": eth,
      "merchant:available creator": 7_000_000_000_000_000n,
      "merchant:available partner": 5_000_000_000_000_000n,
    });
    await orphan(world, hash);
    expect(await world.balances("dep_eth_base")).toEqual({});
  });

  test("a creator that has spent the surplus owes the partner's share to the platform", async () => {
    const world = await open();
    const id = await world.addPayment(shared);
    const [paid] = await payInTurn(world, id, price, price);
    await world.spend(30_000_000n);
    await orphan(world, paid);
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": 20_000_000n,
      "merchant:available partner": 10_000_000n,
      "merchant:debt creator": 20_000_000n,
      "merchant:withdrawing creator": 30_000_000n,
    });
  });
});
