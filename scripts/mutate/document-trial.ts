// One mutant of the document, as if a maintainer had written it and generated again: in a copy of the project,
// the parts of `npm run check` and the contract suite run until one of them fails.

import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { applied, type Mutant } from "./mutant.ts";
import type { Result } from "./trial.ts";

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const vitest = ["scripts/launch.mjs", "vitest", "run", "--mode", "quick", "--bail=1"];
const quiet = ["--reporter=dot", "--maxWorkers=1"];
/** What is soon said first. */
const steps: readonly Step[] = [
  { name: "generator", command: ["generator/main.ts"] },
  { name: "contract lint", command: ["scripts/lint-contract.ts"] },
  { name: "contract:diff", command: ["scripts/contract-diff.ts"] },
  {
    name: "review lists",
    command: [
      ...vitest,
      ...["promised-places", "broken-parts", "document"].map(
        (one) => `test/contract/${one}.test.ts`,
      ),
      "-t",
      "no promise|no place went away|document",
      ...quiet,
    ],
  },
  { name: "types", command: ["scripts/launch.mjs", "typecheck"] },
  { name: "contract suite", command: [...vitest, "test/contract/", ...quiet] },
];
/** What a run of the generator may change. */
const changing = ["spec", "generated", "handlers"];
const stepMilliseconds = 600_000;

export class DocumentTrial {
  readonly #root: string;
  readonly #warn: (line: string) => void;
  readonly #idle: string[] = [];
  readonly #all: string[] = [];
  readonly #sound = new Map<Step, Promise<boolean>>();

  constructor(root: string, warn: (line: string) => void) {
    this.#root = root;
    this.#warn = warn;
  }

  async of(mutant: Mutant): Promise<Result> {
    const { id, path } = mutant;
    const startedAt = performance.now();
    const found = await this.#inCopy(async (copy) => {
      const source = readFileSync(join(this.#root, path), "utf8");
      writeFileSync(join(copy, path), applied(source, mutant));
      for (const [place, step] of steps.entries()) {
        const failure = await failureOf(step, copy);
        if (failure === undefined || !(await this.#isSound(step))) continue;
        return { by: step.name, failure, asked: place + 1 };
      }
      return undefined;
    });
    const milliseconds = Math.round(performance.now() - startedAt);
    const nothing = { by: undefined, failure: undefined, asked: steps.length };
    const verdict = found === undefined ? "survived" : "noticed";
    return { id, path, verdict, more: 0, milliseconds, ...(found ?? nothing) };
  }

  close(): void {
    for (const copy of this.#all) rmSync(copy, { recursive: true, force: true });
  }

  /** A step that fails with the document as it is says nothing about a mutant. */
  #isSound(step: Step): Promise<boolean> {
    const known = this.#sound.get(step) ?? this.#passes(step);
    this.#sound.set(step, known);
    return known;
  }

  async #passes(step: Step): Promise<boolean> {
    const failure = await this.#inCopy((copy) => failureOf(step, copy));
    if (failure === undefined) return true;
    this.#warn(`${step.name} fails without any mutant, and is left out: ${failure}`);
    return false;
  }

  async #inCopy<Value>(work: (copy: string) => Promise<Value>): Promise<Value> {
    const copy = this.#idle.pop() ?? this.#newCopy();
    try {
      return await work(copy);
    } finally {
      for (const folder of changing) {
        rmSync(join(copy, folder), { recursive: true, force: true });
        cpSync(join(this.#root, folder), join(copy, folder), { recursive: true });
      }
      this.#idle.push(copy);
    }
  }

  /** With what is not yet committed, and the packages of this one. */
  #newCopy(): string {
    const copy = mkdtempSync(join(tmpdir(), "mutate-document-"));
    this.#all.push(copy);
    const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    const options = { cwd: this.#root, encoding: "utf8", maxBuffer: 1 << 28 } as const;
    for (const path of execFileSync("git", listed, options).split("\0")) {
      // What was deleted and not yet committed is listed, too.
      if (path !== "" && existsSync(join(this.#root, path)))
        cpSync(join(this.#root, path), join(copy, path), { recursive: true });
    }
    symlinkSync(join(this.#root, "node_modules"), join(copy, "node_modules"));
    return copy;
  }
}

/** The end of what it said; undefined where it passed. */
async function failureOf({ command }: Step, copy: string): Promise<string | undefined> {
  const child = spawn(process.execPath, command, {
    cwd: copy,
    env: { ...process.env, CI: "true", NO_COLOR: "1", PATH: pathWith(process.execPath) },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: stepMilliseconds,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await ended) === 0) return undefined;
  return `${said}\n${complained}`.trim().slice(-failureCharacters);
}

const failureCharacters = 2_000;

function pathWith(program: string): string {
  return `${dirname(program)}:${process.env["PATH"] ?? ""}`;
}
