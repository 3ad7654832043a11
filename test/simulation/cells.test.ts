// Four cells live on one database at the same time, each its own life from its own seed: none sees anything of the others,
// so each is, to the last count, what it is alone. To play it again: SEED=... npx vitest run test/simulation/cells

import { expect, onTestFinished, test } from "vitest";
import { openCell, openDatabase } from "../support/engines.ts";
import { simulate } from "./simulation.ts";

const first = Number(process.env["SEED"]);
const seeds = [0, 1, 2, 3].map((more) => (first + more) % 2 ** 32);
const steps = 300;

test("four at once are what each is alone, and money, events and states add up", async () => {
  process.stderr.write(`simulation of cells: SEED=${first}, four of ${steps} steps\n`);
  const together = await Promise.all(
    seeds.map(async (seed) => {
      const { database, remove } = await openCell();
      onTestFinished(remove);
      return { summary: await simulate(database, { seed, steps }) };
    }),
  );
  // What never happens proves nothing.
  const happened = together.flatMap(({ summary }) =>
    summary.counts.map(([name]) => name.split(":")[0]),
  );
  for (const what of ["kills", "reorgs", "deposits", "faults"]) expect(happened).toContain(what);
  // Again, each on a database that it has for itself: the same life.
  for (const [at, seed] of seeds.entries()) {
    const alone = await simulate(await openDatabase("PostgreSQL"), { seed, steps });
    expect(together[at]?.summary).toEqual(alone);
  }
});
