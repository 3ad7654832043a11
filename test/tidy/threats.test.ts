// docs/threats-proofs.md says which test shows what. It would go on saying so when the test is gone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, readSourceFiles, type SourceFiles } from "./source-files.ts";

const threat = /^### (\d+)\. /gm;
/** A linked test, and below it the names of its tests, each in quotes. */
const shown = /^- Test: \[(test\/[^\]]+)\][^\n]*\n((?: {2}- "[^\n]+"\n?)+)/gm;
const cited = /\bthreats? (\d+(?:(?:, | and )\d+)*)/gi;

interface Pages {
  readonly threats: string;
  readonly proofs: string;
}

/** What of the pages is not so, and what is cited and not in them. */
function threatProblems(pages: Pages, files: SourceFiles): readonly string[] {
  const problems: string[] = [];
  const numbers = Array.from(pages.threats.matchAll(threat), ([, number = ""]) => number);
  const known = new Set(numbers);
  if (known.size < numbers.length) problems.push("a number is there twice");
  const proved = new Set<string>();
  for (const part of pages.proofs.split(/^## Threat /m).slice(1)) {
    const [number = "", text = ""] = part.split(/\n(.*)/s);
    const found = [...text.matchAll(shown)];
    if (found.length > 0) proved.add(number);
    if (!known.has(number)) problems.push(`${number} is proved and is no threat`);
    for (const [, path = "", names = ""] of found) {
      const code = files.get(path);
      if (code === undefined) problems.push(`${number}: there is no ${path}`);
      for (const [, name = ""] of names.matchAll(/"(.+)"$/gm)) {
        if (code?.includes(name) === false) problems.push(`${number}: ${path} has no "${name}"`);
      }
    }
  }
  for (const number of known) {
    if (!proved.has(number)) problems.push(`${number} is shown by nothing`);
  }
  for (const [path, text] of files) {
    for (const [, list = ""] of text.matchAll(cited)) {
      const unknown = list.split(/, | and /).filter((number) => !known.has(number));
      problems.push(...unknown.map((number) => `${path} cites threat ${number}`));
    }
  }
  return problems;
}

test("every threat has its proof, by tests that are there, and every number that is cited", () => {
  const read = (name: string): string => readFileSync(join(projectRoot, "docs", name), "utf8");
  const pages = { threats: read("threats.md"), proofs: read("threats-proofs.md") };
  const numbers = Array.from(pages.threats.matchAll(threat), ([, number]) => Number(number));
  // A number stays with its threat for ever: a new one is the next.
  const all = Array.from({ length: Math.max(80, numbers.length) }, (_, index) => index + 1);
  expect(numbers.toSorted((one, other) => one - other)).toEqual(all);
  expect(threatProblems(pages, readSourceFiles("**/*.{ts,mjs,sql}"))).toEqual([]);
});

test("a test that is gone, a number that is not there and a threat without proof are seen", () => {
  const files = new Map([
    ["test/a.test.ts", 'test("holds", () => {});'],
    ["service/a.ts", "// threats 1, 2 and 9"],
  ]);
  const proofsText = [
    '## Threat 1\n\n- Code: [x](x)\n- Test: [test/a.test.ts](x)\n  - "holds"\n  - "held"',
    '- Test: [test/b.test.ts](x)\n  - "x"\n\n## Threat 2\n\n- Code: [x](x)\n\n## Threat 3',
  ].join("\n");
  const threats = "### 1. One\n\n### 2. Two\n";
  expect(threatProblems({ threats, proofs: proofsText }, files)).toEqual([
    '1: test/a.test.ts has no "held"',
    "1: there is no test/b.test.ts",
    "3 is proved and is no threat",
    "2 is shown by nothing",
    "service/a.ts cites threat 9",
  ]);
});
