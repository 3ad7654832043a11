// A service that does not keep count of what leaves suspense is found by the simulation.

import { expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import { sendAstray } from "./arrivals.ts";
import { settleChains } from "./calm.ts";
import { simulate } from "./simulation.ts";
import { decideSuspense } from "./suspense.ts";
import { without } from "./without.ts";
import { SimulationError } from "./world.ts";
import type { World } from "./world.ts";

const seed = Number(process.env["SEED"]);
const steps = 40;
const brokenAt = 20;
const times = 8;
const decisions = 24;

async function decideAll(world: World): Promise<void> {
  for (let left = times; left > 0; left--) sendAstray(world);
  await settleChains(world);
  for (let left = decisions; left > 0; left--) await decideSuspense(world);
}

test.each([
  [
    "money that is taken out, and waits all the same",
    "take_out_item",
    /in suspense by the books, \d+ waits|more leaves suspense than is there/,
  ],
] as const)(
  "%s is found, and the seed is named",
  { timeout: 300_000 },
  async (...[, name, found]) => {
    const database = without([name], await openDatabase("PGlite"));
    const onStep = async (world: World, step: number): Promise<void> => {
      if (step === brokenAt) await decideAll(world);
    };
    const played = simulate(database, { seed, steps, lookEvery: brokenAt, onStep });
    await expect(played).rejects.toThrow(SimulationError);
    await expect(played).rejects.toThrow(found);
    await expect(played).rejects.toThrow(`npm run simulate -- --seed ${seed} --steps ${steps}`);
  },
);
