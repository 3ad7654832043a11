// The developer tool as merchants get it: from the package, in a folder that knows nothing of this project.

import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Child, makeFolder, startChild } from "../../programs/child.ts";
import { installClient } from "../packed-client.ts";

type Environment = Readonly<Record<string, string>>;

export interface PackedTool {
  /** of a shop that has the package */
  readonly folder: string;
  readonly start: (words: readonly string[], environment?: Environment) => Child;
  /** The same, to its end. */
  readonly run: (words: readonly string[], environment?: Environment) => Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** @param folder of a shop; a new one when left out */
export function installTool(folder = makeFolder()): PackedTool {
  const packed = installClient(folder);
  const program = join(packed.folder, "scripts", "client", "tool", "main.js");
  // As npm makes of what a package names as its programs.
  const programs = join(folder, "node_modules", ".bin");
  mkdirSync(programs, { recursive: true });
  chmodSync(program, 0o755);
  symlinkSync(program, join(programs, "merchant-payments"));
  const state = { XDG_STATE_HOME: join(folder, "state") };
  const start: PackedTool["start"] = (words, environment = {}) =>
    startChild([program, ...words], { ...state, ...environment });
  const run: PackedTool["run"] = (words, environment) => endOf(start(words, environment));
  return { folder, start, run };
}

/** Waits until it has ended. */
export async function endOf(child: Child): Promise<Ended> {
  const { code } = await child.ended;
  return { code, output: child.output(), errors: child.errors() };
}

/** Of `--json`: each line of standard output is an object. */
export function recordsIn(output: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = output.split("\n").filter((line) => line !== "");
  // A line that is none fails the test that looks at it.
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
