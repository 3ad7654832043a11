// A server makes a plan for what a prepared statement is given five times, and then keeps one for everything, unless it
// takes its own plans for better: then it makes one at each call, which can take longer than the statement itself.

import { expect, test } from "vitest";
import { simulate } from "../simulation/simulation.ts";
import { query } from "../support/service-parts.ts";
import { readStatements } from "../tidy/statements.ts";
import { useQuietServer } from "./quiet-server.ts";

const openQuiet = useQuietServer();
const seed = 12;
const steps = 800;
/** Of one connection: well beyond those for which there is always a plan of its own. */
const callsMin = 12;
const connections = 6;

interface Prepared {
  readonly name: string;
  readonly custom: bigint;
  readonly generic: bigint;
}

test("a plan is kept for each statement of a life", async () => {
  const database = await openQuiet();
  await simulate(database, { seed, steps });
  // Each waits for the others, so that each is on a connection of its own.
  const lists = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        query(database)<Prepared>`
        select name, custom_plans as custom, generic_plans as generic
        from pg_prepared_statements, (select pg_sleep(1)) as pause`,
    ),
  );
  const ours = new Set((await readStatements()).map(({ name }) => name));
  const often = lists
    .flat()
    .filter(({ name, custom, generic }) => ours.has(name) && custom + generic >= callsMin);
  expect(new Set(often.map(({ name }) => name)).size).toBeGreaterThan(50);
  expect(often.filter(({ generic }) => generic === 0n)).toEqual([]);
});
