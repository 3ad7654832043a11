// What is left of a cluster goes when its maker goes, whatever happened to that: a shell whose standard input only we
// hold open ends everything that was started, and takes the folder away.

import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Guard {
  /** Resolves when nothing is left. */
  readonly end: () => Promise<void>;
}

/** The folder names every program that is started: by its files, or as the title of its process. */
const script = `cat >/dev/null
for turn in 1 2 3; do pkill -KILL -f "$0/" && sleep 0.3; done
for disk in "$0"/node*/; do mountpoint -q "$disk" && umount -l "$disk"; done
[ -n "$1" ] || rm -rf "$0"`;

export function guard(folder: string, { isKept }: { readonly isKept: boolean }): Guard {
  const shell = spawn("/bin/sh", ["-c", script, folder, isKept ? "kept" : ""], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
    cwd: "/",
  });
  return {
    end: async () => {
      const ended = once(shell, "close");
      shell.stdin.end();
      await ended;
    },
  };
}
