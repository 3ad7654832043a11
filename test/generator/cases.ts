// The cases of the generator: a folder each, with a document and either what it becomes or what is
// wrong with it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Code, isCode } from "../../generator/diagnostics/codes.ts";
import type { ClientWish } from "../../generator/client/writing.ts";
import { emitFiles, readContract, type Reading, sourceName } from "../../generator/generate.ts";
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

/** What `allow.txt` beside the document allows by name. */
function allowedBeside(document: string): ReadonlySet<Code> {
  const path = join(dirname(document), "allow.txt");
  if (!existsSync(path)) return new Set();
  const names = readFileSync(path, "utf8").split(/\s+/).filter(Boolean);
  const codes = names.filter(isCode);
  if (codes.length < names.length) throw new Error(`${path}: ${names.join(" ")}`);
  return new Set(codes);
}

/** @param client what is wished of a client, if one is */
export function outputOf(document: string, out: string, client?: ClientWish): Output {
  const reading = readContract(document, { allow: allowedBeside(document) });
  return { reading, files: emitFiles(reading, sourceName(document, out), client) };
}
