// A reader of the log that stays away: the memory stays, and what was dropped is told.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { projectRoot } from "../programs/child.ts";

const lines = 100_000;
const bytesMax = 8 * 1024 * 1024;
/** What the pipe itself holds, the lines around it, and what the process needs to write them. */
const spareBytes = 2 * 1024 * 1024;

test("lines that nobody reads are dropped above 8 MiB, counted, and nothing else is lost", async () => {
  const program = join(projectRoot, "test/http/flooding-log.ts");
  const environment = { PATH: process.env["PATH"], LINES: String(lines) };
  const child = spawn(process.execPath, [program], { env: environment, stdio: "pipe" });
  const [grown] = (await once(child.stderr.setEncoding("utf8"), "data")) as [string];
  // All of it would be 100 MB.
  expect(Number(grown)).toBeLessThan(80_000_000);
  child.stdin.end();
  const written = await text(child.stdout);
  const parsed = written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { line?: number; dropped?: number; msg: string });
  const kept = parsed.filter(({ line }) => line !== undefined);
  const dropped = parsed.reduce((sum, one) => sum + (one.dropped ?? 0), 0);
  expect(dropped).toBeGreaterThan(0);
  expect(kept.length + dropped).toBe(lines);
  expect(Buffer.byteLength(written)).toBeLessThan(bytesMax + spareBytes);
  // In their order, and the count stands where they would.
  expect(kept.map(({ line }) => line)).toEqual(kept.map((_line, at) => at));
  const at = parsed.findIndex((one) => one.dropped !== undefined);
  expect(parsed[at]).toMatchObject({ level: "warn" });
  expect(parsed[at]?.msg).toContain("dropped");
  expect(at).toBe(kept.length);
  expect(parsed.at(-1)).toMatchObject({ msg: "the last one" });
});
