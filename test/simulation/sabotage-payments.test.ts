// A service that does not do one of the things that payments need is found by the simulation.

import { expect, test } from "vitest";
import type { Database, Statement } from "../../service/ports/database.ts";
import { openDatabase } from "../support/engines.ts";
import { sendCall } from "./client.ts";
import { deep } from "./market.ts";
import { createPayment, openPage } from "./merchants.ts";
import { blocksUntilFinal, payTwice, readAll } from "./paid-twice.ts";
import { simulate } from "./simulation.ts";
import { SimulationError } from "./world.ts";
import type { World } from "./world.ts";

const seed = Number(process.env["SEED"]);
const steps = 40;
const brokenAt = 20;
const triesMax = 60;

/** As if nobody ran these statements; whoever does hears that a row has changed. */
function without(names: readonly string[], real: Database): Database {
  return {
    run: async <Values, Row>(statement: Statement<Values, Row>, values: Values) =>
      // Of such a row nothing is read.
      names.includes(statement.name) ? [{} as Row] : await real.run(statement, values),
    transaction: (work) => real.transaction((inside) => work(without(names, inside))),
  };
}

/** A payment with shares gets its price twice, and loses the first of the two. */
async function losePrice(world: World): Promise<void> {
  const one = world.chains.find(({ character }) => character === deep);
  if (one === undefined) throw new Error("there is a chain that loses what is final");
  for (let left = triesMax; left > 0; left--) {
    await sendCall(world, world.worker(0), createPayment(world));
    await openPage(world);
  }
  const spared = await payTwice(world, one);
  if (spared === undefined) throw new Error("one of so many payments can be paid here");
  const drop = one.depositHashes.slice(-2, -1);
  one.chain.reorg(blocksUntilFinal + 1, { drop });
  await readAll(world, one);
}

test.each([
  [
    "a share that stays where it was",
    ["mark_deposit_parts", "change_payment_shares"],
    losePrice,
    /has a surplus, and its price is not all there/,
  ],
  [
    "a share that is not moved",
    ["change_payment_shares"],
    losePrice,
    /mer_\w+ has \d+ and not \d+/,
  ],
] as const)(
  "%s is found, and the seed is named",
  { timeout: 300_000 },
  async (...[, names, play, found]) => {
    const database = without(names, await openDatabase("PGlite"));
    const onStep = async (world: World, step: number): Promise<void> => {
      if (step === brokenAt) await play(world);
    };
    const played = simulate(database, { seed, steps, lookEvery: brokenAt, onStep });
    await expect(played).rejects.toThrow(SimulationError);
    await expect(played).rejects.toThrow(found);
    await expect(played).rejects.toThrow(`npm run simulate -- --seed ${seed} --steps ${steps}`);
  },
);

test.each([losePrice])("%o alone is no sabotage", { timeout: 300_000 }, async (play) => {
  const onStep = async (world: World, step: number): Promise<void> => {
    if (step === brokenAt) await play(world);
  };
  const database = await openDatabase("PGlite");
  const { counts } = await simulate(database, { seed, steps, lookEvery: brokenAt, onStep });
  expect(new Map(counts).get("deposits: twice")).toBeGreaterThan(0);
});
