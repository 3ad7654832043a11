// docs/threats.md says which test shows what. It would go on saying so when the test is gone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, readSourceFiles, type SourceFiles } from "./source-files.ts";

const row = /^\| (\d+) +\| .* \| (.*?) +\|$/gm;
const proofs = /`(test\/[^`]+)`((?:,? "[^"]+")+)/g;
const cited = /\bthreats? (\d+(?:(?:, | and )\d+)*)/gi;

/** What of the register is not so, and what is cited and not in it. */
function registerProblems(register: string, files: SourceFiles): readonly string[] {
  const problems: string[] = [];
  const numbers = new Set<string>();
  for (const [, number = "", shown = ""] of register.matchAll(row)) {
    if (numbers.has(number)) problems.push(`${number} has two rows`);
    numbers.add(number);
    const found = [...shown.matchAll(proofs)];
    if (found.length === 0 && !shown.startsWith("with "))
      problems.push(`${number} is shown by nothing`);
    for (const [, path = "", names = ""] of found) {
      const text = files.get(path);
      if (text === undefined) problems.push(`${number}: there is no ${path}`);
      for (const [, name = ""] of names.matchAll(/"([^"]+)"/g)) {
        if (text?.includes(name) === false) problems.push(`${number}: ${path} has no "${name}"`);
      }
    }
  }
  for (const [path, text] of files) {
    for (const [, list = ""] of text.matchAll(cited)) {
      const unknown = list.split(/, | and /).filter((number) => !numbers.has(number));
      problems.push(...unknown.map((number) => `${path} cites threat ${number}`));
    }
  }
  return problems;
}

test("docs/threats.md names tests that are there, and has every number that is cited", () => {
  const register = readFileSync(join(projectRoot, "docs", "threats.md"), "utf8");
  expect([...register.matchAll(row)].length).toBeGreaterThan(50);
  expect(registerProblems(register, readSourceFiles("**/*.{ts,mjs,sql}"))).toEqual([]);
});

test("a test that is gone, a number that is not there and a row without proof are seen", () => {
  const files = new Map([
    ["test/a.test.ts", 'test("holds", () => {});'],
    ["service/a.ts", "// threats 1, 2 and 9"],
  ]);
  const register = [
    '| 1 | an attack | a defence | `test/a.test.ts` "holds", "held"; `test/b.test.ts` "x" |',
    "| 2 | an attack | a defence | none |",
    "| 3 | an attack | a defence | with payments |",
  ].join("\n");
  expect(registerProblems(register, files)).toEqual([
    '1: test/a.test.ts has no "held"',
    "1: there is no test/b.test.ts",
    "2 is shown by nothing",
    "service/a.ts cites threat 9",
  ]);
});
