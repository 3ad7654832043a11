// What is left of a cluster goes when its maker goes, whatever happened to that: a shell whose standard input only we
// hold open ends everything that was started, and takes the folder away.

import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Guard {
  /** Resolves when nothing is left. */
  readonly end: () => Promise<void>;
}

/** What every part is started with, and hands on to what it starts. */
export const mark = "MERCHANT_CLUSTER";

/** PostgreSQL's processes write over their environment; they are where their data is. */
const script = `cat >/dev/null
for turn in 1 2 3 4 5 6 7 8 9 10; do
  found=
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd")" in
      "$0"/node*/data) ;;
      *) grep -qzFx "${mark}=$0" "$process/environ" 2>/dev/null || continue ;;
    esac
    kill -KILL "\${process#/proc/}" && found=1
  done
  [ -n "$found" ] || break
  sleep 0.3
done
for disk in "$0"/node*/; do mountpoint -q "$disk" && umount -l "$disk"; done
[ -n "$1" ] || rm -rf "$0"`;

export function guard(folder: string, { isKept }: { readonly isKept: boolean }): Guard {
  const shell = spawn("/bin/sh", ["-c", script, folder, isKept ? "kept" : ""], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
    cwd: "/",
  });
  const ended = once(shell, "close");
  // It may have been killed before us.
  shell.stdin.on("error", () => undefined);
  return {
    end: async () => {
      shell.stdin.end();
      await ended;
    },
  };
}
