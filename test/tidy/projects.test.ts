// `npm test` and the rest of `npm run check` together run every test file on every engine, and none twice.

import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { projectsOf } from "../support/projects.ts";
import { projectRoot } from "./source-files.ts";

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
const find = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: projectRoot }).map((path) => path.replaceAll(sep, "/"));

/** What a run does with files: each with each engine that its project gives it, as often as it does. */
function runsOf(mode: string, named: readonly string[] = []): readonly string[] {
  const runs = projectsOf(mode, named).flatMap(({ files, engines, isInCells }) =>
    files.flatMap((file) =>
      engines.map((engine) => `${file} with ${isInCells ? `cells of ${engine}` : engine}`),
    ),
  );
  return runs.toSorted();
}

const testFiles = find("test/**/*.test.ts").toSorted();
const isOfSuite = (path: string): boolean => path.startsWith("test/contract/");
const asking = testFiles.filter((path) =>
  /\beach\(engines\)|\bdescribeOnEngines\(/.test(read(path)),
);

describe("the projects of the tests", () => {
  test("give every file to the quick or the slow ones, and to one of them only", () => {
    const [slow, quick] = projectsOf("test", []);
    expect([slow?.name, quick?.name]).toEqual(["slow", "quick"]);
    const both = [...(slow?.files ?? []), ...(quick?.files ?? [])];
    expect(both.toSorted()).toEqual(testFiles);
  });

  test("run a file that asks for engines with each of them once", () => {
    const runs = runsOf("test");
    expect(asking.length).toBeGreaterThan(100);
    for (const path of asking) {
      const own = runs.filter((run) => run.startsWith(`${path} `));
      const inCells = isOfSuite(path) ? [`${path} with cells of PostgreSQL`] : [];
      expect(own).toEqual([`${path} with PGlite`, `${path} with PostgreSQL`, ...inCells]);
    }
  });

  test("run the contract suite once more in cells, and nothing else", () => {
    const inCells = runsOf("rest").filter((run) => run.endsWith(" with cells of PostgreSQL"));
    const suite = testFiles.filter(isOfSuite);
    expect(inCells).toEqual(suite.map((path) => `${path} with cells of PostgreSQL`));
    expect(suite.length).toBeGreaterThan(40);
  });

  test("leave nothing out between the two commands, and do nothing twice", () => {
    const together = [...runsOf("quick"), ...runsOf("rest")].toSorted();
    expect(together).toEqual(runsOf("test"));
    expect(new Set(together).size).toBe(together.length);
  });

  test("run what is slow when it is named", () => {
    const room = runsOf("quick", ["test/programs"]);
    expect(room.filter((run) => run.startsWith("test/programs/demo"))).toHaveLength(2);
    expect(runsOf("quick").filter((run) => run.startsWith("test/programs/"))).toEqual([]);
  });

  test("see in the text of a file whether it asks for engines", () => {
    const importing = find("test/**/*.ts").filter((path) =>
      /^import .*\bengines\b.* from ".*\/engines\.ts"/m.test(read(path)),
    );
    const helpers = ["test/contract/scene.ts"];
    const known = new Set([...asking, ...helpers]);
    expect(importing.filter((path) => !known.has(path))).toEqual([]);
    expect(importing).toEqual(expect.arrayContaining(helpers));
  });
});

describe("the commands", () => {
  // package.json has its scripts, and we say which.
  const { scripts } = JSON.parse(read("package.json")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };

  test("of the two halves are what the documents say", () => {
    expect(scripts["test"]).toMatch(/vitest run --mode quick$/);
    expect(scripts["test:all"]).toMatch(/vitest run$/);
    expect(scripts["check"]).toMatch(/scripts\/check\.ts$/);
  });

  test("of CI are the quick tests, then all the rest", () => {
    const parts = read(".ci/run")
      .split("\n")
      .filter((line) => line.startsWith("part "));
    expect(parts).toEqual(["part 25m npm test", "part 60m npm run check -- --rest"]);
  });
});
