// A value is high by what a reorganisation would take away, not by the size of one transfer.

import { describe, expect, test } from "vitest";
import { engines, openDatabase } from "../support/engines.ts";
import { addMerchant } from "../support/service-parts.ts";
import { highValueRaw, startWatching, token } from "./watching.ts";
import type { Watching } from "./watching.ts";

const most = (highValueRaw * 2n) / 5n;

interface Sent {
  readonly to: string;
  readonly amountRaw: bigint;
  readonly contractAddress?: string | null;
}

async function send(world: Watching, ...wishes: readonly Sent[]): Promise<void> {
  for (const wish of wishes) world.chain.deposit({ contractAddress: token, ...wish });
  world.mine();
  await world.drain();
}

async function finals(world: Watching): Promise<readonly bigint[]> {
  return Object.values(await world.sums()).map(({ final }) => BigInt(final));
}

describe.each(engines)("on %s", (engine) => {
  const open = async () => startWatching(await openDatabase(engine));

  test("many payments of a merchant in one block wait as one high value", async () => {
    const world = await open();
    const payments = [await world.newPayment(), await world.newPayment(), await world.newPayment()];
    await world.drain();
    await send(world, ...payments.map(({ address: to }) => ({ to, amountRaw: most })));
    world.mine(4);
    await world.drain();
    expect(await finals(world)).toEqual([0n, 0n, 0n]);
    world.mine();
    await world.drain();
    expect(await finals(world)).toEqual([most, most, most]);
  });

  test("the same in three blocks, and of two merchants in one block, does not wait", async () => {
    const world = await open();
    const merchantId = await addMerchant(world.database, "mer_other");
    const [one, other] = [await world.newPayment(), await world.newPayment()];
    const foreign = await world.newPayment({ merchantId });
    await world.drain();
    await send(
      world,
      { to: one.address, amountRaw: 2n * most },
      { to: foreign.address, amountRaw: 2n * most },
    );
    await send(world, { to: other.address, amountRaw: 2n * most });
    world.mine(2);
    await world.drain();
    expect(await finals(world)).toEqual([2n * most, 2n * most, 2n * most]);
  });

  test("parts of one payment in several currencies are one high value", async () => {
    const world = await open();
    const { address: to } = await world.newPayment();
    await world.drain();
    await send(world, { to, amountRaw: 2n * most });
    await send(world, { to, amountRaw: 2n * most, contractAddress: null });
    world.mine(3);
    await world.drain();
    expect(await finals(world)).toEqual([0n]);
    world.mine(2);
    await world.drain();
    expect(await finals(world)).toEqual([4n * most]);
  });
});
