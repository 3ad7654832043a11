// At the end of a run of Vitest: gathers the cells that its tests noted, in whatever processes they ran,
// and writes the matrix. A run of every file that meets cells fails when one is empty, or undocumented.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { buildMatrix, type DocumentedOperation, isSound, type Matrix, type Met } from "./cells.ts";
import type { Noted } from "./noted.ts";
import { htmlReport } from "./report-html.ts";
import { junitReport } from "./report-junit.ts";
import { textReport } from "./report-text.ts";

export interface MatrixWish {
  readonly documented: readonly DocumentedOperation[];
  /** absolute paths: a run of all of them, and of all their tests, is a whole one */
  readonly files: readonly string[];
  /** where the reports go */
  readonly folder: string;
}

export class MatrixReporter implements Reporter {
  readonly #wish: MatrixWish;
  #vitest: Vitest | undefined;

  constructor(wish: MatrixWish) {
    this.#wish = wish;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: string): void {
    const { documented, files, folder } = this.#wish;
    const met = modules.flatMap(metIn);
    const ran = new Set(modules.map(({ moduleId }) => moduleId));
    const isPartial =
      reason === "interrupted" ||
      files.some((file) => !ran.has(file)) ||
      modules.some(({ project }) => project.config.testNamePattern !== undefined);
    if (isPartial && met.length === 0) return;
    const matrix = buildMatrix(documented, met, { isPartial });
    const page = write(matrix, { folder, isPartial });
    if (isPartial && isSound(matrix)) return;
    this.#vitest?.logger.log(`\n${textReport(matrix)}\n\n${pathToFileURL(page).href}\n`);
    if (!isSound(matrix)) process.exitCode = 1;
  }
}

/** A test that passed though its judge found something was about the judge. */
function metIn(module: TestModule): readonly Met[] {
  return [...module.children.allTests()].flatMap((test) => {
    const by = `${module.relativeModuleId} > ${test.fullName}`;
    const noted: readonly Noted[] = Object.values(test.meta().met ?? {});
    const isJudged = test.result().state === "failed";
    return noted
      .filter(({ problem }) => problem === undefined || isJudged)
      .map((one) => ({ ...one, by }));
  });
}

function write(
  matrix: Matrix,
  { folder, isPartial }: { folder: string; isPartial: boolean },
): string {
  mkdirSync(folder, { recursive: true });
  const page = join(folder, "index.html");
  const about = isPartial
    ? "A part of the tests has run: what it met."
    : "Every answer that the document promises, and what the tests met.";
  writeFileSync(page, htmlReport(matrix, { title: "Contract", about }));
  writeFileSync(join(folder, "junit.xml"), junitReport(matrix));
  return page;
}
