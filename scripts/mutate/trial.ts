// One mutant before its tests.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applied, type Mutant } from "./mutant.ts";
import type { RunAnswer } from "./messages.ts";
import { type Nearest, titleFor } from "./nearest.ts";
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
/** The nearest ones, each alone; what the compiler refuses need not be shown to more tests. */
const alone = 3;
const batchMax = 8;
/** What takes longer is asked alone. */
const togetherMilliseconds = 10_000;

interface Changed {
  readonly path: string;
  readonly source: string;
}

interface Found {
  readonly by: string;
  readonly failure: string;
}

function* inBatches(tests: readonly string[]): Generator<readonly string[]> {
  for (const test of tests.slice(0, alone)) yield [test];
  for (let from = alone; from < tests.length; from += batchMax) {
    yield tests.slice(from, from + batchMax);
  }
}

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
    let place = 0;
    for (const batch of inBatches(tests)) {
      if (place === alone && hasTypeErrors(path, source)) {
        return result("noticed", { by: "types", asked: place });
      }
      place += batch.length;
      const found = await this.#failureIn(batch, { path, source });
      if (found !== undefined) return result("noticed", { ...found, asked: place });
    }
    if (tests.length <= alone && hasTypeErrors(path, source)) {
      return result("noticed", { by: "types" });
    }
    return result(isCovered ? "survived" : "not run", {});
  }

  /** Together first: half of what a test takes is to start. Who has noticed it does so by itself as well. */
  async #failureIn(batch: readonly string[], mutant: Changed): Promise<Found | undefined> {
    const known: { readonly test: string; readonly milliseconds: number }[] = [];
    for (const test of batch) {
      const { isPassed, milliseconds } = await this.#baselineOf(test, titleFor(test, mutant.path));
      if (isPassed) known.push({ test, milliseconds });
    }
    const together = known.filter(({ milliseconds }) => milliseconds <= togetherMilliseconds);
    const passing = known.map(({ test }) => test);
    const answer = together.length > 1 ? await this.#run(together, mutant) : undefined;
    const isClean = (test: string): boolean =>
      answer?.isPassed === true && together.some((one) => one.test === test);
    const rest = passing.filter((test) => !isClean(test));
    const { failedTest } = answer ?? {};
    const suspected = failedTest === undefined ? [] : [failedTest];
    for (const test of new Set([...suspected, ...rest])) {
      const found = known.filter((one) => one.test === test);
      const { isPassed, failure } = await this.#run(found, mutant);
      if (!isPassed) return { by: test, failure: failure ?? "it failed" };
    }
    return undefined;
  }

  #run(
    asked: readonly { readonly test: string; readonly milliseconds: number }[],
    mutant: Changed,
  ): Promise<RunAnswer> {
    const usual = asked.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    const milliseconds = Math.max(leastMilliseconds, slowerMax * usual);
    const tests = asked.map(({ test }) => test);
    const [first = ""] = tests;
    const title = tests.length === 1 ? titleFor(first, mutant.path) : undefined;
    return this.#ports.pool.run({ tests, title, mutant, milliseconds });
  }

  /** The test with the code as it is. One that fails then says nothing about any mutant. */
  #baselineOf(test: string, title: string | undefined): Promise<Baseline> {
    const name = `${test} ${title ?? ""}`;
    const known = this.#baselines.get(name) ?? this.#measure(test, title);
    this.#baselines.set(name, known);
    return known;
  }

  async #measure(test: string, title: string | undefined): Promise<Baseline> {
    const answer = await this.#ports.pool.run({
      tests: [test],
      title,
      mutant: null,
      milliseconds: baselineMilliseconds,
    });
    if (!answer.isPassed) {
      const why = answer.failure ?? "";
      this.#ports.warn(`${test} fails without any mutant, and is left out: ${why}`);
    }
    return answer;
  }
}
