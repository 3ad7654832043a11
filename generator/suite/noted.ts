// How a test notes which cells it has met: on the test itself, which Vitest hands to its reporters from
// whatever process it ran in.

import { TestRunner } from "vitest";
import type { Met } from "./cells.ts";

export type Noted = Omit<Met, "by">;

declare module "vitest" {
  interface TaskMeta {
    /** by a name for each, so that a test which gets the same answer a thousand times notes it once */
    met?: Record<string, Noted>;
  }
}

/** For the test that runs; outside of one nobody gathers it. */
export function noteMet(met: Noted): void {
  const { operation, status, code = "", problem = "" } = met;
  // Vitest's types do not say it: between tests there is none.
  const test = TestRunner.getCurrentTest() as { meta: { met?: Record<string, Noted> } } | undefined;
  if (test === undefined) return;
  test.meta.met ??= {};
  test.meta.met[[operation, status, code, problem].join(" ")] ??= met;
}
