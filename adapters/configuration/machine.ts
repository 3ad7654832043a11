// Who this process is on its machine, and who else may read or write its files: what production
// refuses to start with. Each mistake says what to do instead.

import { statSync } from "node:fs";

export interface Machine {
  /** undefined: a system without such numbers */
  readonly uid: number | undefined;
  /** the permission bits; undefined: it is not there, or nobody may look */
  readonly modeOf: (path: string) => number | undefined;
}

export const thisMachine: Machine = {
  uid: process.getuid?.(),
  modeOf: (path) => {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? undefined : found.mode & 0o777;
    } catch (error) {
      // In a folder that this user may not enter: whoever opens it says so.
      if ((error as NodeJS.ErrnoException).code === "EACCES") return undefined;
      throw error;
    }
  },
};

/** Whoever breaks into a process of root has the machine, and every other process on it. */
export function rootMistake({ uid }: Machine): string | undefined {
  if (uid !== 0) return undefined;
  return "This process runs as root (uid 0); start it under a user of its own, such as with: sudo -u payments";
}

/** For group and others, since neither has anything to do there. */
export function folderMistake({ modeOf }: Machine, name: string, path: string): string | undefined {
  const mode = modeOf(path);
  if (mode === undefined || (mode & 0o077) === 0) return undefined;
  return `${name} ${path} may be used by others (mode ${mode.toString(8)}); write: chmod 700 ${path}`;
}

/** Whoever can open it has things signed. @param path undefined: there is none */
export function socketMistake(
  { modeOf }: Machine,
  name: string,
  path: string | undefined,
): string | undefined {
  const mode = path === undefined ? undefined : modeOf(path);
  if (mode === undefined || (mode & 0o007) === 0) return undefined;
  return `${name} ${path} may be opened by everybody (mode ${mode.toString(8)}); write: chmod o-rwx ${path}`;
}

export function writableMistake(
  { modeOf }: Machine,
  name: string,
  path: string,
): string | undefined {
  const mode = modeOf(path);
  if (mode === undefined || (mode & 0o022) === 0) return undefined;
  return `${name} ${path} may be written by others (mode ${mode.toString(8)}); write: chmod go-w ${path}`;
}
