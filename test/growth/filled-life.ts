// A life of the simulation that gets a long past on its way.

import type { LocatedDatabase } from "../database/quiet-server.ts";
import { settleEverything } from "../simulation/calm.ts";
import { simulate } from "../simulation/simulation.ts";
import type { World } from "../simulation/world.ts";
import { fillHistory, type History } from "./history.ts";

export interface Wish {
  readonly seed: number;
  /** that the past has at least */
  readonly payments: number;
  /** how much of the life comes after it; none when left out */
  readonly stepsAfter?: number;
  readonly onFilled?: () => void;
}

const stepsBefore = 300;

class Over extends Error {}

export async function playFilled(
  database: LocatedDatabase,
  { seed, payments, stepsAfter = 0, onFilled }: Wish,
): Promise<History> {
  let history: History | undefined;
  const onStep = async (world: World, step: number): Promise<void> => {
    // The chains of the life know nothing of the copies: an alarm about their money says nothing here.
    if (history !== undefined) world.problems.splice(0);
    if (step === stepsBefore) {
      await settleEverything(world);
      history = await fillHistory(database.url, payments);
      onFilled?.();
    }
    // What is looked at when a life ends takes all of its past into account.
    if (step === stepsBefore + stepsAfter) throw new Over();
  };
  const steps = stepsBefore + stepsAfter;
  const life = { seed, steps, lookEvery: steps + 1, onStep };
  await simulate(database, life).catch((error: unknown) => {
    if (!(error instanceof Over)) throw error;
  });
  if (history === undefined) throw new Error("the life ended before it got a past");
  return history;
}
