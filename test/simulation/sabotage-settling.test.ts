// A service that lets a cent stand between a payer and what its own terms ask for, or that gives up what its
// chain has settled, is found by the simulation.

import { expect, test } from "vitest";
import { expectFound, playOnce } from "./broken.ts";
import { drain } from "./background.ts";
import { settleChains } from "./calm.ts";
import type { Database } from "../../service/ports/database.ts";
import { sendCall } from "./client.ts";
import { createPayment, openPage } from "./merchants.ts";
import { sendCent, settle } from "./settling.ts";
import { withRows } from "./without.ts";
import type { World } from "./world.ts";

const times = 12;

async function makePayments(world: World): Promise<void> {
  world.restart();
  world.isSuspended.clear();
  for (let left = times; left > 0; left--) {
    await sendCall(world, world.worker(0), createPayment(world));
    await openPage(world);
  }
}

async function settleAll(world: World): Promise<void> {
  for (let left = times; left > 0; left--) {
    await settle(world, (call) => sendCall(world, world.worker(0), call));
  }
}

/** Strangers send a little to new payments, and then their payers sign for the rest. */
async function settlePartlyPaid(world: World): Promise<void> {
  await makePayments(world);
  for (let left = 2 * times; left > 0; left--) sendCent(world);
  await settleChains(world);
  await settleAll(world);
}

test("a payment that cannot be settled for the rest is found, and the seed is named", async () => {
  // As if nothing had been seen of it yet.
  const broken = withRows.bind(undefined, "read_x402_payment", { deposits: [] });
  const found = /signed what pay_\w+ asks for: x402_requirements_mismatch/;
  await expectFound({ broken, play: settlePartlyPaid }, found);
});

test("a settlement that is given up after it was sent is found", async () => {
  let isOver = false;
  const play = async (world: World): Promise<void> => {
    await makePayments(world);
    await settleChains(world);
    await settleAll(world);
    isOver = true;
    world.nowMilliseconds += 60_000;
    await drain(world, world.worker(0));
    isOver = false;
  };
  // As if another transaction had taken its nonce.
  const broken = (real: Database): Database => {
    const gone = withRows("read_x402_standing", { outgoing_status: "replaced" }, real);
    return {
      run: (statement, values) => (isOver ? gone : real).run(statement, values),
      transaction: (work) => real.transaction((inside) => work(broken(inside))),
    };
  };
  const found = /is failed \(x402_simulation_failed\): that is not so/;
  await expectFound({ broken, play }, found);
});

test("without a sabotage the same is no problem", async () => {
  const { counts } = await playOnce({ play: settlePartlyPaid });
  expect(new Map(counts).get("answered: settleX402Payment")).toBeGreaterThan(0);
});
