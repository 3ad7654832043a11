// One mutant before its tests.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applied, type Mutant } from "./mutant.ts";
import type { Nearest } from "./nearest.ts";
import type { Pool } from "./pool.ts";

export type Verdict = "noticed" | "survived" | "not run";

export interface Result {
  readonly id: string;
  readonly path: string;
  readonly verdict: Verdict;
  /** who noticed it: a test file, or "types" */
  readonly by: string | undefined;
  readonly failure: string | undefined;
  /** test files that were asked, and how many more could have been */
  readonly asked: number;
  readonly more: number;
  readonly milliseconds: number;
}

interface Baseline {
  readonly isPassed: boolean;
  readonly milliseconds: number;
}

export interface TrialPorts {
  readonly root: string;
  readonly pool: Pool;
  readonly nearest: Pick<Nearest, "of">;
  readonly hasTypeErrors: (path: string, source: string) => boolean;
  readonly warn: (line: string) => void;
}

/** A test that hangs fails; one that is only slowed down by what else runs here does not. */
const slowerMax = 5;
const leastMilliseconds = 40_000;
const baselineMilliseconds = 300_000;
/** What the compiler refuses need not be shown to many tests. */
const beforeTypes = 3;

export class Trial {
  readonly #ports: TrialPorts;
  readonly #baselines = new Map<string, Promise<Baseline>>();

  constructor(ports: TrialPorts) {
    this.#ports = ports;
  }

  async of(mutant: Mutant): Promise<Result> {
    const { root, nearest, hasTypeErrors } = this.#ports;
    const { id, path } = mutant;
    const startedAt = performance.now();
    const source = applied(readFileSync(join(root, path), "utf8"), mutant);
    const { tests, more, isCovered } = nearest.of(mutant);
    const asked = tests.length;
    const result = (verdict: Verdict, found: Partial<Result>): Result => {
      const milliseconds = Math.round(performance.now() - startedAt);
      const nothing = { by: undefined, failure: undefined };
      return { id, path, verdict, asked, more, milliseconds, ...nothing, ...found };
    };
    for (const [place, test] of tests.entries()) {
      if (place === beforeTypes && hasTypeErrors(path, source)) {
        return result("noticed", { by: "types", asked: place });
      }
      const failure = await this.#failureOf(test, { path, source });
      if (failure !== undefined) return result("noticed", { by: test, failure, asked: place + 1 });
    }
    if (tests.length <= beforeTypes && hasTypeErrors(path, source)) {
      return result("noticed", { by: "types" });
    }
    return result(isCovered ? "survived" : "not run", {});
  }

  async #failureOf(
    test: string,
    mutant: { readonly path: string; readonly source: string },
  ): Promise<string | undefined> {
    const baseline = await this.#baselineOf(test);
    if (!baseline.isPassed) return undefined;
    const milliseconds = Math.max(leastMilliseconds, slowerMax * baseline.milliseconds);
    const answer = await this.#ports.pool.run({ test, mutant, milliseconds });
    return answer.isPassed ? undefined : (answer.failure ?? "it failed");
  }

  /** The test with the code as it is. One that fails then says nothing about any mutant. */
  #baselineOf(test: string): Promise<Baseline> {
    const known = this.#baselines.get(test) ?? this.#measure(test);
    this.#baselines.set(test, known);
    return known;
  }

  async #measure(test: string): Promise<Baseline> {
    const order = { test, mutant: null, milliseconds: baselineMilliseconds };
    const answer = await this.#ports.pool.run(order);
    if (!answer.isPassed) {
      const why = answer.failure ?? "";
      this.#ports.warn(`${test} fails without any mutant, and is left out: ${why}`);
    }
    return answer;
  }
}
