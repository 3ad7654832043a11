// A new project from a contract: what it needs to start, to answer from stubs, and to be tested against its
// contract from the first minute.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { scaffold } from "../emit/scaffold.ts";
import { emitFiles, readContract, type Reading } from "../generate.ts";
import { Contract } from "../suite/contract.ts";
import { upgrade } from "../suite/upgrade.ts";
import { formatFiles } from "../write/format.ts";
import { configurationText, packageText } from "./package.ts";
import { compilerText, ignoreText, readmeText, serverText, testText, vitestText } from "./texts.ts";

const suiteFolder = fileURLToPath(new URL("../suite/", import.meta.url));

/** The folder is there and has something in it. */
export class FolderError extends Error {}

/**
 * Writes the project beside the folder first, and gives it its name at the end: it is there as a whole, or not.
 * Throws `DocumentError` and `FolderError`.
 * @returns what the generator warns of
 */
export async function initProject(folder: string, spec: string): Promise<Reading["warnings"]> {
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new FolderError(`${target} is not empty: name a folder that is new, or empty`);
  }
  const reading = readContract(spec);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    for (const [path, text] of await filesOf(reading, { spec, target, draft })) {
      const place = join(draft, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return reading.warnings;
}

interface Wish {
  readonly spec: string;
  readonly target: string;
  readonly draft: string;
}

async function filesOf(
  reading: Reading,
  { spec, target, draft }: Wish,
): Promise<ReadonlyMap<string, string>> {
  const own = specOf(reading, spec);
  const generated = await formatFiles(emitFiles(reading, own.path), join(target, "generated"));
  const stubs = scaffold(reading.model, {
    handlers: join(draft, "handlers"),
    out: join(draft, "generated"),
  });
  const suite = readdirSync(suiteFolder).filter((name) => name.endsWith(".ts"));
  const name = basename(target);
  return new Map([
    ["package.json", packageText(name, target)],
    ["generator.config.ts", configurationText(own.path)],
    ["tsconfig.json", compilerText],
    ["vitest.config.ts", vitestText],
    [".gitignore", ignoreText],
    ["README.md", readmeText(name, own.path)],
    ["server.ts", serverText],
    [own.path, own.text],
    ["test/contract.test.ts", testText(hasOwnRefusals(reading))],
    ...suite.map(
      (file) => [`test/suite/${file}`, readFileSync(join(suiteFolder, file), "utf8")] as const,
    ),
    ...generated.map(({ path, text }) => [`generated/${path}`, text] as const),
    ...Array.from(
      stubs.files,
      ([path, text]) => [relative(draft, path).split(sep).join("/"), text] as const,
    ),
  ]);
}

/** A document of several files comes in one piece. */
function specOf({ files, bundled }: Reading, spec: string) {
  const isOne = files.length === 1;
  return {
    path: `spec/openapi${isOne ? extname(spec) || ".yaml" : ".json"}`,
    text: isOne ? readFileSync(spec, "utf8") : `${JSON.stringify(bundled, null, 2)}\n`,
  };
}

/** Whether the contract says itself what a refused request is answered. */
function hasOwnRefusals({ bundled }: Reading): boolean {
  // What was read as a document is JSON.
  const { operations } = new Contract(upgrade(bundled));
  return operations.some(({ responses }) =>
    [...responses.keys()].some((status) => /^(?:40[05]|41[35]|4XX|default)/.test(status)),
  );
}
