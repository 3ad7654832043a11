// The client as merchants get it: packed, and unpacked into a folder that knows nothing of this project.

import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../programs/child.ts";

export interface PackedClient {
  /** of the package, unpacked */
  readonly folder: string;
  /** of the tarball */
  readonly bytes: number;
}

/**
 * As `npm install` of the tarball does it, without asking a registry for what it depends on.
 *
 * @param others more packages that a shop has
 */
export function installClient(folder: string, others: readonly string[] = []): PackedClient {
  const program = join(projectRoot, "scripts", "pack-client.ts");
  execFileSync(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  const target = join(folder, "node_modules", "merchant-payments");
  mkdirSync(target, { recursive: true });
  const words = ["-xzf", join(folder, tarball), "-C", target, "--strip-components=1"];
  execFileSync("tar", words);
  for (const name of ["openapi-fetch", "openapi-typescript-helpers", ...others]) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules", name), place, "dir");
  }
  return { folder: target, bytes: statSync(join(folder, tarball)).size };
}

/**
 * What the compiler says of programs of a shop, as their author has it: no settings but strictness.
 *
 * @param names of files in the folder
 * @returns a line for each mistake
 */
export function mistakesOf(folder: string, names: readonly string[]): readonly string[] {
  try {
    execFileSync(process.execPath, compiling(folder, names), { cwd: folder });
    return [];
  } catch (error) {
    return linesOf(error);
  }
}

/** The same, while the caller goes on. */
export async function findMistakes(
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  try {
    await promisify(execFile)(process.execPath, compiling(folder, names), { cwd: folder });
    return [];
  } catch (error) {
    return linesOf(error);
  }
}

function compiling(folder: string, names: readonly string[]): string[] {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const flags = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"];
  const types = ["--types", "node", "--typeRoots", join(projectRoot, "node_modules", "@types")];
  const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
  return [compiler, ...flags, ...types, ...names];
}

/** Of a process that has failed. */
function linesOf(error: unknown): readonly string[] {
  const { stdout } = error as { readonly stdout: Buffer | string };
  return String(stdout)
    .split("\n")
    .filter((line) => /^\S/.test(line));
}
