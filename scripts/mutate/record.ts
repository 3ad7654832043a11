// `--record`: which test file runs which lines.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coveredLines, writeCoverage, type TestRecord } from "./coverage.ts";
import { eachOf, Pool } from "./pool.ts";

const milliseconds = 600_000;

export async function record(
  root: string,
  tests: readonly string[],
  { jobs, say }: { readonly jobs: number; readonly say: (line: string) => void },
): Promise<void> {
  const pool = new Pool(root, { isRecording: true });
  const records = new Map<string, TestRecord>();
  try {
    await eachOf(tests, jobs, async (test) => {
      const answer = await pool.run({
        tests: [test],
        mutant: null,
        milliseconds,
      });
      const lines = Object.entries(answer.ranges).flatMap(([path, processes]) => {
        const text = coveredLines(readFileSync(join(root, path), "utf8"), processes);
        return text === "" ? [] : [[path, text] as const];
      });
      const took = Math.round(answer.milliseconds);
      records.set(test, { milliseconds: took, lines: Object.fromEntries(lines) });
      const end = answer.isPassed ? "" : `, and fails: ${answer.failure ?? ""}`;
      say(`${records.size} of ${tests.length}: ${test} runs ${lines.length} files${end}`);
      if (records.size % 20 === 0) writeCoverage(root, records);
    });
    writeCoverage(root, records);
  } finally {
    await pool.close();
  }
}
