// The process with the keys as a child of the server, for installations that have only one program to
// start. It gets an environment of its own with nothing else in it, is started again when it dies,
// and ends with the server, however that one ends. What it knows stays in it: there is one channel,
// on which it says once that it listens, and its socket (`connectSigner`).

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Cell } from "../../service/cell.ts";
import type { Logger, LogLevel } from "../system/logging.ts";
import { signerListens, signerMistakeExitCode } from "./protocol.ts";

export interface SignerChildOptions {
  /** for its seed and its journal */
  readonly folder: string;
  readonly socketPath: string;
  /** undefined: in the folder */
  readonly seedFile?: string | undefined;
  /** undefined: test networks only */
  readonly policyFile?: string | undefined;
  /** whose money it has; undefined: there is one only */
  readonly cell?: Cell;
  /** where Node keeps what it has compiled; undefined: it keeps nothing */
  readonly compileCache?: string | undefined;
  readonly logLevel: LogLevel;
  readonly log: Pick<Logger, "warn" | "error">;
  /** for its own log, which is lines as ours are */
  readonly output: { readonly write: (line: string) => void };
}

export interface SignerChild {
  /** of the one that runs now */
  readonly pid: () => number | undefined;
  readonly stop: () => Promise<void>;
}

/** It does not start, and a person has to repair that; the message says how. */
export class SignerChildError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SignerChildError";
  }
}

const program = join(import.meta.dirname, "..", "signer", "main.ts");
/** Of what it makes for a signature little stays. */
const spaceForNewObjects = "--max-semi-space-size=2";
const restartMilliseconds = 200;
const restartMillisecondsMax = 10_000;
/** Whoever ran this long is no repetition of the failure before. */
const stableMilliseconds = 60_000;
const stopMillisecondsMax = 3_000;
/** It takes half a second; this is for machines under load. */
const startMillisecondsMax = 60_000;
const errorsMax = 10_000;

/** Resolves when it listens. Throws `SignerChildError` if the first one does not get so far. */
export async function startSignerChild(options: SignerChildOptions): Promise<SignerChild> {
  const child = new RestartingChild(options);
  await child.start();
  return { pid: () => child.pid, stop: () => child.stop() };
}

class RestartingChild {
  readonly #options: SignerChildOptions;
  #child: ChildProcess | undefined;
  #failures = 0;
  /** before that it is not started again, but a failure of whoever starts us */
  #hasListened = false;
  #isStopping = false;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: SignerChildOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { child, errors } = this.#spawn();
    const listens = new Promise<void>((resolve, reject) => {
      child.once("message", (message) => {
        if (message === signerListens) resolve();
      });
      child.once("error", reject);
      child.once("close", (code) => {
        const isMistake = code === signerMistakeExitCode;
        reject(new SignerChildError(isMistake ? errors() : `The signer ended: ${errors()}`));
      });
    });
    const late = setTimeout(() => child.kill("SIGKILL"), startMillisecondsMax);
    try {
      await listens;
      this.#hasListened = true;
    } finally {
      clearTimeout(late);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return;
    const closed = once(child, "close");
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), stopMillisecondsMax);
    await closed;
    clearTimeout(late);
  }

  #spawn() {
    const { output } = this.#options;
    const startedAt = performance.now();
    // Said here, since becoming itself once more would close the channel that is its parent's end.
    const child = spawn(
      process.execPath,
      ["--disable-sigusr1", spaceForNewObjects, program, "--child"],
      {
        env: environmentOf(this.#options),
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      },
    );
    this.#child = child;
    let errors = "";
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-errorsMax);
    });
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) output.write(`${line}\n`);
    });
    child.once("error", () => undefined);
    child.once("close", (code, signal) => {
      this.#child = undefined;
      if (this.#isStopping || !this.#hasListened) return;
      const isStable = performance.now() - startedAt > stableMilliseconds;
      this.#failures = isStable ? 0 : this.#failures + 1;
      const fields = { code, signal, failures: this.#failures, said: errors.trim() };
      this.#options.log.error(fields, "the signer ended; it is started again");
      this.#startLater();
    });
    return { child, errors: () => errors.trim() };
  }

  #startLater(): void {
    const wait = restartMilliseconds * 2 ** Math.max(0, this.#failures - 1);
    this.#restart = setTimeout(() => this.#spawn(), Math.min(wait, restartMillisecondsMax));
    this.#restart.unref();
  }
}

/** Nothing of ours goes along: it holds the database's password and the key that seals secrets. */
function environmentOf(options: SignerChildOptions): NodeJS.ProcessEnv {
  const { folder, socketPath, seedFile, policyFile, cell, compileCache, logLevel } = options;
  return {
    SIGNER_DIR: folder,
    SIGNER_SOCKET: socketPath,
    LOG_LEVEL: logLevel,
    ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
    ...(cell === undefined ? {} : { CELL: cell }),
    ...(seedFile === undefined ? {} : { SIGNER_SEED_FILE: seedFile }),
    ...(policyFile === undefined ? {} : { SIGNER_POLICY: policyFile }),
  };
}
