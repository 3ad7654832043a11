// A service that does not do one of the things that money at its own accounts needs is found by the
// simulation.

import { expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import { paySigned, sendAstray } from "./arrivals.ts";
import { sendCall } from "./client.ts";
import { sendGift } from "./gifts.ts";
import { assets, wholeOf } from "./market.ts";
import { createPayment } from "./merchants.ts";
import { simulate } from "./simulation.ts";
import { without } from "./without.ts";
import { treasuryAccount } from "./worker.ts";
import { SimulationError } from "./world.ts";
import type { World } from "./world.ts";

const seed = Number(process.env["SEED"]);
const steps = 40;
const brokenAt = 20;
const times = 8;

async function bring(world: World): Promise<void> {
  for (let left = times; left > 0; left--) {
    await sendCall(world, world.worker(0), createPayment(world));
    await paySigned(world);
    sendAstray(world);
    sendGift(world);
  }
}

test.each([
  ["money at the settlement account that nobody books", "book_unmatched", /is booked nowhere/],
  [
    "money that was signed for a payment and never credited",
    "claim_unmatched",
    /was signed for pay_\w+, and is nobody's/,
  ],
  [
    "money that nobody booked, and that nobody is told of",
    "record_account_difference",
    /was given \d+ that nobody booked, 0 were found and 0 told/,
  ],
] as const)(
  "%s is found, and the seed is named",
  { timeout: 300_000 },
  async (...[, name, found]) => {
    const database = without([name], await openDatabase("PGlite"));
    const onStep = async (world: World, step: number): Promise<void> => {
      if (step === brokenAt) await bring(world);
    };
    const played = simulate(database, { seed, steps, lookEvery: brokenAt, onStep });
    await expect(played).rejects.toThrow(SimulationError);
    await expect(played).rejects.toThrow(found);
    await expect(played).rejects.toThrow(`npm run simulate -- --seed ${seed} --steps ${steps}`);
  },
);

test("money of which nobody knows how it came is told of", { timeout: 300_000 }, async () => {
  const onStep = (world: World, step: number): Promise<void> => {
    const [asset] = assets;
    if (step !== brokenAt || asset === undefined) return Promise.resolve();
    const { chainId, contractAddress } = asset.deployment;
    const one = world.chains.find(({ chain }) => chain.chainId === chainId);
    one?.chain.mint(treasuryAccount, contractAddress, wholeOf(asset));
    return Promise.resolve();
  };
  const database = await openDatabase("PGlite");
  // Accounts are compared once an hour: no look before, which would find the money itself.
  const played = simulate(database, { seed, steps, lookEvery: steps + 1, onStep });
  await expect(played).rejects.toThrow(/an account holds more than is booked: .* and book it/);
});
