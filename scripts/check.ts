// Everything that CI runs: npm run check

import { spawn } from "node:child_process";
import { join } from "node:path";
import { UsageError } from "../generator/command/terminal.ts";
import { flags, readCommandLine } from "./command-line.ts";

interface Step {
  readonly name: string;
  /** arguments for scripts/launch.mjs, or a script of our own */
  readonly command: readonly string[];
  /** shown as it happens; the output of other steps is shown only when they fail */
  readonly isLive?: true;
}

const launch = "scripts/launch.mjs";
const steps: readonly Step[] = [
  { name: "format", command: [launch, "prettier", "--check", "--log-level=warn", "."] },
  { name: "lint", command: [launch, "oxlint"] },
  { name: "types", command: [launch, "typecheck"] },
  { name: "generated code is fresh", command: ["generator/main.ts", "--check", "--strict"] },
  { name: "unused code", command: [launch, "knip"] },
  { name: "contract breaks nobody", command: ["scripts/contract-diff.ts"] },
  { name: "contract lint", command: ["scripts/lint-contract.ts"] },
];
const allTests: Step = { name: "tests", command: [launch, "vitest", "run"], isLive: true };
const restOfTests: Step = {
  name: "rest of the tests",
  command: [...allTests.command, "--mode", "rest"],
  isLive: true,
};

const sample = "--no-document --commits 60 --sample 6 --minutes 1.5 --jobs 2 --least 60";
/** On the lines that were changed last; which ones, the code alone decides. */
const sampleOfMutants: Step = {
  name: "sample of mutants",
  command: ["scripts/mutate.ts", ...sample.split(" ")],
  isLive: true,
};

const root = join(import.meta.dirname, "..");
const usage = `npm run check [-- --no-test | --rest]

Everything that CI runs. A failed step does not end the run, so that one run shows all there is to repair.

  --no-test  without tests
  --rest     after npm test: only the tests that it leaves out
  --help`;

const config = {
  options: {
    ...flags("no-test", "rest"),
  },
} as const;
const tests = readCommandLine(usage, config, ({ values }) => {
  if (values.rest && values["no-test"]) throw new UsageError("either --no-test or --rest");
  if (values["no-test"]) return [];
  return [values.rest ? restOfTests : allTests, sampleOfMutants];
});

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
}

const startedAt = performance.now();
const results: Result[] = [];
// Two at a time is what two cores are for; tests look for cores themselves.
const waiting = [...steps];
const workers = [1, 2].map(async () => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await take(step);
});
await Promise.all(workers);
for (const step of tests) await take(step);

const failed = results.filter(({ passed }) => !passed);
const total = secondsSince(startedAt);
console.log(`\n${results.map((one) => line(one.passed, one.name, one.seconds)).join("\n")}`);
console.log(`        ${"all".padEnd(26)}${total.toFixed(1).padStart(7)} s`);
console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function take(step: Step): Promise<void> {
  const begun = performance.now();
  const passed = await run(step);
  const seconds = secondsSince(begun);
  results.push({ name: step.name, passed, seconds });
  console.log(line(passed, step.name, seconds));
}

function secondsSince(milliseconds: number): number {
  return (performance.now() - milliseconds) / 1000;
}

function line(passed: boolean, name: string, seconds: number): string {
  return `${passed ? "ok    " : "FAILED"}  ${name.padEnd(26)}${seconds.toFixed(1).padStart(7)} s`;
}

async function run(step: Step): Promise<boolean> {
  const child = spawn(process.execPath, step.command, {
    cwd: root,
    stdio: ["ignore", step.isLive ? "inherit" : "pipe", step.isLive ? "inherit" : "pipe"],
  });
  const output: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (exitCode !== 0) console.log(Buffer.concat(output).toString("utf8").trimEnd());
  return exitCode === 0;
}
