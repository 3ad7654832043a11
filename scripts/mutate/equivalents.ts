// Mutants that change nothing anybody could notice, each with the reason. `equivalents.txt` has one in a line:
// its id, its file, and why.

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Equivalent {
  readonly path: string;
  readonly reason: string;
}

export const equivalentsPath = join(import.meta.dirname, "equivalents.txt");

/** By id. Throws where a line is not of that form. */
export function readEquivalents(): ReadonlyMap<string, Equivalent> {
  const found = new Map<string, Equivalent>();
  for (const line of readFileSync(equivalentsPath, "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const groups = /^(?<id>[0-9a-f]{12}) (?<path>\S+) (?<reason>\S.{9,})$/.exec(line)?.groups;
    const { id, path, reason } = groups ?? {};
    if (id === undefined || path === undefined || reason === undefined) {
      throw new Error(`equivalents.txt: "${line}" is not "<id> <file> <reason>"`);
    }
    found.set(id, { path, reason });
  }
  return found;
}
