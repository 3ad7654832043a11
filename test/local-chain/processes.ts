// What is left of the processes and folders of a chain.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { patienceMilliseconds } from "../support/patience.ts";

export function isAlive(processId: number): boolean {
  // A zombie is dead: nobody has asked how it ended.
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(processId)], {
    encoding: "utf8",
  });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

/** The shells that watch over a chain, by the folder they would remove. */
export function watchersOf(processId: number): readonly string[] {
  const { stdout } = spawnSync("ps", ["-eo", "args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line.includes("merchant-anvil-") && line.endsWith(` ${processId}`));
}

/** Of the anvil that runs there: its folder, while it has one. */
export function homeOf(processId: number): string {
  const [line = ""] = watchersOf(processId);
  return /\/\S*merchant-anvil-\w+/.exec(line)?.[0] ?? "";
}

export const homes = (): readonly string[] =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith("merchant-anvil-"))
    .map((name) => join(tmpdir(), name));

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + patienceMilliseconds;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`it has not become so: ${String(isSo)}`);
    await wait(20);
  }
}
