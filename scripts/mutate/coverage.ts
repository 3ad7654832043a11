// Which test file runs which lines: recorded by `--record`, kept beside the dependencies.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Recorded {
  /** by path of the test file */
  readonly tests: Readonly<Record<string, TestRecord>>;
  /** by path of a file of ours: what it was when it was recorded */
  readonly hashes: Readonly<Record<string, string>>;
}

export interface TestRecord {
  readonly milliseconds: number;
  /** by path, what ran: "3-9,12" */
  readonly lines: Readonly<Record<string, string>>;
}

/** One function or block of V8's coverage. */
export interface CoverageRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

export class Coverage {
  readonly #root: string;
  readonly #recorded: Recorded;
  readonly #isSame = new Map<string, boolean>();

  constructor(root: string, recorded: Recorded) {
    this.#root = root;
    this.#recorded = recorded;
  }

  /** Undefined: nothing is known of this file. */
  testsOf(path: string, line: number): readonly string[] | undefined {
    if (this.#recorded.hashes[path] === undefined) return undefined;
    const isSame = this.#isUnchanged(path);
    return Object.entries(this.#recorded.tests)
      .filter(([, { lines }]) => {
        const text = lines[path];
        return text !== undefined && (!isSame || hasLine(text, line));
      })
      .map(([test]) => test);
  }

  millisecondsOf(test: string): number | undefined {
    return this.#recorded.tests[test]?.milliseconds;
  }

  #isUnchanged(path: string): boolean {
    const known = this.#isSame.get(path);
    if (known !== undefined) return known;
    const isSame = this.#recorded.hashes[path] === hashOf(readFileSync(join(this.#root, path)));
    this.#isSame.set(path, isSame);
    return isSame;
  }
}

function filePath(root: string): string {
  return join(root, "node_modules", ".cache", "mutate", "coverage.json");
}

export function readCoverage(root: string): Coverage | undefined {
  const path = filePath(root);
  if (!existsSync(path)) return undefined;
  return new Coverage(root, JSON.parse(readFileSync(path, "utf8")) as Recorded); // what we have written
}

export function writeCoverage(root: string, tests: ReadonlyMap<string, TestRecord>): void {
  const paths = new Set([...tests.values()].flatMap(({ lines }) => Object.keys(lines)));
  const hashes = [...paths].map((path) => [path, hashOf(readFileSync(join(root, path)))] as const);
  const path = filePath(root);
  mkdirSync(dirname(path), { recursive: true });
  const recorded: Recorded = {
    tests: Object.fromEntries(tests),
    hashes: Object.fromEntries(hashes),
  };
  writeFileSync(path, JSON.stringify(recorded));
}

/** @param processes of each, the outer ranges before the inner ones, as V8 has them */
export function coveredLines(
  source: string,
  processes: readonly (readonly CoverageRange[])[],
): string {
  const isCovered = new Uint8Array(source.length);
  for (const ranges of processes) {
    const own = new Uint8Array(source.length);
    for (const { startOffset, endOffset, count } of ranges) {
      own.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    }
    for (const [place, is] of own.entries()) if (is === 1) isCovered[place] = 1;
  }
  const lines: number[] = [];
  let offset = 0;
  for (const [index, line] of source.split("\n").entries()) {
    const end = offset + line.length;
    if (line.trim() !== "" && isCovered.subarray(offset, end).includes(1)) lines.push(index + 1);
    offset = end + 1;
  }
  return packed(lines);
}

/** [1, 2, 3, 7]: "1-3,7" */
function packed(lines: readonly number[]): string {
  const parts: string[] = [];
  let from: number | undefined;
  for (const [place, line] of lines.entries()) {
    from ??= line;
    if (lines[place + 1] === line + 1) continue;
    parts.push(from === line ? `${line}` : `${from}-${line}`);
    from = undefined;
  }
  return parts.join(",");
}

function hasLine(text: string, line: number): boolean {
  return text.split(",").some((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return line >= first && line <= last;
  });
}

function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
