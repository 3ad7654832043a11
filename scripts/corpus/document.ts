// One public document on its way: generated, generated again, started on a port of its own with every operation
// asked for over a socket, and its validation held against another one.

import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emitFiles } from "../../generator/generate.ts";
import type { GeneratedFile } from "../../generator/emit/file.ts";
import { DocumentError } from "../../generator/problems.ts";
import { compare, type Sampling } from "./agreement.ts";
import { readAllowing } from "./allowing.ts";
import { loadApplication, loadSchemas } from "./application.ts";
import { failed, type Outcome } from "./outcome.ts";
import { missedOf } from "./reach.ts";

const runtimeFolder = join(import.meta.dirname, "..", "..", "generator", "runtime");

/** Writes what is generated into `folder`, which lies where packages are found. */
export async function tryDocument(
  path: string,
  folder: string,
  sampling: Sampling,
): Promise<Outcome> {
  const kilobytes = statSync(path).size / 1000;
  try {
    return await outcomeOf(path, folder, sampling);
  } catch (error) {
    if (!(error instanceof DocumentError)) {
      return failed([`crash: ${error instanceof Error ? error.stack : String(error)}`], kilobytes);
    }
    const errors = error.problems.filter(({ severity }) => severity === "error");
    return failed(
      errors.map(({ code, message }) => `${code}: ${message}`),
      kilobytes,
    );
  }
}

/** With a client, too. */
const client = { addedHeaders: [] };

async function outcomeOf(path: string, folder: string, sampling: Sampling): Promise<Outcome> {
  const startedAt = performance.now();
  const { reading, codes: allowed } = readAllowing(path);
  const files = emitFiles(reading, "document", client);
  const milliseconds = performance.now() - startedAt;
  const again = emitFiles(readAllowing(path).reading, "document", client);
  const isSame = files.every(({ text }, index) => text === again[index]?.text);
  write(files, folder);
  const application = await loadApplication(folder);
  const schemas = await loadSchemas(folder);
  const missed = await missedOf(application);
  const { operations } = application;
  const agreement = compare({ path, reading, operations, schemas, allowed, ...sampling });
  const problems = [
    ...(isSame ? [] : ["another text the second time"]),
    ...missed.map((one) => `not reached: ${one}`),
    ...agreement.disagreements.map((one) => `disagreement: ${one}`),
  ];
  return {
    // of all files of the document that are there
    kilobytes:
      reading.files.reduce(
        (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ) / 1000,
    milliseconds,
    megabytes: process.resourceUsage().maxRSS / 1000,
    warnings: reading.warnings.length,
    allowed,
    problems,
    operations: operations.length,
    reached: operations.length - missed.length,
    agreement,
  };
}

function write(files: readonly GeneratedFile[], folder: string): void {
  for (const { path: name, text } of files) {
    if (name.startsWith("runtime/")) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  symlinkSync(runtimeFolder, join(folder, "runtime"), "dir");
}
