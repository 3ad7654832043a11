// A service that does not do one of the things that money at its own accounts needs is found by the
// simulation.

import { test } from "vitest";
import { paySigned, sendAstray } from "./arrivals.ts";
import { expectFound } from "./broken.ts";
import { settleChains } from "./calm.ts";
import { sendCall } from "./client.ts";
import { sendGift } from "./gifts.ts";
import { assets, wholeOf } from "./market.ts";
import { createPayment } from "./merchants.ts";
import { without } from "./without.ts";
import { treasuryAccount } from "./worker.ts";
import type { World } from "./world.ts";

const times = 8;

async function bring(world: World): Promise<void> {
  for (let left = times; left > 0; left--) {
    await sendCall(world, world.worker(0), createPayment(world));
    await paySigned(world);
    sendAstray(world);
    sendGift(world);
  }
  // So that no reorganisation takes all of it away again.
  await settleChains(world);
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
] as const)("%s is found, and the seed is named", async (...[, name, found]) => {
  await expectFound({ broken: (real) => without([name], real), play: bring }, found);
});

test("money of which nobody knows how it came is told of", async () => {
  const play = (world: World): void => {
    const [asset] = assets;
    if (asset === undefined) throw new Error("there is an asset");
    const { chainId, contractAddress } = asset.deployment;
    const one = world.chains.find(({ chain }) => chain.chainId === chainId);
    one?.chain.mint(treasuryAccount, contractAddress, wholeOf(asset));
  };
  // Accounts are compared once an hour: no look before, which would find the money itself.
  const lookEvery = Number.POSITIVE_INFINITY;
  const found = /an account holds more than is booked: .* and book it/;
  await expectFound({ play, lookEvery }, found);
});
