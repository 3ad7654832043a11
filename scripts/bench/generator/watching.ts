// How long an edit takes to be answered while the generator watches.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { median, processCpuMicroseconds } from "../measuring.ts";
import { ours, ownSources } from "./contenders.ts";

/** @param edit changes the document in the folder */
export async function measureWatching(
  folder: string,
  edits: number,
  edit: (round: number) => void,
): Promise<void> {
  const [program = "", ...options] = ours("ours", ownSources, "").command(folder, "");
  const child = spawn(process.execPath, [program, ...options, "--watch"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const watches = watching(child);
    await watches.next();
    const taken: { readonly wall: number; readonly cpu: number }[] = [];
    for (let round = 0; round < edits; round++) {
      const [began, before] = [performance.now(), processCpuMicroseconds(child.pid ?? 0)];
      edit(round);
      await watches.next();
      const cpu = (processCpuMicroseconds(child.pid ?? 0) - before) / 1000;
      taken.push({ wall: performance.now() - began, cpu });
    }
    const [first, ...others] = taken;
    if (first === undefined) throw new Error("nothing was edited");
    console.log(`${edits} edits of one line, milliseconds from saving to the last file\n`);
    console.log("| edit | milliseconds | of the processor |");
    console.log("| --- | --: | --: |");
    console.log(`| the first | ${first.wall.toFixed(0)} | ${first.cpu.toFixed(0)} |`);
    const wall = median(others.map((one) => one.wall)).toFixed(0);
    const cpu = median(others.map((one) => one.cpu)).toFixed(0);
    console.log(`| any other | ${wall} | ${cpu} |`);
  } finally {
    child.kill();
    await once(child, "close");
  }
}

/** Each time it waits again: all is written. */
async function* watching({ stdout }: ChildProcess): AsyncGenerator<void, void> {
  if (stdout === null) throw new Error("its output is read");
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith("watching ")) yield;
  }
  throw new Error("it has ended");
}
