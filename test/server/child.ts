// Programs of this project in a process of their own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export const projectRoot = join(import.meta.dirname, "..", "..");

export interface Child {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly pid: number;
  readonly output: () => string;
  readonly errors: () => string;
  /** resolves with the text so far, once standard output matches */
  readonly waitFor: (pattern: RegExp) => Promise<string>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const running = new Set<Child>();

/** With its own group, as a shell would start it, so that a test can signal the whole of it. */
export function startChild(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  command = process.execPath,
): Child {
  const child = spawn(command, parameters, {
    cwd: projectRoot,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(() => {
    running.delete(started);
    return { code: child.exitCode, signal: child.signalCode };
  });
  const waitFor = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(output)) {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${errors}`);
      await Promise.race([once(child.stdout, "data"), ended]);
    }
    return output;
  };
  const started: Child = {
    kill: (signal) => child.kill(signal),
    pid: child.pid ?? 0,
    output: () => output,
    errors: () => errors,
    waitFor,
    ended,
  };
  running.add(started);
  return started;
}

export interface ServerChild extends Child {
  readonly port: number;
}

export async function startServerChild(
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerChild> {
  const child = startChild(["adapters/main.ts"], { PORT: "0", ...environment });
  const text = await child.waitFor(/listening on http:\/\/[^"]+:(\d+)/);
  const port = Number(/listening on http:\/\/[^"]+:(\d+)/.exec(text)?.[1]);
  return { ...child, port };
}

/** For afterEach: a failed test must not leave a server behind. */
export async function endChildren(): Promise<void> {
  for (const child of running) {
    child.kill("SIGKILL");
    await child.ended;
  }
}

/** The log of a server, a line an object. */
export function logLines(child: Child): readonly Readonly<Record<string, unknown>>[] {
  const lines = child.output().trim().split("\n");
  // A line that is no object fails the test that looks at it.
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
