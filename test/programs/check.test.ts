// scripts/check.ts in a folder where the generator only says how it was called.

import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { endChildren, projectRoot, startChild } from "./child.ts";

const reading = ["generator/command/arguments.ts", "generator/command/terminal.ts"];

let folder: string;
afterEach(async () => {
  await endChildren();
  await rm(folder, { recursive: true });
});

test("warnings of the generator fail the check", async () => {
  folder = await mkdtemp(join(tmpdir(), "check-"));
  await mkdir(join(folder, "scripts"));
  await mkdir(join(folder, "generator", "command"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  // With what it reads its words by.
  for (const path of ["scripts/check.ts", "scripts/command-line.ts", ...reading])
    await copyFile(join(projectRoot, path), join(folder, path));
  // The output of a step is shown when it fails.
  const program = "console.log(process.argv.slice(2).join()); process.exitCode = 1;";
  await writeFile(join(folder, "generator/main.ts"), program);
  const child = startChild([join(folder, "scripts/check.ts"), "--no-test"]);
  await child.ended;
  expect(child.output()).toMatch(/^--check,--strict$/m);
});
