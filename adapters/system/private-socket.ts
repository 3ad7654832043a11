// Sockets of this machine: each is its user's from its first moment on.

import { chmodSync } from "node:fs";
import { connect } from "node:net";
import type { Server } from "node:net";

/** @param mode who may open it once it is there, such as 0o660 for the user and the group */
export function listenOnSocket(server: Server, path: string, mode: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The socket is made during the call: at no moment can anybody else open it.
    const before = process.umask(0o177);
    server.listen(path, () => {
      server.off("error", reject);
      try {
        chmodSync(path, mode);
        resolve();
      } catch (error) {
        server.close();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    process.umask(before);
  });
}

/** Somebody listens there, or nobody can tell: only what a dead process has left refuses every connection. */
export function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      resolve(code !== "ECONNREFUSED" && code !== "ENOENT");
    });
  });
}
