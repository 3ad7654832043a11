// At the end of a run of all files of the contract: a relation that has met no answer fails it, since
// nobody knows whether it would notice anything.

import type { Reporter, TestModule, Vitest } from "vitest/node";
import type { RelationsMet } from "./noted.ts";

export interface RelationsToMeet {
  readonly names: readonly string[];
  /** absolute paths: a run of all of them, and of all their tests, has to meet every relation */
  readonly files: readonly string[];
}

export class RelationReporter implements Reporter {
  readonly #wish: RelationsToMeet;
  #vitest: Vitest | undefined;

  constructor(wish: RelationsToMeet) {
    this.#wish = wish;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: string): void {
    const { names, files } = this.#wish;
    const ran = new Set(modules.map(({ moduleId }) => moduleId));
    const isPartial =
      reason === "interrupted" ||
      files.some((file) => !ran.has(file)) ||
      modules.some(({ project }) => project.config.testNamePattern !== undefined);
    if (isPartial) return;
    const met = new Set(modules.flatMap(relationsIn));
    const missing = names.filter((name) => !met.has(name));
    const count = `${names.length - missing.length} of ${names.length} relations of values`;
    const lines = [`${count} met by answers`, ...missing.map((name) => `  never: ${name}`)];
    this.#vitest?.logger.log(`\n${lines.join("\n")}\n`);
    if (missing.length > 0) process.exitCode = 1;
  }
}

function relationsIn(module: TestModule): readonly string[] {
  const tests = [...module.children.allTests()];
  return tests.flatMap((test) => {
    const met: RelationsMet = test.meta().relations ?? {};
    return Object.keys(met);
  });
}
