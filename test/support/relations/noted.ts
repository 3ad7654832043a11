// How a test notes which relations its answers have met.

import { TestRunner } from "vitest";

/** by name */
export type RelationsMet = Record<string, true>;

declare module "vitest" {
  interface TaskMeta {
    relations?: RelationsMet;
  }
}

/** For the test that runs; outside of one nobody gathers it. */
export function noteRelations(names: readonly string[]): void {
  // Vitest's types do not say it: between tests there is none.
  const test = TestRunner.getCurrentTest() as { meta: { relations?: RelationsMet } } | undefined;
  if (test === undefined) return;
  test.meta.relations ??= {};
  for (const name of names) test.meta.relations[name] = true;
}
