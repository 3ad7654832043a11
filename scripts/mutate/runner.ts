// Runs test files with a mutant in the code, each order in a new process. What the tests share, the PostgreSQL
// server first of all, is started once. See `Pool`.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  createVitest,
  type TestModule,
  type TestRunResult,
  type TestSpecification,
} from "vitest/node";
import type { CoverageRange } from "./coverage.ts";
import type { RunAnswer, RunOrder } from "./messages.ts";

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "mutate-"));
const control = join(folder, "mutant.json");
const coverageFolder = join(folder, "coverage");
const hook = pathToFileURL(join(import.meta.dirname, "hook.mjs")).href;
/** What hangs is ended by whoever asked: a test that only takes long must not look as if it had noticed. */
const testMilliseconds = 300_000;

// As the command line of Vitest has it; what stands in the shell must not decide what fails.
process.env["NODE_ENV"] = "test";
process.env["MUTATION_CONTROL"] = control;
process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --import ${hook}`.trim();

const isRecording = process.argv.includes("--record");
if (isRecording) process.env["NODE_V8_COVERAGE"] = coverageFolder;

const vitest = await createVitest("test", {
  mode: "all",
  watch: false,
  bail: isRecording ? 0 : 1,
  isolate: false,
  // Vitest would say everything on standard output.
  reporters: [{}],
  silent: true,
  maxWorkers: 1,
  testTimeout: testMilliseconds,
  hookTimeout: 3 * testMilliseconds,
});

process.on("message", (order: RunOrder) => {
  run(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
      process.disconnect();
    },
  );
});
process.once("disconnect", () => {
  void vitest.close().finally(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit();
  });
});

async function run({ tests, title, mutant, milliseconds }: RunOrder): Promise<RunAnswer> {
  const url = mutant === null ? "" : pathToFileURL(join(root, mutant.path)).href;
  writeFileSync(control, JSON.stringify(mutant === null ? null : { url, source: mutant.source }));
  rmSync(coverageFolder, { recursive: true, force: true });
  process.env["MUTATION_MILLISECONDS"] = String(milliseconds);
  const own = (await Promise.all(tests.map(specificationsOf))).flat();
  if (title === undefined) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(new RegExp(String.raw`\b${title}\b`));
  const startedAt = performance.now();
  const result = await vitest.runTestSpecifications(own);
  const took = performance.now() - startedAt;
  const found = failureOf(result, tests);
  const ranges = isRecording ? await takeRanges() : {};
  return {
    isPassed: found === undefined,
    milliseconds: took,
    failure: found?.failure,
    failedTest: found?.test,
    ranges,
  };
}

/** What is quick also runs on the embedded database, in another project: once is enough. */
async function specificationsOf(test: string): Promise<readonly TestSpecification[]> {
  const found = (await vitest.globTestSpecifications([test])).filter(
    ({ moduleId, project }) => moduleId === join(root, test) && project.name !== "embedded",
  );
  if (found.length === 0) throw new Error(`${test} is no test file`);
  return found;
}

interface Failed {
  readonly failure: string;
  readonly test: string | undefined;
}

function failureOf(result: TestRunResult, tests: readonly string[]): Failed | undefined {
  // Vitest also names the files of earlier runs.
  const modules = result.testModules.flatMap((module) => {
    const test = tests.find((one) => module.moduleId === join(root, one));
    return test === undefined ? [] : [{ test, module }];
  });
  for (const { test, module } of modules) {
    const failure = firstProblem(module);
    if (failure !== undefined) return { test, failure };
  }
  const [error] = result.unhandledErrors;
  if (error !== undefined) return { test: undefined, failure: "its process ended" };
  // A title that no test has would pass with every mutant.
  const isAnyRun = modules.some(({ module }) => !module.children.allTests("passed").next().done);
  return isAnyRun ? undefined : { test: undefined, failure: "nothing ran" };
}

function firstProblem(module: TestModule): string | undefined {
  if (module.ok()) return undefined;
  const [own] = module.errors();
  if (own !== undefined) return own.message;
  for (const one of module.children.allTests("failed")) {
    return `${one.fullName}: ${one.result().errors?.[0]?.message ?? ""}`;
  }
  for (const suite of module.children.allSuites()) {
    const [error] = suite.errors();
    if (error !== undefined) return `${suite.fullName}: ${error.message}`;
  }
  return "its process ended";
}

interface Written {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly CoverageRange[] }[];
  }[];
}

/** Of all processes that the test had: what ran in any of them has run. */
async function takeRanges(): Promise<RunAnswer["ranges"]> {
  const ours = pathToFileURL(`${root}/`).href;
  const found = new Map<string, (readonly CoverageRange[])[]>();
  // The process of the test is told to stop a moment after its result is here.
  const endsAt = performance.now() + 30_000;
  while (!existsSync(join(coverageFolder, "written")) && performance.now() < endsAt) await wait(20);
  for (const name of readdirSync(coverageFolder)) {
    const text = readFileSync(join(coverageFolder, name), "utf8");
    // A process that was killed while it wrote has not said all.
    if (!text.endsWith("}")) continue;
    const written = JSON.parse(text) as Written; // V8's
    for (const { url, functions } of written.result) {
      const path = url.startsWith(ours) ? url.slice(ours.length) : "";
      if (!/^(?:service|handlers|adapters|generator)\//.test(path)) continue;
      const ranges = functions.flatMap((one) => one.ranges);
      found.set(path, [...(found.get(path) ?? []), ranges]);
    }
  }
  return Object.fromEntries(found);
}
