// What somebody has changed in a generated file is kept before it is replaced.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { cacheFolder } from "../own-folders.ts";
import { hashOf, type Hashes } from "./cache.ts";
import type { Change } from "./plan.ts";

const keptFolder = join(cacheFolder, "kept");

/** So many runs are kept that have replaced something. */
const runsMax = 20;

export interface Kept {
  readonly path: string;
  /** where its text is now */
  readonly copy: string;
}

/**
 * Of the files that are to be replaced or removed, those that are not as the last run has left them; their
 * texts are on the disk when it returns. `written`: what that run has written.
 */
export function keepEdits(changes: readonly Change[], written: Hashes, out: string): Kept[] {
  const edited = changes.flatMap(({ path, before }) => {
    const hash = written.get(path);
    const isEdited = before !== undefined && hash !== undefined && hash !== hashOf(before);
    return isEdited ? [{ path, before }] : [];
  });
  if (edited.length === 0) return [];
  const run = join(keptFolder, new Date().toISOString().replaceAll(":", "-"));
  const kept = edited.map(({ path, before }) => {
    const copy = join(run, relative(out, path));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, before);
    return { path, copy };
  });
  for (const old of readdirSync(keptFolder).toSorted().slice(0, -runsMax)) {
    rmSync(join(keptFolder, old), { recursive: true, force: true });
  }
  return kept;
}
