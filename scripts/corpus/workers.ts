// Documents one at a time, each with a limit of time and memory. Small ones share a process, since starting one
// takes longer than they do.

import { type ChildProcess, fork } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { failed, type Outcome } from "./outcome.ts";
import type { Job } from "./worker.ts";

const secondsMax = 240;
const megabytesMax = 4096;
const bytesSmall = 150_000;

export class Workers {
  #child: ChildProcess | undefined;

  async run(job: Job): Promise<Outcome> {
    const { size } = statSync(job.path);
    if (size > bytesSmall) this.end();
    const child = (this.#child ??= fork(join(import.meta.dirname, "worker.ts"), {
      execArgv: [`--max-old-space-size=${megabytesMax}`],
    }));
    try {
      return await answerOf(child, job);
    } catch (error) {
      this.end();
      return failed([error instanceof Error ? error.message : String(error)], size / 1000);
    } finally {
      if (size > bytesSmall) this.end();
    }
  }

  end(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

async function answerOf(child: ChildProcess, job: Job): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      finish(() => {
        reject(new Error(`no end within ${secondsMax} s`));
      });
    }, secondsMax * 1000);
    const onMessage = (outcome: unknown): void => {
      finish(() => {
        // the worker is our own and sends nothing else
        resolve(outcome as Outcome);
      });
    };
    const onExit = (code: number | null, signal: string | null): void => {
      finish(() => {
        reject(new Error(`the process ended with ${signal ?? code}`));
      });
    };
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      settle();
    };
    child.on("message", onMessage).on("exit", onExit);
    child.send(job);
  });
}
