// The signer as a process of its own, as an operator or a server starts it.

import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Child, makeFolder, startChild } from "../programs/child.ts";
import { patienceMilliseconds } from "../support/patience.ts";

export interface SignerProcess extends Child {
  readonly folder: string;
  readonly socketPath: string;
}

export async function startSigner(
  environment: Readonly<Record<string, string>> = {},
  program = "adapters/signer/main.ts",
): Promise<SignerProcess> {
  const folder = environment["SIGNER_DIR"] ?? join(makeFolder(), "signer");
  const child = startChild(["--disable-sigusr1", program], { ...environment, SIGNER_DIR: folder });
  const socketPath = environment["SIGNER_SOCKET"] ?? join(folder, "signer.sock");
  await child.waitFor(/the signer listens/);
  return { ...child, folder, socketPath };
}

/** One that ends by itself. */
export async function endedSigner(environment: Readonly<Record<string, string>>) {
  const child = startChild(["--disable-sigusr1", "adapters/signer/main.ts"], environment);
  const { code } = await child.ended;
  return { code, errors: child.errors() };
}

/** Until the condition holds. */
export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMilliseconds;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error("it did not happen in time");
    await pause(20);
  }
}

export function isAlive(pid: number): boolean {
  // A zombie is dead: only its parent has not looked yet.
  return existsSync(`/proc/${pid}/exe`);
}

/** What comes back for these bytes, until the signer hangs up or as many lines have come. */
export function exchange(
  socketPath: string,
  bytes: string | Uint8Array,
  lines = 1,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(socketPath, () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.split("\n").length > lines) socket.destroy();
    });
    socket.once("close", () => resolve(text));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // Cut off while we were still writing.
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
  });
}
