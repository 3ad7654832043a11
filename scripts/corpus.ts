// What becomes of public documents: npm run corpus -- FILE... prints a table. Without files: those of the
// package @readme/oas-examples. Each is generated twice, compiled, and started, and each operation is asked for.

import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Outcome, tryDocument } from "./corpus/document.ts";

const root = join(import.meta.dirname, "..");
const package_ = join(root, "node_modules/@readme/oas-examples");

const given = process.argv.slice(2);
const files =
  given.length > 0
    ? given.map((name) => resolve(name))
    : globSync(["3.0/json/**/*.json", "3.1/json/**/*.json"], { cwd: package_ })
        .toSorted()
        .map((name) => join(package_, name));

const results = join(root, "test-results");
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(join(results, "corpus-"));
try {
  const outcomes: (readonly [string, Outcome])[] = [];
  for (const [index, file] of files.entries()) {
    outcomes.push([file, await tryDocument(file, join(folder, String(index)))]);
  }
  const errors = typeErrors(folder, outcomes);
  console.log("| document | kB | operations | reached | warnings | type errors | seconds |");
  console.log("| --- | --: | --: | --: | --: | --: | --: |");
  for (const [index, [file, one]] of outcomes.entries()) console.log(row(file, one, errors[index]));
  for (const [index, [file, { problems }]] of outcomes.entries()) {
    for (const problem of [...problems, ...(errors[index] ?? [])].slice(0, 8))
      console.log(`${nameOf(file)}: ${problem}`);
  }
  const isWhole = outcomes.every(([, { problems }]) => problems.length === 0);
  if (!isWhole || errors.some((some) => some.length > 0)) process.exitCode = 1;
} finally {
  if (process.env["KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
}

function nameOf(file: string): string {
  return file.startsWith(package_) ? relative(package_, file) : relative(process.cwd(), file);
}

function row(file: string, one: Outcome, errors: readonly string[] = []): string {
  const isGenerated = one.operations > 0 || one.problems.length === 0;
  const cells = isGenerated
    ? [one.operations, one.reached, one.warnings, errors.length]
    : ["refused", "", "", ""];
  const seconds = (one.milliseconds / 1000).toFixed(1);
  return `| ${[nameOf(file), one.kilobytes.toFixed(0), ...cells, seconds].join(" | ")} |`;
}

/** By document, of one run of the compiler for all of them under the project's own flags. */
function typeErrors(
  below: string,
  outcomes: readonly (readonly [string, Outcome])[],
): readonly (readonly string[])[] {
  const names = outcomes.flatMap(([, { operations }], index) =>
    operations > 0 ? [`${index}/app.ts`, `${index}/handlers.ts`, `${index}/schemas.ts`] : [],
  );
  const config = { extends: join(root, "tsconfig.json"), files: names, include: [], exclude: [] };
  writeFileSync(join(below, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  const { stdout, error } = spawnSync(
    process.execPath,
    [compiler, "--noEmit", "--pretty", "false", "-p", "."],
    { cwd: below, encoding: "utf8", maxBuffer: 1e9 },
  );
  if (error !== undefined) throw error;
  const found = [...stdout.matchAll(/^(\d+)\/(.*error TS.*)$/gm)];
  return outcomes.map((_, index) =>
    found.filter(([, of]) => Number(of) === index).map(([, , text = ""]) => text),
  );
}
