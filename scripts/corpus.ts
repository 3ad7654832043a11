// What becomes of public documents: npm run corpus -- [--seed N] [--schemas N] [FILE...]
// Each is generated twice, compiled and started, each operation is asked for, and the validation is held against
// Ajv's, of 150 schemas at most; a table tells what came of it. Without files: those of the package
// @readme/oas-examples. A file beside them, sources.json, may say where each comes from:
// { "stripe.json": "stripe/openapi f6c2a48f" }.

import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Sampling } from "./corpus/agreement.ts";
import { isGenerated, isWhole, tableOf, type Told } from "./corpus/table.ts";
import { typeErrors } from "./corpus/type-errors.ts";
import { Workers } from "./corpus/workers.ts";

const root = join(import.meta.dirname, "..");
const package_ = join(root, "node_modules/@readme/oas-examples");
/** Of what is wrong in one document. */
const shownMax = 8;
/** Documents that are compiled at once. */
const compiledKilobytes = 2_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    schemas: { type: "string", default: "150" },
  },
});
const sampling: Sampling = { seed: Number(values.seed), schemasMax: Number(values.schemas) };
if (!Object.values(sampling).every((one) => Number.isSafeInteger(one))) {
  console.error("--seed and --schemas take whole numbers");
  process.exit(2);
}
const files =
  positionals.length > 0
    ? positionals.map((name) => resolve(name))
    : globSync(["3.0/json/**/*.json", "3.1/json/**/*.json"], { cwd: package_ })
        .toSorted()
        .map((name) => join(package_, name));
for (const file of files) {
  if (existsSync(file)) continue;
  console.error(`there is no file ${relative(process.cwd(), file)}`);
  process.exit(2);
}

const results = join(root, "test-results");
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(join(results, "corpus-"));
try {
  const all = await tryAll();
  for (const line of tableOf(all)) console.log(line);
  for (const { name, outcome, typeErrors: errors } of all) {
    const { uncompiled } = outcome.agreement;
    const problems = [
      ...outcome.problems,
      ...errors,
      ...uncompiled.map((one) => `not compared: ${one}`),
    ];
    for (const problem of problems.slice(0, shownMax)) console.log(`${name}: ${problem}`);
  }
  if (!all.every(isWhole)) process.exitCode = 1;
} finally {
  if (process.env["KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
}

async function tryAll(): Promise<readonly Told[]> {
  const workers = new Workers();
  const told: Omit<Told, "typeErrors">[] = [];
  try {
    for (const [index, path] of files.entries()) {
      const outcome = await workers.run({ path, folder: join(folder, String(index)), sampling });
      told.push({ name: nameOf(path), source: sourceOf(path), outcome });
    }
  } finally {
    workers.end();
  }
  const errors = compileAll(told);
  return told.map((one, index) => ({ ...one, typeErrors: errors.get(String(index)) ?? [] }));
}

/** In batches: the compiler keeps all of one in memory. */
function compileAll(
  told: readonly Omit<Told, "typeErrors">[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  let batch: string[] = [];
  let size = 0;
  const compile = (): void => {
    for (const [name, errors] of typeErrors(folder, batch)) found.set(name, errors);
    batch = [];
    size = 0;
  };
  for (const [index, one] of told.entries()) {
    if (!isGenerated(one) || one.outcome.operations === 0) continue;
    if (size + one.outcome.kilobytes > compiledKilobytes) compile();
    batch.push(String(index));
    size += one.outcome.kilobytes;
  }
  compile();
  return found;
}

function nameOf(file: string): string {
  if (sourceOf(file) !== undefined) return basename(file);
  return file.startsWith(package_) ? relative(package_, file) : relative(process.cwd(), file);
}

function sourceOf(file: string): string | undefined {
  const list = join(dirname(file), "sources.json");
  if (!existsSync(list)) return undefined;
  // of a file that whoever runs this has written
  const sources = JSON.parse(readFileSync(list, "utf8")) as Readonly<Record<string, string>>;
  return sources[basename(file)];
}
