// What the program and its runners say to each other.

import type { CoverageRange } from "./coverage.ts";

export interface RunOrder {
  /** test files, one after the other in one process; the first failure ends it */
  readonly tests: readonly string[];
  /** only tests with this word in their names */
  readonly title?: string | undefined;
  /** null: the code as it is */
  readonly mutant: { readonly path: string; readonly source: string } | null;
  /** after so long its process is ended */
  readonly milliseconds: number;
}

export interface RunAnswer {
  readonly isPassed: boolean;
  readonly milliseconds: number;
  /** the first test that failed and why, for people */
  readonly failure: string | undefined;
  /** its file, where that is known */
  readonly failedTest: string | undefined;
  /** of files of ours, by path, from each process that the test had; only where it is being recorded */
  readonly ranges: Readonly<Record<string, readonly (readonly CoverageRange[])[]>>;
}
