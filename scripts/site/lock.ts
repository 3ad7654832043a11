// One at a time, among the processes of this machine: a lock of the operating system on a file, taken through SQLite
// because Node itself has none. It dies with its process, so there is no stale one to recognise.

import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

const sqliteBusy = 5;
const waitMilliseconds = 200;
const waitMillisecondsMax = 300_000;

/** Throws when somebody else works for longer than five minutes. The file stays. */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  // Closed where the work is done, and held until then: a handle that is collected gives its lock back.
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    for (let waited = 0; !take(file); waited += waitMilliseconds) {
      if (waited >= waitMillisecondsMax) {
        throw new Error(`another process holds ${path} for too long: end it, and try again`);
      }
      await wait(waitMilliseconds);
    }
    return await work();
  } finally {
    file.close();
  }
}

function take(file: DatabaseSync): boolean {
  try {
    file.exec("pragma journal_mode = memory; begin exclusive");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
}
