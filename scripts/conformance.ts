// How much of JSON Schema 2020-12 the generated validation says: npm run conformance

import {
  type Outcome,
  runSuite,
  SuiteError,
  type Verdict,
} from "../generator/conformance/suite.ts";
import { UsageError } from "../generator/command/terminal.ts";
import { pathOf, readCommandLine } from "./command-line.ts";

const verdicts: readonly Verdict[] = ["right", "refused", "on purpose", "wrong"];
const leastShare = 0.99;

const usage = `npm run conformance -- --suite FOLDER

FOLDER is a copy of github.com/json-schema-org/JSON-Schema-Test-Suite. Exit code 1 when a value is judged wrongly, when
the required part is not whole, or when more than 1 % is refused. What differs on purpose stands in docs/generator.md.`;

const config = { options: { suite: { type: "string" } } } as const;
const suite = readCommandLine(usage, config, ({ values }) => {
  if (values.suite !== undefined) return pathOf(values.suite);
  throw new UsageError("name a copy of JSON-Schema-Test-Suite with --suite FOLDER");
});
const outcomes = outcomesOf(suite);
const files = Map.groupBy(outcomes, ({ file }) => file);
console.log(row("", verdicts));
for (const [file, some] of files) console.log(row(file, counts(some)));
console.log(row("all", counts(outcomes)));
for (const { file, name, verdict, why } of outcomes) {
  if (verdict !== "right") console.log(`${verdict}: ${file}: ${name}\n    ${why}`);
}
const required = outcomes.filter(({ file }) => !file.startsWith("optional/"));
report("all", outcomes);
report("required", required);
const isDone = shareOf(required) === 1 && shareOf(outcomes) >= leastShare;
process.exitCode = isDone && countOf(outcomes, "wrong") === 0 ? 0 : 1;

function outcomesOf(folder: string): readonly Outcome[] {
  try {
    return [...runSuite(folder)];
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    console.error(error.message);
    return process.exit(2);
  }
}

function counts(some: readonly Outcome[]): number[] {
  return verdicts.map((one) => countOf(some, one));
}

function countOf(some: readonly Outcome[], verdict: Verdict): number {
  return some.filter((one) => one.verdict === verdict).length;
}

function row(name: string, cells: readonly (string | number)[]): string {
  return name.padEnd(40) + cells.map((cell) => String(cell).padStart(12)).join("");
}

/** Of what is judged as it is meant to be. */
function shareOf(some: readonly Outcome[]): number {
  return (countOf(some, "right") + countOf(some, "on purpose")) / some.length;
}

function report(name: string, some: readonly Outcome[]): void {
  const right = countOf(some, "right");
  const meant = countOf(some, "on purpose");
  const share = `${(shareOf(some) * 100).toFixed(2)} %`;
  console.log(
    `${name}: ${right} right and ${meant} otherwise on purpose of ${some.length}, ${share}`,
  );
}
