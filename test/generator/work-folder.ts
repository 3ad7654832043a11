// Folders that live as long as a test or a test file, and programs run in them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { runCommand } from "../../generator/command.ts";
import type { Screen } from "../../generator/command/screen.ts";

export const projectFolder = join(import.meta.dirname, "..", "..");
const runtimeFolder = join(projectFolder, "generator", "runtime");

/** A new folder outside the project; removed after the test, or after the tests of the file. */
export function temporaryFolder(): string {
  return removedAtEnd(mkdtempSync(join(tmpdir(), "generator-")));
}

/** A new folder below the project, where node_modules is found; removed after the tests too. */
export function projectSubfolder(): string {
  return removedAtEnd(mkdtempSync(join(import.meta.dirname, ".out-")));
}

/** Of the test that runs, or of the file. KEEP=1 leaves the folders there to look at. */
function removedAtEnd(folder: string): string {
  const remove = (): void => {
    if (process.env["KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    onTestFinished(remove);
  } catch {
    afterAll(remove); // no test runs
  }
  return folder;
}

export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes generated files without their runtime, which is the same for all: a link to the one of
 * the generator stands in its place, so that it is checked and loaded once.
 */
export function writeGenerated(folder: string, files: readonly TextFile[]): void {
  for (const { path, text } of files) {
    if (!path.startsWith("runtime/")) writeFile(join(folder, path), text);
  }
  symlinkSync(runtimeFolder, join(folder, "runtime"), "dir");
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program of Node to its end. */
export async function run(
  parameters: readonly string[],
  cwd = projectFolder,
  more: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, parameters, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  await once(child, "close");
  return { code: child.exitCode, output, errors };
}

/** Of two at once the second begins when the first has ended: the folder is that of the whole process. */
let last: Promise<unknown> = Promise.resolve();

/** Runs the command in this process, where it takes a tenth of the time. */
export function command(args: readonly string[], cwd: string, screen?: Screen): Promise<Ended> {
  const run = last.then(() => commandAlone(args, cwd, screen));
  last = run.catch(() => undefined);
  return run;
}

async function commandAlone(args: readonly string[], cwd: string, screen?: Screen): Promise<Ended> {
  let output = "";
  let errors = "";
  const say = (line: string): void => void (output += `${line}\n`);
  const complain = (line: string): void => void (errors += `${line}\n`);
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return {
      code: await runCommand(args, { say, complain, ...(screen && { screen }) }),
      output,
      errors,
    };
  } finally {
    process.chdir(before);
  }
}

export interface Diagnostic {
  /** relative to the folder that was checked */
  readonly file: string;
  readonly text: string;
}

/** One run of the TypeScript 7 compiler under the project's own flags, but for `compilerOptions`. */
export async function typeCheck(
  folder: string,
  files: readonly string[],
  compilerOptions: Readonly<Record<string, string | boolean>> = {},
): Promise<Diagnostic[]> {
  const base = { extends: join(projectFolder, "tsconfig.json"), compilerOptions };
  const config = { ...base, files, include: [], exclude: [] };
  writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(projectFolder, "node_modules/typescript-7/bin/tsc");
  const { output, errors } = await run([tsc, "--noEmit", "--pretty", "false", "-p", "."], folder);
  const found = [
    ...`${output}${errors}`.matchAll(/^(\S.*?)(?:\(\d+,\d+\))?: (error TS.*(?:\n +.*)*)/gm),
  ];
  return found.map(([, file = "", text = ""]) => ({ file, text }));
}
