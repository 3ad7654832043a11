// What decides how files of a folder are formatted: the files that prettier looks for, there and in every folder
// above (its documentation, "Configuration File").

import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { hashOf } from "./cache.ts";

const scripts = ["js", "mjs", "cjs", "ts", "mts", "cts"];
const data = ["json", "yaml", "yml", "json5", "toml"];
const names = [
  ".editorconfig",
  ".prettierrc",
  ...[...data, ...scripts].map((ending) => `.prettierrc.${ending}`),
  ...scripts.map((ending) => `prettier.config.${ending}`),
  "package.yaml",
];

/** A hash of them, and of where they are; @param folder absolute path */
export function styleOf(folder: string): string {
  const found = foldersFrom(folder).map((at) => [at, filesIn(at)]);
  return hashOf(JSON.stringify(found));
}

/** Options of prettier, those that stand somewhere; @param folder absolute path */
export async function optionsFor(folder: string): Promise<JsonObject> {
  const files = foldersFrom(folder).flatMap(filesIn);
  const [only] = files;
  if (only === undefined) return {};
  const plain = files.length === 1 ? plainOptions(only) : undefined;
  if (plain !== undefined) return plain;
  // who has several, or programs, or options by the name of the file, has them read by who knows how
  const prettier = await import("prettier");
  const choices = { editorconfig: true, useCache: false }; // who watches edits these files, too
  const config = await prettier.resolveConfig(`${folder}/file.ts`, choices);
  return { ...config } as JsonObject;
}

interface Found {
  readonly path: string;
  readonly text: string;
}

function foldersFrom(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}

function filesIn(folder: string): readonly Found[] {
  const paths = names.map((name) => join(folder, name)).filter((path) => isFile(path));
  const files = paths.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  return [...files, ...inManifest(join(folder, "package.json"))];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** All else in it says nothing of style. */
function inManifest(path: string): readonly Found[] {
  if (!isFile(path)) return [];
  const text = readFileSync(path, "utf8");
  try {
    const manifest = JSON.parse(text) as Json;
    const own = isObject(manifest) ? manifest["prettier"] : undefined;
    return own === undefined ? [] : [{ path, text: JSON.stringify(own) }];
  } catch {
    return [{ path, text }];
  }
}

const plainNames = new Set([".prettierrc", ".prettierrc.json", "package.json"]);

/** Undefined where it is more than JSON with options. */
function plainOptions({ path, text }: Found): JsonObject | undefined {
  if (!plainNames.has(basename(path))) return undefined;
  try {
    const options = JSON.parse(text) as Json;
    const isPlain = isObject(options) && !("overrides" in options) && !("plugins" in options);
    return isPlain ? options : undefined;
  } catch {
    return undefined; // YAML, or broken, which prettier says best
  }
}
