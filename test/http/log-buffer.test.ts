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

interface Line {
  readonly line?: number;
  readonly alarm?: number;
  readonly dropped?: number;
  readonly dropped_by_level?: Readonly<Record<string, number>>;
  readonly msg: string;
}

async function flood({ lines, alarms }: { readonly lines: number; readonly alarms: number }) {
  const program = join(projectRoot, "test/http/flooding-log.ts");
  const environment = { PATH: process.env["PATH"], LINES: String(lines), ALARMS: String(alarms) };
  const child = spawn(process.execPath, [program], { env: environment, stdio: "pipe" });
  const [grown] = (await once(child.stderr.setEncoding("utf8"), "data")) as [string];
  child.stdin.end();
  const written = await text(child.stdout);
  const parsed = written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  return { grown: Number(grown), written, parsed };
}

test("lines that nobody reads are dropped above 6 MiB, counted, and nothing else is lost", async () => {
  const { grown, written, parsed } = await flood({ lines, alarms: 0 });
  // All of it would be 100 MB.
  expect(grown).toBeLessThan(80_000_000);
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

test("warnings, alarms and what the signer says have room of their own when nobody reads", async () => {
  const { parsed } = await flood({ lines: 10_000, alarms: 1_000 });
  const saying = (wanted: string) =>
    parsed.filter(({ msg }) => msg === wanted).map(({ alarm }) => alarm);
  const all = Array.from({ length: 1_000 }, (_, alarm) => alarm);
  expect(saying("a warning")).toEqual(all);
  expect(saying("signed")).toEqual(all);
  expect(saying("an alarm")).toEqual(all);
  const { dropped, dropped_by_level: byLevel } =
    parsed.find((one) => one.dropped !== undefined) ?? {};
  expect(dropped).toBeGreaterThan(0);
  expect(byLevel).toEqual({ info: dropped });
});

test("a flood of warnings leaves room for alarms, and each level is counted", async () => {
  const { parsed } = await flood({ lines: 10_000, alarms: 20_000 });
  const warned = parsed.filter(({ msg }) => msg === "a warning").length;
  const alarmed = parsed.filter(({ msg }) => msg === "an alarm").length;
  expect(warned).toBeLessThan(20_000);
  expect(alarmed).toBeGreaterThan(warned);
  const sum = (level: string) =>
    parsed.reduce((total, one) => total + (one.dropped_by_level?.[level] ?? 0), 0);
  expect(sum("warn")).toBe(20_000 - warned);
  expect(sum("error")).toBe(20_000 - alarmed);
});
