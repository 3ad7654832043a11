// Each folder below cases/ holds a document and either the files it becomes (expected/) or exactly
// what is said of it (problems.txt, or warnings.txt for a document that generates all the same).
// Only files that stand in expected/ are compared.
//
// UPDATE_CASES=1 writes what comes out into every file that is there; read the difference before
// you commit it. For a new case, create empty files first: touch expected/schemas.ts.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { readContract } from "../../generator/generate.ts";
import { DocumentError, formatProblems, type Problem } from "../../generator/problems.ts";
import { formatFiles } from "../../generator/write/format.ts";
import { displayPath } from "../../generator/write/plan.ts";
import { type Case, cases, isWrong, outputOf } from "./cases.ts";

const isUpdate = process.env["UPDATE_CASES"] === "1";

/** Compares with the file, or writes it when the cases are being updated. */
function expectFile(path: string, text: string): void {
  if (isUpdate) writeFileSync(path, text);
  const expected = existsSync(path) ? readFileSync(path, "utf8") : "";
  expect(text, `${displayPath(path)} (UPDATE_CASES=1 rewrites it)`).toBe(expected);
}

/** As the case states them: file names are relative to its folder. */
function textOf(problems: readonly Problem[], { folder }: Case): string {
  const text = formatProblems(problems).join("\n");
  return `${text.replaceAll(`${displayPath(folder)}/`, "")}\n`;
}

function problemsOf({ document }: Case): readonly Problem[] {
  try {
    readContract(document);
  } catch (error) {
    if (error instanceof DocumentError) return error.problems;
    throw error;
  }
  return [];
}

function expectReadingOrder(problems: readonly Problem[]): void {
  const places = problems.map(({ place }) => [place.file, place.line ?? 0, place.column ?? 0]);
  const sorted = places.toSorted(
    ([fileA = "", lineA = 0, columnA = 0], [fileB = "", lineB = 0, columnB = 0]) =>
      Number(fileA > fileB) - Number(fileA < fileB) ||
      Number(lineA) - Number(lineB) ||
      Number(columnA) - Number(columnB),
  );
  expect(places).toEqual(sorted);
}

function expectedFiles({ folder }: Case): string[] {
  const expected = join(folder, "expected");
  return readdirSync(expected, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(expected, join(entry.parentPath, entry.name)));
}

describe("a wrong document says everything that is wrong with it, in reading order", () => {
  test.for(cases.filter(isWrong))("$name", (one) => {
    const problems = problemsOf(one);
    expectFile(join(one.folder, "problems.txt"), textOf(problems, one));
    expect(problems.some(({ severity }) => severity === "error")).toBe(true);
    for (const { advice, place } of problems) {
      expect(advice).not.toBe("");
      expect(place.line, `no line for ${place.file} ${place.pointer}`).toBeGreaterThan(0);
    }
    expectReadingOrder(problems);
  });
});

describe("a good document becomes exactly the expected files", () => {
  test.for(cases.filter((one) => !isWrong(one)))("$name", async (one) => {
    const { reading, files } = outputOf(one.document, one.out);
    const warnings = join(one.folder, "warnings.txt");
    if (reading.warnings.length > 0) expectFile(warnings, textOf(reading.warnings, one));
    else
      expect(existsSync(warnings), "warnings.txt expects warnings, and there are none").toBe(false);
    const names = expectedFiles(one);
    expect(names, "a case without expectations promises nothing").not.toEqual([]);
    const wanted = files.filter((file) => names.includes(file.path));
    expect(wanted.map((file) => file.path).toSorted()).toEqual(names.toSorted());
    for (const { path, text } of await formatFiles(wanted, one.folder)) {
      expectFile(join(one.folder, "expected", path), text);
    }
  });
});
