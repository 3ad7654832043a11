// A small file that is whole and on the disk under its name, or not there, and is never replaced.

import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** False: somebody was faster, and his stays. */
export function writeOnce(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    linkSync(draft, path); // unlike a rename, never replaces what another process has written
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
  return true;
}
