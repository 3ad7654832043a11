// A life that goes on after it has got a long past, and what each statement of the service looks at from then on.

import type { LocatedDatabase } from "../database/quiet-server.ts";
import { lookAtOthers, lookingAt, readTables } from "../database/looking.ts";
import { settleEverything } from "../simulation/calm.ts";
import { simulate } from "../simulation/simulation.ts";
import type { World } from "../simulation/world.ts";
import { type FoundStatement, readStatements } from "../tidy/statements.ts";
import { type Cost, PageCounts } from "./buffers.ts";
import { fillHistory, type History } from "./history.ts";

export interface GrownLife {
  readonly history: History;
  readonly statements: readonly FoundStatement[];
  /** when it cost most; undefined: neither the life nor what stands in its tables had anything for it */
  readonly costOf: (name: string) => Cost | undefined;
}

interface Wish {
  readonly seed: number;
  /** that the past has at least */
  readonly payments: number;
}

const stepsBefore = 300;
const stepsAfter = 200;

class Over extends Error {}

export async function playGrown(
  database: LocatedDatabase,
  { seed, payments }: Wish,
): Promise<GrownLife> {
  const counts = new PageCounts();
  let history: History | undefined;
  const onStep = async (world: World, step: number): Promise<void> => {
    // The chains of the life know nothing of the copies: an alarm about their money says nothing here.
    if (history !== undefined) world.problems.splice(0);
    if (step === stepsBefore) {
      await settleEverything(world);
      history = await fillHistory(database.url, payments);
      counts.isOn = true;
    }
    // What is looked at when a life ends takes all of its past into account.
    if (step === stepsBefore + stepsAfter) throw new Over();
  };
  const steps = stepsBefore + stepsAfter;
  const life = { seed, steps, lookEvery: steps + 1, onStep };
  await simulate(lookingAt(database, counts), life).catch((error: unknown) => {
    if (!(error instanceof Over)) throw error;
  });
  if (history === undefined) throw new Error("the life ended before it got a past");
  const statements = await readStatements();
  await lookAtOthers(counts, { database, tables: await readTables(database), statements });
  return { history, statements, costOf: (name) => counts.most(name) };
}
