// npm run drill:restore: a base backup and a WAL archive under load, a point-in-time restore to a moment before everything
// is lost, and what the service does with a database that has forgotten the newest of it.

import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guard } from "../../cluster/guard.ts";
import { Part } from "../../cluster/parts.ts";
import { drill } from "./drill.ts";
import { readOptions } from "./options.ts";
import type { Options } from "./options.ts";
import { findPostgres, PostgresMissing } from "./postgres.ts";
import { reportOf } from "./report.ts";

/** @returns whether every check held */
async function runOne(options: Options, seed: number): Promise<boolean> {
  // As the kernel names it: its processes are known by where they are.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "merchant-restore-")));
  chmodSync(folder, 0o755); // its programs run as several users
  const own = guard(folder, options);
  console.log(`seed ${seed}${options.isKept ? `; all files in ${folder}` : ""}`);
  const begunAt = performance.now();
  const say = (line: string): void => {
    console.log(`${((performance.now() - begunAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  };
  try {
    const drilled = await drill({ folder, seed, merchants: options.merchants, say });
    console.log(reportOf(drilled));
    return drilled.faults.length === 0;
  } finally {
    await own.end();
  }
}

async function main(options: Options): Promise<void> {
  findPostgres();
  let right = 0;
  for (let time = 0; time < options.times; time++) {
    if (await runOne(options, options.seed + time)) right += 1;
  }
  console.log(`${right} of ${options.times} drills: every check held.`);
  if (right < options.times) process.exitCode = 1;
}

// The guard sees to the rest.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  await main(readOptions());
} catch (error) {
  Part.endAll();
  if (error instanceof PostgresMissing) {
    console.error(error.message);
    process.exitCode = 2;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}
process.exit();
