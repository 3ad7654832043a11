// Breaking changes that somebody decided on: they stand in the changelog, where clients read of them.
//
//   - Breaks clients: `request-pattern-added` at `/components/schemas/Label/pattern`: why, and what to do.
//   - Breaks clients: `request-pattern-added` at `/components/schemas/*/pattern` (3 places): why.
//
// A star stands for one step of the pointer. The number is exact, so that a line allows nothing later
// that nobody thought of when it was written.

import { readFileSync } from "node:fs";
import type { Change } from "../../generator/changes/compare.ts";
import { UsageError } from "../../generator/command/terminal.ts";
import { displayPath } from "../../generator/write/plan.ts";

export interface Override {
  readonly rule: string;
  readonly pointer: string;
  /** how many changes it allows */
  readonly count: number;
  readonly reason: string;
  /** CHANGELOG.md:12 */
  readonly where: string;
}

const beginning = /^\s*[-*] Breaks clients\b/;
const form = /^\s*[-*] Breaks clients: `([a-z-]+)` at `([^`]*)`(?: \((\d+) places\))?: (\S.*)$/;

/** Those below the heading of a version; what breaks clients in an older one is released. */
export function readOverrides(path: string, heading: string): readonly Override[] {
  const lines = textOf(path).split("\n");
  const start = lines.findIndex((line) => line.trim() === `## ${heading}`);
  if (start < 0) return [];
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  const end = length < 0 ? lines.length : start + 1 + length;
  const file = displayPath(path);
  return lines.slice(start, end).flatMap((line, index) => {
    if (!beginning.test(line)) return [];
    const where = `${file}:${start + index + 1}`;
    const [, rule, pointer, count, reason] = form.exec(line) ?? [];
    if (rule === undefined || pointer === undefined || reason === undefined) {
      const wanted = "- Breaks clients: `rule` at `/pointer`: why, and what clients do";
      throw new UsageError(`${where} names no rule, place or reason; write: ${wanted}`);
    }
    if (stepsOf(pointer).includes("*") && count === undefined) {
      throw new UsageError(`${where} has a star: say behind the pointer how many, "(3 places)"`);
    }
    return [{ rule, pointer, count: Number(count ?? 1), reason, where }];
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the changelog cannot be read: ${reason}`);
  }
}

export function overrideOf(change: Change, overrides: readonly Override[]): Override | undefined {
  if (change.clients.severity !== "breaking") return undefined;
  return overrides.find(
    ({ rule, pointer }) => rule === change.rule && fits(change.place.pointer, pointer),
  );
}

function stepsOf(pointer: string): readonly string[] {
  return pointer.split("/");
}

function fits(pointer: string, pattern: string): boolean {
  const steps = stepsOf(pointer);
  const wanted = stepsOf(pattern);
  return (
    steps.length === wanted.length &&
    wanted.every((step, index) => step === "*" || step === steps[index])
  );
}
