// The folder of the embedded database and of what else this server keeps on disk. Nobody else may
// read it, and one process at a time may use it: two in one database folder would destroy it.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
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

/** This user cannot read or write there, or it is no folder. */
export class DataDirectoryClosed extends Error {
  /** as the system says it */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(
      `The data folder ${resolve(path)} cannot be used by this user${userText()}: ${reason}. Look whether it is a folder, ` +
        "call it as the user that it belongs to, or name another one in DATA_DIR. (A service on PostgreSQL is named by DATABASE_URL.)",
    );
    this.name = "DataDirectoryClosed";
    this.reason = reason;
  }
}

/** There is no embedded database in the folder, and whoever looks for one makes none. */
export class DataDirectoryEmpty extends Error {
  constructor(path: string) {
    super(
      `There is no embedded database in ${resolve(path)}, and an operator's command makes none. Give it what the ` +
        "service that you mean was started with: DATABASE_URL and ENCRYPTION_KEY, or DATA_DIR. For a new service, " +
        "npm start first. (On a machine set up by docs/operations.md the command is payments-admin, which has them.)",
    );
    this.name = "DataDirectoryEmpty";
  }
}

const sqliteBusy = 5;
/** SQLITE_READONLY and SQLITE_CANTOPEN: the rights of a file or of its folder. */
const sqliteClosed = new Set<unknown>([8, 14]);
const systemClosed = new Set<unknown>(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

/** A lock ends when its handle is collected as garbage, so they are kept here. */
const held = new Set<DatabaseSync>();

/**
 * The lock is one of the operating system's on a file, taken through SQLite because Node itself
 * has none. It dies with its process, so there is no stale one to recognise: a process number in a
 * file would name a stranger after a restart, and in a container always the process itself.
 */
export function takeDataDirectory(path: string): DataDirectory {
  orClosed(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }));
  const ownerFile = join(path, "server.pid");
  const lock = orClosed(path, () => new DatabaseSync(join(path, "server.lock"), { timeout: 0 }));
  try {
    lock.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    lock.close();
    if ((error as { errcode?: unknown }).errcode !== sqliteBusy) throw closedOr(path, error);
    throw new DataDirectoryInUse(
      `The data folder ${path} is used by another server${ownerText(ownerFile)}. Stop that one, ` +
        "or give this one a folder of its own with DATA_DIR. (Several servers can share a " +
        "PostgreSQL server: see DATABASE_URL.)",
    );
  }
  try {
    writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    lock.close();
    throw closedOr(path, error);
  }
  held.add(lock);
  return {
    path,
    release: () => {
      if (!held.delete(lock)) return;
      rmSync(ownerFile, { force: true });
      lock.close();
    },
  };
}

/** Where the embedded database lies. */
export function embeddedFolder(dataDirectory: string): string {
  return join(dataDirectory, "database");
}

/** Throws `DataDirectoryEmpty` or `DataDirectoryClosed`. */
export function demandEmbeddedDatabase(dataDirectory: string): void {
  const found = orClosed(dataDirectory, () =>
    statSync(embeddedFolder(dataDirectory), { throwIfNoEntry: false }),
  );
  if (found === undefined) throw new DataDirectoryEmpty(dataDirectory);
}

function orClosed<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw closedOr(path, error);
  }
}

/** The same error where it has another reason than the rights of this user. */
function closedOr(path: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The lower byte is the kind; the rest says more of it.
  const isClosed = systemClosed.has(code) || sqliteClosed.has(Number(errcode) & 0xff);
  return isClosed ? new DataDirectoryClosed(path, error.message) : error;
}

function userText(): string {
  const id = process.getuid?.();
  return id === undefined ? "" : ` (uid ${id})`;
}

function ownerText(ownerFile: string): string {
  try {
    const pid = readFileSync(ownerFile, "utf8").trim();
    return pid === "" ? "" : ` (process ${pid})`;
  } catch {
    return ""; // it is just starting or ending
  }
}
