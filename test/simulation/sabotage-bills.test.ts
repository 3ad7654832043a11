// A service that bills what it must not bill, or takes the price of a period twice, is found by the
// simulation.

import { expect, test } from "vitest";
import type { Database } from "../../service/ports/database.ts";
import { runJob } from "./background.ts";
import { payTwoTries } from "./bills.ts";
import { expectFound, playOnce } from "./broken.ts";
import { assets, deep } from "./market.ts";
import type { SimulatedChain } from "./market.ts";
import { calmChain, mine, subscribe } from "./outside.ts";
import { blocksUntilFinal, mineOne, readAll } from "./paid-twice.ts";
import { withRows } from "./without.ts";
import type { World } from "./world.ts";

const daySeconds = 86_400;
/** A quarter of a day. */
const trySeconds = 21_600;

/** Every merchant has a customer who is billed each day, beginning now. */
async function subscribeAll(world: World): Promise<SimulatedChain> {
  const one = world.chains.find(({ character }) => character === deep);
  const asset = assets.find(({ deployment }) => deployment.chainId === one?.chain.chainId);
  if (one === undefined || asset === undefined) throw new Error("there is such a chain");
  world.restart();
  calmChain(one);
  world.isHidingTransfers = false;
  for (const owner of world.owners) {
    await world.worker(0).merchants.setStatus(owner.merchantId, "active");
    const wish = { owner, missedPeriods: "collapse", intervalSeconds: daySeconds } as const;
    await subscribe(world, asset, wish);
  }
  return one;
}

async function runNow(world: World, name: string): Promise<void> {
  const worker = world.worker(0);
  const job = worker.jobs.all.find((known) => known.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  while (await runJob(world, worker, job));
}

async function sleepForDays(world: World): Promise<void> {
  await subscribeAll(world);
  world.nowMilliseconds += 5 * daySeconds * 1000;
  await runNow(world, "bill-subscriptions");
}

async function payTwice(world: World): Promise<void> {
  const before = world.subscriptions.length;
  const one = await subscribeAll(world);
  await runNow(world, "bill-subscriptions");
  world.nowMilliseconds += (trySeconds + 60) * 1000;
  for (const other of world.chains) {
    calmChain(other);
    mine(world, other);
    await readAll(world, other);
  }
  await runNow(world, "expire-payments");
  await runNow(world, "bill-subscriptions");
  // Those of before may be over, and on chains that stand still.
  expect(await payTwoTries(world, world.subscriptions.slice(before))).toBe(true);
  for (let mined = 0; mined < blocksUntilFinal; mined++) mineOne(one);
  await readAll(world, one);
}

test.each([
  [
    "bills for periods that are long over",
    (real: Database) => withRows("find_subscription", { missed_periods: "each" }, real),
    sleepForDays,
    /sub_\w+ has billed the period .* after a newer one had begun/,
  ],
  [
    "a period that is completed twice",
    (real: Database) => withRows("lock_payments", { other_tries: [] }, real),
    payTwice,
    /the period .* of sub_\w+ is completed twice/,
  ],
] as const)("%s are found, and the seed is named", async (...[, broken, play, found]) => {
  await expectFound({ broken, play }, found);
});

test("without a sabotage the same is no problem", async () => {
  const play = async (world: World): Promise<void> => {
    await sleepForDays(world);
    await payTwice(world);
  };
  const { counts } = await playOnce({ play });
  expect(new Map(counts).get("bills: two tries paid")).toBeGreaterThan(0);
});
