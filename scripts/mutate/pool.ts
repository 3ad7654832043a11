// Several runners, each a process of its own, with a bound on how long any of them may take.

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { RunAnswer, RunOrder } from "./messages.ts";

/** Beside the time of the test: for starting a process, and the server that tests share. */
const startMilliseconds = 60_000;
const lastWordsMax = 4_000;

export class Pool {
  readonly #parameters: readonly string[];
  readonly #root: string;
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  /** of whichever runner said something last */
  #lastWords = "";

  constructor(root: string, { isRecording }: { readonly isRecording: boolean }) {
    this.#root = root;
    this.#parameters = isRecording ? ["--record"] : [];
  }

  async run(order: RunOrder): Promise<RunAnswer> {
    const child = this.#idle.pop() ?? this.#start();
    const timer = setTimeout(() => child.kill("SIGKILL"), order.milliseconds + startMilliseconds);
    try {
      const answer = await new Promise<RunAnswer | undefined>((resolve) => {
        child.once("message", resolve).once("exit", () => {
          resolve(undefined);
        });
        child.send(order);
      });
      if (answer === undefined) return this.#lost(child, order);
      this.#idle.push(child);
      return answer;
    } finally {
      clearTimeout(timer);
      child.removeAllListeners("message");
      child.removeAllListeners("exit");
    }
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#all].map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, "exit");
        child.disconnect();
        await ended;
      }),
    );
  }

  #start(): ChildProcess {
    const child = fork(join(import.meta.dirname, "runner.ts"), this.#parameters, {
      cwd: this.#root,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#all.add(child);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsMax);
    });
    return child;
  }

  #lost(child: ChildProcess, { tests, mutant, milliseconds }: RunOrder): RunAnswer {
    this.#all.delete(child);
    if (mutant === null) {
      const which = tests.join(", ");
      throw new Error(`a runner of tests ended while it ran ${which}:\n${this.#lastWords}`);
    }
    const failure = "its process ended";
    return { isPassed: false, milliseconds, failure, failedTest: undefined, ranges: {} };
  }
}

/** Each of `items`, so many at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const one = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: jobs }, one));
}
