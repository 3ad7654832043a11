// What an operator sees, in the middle of lives in which everything goes wrong.

import { expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import { simulate } from "../simulation/simulation.ts";
import { compare } from "./comparing.ts";

test("of lives, every number is what the tables say", async () => {
  const met = new Set<string>();
  for (const seed of [1, 2]) {
    const database = await openDatabase("PostgreSQL");
    await simulate(database, {
      seed,
      steps: 400,
      onStep: async (world, step) => {
        if (step % 10 === 0) await compare(database, world.nowMilliseconds, met);
      },
    });
  }
  // What never happens proves nothing.
  const seen = [
    ...["pending", "confirming", "partially_paid"].map((status) => `payment ${status}`),
    ...["x402_settlement", "withdrawal", "sweep", "sweep_gas", "refund"].map(
      (purpose) => `outgoing ${purpose}`,
    ),
    "pending null",
    "broadcast null",
    "deliveries",
    "overdue",
    "suspense",
    "stopped",
  ];
  for (const what of seen) expect(met).toContain(what);
});
