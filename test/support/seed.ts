// The number that every random draw of a run of the tests comes from.

import { spawnSync } from "node:child_process";

const seedsMax = 2_147_483_647;

/**
 * `SEED`, where it is given. In CI it is drawn from the tracked files: every change is tried with new numbers,
 * and what was red is red again, there and on anybody's machine with `CI=true`. Everywhere else it is new each
 * time.
 */
export function seedOf(environment: NodeJS.ProcessEnv): string {
  const given = environment["SEED"];
  if (given !== undefined) return given;
  return String((environment["CI"] === undefined ? Date.now() : treeNumber()) % seedsMax);
}

/** Of git's hash of the tree, which two commits with the same files share; of the time, where there is no git. */
function treeNumber(): number {
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD^{tree}"], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  return status === 0 ? Number.parseInt(stdout.slice(0, 12), 16) : Date.now();
}
