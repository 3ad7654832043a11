// Which mutants are tried, which tests are asked, and what is said of them.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { areaOf, areas } from "../../scripts/mutate/areas.ts";
import { commitBefore, linesOfDiff } from "../../scripts/mutate/changed.ts";
import { chooseMutants } from "../../scripts/mutate/choose.ts";
import { readCommand } from "../../scripts/mutate/command.ts";
import { coveredLines, readCoverage, writeCoverage } from "../../scripts/mutate/coverage.ts";
import { readEquivalents } from "../../scripts/mutate/equivalents.ts";
import { findMutants } from "../../scripts/mutate/find.ts";
import { Imports } from "../../scripts/mutate/imports.ts";
import { Journal } from "../../scripts/mutate/journal.ts";
import { type Mutant, shownEdit } from "../../scripts/mutate/mutant.ts";
import { Nearest } from "../../scripts/mutate/nearest.ts";
import { reportLines } from "../../scripts/mutate/report.ts";
import type { Result } from "../../scripts/mutate/trial.ts";

const repository = join(import.meta.dirname, "..", "..");
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "mutants-"));
  const files = {
    "service/ledger/sums.ts":
      "export const f = (a: number) => a < 1;\nexport const g = (a: number) => a > 2;\n",
    "service/webhooks/url.ts":
      'import "../ledger/sums.ts";\nexport const h = (a: boolean) => !a;\n',
    "service/webhooks/library.d.ts": 'export const i: "one" | "two";\n',
    "test/ledger/sums.test.ts": 'import { f } from "../../service/ledger/sums.ts";\n',
    "test/webhooks/url.test.ts": 'import { h } from "../../service/webhooks/url.ts";\n',
    "test/webhooks/other.test.ts": "",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const all = { areas: [], files: [], ids: [], changed: undefined, sample: undefined, seed: "1" };
const tests = [
  "test/webhooks/other.test.ts",
  "test/webhooks/url.test.ts",
  "test/ledger/sums.test.ts",
];

describe("mutants", () => {
  test("are the same for the same seed, and of each area as many as wanted", () => {
    const ids = (seed: string) => chooseMutants(root, { ...all, seed }).map(({ id }) => id);
    expect(ids("1")).toEqual(ids("1"));
    expect(ids("2")).not.toEqual(ids("1"));
    expect(ids("2").toSorted()).toEqual(ids("1").toSorted());
    const sample = chooseMutants(root, { ...all, sample: 1 });
    expect(sample.map(({ path }) => areaOf(path)?.name)).toEqual(["money", "webhooks"]);
  });

  test("are those of an area, of files, or of changed lines", () => {
    const paths = (wish: Partial<typeof all>) => [
      ...new Set(chooseMutants(root, { ...all, ...wish }).map(({ path }) => path)),
    ];
    expect(paths({ areas: ["webhooks"] as never })).toEqual(["service/webhooks/url.ts"]);
    expect(paths({ files: ["ledger/"] as never })).toEqual(["service/ledger/sums.ts"]);
    const changed = linesOfDiff(
      "--- a/service/ledger/sums.ts\n+++ b/service/ledger/sums.ts\n@@ -2 +2 @@\n-x\n+y\n@@ -9,2 +8,0 @@\n-x\n",
    );
    const found = chooseMutants(root, { ...all, changed });
    expect(new Set(found.map(({ line }) => line))).toEqual(new Set([2]));
  });
});

describe("the nearest tests", () => {
  const none = (_path: string, _test: string): number => 0;
  const nothing = { coverage: undefined, noticedBy: none };

  test("are first those that have noticed other faults of the file", () => {
    const [mutant] = findMutants(root, "service/ledger/sums.ts") as [Mutant];
    const noticedBy = (_: string, name: string) => (name === "test/webhooks/url.test.ts" ? 9 : 0);
    const files = { quick: tests, slow: [] };
    const of = (more: Partial<typeof nothing>) =>
      new Nearest(new Imports(root), files, { ...nothing, testsMax: 9, ...more }).of(mutant).tests;
    expect(of({})).toEqual(["test/ledger/sums.test.ts", "test/webhooks/url.test.ts"]);
    expect(of({ noticedBy })).toEqual(["test/webhooks/url.test.ts", "test/ledger/sums.test.ts"]);
  });

  test("are those that import the file, those of its name first", () => {
    const [mutant] = findMutants(root, "service/ledger/sums.ts") as [Mutant];
    const nearest = new Nearest(
      new Imports(root),
      { quick: tests, slow: [] },
      { ...nothing, testsMax: 1 },
    );
    expect(nearest.of(mutant)).toEqual({
      tests: ["test/ledger/sums.test.ts"],
      more: 1,
      isCovered: true,
    });
  });

  test("of a statement are what asks every statement: one after the nearest four, one last", () => {
    const early = "test/database/neighbours.test.ts";
    const last = "test/database/decisions.test.ts";
    const own = [1, 2, 3, 4, 5].map((number) => `test/suspense/${number}.test.ts`);
    const path = "service/suspense/desk.sql.ts";
    const text = 'import "../../service/suspense/desk.sql.ts";\n';
    for (const file of [...own, early, last]) {
      mkdirSync(join(root, file, ".."), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), "export const f = (a: number) => a < 1;\n");
    const [mutant] = findMutants(root, path) as [Mutant];
    const files = { quick: own, slow: [early, last] };
    const of = (testsMax: number) =>
      new Nearest(new Imports(root), files, { ...nothing, testsMax }).of(mutant).tests;
    expect(of(9)).toEqual([...own.slice(0, 4), early, ...own.slice(4), last]);
    expect(of(2)).toEqual([...own.slice(0, 2), early, last]);
    rmSync(join(root, path));
  });

  test("are slow ones only of its own room, and those after the quick ones", () => {
    const [mutant] = findMutants(root, "service/ledger/sums.ts") as [Mutant];
    const of = (slow: readonly string[]) =>
      new Nearest(
        new Imports(root),
        { quick: tests.filter((one) => !slow.includes(one)), slow },
        { ...nothing, testsMax: 9 },
      ).of(mutant).tests;
    expect(of(["test/ledger/sums.test.ts"])).toEqual([
      "test/webhooks/url.test.ts",
      "test/ledger/sums.test.ts",
    ]);
    expect(of(["test/webhooks/url.test.ts"])).toEqual(["test/ledger/sums.test.ts"]);
  });

  test("are only those that run the line, where that was recorded and the file is the same", () => {
    const path = "service/ledger/sums.ts";
    const records = new Map([
      ["test/ledger/sums.test.ts", { milliseconds: 1, lines: { [path]: "1" } }],
      ["test/webhooks/url.test.ts", { milliseconds: 1, lines: { [path]: "1-1,2" } }],
    ]);
    const added = "test/ledger/added.test.ts";
    writeFileSync(join(root, added), 'import "../../service/ledger/sums.ts";\n');
    writeCoverage(root, records);
    const [first] = findMutants(root, path) as [Mutant];
    const nearest = () =>
      new Nearest(
        new Imports(root),
        { quick: tests, slow: [] },
        { ...nothing, coverage: readCoverage(root), testsMax: 9 },
      );
    expect(nearest().of({ ...first, line: 2 }).tests).toEqual(["test/webhooks/url.test.ts"]);
    expect(nearest().of({ ...first, line: 7 })).toMatchObject({ tests: [], isCovered: false });
    const withNew = { quick: [...tests, added], slow: [] };
    const more = { ...nothing, coverage: readCoverage(root), testsMax: 9 };
    expect(new Nearest(new Imports(root), withNew, more).of({ ...first, line: 7 }).tests).toEqual([
      added,
    ]);
    writeCoverage(root, records);
    writeFileSync(join(root, path), "export const f = (a: number) => a < 1;\n\n\n");
    expect(nearest().of({ ...first, line: 7 }).tests).toHaveLength(2);
  });

  test("run a line when any of their processes runs any of it", () => {
    const source = "const a = 1;\n\nfunction f() {\n  g();\n}\n";
    const whole = { startOffset: 0, endOffset: source.length, count: 1 };
    const body = { startOffset: 14, endOffset: source.length - 1, count: 0 };
    expect(coveredLines(source, [[whole, body]])).toBe("1");
    expect(coveredLines(source, [[whole], [whole, body]])).toBe("1,3-5");
  });
});

describe("what became of them", () => {
  const [mutant] = [
    { id: "0123456789ab", path: "service/ledger/sums.ts", line: 1, within: "f", rule: "operator" },
  ].map((one) => ({ ...one, start: 0, end: 1, original: "<", text: "<=" }));
  const result: Result = {
    id: "0123456789ab",
    path: "service/ledger/sums.ts",
    verdict: "survived",
    by: undefined,
    failure: undefined,
    asked: 3,
    more: 2,
    milliseconds: 5,
  };
  const judged = [{ mutant: mutant as Mutant, result }];

  test("is written down at once, and read again also after a line that was cut off", () => {
    new Journal(root).add(result);
    const path = join(root, "node_modules", ".cache", "mutate", "journal.ndjson");
    writeFileSync(path, `${JSON.stringify(result)}\n{"id":"ffff`, { flag: "a" });
    expect(new Journal(root).of(result.id)).toEqual(result);
    expect(new Journal(root).of("ffff")).toBeUndefined();
    const by = "test/ledger/sums.test.ts";
    new Journal(root).add({ ...result, verdict: "noticed", by });
    expect(new Journal(root).noticedBy(result.path, by)).toBe(1);
    expect(new Journal(root).noticedBy("service/ledger/booking.ts", by)).toBe(0);
    new Journal(root).add(result);
    expect(new Journal(root).noticedBy(result.path, by)).toBe(0);
  });

  test("is said by area, and survivors one by one", () => {
    const text = reportLines(judged, new Map()).join("\n");
    expect(text).toContain(
      "service/ledger/sums.ts:1  0123456789ab  operator in f: 3 tests pass, 2 more not asked",
    );
    expect(text).toContain("< -> <=");
    expect(text).toMatch(/money +1 +0 +0 +0 +1 +0 +0\.0 % of 98/);
  });

  test("counts for nothing where it is equivalent", () => {
    const equivalents = new Map([
      ["0123456789ab", { path: "service/ledger/sums.ts", reason: "so" }],
    ]);
    const text = reportLines(judged, equivalents).join("\n");
    expect(text).toMatch(/money +1 +1 +0 +0 +0 +0 +100\.0 % of 98/);
    expect(text).not.toContain("0123456789ab");
  });
});

test("of a long text the difference is shown, with what is around it", () => {
  const names = "abcdefghijklmnopqrstuvwxyz".split("").map((name) => `"${name}${name}"`);
  const original = `[\n  ${names.join(",\n  ")},\n]`;
  const without = `[${names.filter((_, place) => place !== 12).join(", ")}]`;
  expect(shownEdit({ original, text: without })).toBe(
    '… "ii", "jj", "kk", "ll", "mm", "nn", "oo", "pp", "qq", "r … -> … "ii", "jj", "kk", "ll", "nn", "oo", "pp", "qq", "r …',
  );
  expect(shownEdit({ original: "a  <\n b", text: "a <= b" })).toBe("a < b -> a <= b");
  expect(shownEdit({ original: "f();", text: " " })).toBe("f(); -> nothing");
});

test("each equivalent mutant of the list is one that can be made", () => {
  const lost = [...readEquivalents()].filter(
    ([id, { path }]) => !findMutants(repository, path).some((one) => one.id === id),
  );
  expect(lost).toEqual([]);
});

test("tests that are named are asked in place of the nearest", () => {
  expect(readCommand([]).ask).toEqual([]);
  expect(readCommand(["--ask", "a.test.ts", "--ask", "b.test.ts"]).ask).toEqual([
    "a.test.ts",
    "b.test.ts",
  ]);
});

test.each([
  [["--area", "moneys"], "--area moneys: there is money, "],
  [["--sample", "0"], "--sample 0: a whole number from 1 on"],
  [["--list", "--report"], "either --list or --report"],
  [["--what"], "Unknown option '--what'"],
  [["--changed", "main", "--commits", "3"], "either --changed or --commits"],
  [["--minutes", "1.55"], "--minutes 1.55: a number such as 1.5"],
])("%j is refused with what to say instead", (words, text) => {
  expect(() => readCommand(words)).toThrow(text);
});

test("a sample of the code leaves the contract out", () => {
  const names = areas.map(({ name }) => name).filter((name) => name !== "document");
  expect(readCommand(["--no-document"]).areas).toEqual(names);
  expect(readCommand(["--no-document", "--area", "evm", "--area", "document"]).areas).toEqual([
    "evm",
  ]);
});

test("the last commits: as many as wanted, or as there are", () => {
  const git = (...words: readonly string[]): string => {
    const own = ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words];
    return execFileSync("git", own, { cwd: root, encoding: "utf8" }).trim();
  };
  git("init", "-q");
  const commits = ["one", "two", "three"].map((text) => {
    writeFileSync(join(root, "service/ledger/sums.ts"), `export const a = "${text}";\n`);
    git("add", "service");
    git("commit", "-q", "-m", text);
    return git("rev-parse", "HEAD");
  });
  expect(commitBefore(root, 1)).toBe(commits[1]);
  expect(commitBefore(root, 2)).toBe(commits[0]);
  expect(commitBefore(root, 10)).toBe(commits[0]);
});
