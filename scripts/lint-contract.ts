// Holds spec/openapi.yaml (or the file given) to the recommended ruleset of Redocly, run as a
// library, and to our own rules: every problem as file:line:column, and none is allowed, warnings
// included.

import { relative, resolve } from "node:path";
import { getLineColLocation, lint } from "@redocly/openapi-core";
import { UsageError } from "../generator/command/terminal.ts";
import { pathOf, readCommandLine } from "./command-line.ts";
import { contractRuleset } from "./contract-rules.ts";

const usage = `node scripts/launch.mjs scripts/lint-contract.ts [FILE]

Holds an OpenAPI document (spec/openapi.yaml) to the rules of Redocly and to our own.`;

const file = readCommandLine(usage, { allowPositionals: true }, ({ positionals }) => {
  if (positionals.length > 1) throw new UsageError("name one document");
  const [name] = positionals;
  return name === undefined ? "spec/openapi.yaml" : pathOf(name);
});
const config = await contractRuleset();
const problems = await lint({ ref: resolve(file), config });

for (const problem of problems) {
  const [location] = problem.location;
  let where = file;
  if (location !== undefined) {
    const { source, start } = getLineColLocation(location);
    where = `${relative(process.cwd(), source.absoluteRef)}:${start.line}:${start.col}`;
  }
  console.error(`${where}  ${problem.message.trim()}  (${problem.severity}, ${problem.ruleId})`);
}
if (problems.length > 0) {
  console.error(`${problems.length} problems in ${file}`);
  process.exitCode = 1;
}
