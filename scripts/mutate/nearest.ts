// The tests that are asked about a mutant, the nearest first: those that run the line, if that was recorded; else
// those that import the file. One that has noticed faults of the file before is nearer for it.

import { basename, dirname } from "node:path";
import type { Coverage } from "./coverage.ts";
import type { Imports, Reach } from "./imports.ts";
import type { Mutant } from "./mutant.ts";

/** What asks every statement is near to each of them: the one after the nearest, the one that takes long last. */
const everyStatement = {
  early: { test: "test/database/neighbours.test.ts", place: 4 },
  last: "test/database/decisions.test.ts",
};
/** Of a test that asks every statement, only what it asks of the room of this file; undefined: all of it. */
export function titleFor(test: string, path: string): string | undefined {
  return test === everyStatement.last ? basename(dirname(path)) : undefined;
}

/** What a program runs is in nobody's record: those of its room that start programs may notice. */
const startsPrograms = "test/programs/child.ts";
/** A slow one comes after all others. */
const slowSeconds = 1_000;
const countedMax = 6;
/** One that takes longer is no further away than this: it may be the only one that looks. */
const secondsMax = 8;

export interface Choice {
  /** paths of test files */
  readonly tests: readonly string[];
  /** how many more there are */
  readonly more: number;
  /** false: no test runs the line at all */
  readonly isCovered: boolean;
}

export class Nearest {
  readonly #reach: ReadonlyMap<string, Reach>;
  readonly #slow: ReadonlySet<string>;
  readonly #coverage: Coverage | undefined;
  readonly #testsMax: number;
  readonly #noticedBy: (path: string, test: string) => number;

  constructor(
    imports: Imports,
    tests: { readonly quick: readonly string[]; readonly slow: readonly string[] },
    more: {
      readonly coverage: Coverage | undefined;
      readonly testsMax: number;
      /** how many faults of the file the test has noticed so far */
      readonly noticedBy: (path: string, test: string) => number;
    },
  ) {
    const all = [...tests.quick, ...tests.slow];
    this.#reach = new Map(all.map((path) => [path, imports.reachOf(path)]));
    this.#slow = new Set(tests.slow);
    this.#coverage = more.coverage;
    this.#testsMax = more.testsMax;
    this.#noticedBy = more.noticedBy;
  }

  of({ path, line }: Mutant): Choice {
    const covering = this.#coverage?.testsOf(path, line);
    const known = [...this.#reach.keys()].filter((test) => this.#isNear(test, path, covering));
    const sorted = known.toSorted(
      (a, b) => this.#distance(a, path) - this.#distance(b, path) || a.localeCompare(b, "en"),
    );
    const first = sorted.slice(0, this.#testsMax);
    const { early, last } = everyStatement;
    const asked = (test: string) => (this.#reach.get(test)?.has(path) === true ? [test] : []);
    const others = first.filter((one) => one !== early.test && one !== last);
    const tests = path.endsWith(".sql.ts")
      ? [...others.toSpliced(early.place, 0, ...asked(early.test)), ...asked(last)]
      : first;
    return { tests, more: sorted.length - tests.length, isCovered: known.length > 0 };
  }

  /** A slow one has no record, and is asked in its own room. One that is new has none yet. */
  #isNear(test: string, path: string, covering: readonly string[] | undefined): boolean {
    const reach = this.#reach.get(test);
    const isReached = reach?.has(path) === true;
    if (isInRoom(test, path) && reach?.has(startsPrograms) === true) return true;
    if (this.#slow.has(test)) return isReached && isInRoom(test, path);
    const isRecorded = this.#coverage?.millisecondsOf(test) !== undefined;
    return covering !== undefined && isRecorded ? covering.includes(test) : isReached;
  }

  /** By what it has noticed, then by name, then by room, then by imports, then by time. */
  #distance(test: string, path: string): number {
    const stem = basename(path).replace(/(?:\.sql)?\.ts$/, "");
    const name = basename(test).replace(/\.test\.ts$/, "");
    const steps = this.#reach.get(test)?.get(path) ?? 20;
    const isNamed = name === stem || name.startsWith(`${stem}-`);
    const bonus = (isNamed ? 8 : 0) + (isInRoom(test, path) ? 6 : 0) + (steps === 1 ? 4 : 0);
    const known = Math.min(secondsMax, (this.#coverage?.millisecondsOf(test) ?? 0) / 1000);
    const seconds = this.#slow.has(test) ? slowSeconds : known;
    const counted = Math.min(countedMax, this.#noticedBy(path, test));
    return 2 * steps - 3 * bonus - 10 * counted + seconds;
  }
}

function isInRoom(test: string, path: string): boolean {
  return dirname(test)
    .split("/")
    .includes(basename(dirname(path)));
}
