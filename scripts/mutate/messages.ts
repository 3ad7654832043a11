// What the program and its runners say to each other.

import type { CoverageRange } from "./coverage.ts";

export interface RunOrder {
  /** one test file */
  readonly test: string;
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
  /** of files of ours, by path, from each process that the test had; only where it is being recorded */
  readonly ranges: Readonly<Record<string, readonly (readonly CoverageRange[])[]>>;
}
