// The server of the tests does not outlive them.

import { existsSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { endChildren, startChild } from "../programs/child.ts";
import { patienceMilliseconds } from "../support/patience.ts";

afterEach(endChildren);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("ends, and leaves no folder, when its owner is killed", async () => {
  const owner = startChild(["test/database/server-owner.ts"]);
  const text = await owner.waitFor(/started \d+ in \S+\n/);
  const [, pid = "", folder = ""] = /started (\d+) in (\S+)\n/.exec(text) ?? [];
  expect(isAlive(Number(pid))).toBe(true);
  owner.kill("SIGKILL");
  await owner.ended;
  await vi.waitUntil(() => !isAlive(Number(pid)) && !existsSync(folder), {
    timeout: patienceMilliseconds,
  });
});
