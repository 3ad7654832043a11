import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot, readSourceFiles } from "./source-files.ts";
import {
  exceptionsHaveReasons,
  filesAreShort,
  generatorIsGeneral,
  namesSaySomething,
  testsAreOn,
  timeIsHandedIn,
} from "./style-rules.ts";
import type { StyleRule } from "./style-rules.ts";

// Put together here, so that this file does not break the rules it proves.
const only = ["test", "only"].join(".");
const disable = ["oxlint", "disable-next-line no-x"].join("-");

/** Each rule with a file that must set it off. */
const table: readonly (readonly [StyleRule, string, string])[] = [
  [filesAreShort, "service/long.ts", "\n".repeat(401)],
  [testsAreOn, "test/x.test.ts", `${only}("x", () => {});`],
  [generatorIsGeneral, "generator/x.ts", "// like the withdrawals"],
  [timeIsHandedIn, "service/x.ts", "const now = new Date();"],
  [namesSaySomething, "service/utils.ts", ""],
  [exceptionsHaveReasons, "service/x.ts", `// ${disable}`],
];

describe.each(table)("%o", (rule, path, text) => {
  test("holds everywhere", () => {
    expect(rule(readSourceFiles())).toEqual([]);
  });

  test("sees what breaks it", () => {
    expect(rule(new Map([[path, text]]))).toHaveLength(1);
  });
});

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function missingInReadme(readme: string, manifest: Manifest): readonly string[] {
  const shortcuts = new Set(["start", "test"]);
  const commands = Object.keys(manifest.scripts).map((name) =>
    shortcuts.has(name) ? `npm ${name}` : `npm run ${name}`,
  );
  const packages = [manifest.dependencies, manifest.devDependencies].flatMap((group) =>
    Object.keys(group).map((name) => `\`${name}\``),
  );
  return [...commands, ...packages].filter((text) => !readme.includes(text));
}

describe("README.md", () => {
  // Our own file: what is read here stands in it.
  const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as Manifest;

  test("explains every npm script and every dependency", () => {
    const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
    expect(missingInReadme(readme, manifest)).toEqual([]);
  });

  test("a script or a dependency that it leaves out is seen", () => {
    const one = {
      scripts: { a: "", test: "" },
      dependencies: { b: "1" },
      devDependencies: { c: "1" },
    };
    expect(missingInReadme("npm run a, `b`", one)).toEqual(["npm test", "`c`"]);
  });
});
