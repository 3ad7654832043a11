// The cases of the generator: a folder each, with a document and either what it becomes or what is
// wrong with it.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { emitFiles, readContract, sourceName } from "../../generator/generate.ts";
import type { Reading } from "../../generator/generate.ts";
import type { GeneratedFile } from "../../generator/emit/file.ts";

export const casesFolder = join(import.meta.dirname, "cases");

export interface Case {
  readonly name: string;
  readonly folder: string;
  readonly document: string;
  /** where its output would stand, if it were written */
  readonly out: string;
}

export const cases: readonly Case[] = readdirSync(casesFolder).map((name) => {
  const folder = join(casesFolder, name);
  const json = join(folder, "openapi.json");
  const document = existsSync(json) ? json : join(folder, "openapi.yaml");
  return { name, folder, document, out: join(folder, "generated") };
});

/** Cases whose document is wrong; every other one generates. */
export function isWrong(one: Case): boolean {
  return existsSync(join(one.folder, "problems.txt"));
}

export interface Output {
  readonly reading: Reading;
  /** not yet formatted */
  readonly files: readonly GeneratedFile[];
}

export async function outputOf(document: string, out: string): Promise<Output> {
  const reading = readContract(document);
  return { reading, files: await emitFiles(reading, sourceName(document, out)) };
}
