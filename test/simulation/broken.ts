// Plays a service that does not do one of its things, and expects that it is found.

import { expect } from "vitest";
import type { Database } from "../../service/ports/database.ts";
import { openDatabase } from "../support/engines.ts";
import { simulate } from "./simulation.ts";
import type { Summary } from "./simulation.ts";
import { SimulationError } from "./world.ts";
import type { World } from "./world.ts";

const seed = Number(process.env["SEED"]);

export interface Sabotage {
  /** what happens once, in the middle of a sound life */
  readonly play: (world: World) => unknown;
  /** the service works with this one; the real one when left out */
  readonly broken?: (real: Database) => Database;
  /** the middle when left out, so that it is looked at from there on */
  readonly lookEvery?: number;
}

export async function playOnce(
  { play, broken, lookEvery }: Sabotage,
  steps = 40,
): Promise<Summary> {
  const real = await openDatabase("PostgreSQL");
  const middle = steps / 2;
  const onStep = async (world: World, step: number): Promise<void> => {
    if (step === middle) await play(world);
  };
  return simulate(broken?.(real) ?? real, { seed, steps, lookEvery: lookEvery ?? middle, onStep });
}

/** With the seed to see it again. */
export async function expectFound(sabotage: Sabotage, found: RegExp, steps = 40): Promise<void> {
  const played = playOnce(sabotage, steps);
  await expect(played).rejects.toThrow(SimulationError);
  await expect(played).rejects.toThrow(found);
  await expect(played).rejects.toThrow(`npm run simulate -- --seed ${seed} --steps ${steps}`);
}
