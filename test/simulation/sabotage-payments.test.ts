// A service that does not do one of the things that payments need is found by the simulation.

import { expect, test } from "vitest";
import type { Database } from "../../service/ports/database.ts";
import { expectFound, playOnce } from "./broken.ts";
import { sendCall } from "./client.ts";
import { deep } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import { createPayment, openPage, payMany } from "./merchants.ts";
import { calmChain } from "./outside.ts";
import { blocksUntilFinal, mineOne, payTwice, readAll } from "./paid-twice.ts";
import { without } from "./without.ts";
import type { World } from "./world.ts";

const triesMax = 60;
/** As many as an ordinary value waits for on the chain, and fewer than a high one. */
const ordinaryBlocks = 8;

/** On the chain that loses what is final. */
async function manyPayments(world: World): Promise<SimulatedChain> {
  const one = world.chains.find(({ character }) => character === deep);
  if (one === undefined) throw new Error("there is such a chain");
  for (let left = triesMax; left > 0; left--) {
    await sendCall(world, world.worker(0), createPayment(world));
    await openPage(world);
  }
  return one;
}

/** As if there were no high values. */
function withoutHighValues(real: Database): Database {
  return {
    run: async (statement, values) => await real.run(statement, shallow(values)),
    transaction: (work) => real.transaction((inside) => work(withoutHighValues(inside))),
  };
}

/** The rules of the watcher's statements; everything else stays as it is. */
function shallow<Values>(values: Values): Values {
  if (typeof values !== "object" || values === null || !("rules" in values)) return values;
  // What the watcher has written a moment ago.
  const rules = JSON.parse(String(values.rules)) as readonly { readonly number_max: string }[];
  const changed = rules.map((rule) => ({ ...rule, high_number_max: rule.number_max }));
  return { ...values, rules: JSON.stringify(changed) };
}

/** All that one merchant is owed on a chain is paid in one block, which becomes final. */
async function payInOneBlock(world: World): Promise<void> {
  const one = await manyPayments(world);
  // Whose they are is decided at random.
  for (let left = triesMax; left > 0; left--) payMany(world, one.chain.chainId);
  // A chain that gives no answers now would be read when the block is deep enough.
  calmChain(one);
  world.isHidingTransfers = false;
  for (let mined = 0; mined < ordinaryBlocks; mined++) mineOne(one);
  await readAll(world, one);
}

/** A payment with shares gets its price twice, and loses the first of the two. */
async function losePrice(world: World): Promise<void> {
  const before = world.payments.length;
  // Else the second may seem gone for a while, and comes back as the price.
  world.isHidingTransfers = false;
  // Whose partners are all suspended makes no payment with shares.
  const { merchants } = world.worker(0);
  for (const merchantId of world.isSuspended) await merchants.setStatus(merchantId, "active");
  world.isSuspended.clear();
  const one = await manyPayments(world);
  // Those of before may be over.
  const spared = await payTwice(world, one, world.payments.slice(before));
  if (spared === undefined) throw new Error("one of so many payments can be paid here");
  const drop = one.depositHashes.slice(-2, -1);
  one.chain.reorg(blocksUntilFinal + 1, { drop });
  await readAll(world, one);
}

test.each([
  [
    "a share that stays where it was",
    (real: Database) => without(["mark_deposit_parts", "change_payment_shares"], real),
    losePrice,
    /has a surplus, and its price is not all there/,
  ],
  [
    "a share that is not moved",
    (real: Database) => without(["change_payment_shares"], real),
    losePrice,
    /mer_\w+ has \d+ and not \d+/,
  ],
  [
    "a high value in small parts that is final too early",
    withoutHighValues,
    payInOneBlock,
    /a high value of mer_\w+ in block \d+ is final after \d+ blocks/,
  ],
] as const)("%s is found, and the seed is named", async (...[, broken, play, found]) => {
  await expectFound({ broken, play }, found);
});

test("without a sabotage the same is no problem", async () => {
  const play = async (world: World): Promise<void> => {
    await losePrice(world);
    await payInOneBlock(world);
  };
  const { counts } = await playOnce({ play });
  const happened = new Map(counts);
  expect(happened.get("deposits: twice")).toBeGreaterThan(0);
  expect(happened.get("deposits: of many payments")).toBeGreaterThan(0);
});
