// A server makes a plan for what a prepared statement is given five times, and then keeps one for everything, unless it
// takes its own plans for better: then it makes one at each call, which can take longer than the statement itself.

import { sql } from "kysely";
import { expect, test } from "vitest";
import { statement } from "../../service/database/statement.ts";
import { simulate } from "../simulation/simulation.ts";
import { readStatements } from "../tidy/statements.ts";
import { useQuietServer } from "./quiet-server.ts";

const openQuiet = useQuietServer();
const seed = 12;
const steps = 800;
/** Of one connection: well beyond those for which there is always a plan of its own. */
const callsMin = 12;
/** Of the pool for what has to be durable, and of the one for what need not be. */
const connectionsEach = 3;

interface Prepared {
  readonly pid: number;
  readonly name: string;
  readonly custom: bigint;
  readonly generic: bigint;
}

/** Each waits, so that no two of them are on one connection. */
function preparedOf(isDurable: boolean) {
  return statement(`test.prepared_durable_${isDurable}`, { isDurable })(
    () => sql<Prepared>`
      select pg_backend_pid() as pid, name, custom_plans as custom, generic_plans as generic
      from pg_prepared_statements, (select pg_sleep(1)) as pause`,
  );
}

test("a plan is kept for each statement of a life", async () => {
  const database = await openQuiet();
  await simulate(database, { seed, steps });
  const asked = [preparedOf(true), preparedOf(false)].flatMap((one) =>
    Array.from({ length: connectionsEach }, () => one),
  );
  const prepared = (await Promise.all(asked.map((one) => database.run(one, {})))).flat();
  expect(new Set(prepared.map(({ pid }) => pid)).size).toBe(2 * connectionsEach);
  const ours = new Set((await readStatements()).map(({ name }) => name));
  const often = prepared.filter(
    ({ name, custom, generic }) => ours.has(name) && custom + generic >= callsMin,
  );
  const names = new Set(often.map(({ name }) => name));
  expect(names.size).toBeGreaterThan(60);
  expect(names).toContain("note_chain_look");
  expect(often.filter(({ generic }) => generic === 0n)).toEqual([]);
});
