// The suite as tests of Vitest, one for each try, and its reports at the end of them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { rawTries, runRaw } from "./protocol.ts";
import { htmlReport } from "./report-html.ts";
import { junitReport } from "./report-junit.ts";
import { textReport } from "./report-text.ts";
import type { ContractSuite } from "./suite.ts";

export interface TestsWish {
  readonly suite: ContractSuite;
  /** of the server; asked when the tests run */
  readonly url: () => string;
  /** for index.html and junit.xml */
  readonly folder: string;
}

/** Call it once, at the top of a file of tests. */
export function contractTests({ suite, url, folder }: TestsWish): void {
  const untried: string[] = [];
  const stubs = new Set<string>();
  const all = suite.operations.map((operation) => ({ operation, ...suite.triesOf(operation) }));
  for (const { operation, untried: some } of all) {
    untried.push(...some.map((one) => `${operation.operationId}: ${one}`));
  }
  const tried = all.filter(({ tries }) => tries.length > 0);
  describe.each(tried)("$operation.operationId", ({ operation, tries }) => {
    test.each(tries)("$name", async (one) => {
      const { problem, isStub } = await suite.run(operation, one);
      if (isStub) stubs.add(operation.operationId);
      expect(problem).toBeUndefined();
    });
  });
  describe("HTTP", () => {
    test.each(rawTries("localhost"))("$name", async (one) => {
      expect(await runRaw(url(), one)).toBeUndefined();
    });
  });
  afterAll(() => {
    const matrix = suite.matrix();
    mkdirSync(folder, { recursive: true });
    const page = join(folder, "index.html");
    const about = "Every answer that the document promises, and what the tests met.";
    writeFileSync(page, htmlReport(matrix, { title: "Contract", about }));
    writeFileSync(join(folder, "junit.xml"), junitReport(matrix));
    const lines = [
      textReport(matrix),
      ...listed("Not tried", untried),
      ...listed("Not written yet", [...stubs]),
      pathToFileURL(page).href,
    ];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  });
}

function listed(heading: string, list: readonly string[]): readonly string[] {
  return list.length === 0 ? [] : ["", `${heading}:`, ...list.map((one) => `  ${one}`), ""];
}
