// The whole service under everything that can go wrong at once. A failure names its seed; to play it
// again: SEED=... npx vitest run test/simulation, or npm run simulate -- --seed ...

import { describe, expect, test } from "vitest";
import { openDatabase } from "../support/engines.ts";
import { simulate } from "./simulation.ts";

const seed = Number(process.env["SEED"]);
const stepsLong = Number(process.env["SIMULATION_STEPS"] ?? 2_000);
const stepsShort = Math.min(500, stepsLong);

const runs = [
  ["PostgreSQL", stepsLong],
  ["PGlite", stepsShort],
] as const;

describe.each(runs)("on %s", (engine, steps) => {
  test("whatever goes wrong, money, events and states add up", async () => {
    process.stderr.write(`simulation on ${engine}: SEED=${seed}, ${steps} steps\n`);
    const { counts } = await simulate(await openDatabase(engine), { seed, steps });
    const happened = new Map(counts);
    // What never happens proves nothing.
    for (const what of ["kills", "reorgs", "deposits", "faults"]) {
      const names = counts.map(([name]) => name.split(":")[0]);
      expect(names).toContain(what);
    }
    expect(happened.get("deliveries: delivered")).toBeGreaterThan(0);
    // A short life may end before anybody has taken out what somebody has paid.
    if (steps <= stepsShort) return;
    expect(happened.get("payments: paid")).toBeGreaterThan(0);
    expect(happened.get("withdrawals: confirmed")).toBeGreaterThan(0);
  });
});
