// Which files run for long, while they do: no time limit ends a test that never gives its process back, and of a run
// that is ended from outside nothing else says where it was.

import type { Reporter, TestModule } from "vitest/node";

export interface RunningOptions {
  readonly everyMilliseconds: number;
  readonly write: (line: string) => void;
}

export class RunningReporter implements Reporter {
  readonly #options: RunningOptions;
  /** of those that have begun: how often they were seen */
  readonly #seen = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RunningOptions) {
    this.#options = options;
  }

  onTestRunStart(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#options.everyMilliseconds).unref();
  }

  onTestModuleQueued({ relativeModuleId }: Pick<TestModule, "relativeModuleId">): void {
    this.#seen.set(relativeModuleId, 0);
  }

  onTestModuleEnd({ relativeModuleId }: Pick<TestModule, "relativeModuleId">): void {
    this.#seen.delete(relativeModuleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#seen.clear();
  }

  #look(): void {
    for (const [file, times] of this.#seen) {
      if (times > 0) this.#options.write(`still running: ${file}\n`);
      this.#seen.set(file, times + 1);
    }
  }
}

export const runningReporter = new RunningReporter({
  everyMilliseconds: 120_000,
  write: (line) => process.stderr.write(line),
});
