// The folder of the embedded database and of what else this server keeps on disk. Nobody else may
// read it, and one process at a time may use it: two in one database folder would destroy it.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface DataDirectory {
  readonly path: string;
  /** gives the lock back; ending the process does too, however it ends */
  readonly release: () => void;
}

/** Somebody else uses the folder; the message says who and what to do. */
export class DataDirectoryInUse extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DataDirectoryInUse";
  }
}

const sqliteBusy = 5;

/** A lock ends when its handle is collected as garbage, so they are kept here. */
const held = new Set<DatabaseSync>();

/**
 * The lock is one of the operating system's on a file, taken through SQLite because Node itself
 * has none. It dies with its process, so there is no stale one to recognise: a process number in a
 * file would name a stranger after a restart, and in a container always the process itself.
 */
export function takeDataDirectory(path: string): DataDirectory {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const ownerFile = join(path, "server.pid");
  const lock = new DatabaseSync(join(path, "server.lock"), { timeout: 0 });
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: unknown }).errcode !== sqliteBusy) throw error;
    throw new DataDirectoryInUse(
      `The data folder ${path} is used by another server${ownerText(ownerFile)}. Stop that one, ` +
        "or give this one a folder of its own with DATA_DIR. (Several servers can share a " +
        "PostgreSQL server: see DATABASE_URL.)",
    );
  }
  held.add(lock);
  writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    path,
    release: () => {
      if (!held.delete(lock)) return;
      rmSync(ownerFile, { force: true });
      lock.close();
    },
  };
}

function ownerText(ownerFile: string): string {
  try {
    const pid = readFileSync(ownerFile, "utf8").trim();
    return pid === "" ? "" : ` (process ${pid})`;
  } catch {
    return ""; // it is just starting or ending
  }
}
