// The code of the version before the last migration, out of the history.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../programs/child.ts";

const migrations = "adapters/database/migrations";

function git(...words: readonly string[]): string {
  const options = { cwd: projectRoot, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  return execFileSync("git", words, options);
}

function countIn(commit: string): number {
  return git("ls-tree", "--name-only", commit, `${migrations}/`).split("\n").filter(Boolean).length;
}

/** The last commit that has fewer of them than the files here. */
function commitBefore(): string {
  const here = readdirSync(join(projectRoot, migrations)).length;
  const touching = git("rev-list", "HEAD", "--", migrations).split("\n").filter(Boolean);
  const commits = ["HEAD", ...touching.flatMap((one) => [one, `${one}^`])];
  const found = commits.find((one) => countIn(one) < here);
  if (found !== undefined) return git("rev-parse", found).trim();
  throw new Error("the history does not go back to the version before: git fetch --unshallow");
}

export interface VersionBefore {
  readonly commit: string;
  readonly migrationCount: number;
  /** a program of it, as `startChild` takes it */
  readonly program: (path: string) => string;
}

/** With the packages of this version. @param folder empty */
export function takeVersionBefore(folder: string): VersionBefore {
  const commit = commitBefore();
  const root = join(folder, "version-before");
  mkdirSync(root);
  const archive = execFileSync("git", ["archive", "--format=tar", commit], {
    cwd: projectRoot,
    maxBuffer: 2 ** 30,
  });
  execFileSync("tar", ["-x", "-C", root], { input: archive });
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  return { commit, migrationCount: countIn(commit), program: (path) => join(root, path) };
}
