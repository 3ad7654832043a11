// The process of the load, from the side of whoever tells it what to do.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { said } from "../service/running.ts";
import type { Done, SettlePlan, Told } from "./load-plan.ts";

export interface RunningLoad {
  readonly pid: number;
  /** one thing at a time */
  readonly tell: (what: Told) => Promise<Done>;
}

/** Starts it, and ends it when `use` has ended. */
export async function withLoad<Result>(
  scratch: string,
  plan: SettlePlan,
  use: (load: RunningLoad) => Promise<Result>,
): Promise<Result> {
  const planFile = join(scratch, "plan.json");
  writeFileSync(planFile, JSON.stringify(plan), { mode: 0o600 });
  const program = join(import.meta.dirname, "load.ts");
  const child = spawn(process.execPath, [program, planFile], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    await said(child);
    const tell = async (what: Told): Promise<Done> => {
      child.send(what);
      // A program of ours wrote it.
      return JSON.parse(readFileSync(String(await said(child)), "utf8")) as Done;
    };
    return await use({ pid: child.pid ?? 0, tell });
  } finally {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    const ended = isOver ? undefined : once(child, "exit");
    if (child.connected) child.disconnect();
    await ended;
  }
}
