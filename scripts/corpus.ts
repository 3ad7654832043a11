// What becomes of public documents: npm run corpus

import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { filesOf, readCommandLine, seedOf, wholeOf, worded } from "./command-line.ts";
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

const usage = `npm run corpus -- [FILE...] [options]

What becomes of public documents. Each is generated twice, compiled and started, each operation is asked for, and the
validation is held against Ajv's; a table tells what came of it. Without files: those of the package @readme/oas-examples.
A file beside them, sources.json, may say where each comes from: { "stripe.json": "stripe/openapi f6c2a48f" }.

  --seed N     which values are drawn (1)
  --schemas N  of a document that are held against Ajv, at most (150)
  --help

Exit code 1: some document came out wrong.`;

const config = {
  allowPositionals: true,
  options: {
    ...worded({ seed: "1", schemas: "150" }),
  },
} as const;
const { sampling, files } = readCommandLine(usage, config, ({ values, positionals }) => {
  const sampled: Sampling = {
    seed: seedOf(values.seed),
    schemasMax: wholeOf("schemas", values.schemas),
  };
  const named = filesOf(positionals);
  return { sampling: sampled, files: named.length > 0 ? named : examples() };
});

function examples(): readonly string[] {
  return globSync(["3.0/json/**/*.json", "3.1/json/**/*.json"], { cwd: package_ })
    .toSorted()
    .map((name) => join(package_, name));
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
