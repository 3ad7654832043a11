import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adminUsage } from "../../adapters/operator/command.ts";
import { audienceProblems, commandProblems, linkProblems, pathProblems } from "./document-rules.ts";
import { floors, looseFiles } from "./rooms.ts";
import { projectRoot, readSourceFiles } from "./source-files.ts";

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const readText = (path: string): string => readFileSync(join(projectRoot, path), "utf8");
// Our own file: what is read here stands in it.
const manifest = JSON.parse(readText("package.json")) as Manifest;
const pages = readSourceFiles("**/*.md");
/** What it names is made on the way, which another test plays. */
const tutorial = "docs/generator/tutorial.md";
const elsewhere = new Map([...pages].filter(([path]) => path !== tutorial));
const isThere = (path: string): boolean => existsSync(join(projectRoot, path));
const scripts = new Set(Object.keys(manifest.scripts));

describe("Markdown pages", () => {
  test("are found", () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(["README.md", "docs/threats.md", "docs/running/README.md"]),
    );
  });

  test("link to files and headings that are there", () => {
    expect(linkProblems(pages, isThere)).toEqual([]);
  });

  test("name paths that are there", () => {
    expect(pathProblems(elsewhere, isThere)).toEqual([]);
  });

  test("tell to type commands that exist", () => {
    expect(commandProblems(elsewhere, { scripts, adminUsage: adminUsage([]) })).toEqual([]);
  });

  test("are there where code sends its reader", () => {
    const named = [...readSourceFiles("{adapters,handlers,service,scripts}/**/*.ts")].flatMap(
      ([path, text]) =>
        Array.from(text.matchAll(/\bdocs\/[\w/-]+\.md\b/g), ([page]) => [path, page]),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, page = ""]) => !isThere(page))).toEqual([]);
  });

  test("say for whom they are", () => {
    // The first pages of the repository and of the site are for everybody who comes.
    const first = new Set(["README.md", "docs/index.md"]);
    const read = [...pages].filter(([path]) => !first.has(path) && !path.startsWith("test/"));
    expect(audienceProblems(new Map(read))).toEqual([]);
  });
});

describe("a planted fault is seen:", () => {
  const files = new Set(["docs/a.md", "docs/b.md", "service/errors.ts", "service"]);
  const planted = (text: string) =>
    new Map([
      ["docs/a.md", text],
      ["docs/b.md", "# B\n\n## A `heading`, of b\n\n## Twice\n\n## Twice\n"],
    ]);
  const isPlanted = (path: string): boolean => files.has(path);

  test.each([
    ["[a](c.md)", "docs/a.md links to c.md, which is not there"],
    ["[a](../b.md)", "docs/a.md links to ../b.md, which is not there"],
    ['<img src="x.png" />', "docs/a.md links to x.png, which is not there"],
    ["[a](#b)", "docs/a.md links to #b, and there is no such heading"],
    ["[a](b.md#c)", "docs/a.md links to b.md#c, and there is no such heading"],
    ["[`a`](b.md#twice-2)", "docs/a.md links to b.md#twice-2, and there is no such heading"],
  ])("the link %s", (text, problem) => {
    expect(linkProblems(planted(text), isPlanted)).toEqual([problem]);
  });

  test("and a link that is right is not", () => {
    const text =
      "[a](b.md#a-heading-of-b) [b](b.md#twice-1) [c](https://x.example/y) [d](../service)";
    expect(linkProblems(planted(text), isPlanted)).toEqual([]);
  });

  test("a path in code", () => {
    const text = "`service/gone.ts`, `service/errors.ts`\n\n```text\na -> test/gone.ts.\n```\n";
    expect(pathProblems(planted(text), isPlanted)).toEqual([
      "docs/a.md names test/gone.ts, which is not there",
      "docs/a.md names service/gone.ts, which is not there",
    ]);
  });

  test("a command", () => {
    const text = "npm run here, npm run gone, npm run here -- x, npm run admin -- job gone";
    const words = { scripts: new Set(["here", "admin"]), adminUsage: "  job list   x" };
    expect(commandProblems(new Map([["a.md", text]]), words)).toEqual([
      "a.md tells to type npm run gone, which does not exist",
      "a.md tells to type npm run admin -- job gone, which does not exist",
    ]);
  });

  test("a page that is for nobody", () => {
    const found = audienceProblems(
      new Map([
        ["a.md", "# A\n\nAll about it.\n"],
        ["b.md", "# B\n\nFor operators: all about it.\n"],
      ]),
    );
    expect(found).toEqual(["a.md does not say in its first line for whom it is"]);
  });
});

describe("README.md", () => {
  const readme = readText("README.md");

  test("fits on two screens", () => {
    expect(readme.split("\n").length - 1).toBeLessThanOrEqual(110);
  });

  test("explains every npm script, in the order of package.json, with the page of the benchmarks", () => {
    const rowsOf = (text: string) =>
      Array.from(text.matchAll(/^\| `npm (?:run )?([a-z:]+)` /gm), ([, one]) => one);
    const benches = [...scripts].filter((name) => name.startsWith("bench"));
    expect(rowsOf(readText("docs/benchmarks.md"))).toEqual(benches);
    const others = [...scripts].filter((name) => !name.startsWith("bench:"));
    expect(rowsOf(readme)).toEqual(others);
  });
});

test("docs/dependencies.md has every dependency with its reason, and no other", () => {
  const rows = Array.from(
    readText("docs/dependencies.md").matchAll(/^\| (`.+?`) +\| \S/gm),
    ([, names = ""]) => Array.from(names.matchAll(/`([^`]+)`/g), ([, name = ""]) => name),
  ).flat();
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(rows.toSorted()).toEqual(packages.toSorted());
});

test("docs/running/jobs.md explains every alarm, and no other", () => {
  const rows = Array.from(
    readText("docs/running/jobs.md").matchAll(/^\| `([a-z0-9]+(?:_[a-z0-9]+)+)` /gm),
    ([, name = ""]) => name,
  );
  const alarms = new Set<string>();
  for (const text of readSourceFiles("service/**/*.ts").values()) {
    for (const [one] of text.matchAll(/type \w*Alarm =[^;]+;|\balarm\("\w+"/g)) {
      for (const [, name = ""] of one.matchAll(/"(\w+)"/g)) alarms.add(name);
    }
  }
  expect(rows.toSorted()).toEqual([...alarms].toSorted());
});

test("docs/architecture.md has the floors and the loose files as they are held", () => {
  const text = readText("docs/architecture.md");
  const rows = Array.from(text.matchAll(/^\| +(\d+) \| (`.*?`) +\|/gm), ([, floor, rooms = ""]) => [
    Number(floor),
    Array.from(rooms.matchAll(/`([^`]+)`/g), ([, room = ""]) => room).toSorted(),
  ]);
  const held = floors.map((rooms, index) => [index + 1, rooms.toSorted()]);
  expect(rows.toReversed()).toEqual(held);
  const loose = /ten loose files[^:]*:([^.]+)\./s.exec(text)?.[1] ?? "";
  const names = Array.from(loose.matchAll(/`([^`]+)`/g), ([, name]) => `service/${name}.ts`);
  expect(names).toEqual(looseFiles);
});
