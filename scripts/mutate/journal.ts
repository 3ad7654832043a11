// What became of each mutant, line by line, so that a run goes on where another one was stopped.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Result } from "./trial.ts";

export class Journal {
  readonly #path: string;
  readonly #results = new Map<string, Result>();

  constructor(root: string) {
    this.#path = join(root, "node_modules", ".cache", "mutate", "journal.ndjson");
    if (!existsSync(this.#path)) return;
    const text = readFileSync(this.#path, "utf8");
    if (!text.endsWith("\n")) appendFileSync(this.#path, "\n");
    for (const line of text.split("\n")) {
      if (!line.endsWith("}")) continue; // cut off by a crash
      const result = JSON.parse(line) as Result; // what we have written
      this.#results.set(result.id, result);
    }
  }

  of(id: string): Result | undefined {
    return this.#results.get(id);
  }

  /** How many mutants of the file the test has noticed. */
  noticedBy(path: string, test: string): number {
    const isSuch = (one: Result): boolean => one.path === path && one.by === test;
    return [...this.#results.values()].filter(isSuch).length;
  }

  add(result: Result): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    appendFileSync(this.#path, `${JSON.stringify(result)}\n`);
    this.#results.set(result.id, result);
  }
}
