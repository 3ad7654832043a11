// What is typed behind the programs of maintainers: --help says how they are used, and a word that is not known ends them
// before anything is done.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectFolder, run } from "../generator/work-folder.ts";

const manifest = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const programs = [
  ...new Set(
    Object.values(manifest.scripts).flatMap((line) => line.match(/scripts\/\S+\.ts/g) ?? []),
  ),
];

test.each(programs)("%s ends for an option that it does not know", async (program) => {
  const { code, errors, output } = await run([program, "--no-such-option"]);
  expect(code).toBe(2);
  expect(output).toBe("");
  expect(errors).toContain("--no-such-option");
  expect(errors).not.toMatch(/^\s+at /m);
});

test("there are programs to ask", () => {
  expect(programs.length).toBeGreaterThan(30);
});

describe("a program", () => {
  test("that writes a page writes nothing for a word that it does not know", async () => {
    const page = join(projectFolder, "docs", "errors.md");
    const before = statSync(page).mtimeMs;
    const { code, errors, output } = await run(["scripts/errors.ts", "--no-such-option"]);
    expect(code).toBe(2);
    expect(output).toBe("");
    expect(errors).toMatch(/^Unknown option '--no-such-option'\n\nnpm run errors: writes .*\n$/);
    expect(statSync(page).mtimeMs).toBe(before);
  });

  test("says its usage for --help, whatever stands beside it", async () => {
    const { code, errors, output } = await run(["scripts/conformance.ts", "--nonsense", "--help"]);
    expect(code).toBe(0);
    expect(errors).toBe("");
    expect(output).toMatch(/^npm run conformance -- --suite FOLDER\n/);
  });

  test.each([
    [["scripts/simulate.ts", "--steps", "0"], "--steps must be a whole number from 1 to "],
    [["scripts/simulate.ts", "--seed", ""], "--seed must be a whole number from 0 to 4294967295"],
    [
      ["scripts/suite-trial.ts", "no-such-file.json"],
      `${join(projectFolder, "no-such-file.json")} is not there`,
    ],
  ])("refuses values with the reason and the usage: %j", async (words, reason) => {
    const { code, errors, output } = await run(words, projectFolder, { INIT_CWD: projectFolder });
    expect(code).toBe(2);
    expect(output).toBe("");
    expect(errors.startsWith(reason)).toBe(true);
    expect(errors).toContain("\n\n");
    expect(errors).not.toMatch(/^\s+at /m);
  });
});
