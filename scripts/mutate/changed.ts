// The lines that were changed since a commit.

import { execFileSync } from "node:child_process";

/** By path: pairs of the first and the last line. Throws where git does not know `base`. */
export type ChangedLines = ReadonlyMap<string, readonly (readonly [number, number])[]>;

export function changedLines(root: string, base: string): ChangedLines {
  const parameters = ["diff", "--unified=0", "--no-color", "--no-ext-diff", base, "--"];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 } as const;
  return linesOfDiff(execFileSync("git", parameters, options));
}

/** The commit before the last so many ones; where there are not so many, the first. */
export function commitBefore(root: string, commits: number): string {
  const parameters = ["rev-list", "--first-parent", `--max-count=${commits + 1}`, "HEAD"];
  const list = execFileSync("git", parameters, { cwd: root, encoding: "utf8" }).trim().split("\n");
  return list.at(-1) ?? "HEAD";
}

/** @param diff with no lines around the changes */
export function linesOfDiff(diff: string): ChangedLines {
  const found = new Map<string, (readonly [number, number])[]>();
  let path = "";
  for (const line of diff.split("\n")) {
    if (line.startsWith("+++ "))
      path = line.startsWith("+++ b/") ? line.slice("+++ b/".length) : "";
    const groups = /^@@ -\S+ \+(?<first>\d+)(?:,(?<count>\d+))? @@/.exec(line)?.groups;
    if (groups === undefined || path === "") continue;
    const first = Number(groups["first"]);
    const count = Number(groups["count"] ?? 1);
    if (count > 0) found.set(path, [...(found.get(path) ?? []), [first, first + count - 1]]);
  }
  return found;
}
