// What is started and measured: the server until somebody can use it and a while after that, and commands of an
// operator from their beginning to their end.

import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { childrenCpuMicroseconds } from "../measuring.ts";
import { processesBelow, usageOf } from "./processes.ts";

/** A copy of the project, and where its server keeps its data. */
export interface Place {
  /** the folder of the copy */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface StartRun {
  /** of all processes, from the command to the line that says so */
  readonly readyCpuSeconds: number;
  /** and with the seconds after that, in which nobody asks it anything */
  readonly settledCpuSeconds: number;
  readonly readyMemory: number;
  readonly settledMemory: number;
  readonly peak: number;
}

export interface StartPlan {
  /** what it prints when somebody can use it */
  readonly ready: RegExp;
  readonly settleSeconds: number;
  /** the server still runs */
  readonly meanwhile?: () => void;
}

const readySecondsMax = 180;
const outputCharactersMax = 100_000;

/** As people start it: with npm and the launcher. */
export async function runStart(place: Place, plan: StartPlan): Promise<StartRun> {
  const child = spawn("npm", ["start"], { ...optionsOf(place), stdio: ["ignore", "pipe", "pipe"] });
  const root = child.pid;
  if (root === undefined) throw new Error("npm cannot be started");
  try {
    await untilSaid(child, plan.ready);
    const ready = usageOf(root);
    await wait(plan.settleSeconds * 1_000);
    const settled = usageOf(root);
    plan.meanwhile?.();
    return {
      readyCpuSeconds: ready.cpuSeconds,
      settledCpuSeconds: settled.cpuSeconds,
      readyMemory: ready.memory,
      settledMemory: settled.memory,
      peak: settled.peak,
    };
  } finally {
    await end(child);
  }
}

async function untilSaid(child: ChildProcess, pattern: RegExp): Promise<void> {
  let said = "";
  const matched = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        if (said.length < outputCharactersMax) said += text;
        if (pattern.test(said)) resolve();
      });
    }
  });
  const late = AbortSignal.timeout(readySecondsMax * 1_000);
  const failed = Promise.race([once(child, "close"), once(late, "abort")]).then(() => {
    throw new Error(`the server did not start: ${said}`);
  });
  await Promise.race([matched, failed]);
  // It ends later on, when it is told to.
  failed.catch(() => undefined);
}

/** The server first: npm waits for it. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const late = setTimeout(() => {
    for (const pid of processesBelow(child.pid ?? 0)) process.kill(pid, "SIGKILL");
  }, 15_000);
  await closed;
  clearTimeout(late);
}

/** Processor time of a command: as people call it, or of its own process alone. */
export function runAdmin(
  place: Place,
  words: readonly string[],
  { isAlone }: { readonly isAlone: boolean },
): number {
  const before = childrenCpuMicroseconds();
  const { status, stderr } = isAlone
    ? spawnSync(
        process.execPath,
        ["--disable-sigusr1", "adapters/admin.ts", ...words],
        optionsOf(place),
      )
    : spawnSync("npm", ["run", "-s", "admin", "--", ...words], optionsOf(place));
  if (status !== 0) throw new Error(`admin ${words.join(" ")} failed: ${String(stderr)}`);
  return (childrenCpuMicroseconds() - before) / 1e6;
}

/** What the launcher gives to whatever it starts is given to a process alone as well. */
function optionsOf({ root, environment }: Place) {
  const NODE_COMPILE_CACHE = join(root, "node_modules/.cache/node-compile");
  const { PATH, HOME } = process.env;
  return { cwd: root, env: { PATH, HOME, PORT: "0", NODE_COMPILE_CACHE, ...environment } };
}
