// Compares what should stand in a folder with what stands there, and makes it so.

import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";

export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Marks a file as ours; a file without it is never removed. */
const mark = '// Written by "npm run generate"';

/** `files`: absolute path to text. `folder`: where stale files of ours are looked for. */
export function planChanges(files: ReadonlyMap<string, string>, folder: string): Change[] {
  const changes: Change[] = [];
  for (const [path, after] of files) {
    const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    if (before !== after) changes.push({ path, before, after });
  }
  return [...changes, ...staleIn(folder, new Set(files.keys()))];
}

/** Files of ours that are none of these, and go. */
export function staleIn(folder: string, files: ReadonlySet<string>): Change[] {
  return filesBelow(folder).flatMap((path) => {
    if (files.has(path) || !path.endsWith(".ts")) return [];
    const before = readFileSync(path, "utf8");
    return before.startsWith(mark) ? [{ path, before, after: undefined }] : [];
  });
}

/** What a run that was killed has left: its texts were on the disk, and not yet in their places. */
export function removeLeftovers(folders: readonly string[]): void {
  for (const path of folders.flatMap(filesBelow)) {
    if (/\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.test(path)) {
      rmSync(path, { force: true });
    }
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every new text is on disk before the first file is replaced; each file is replaced at once. */
export function applyChanges(changes: readonly Change[]): void {
  const staged: { readonly temporary: string; readonly path: string }[] = [];
  try {
    for (const { path, after } of changes) {
      if (after === undefined) continue;
      mkdirSync(dirname(path), { recursive: true });
      const temporary = `${path}.${randomUUID()}.tmp`;
      staged.push({ temporary, path });
      writeFileSync(temporary, after);
    }
    for (const { temporary, path } of staged) renameSync(temporary, path);
  } finally {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
  }
  for (const { path, after } of changes) if (after === undefined) remove(path);
}

/** With the folders that nothing is left in. */
function remove(path: string): void {
  rmSync(path, { force: true });
  for (let folder = dirname(path); isEmpty(folder); folder = dirname(folder)) rmdirSync(folder);
}

function isEmpty(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length === 0;
}

/** A unified diff from what stands there to what should stand there. */
export async function diffOf(changes: readonly Change[]): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return changes
    .map(({ path, before, after }) => {
      const name = displayPath(path);
      const from = before === undefined ? "/dev/null" : name;
      const to = after === undefined ? "/dev/null" : name;
      return createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
        context: 2,
      });
    })
    .join("\n");
}

/** Relative to the working directory where that is shorter, always with "/". */
export function displayPath(path: string): string {
  const shown = relative(process.cwd(), path);
  return (shown.startsWith("..") ? path : shown).split(sep).join("/");
}
