// How the drill is called, and what it prints.

import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PostgresMissing } from "../../scripts/drill/restore/postgres.ts";
import { reportOf } from "../../scripts/drill/restore/report.ts";
import { projectRoot } from "../programs/child.ts";

const program = join(projectRoot, "scripts", "drill", "restore", "main.ts");

test.each([
  [["--times", "0"], "--times must be a whole number from 1 to 100"],
  [["--seed", "x"], "--seed must be a whole number from 1 to 4294967295"],
  [["--merchants", "9"], "--merchants must be a whole number from 1 to 8"],
  [["--fast"], "Unknown option '--fast'"],
  [["now"], "Unexpected argument 'now'"],
])("%j is refused", (words, message) => {
  const asked = spawnSync(process.execPath, [program, ...words], { encoding: "utf8" });
  expect(asked.status).toBe(2);
  expect(asked.stderr.startsWith(message)).toBe(true);
  expect(asked.stderr).toContain("npm run drill:restore -- [options]");
});

test("the program says how it is called", () => {
  const help = execFileSync(process.execPath, [program, "--help"], { encoding: "utf8" });
  expect(help).toContain("npm run drill:restore -- [options]");
});

test("what is missing is said with the package that brings it", () => {
  expect(new PostgresMissing().message).toContain(
    "apt-get install --no-install-recommends postgresql",
  );
});

test("the report has what was measured, what is to be decided with its commands, and each fault", () => {
  const commands = [{ program: "admin", words: ["withdrawal", "resume"] }] as const;
  const drilled = {
    measured: { "restored in": "1.4 s", payments: "3" },
    decisions: [{ says: "withdrawals are stopped", commands }],
    faults: [],
  };
  expect(reportOf(drilled)).toContain("  restored in  1.4 s\n  payments     3\n");
  expect(reportOf(drilled)).toContain(
    "  1. withdrawals are stopped\n       npm run admin -- withdrawal resume\n",
  );
  expect(reportOf(drilled)).toContain("Every check held");
  const wrong = reportOf({ ...drilled, faults: ["a was sent 2 times"] });
  expect(wrong).toContain("WRONG: a was sent 2 times\n1 faults.");
  expect(wrong).not.toContain("Every check held");
});
