// What decides how files of a folder are formatted, beside the version of prettier: the files that prettier looks for,
// there and in every folder above (its documentation, "Configuration File").

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** A hash of them; @param folder absolute path */
export function styleOf(folder: string): string {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    for (const name of names) {
      const path = join(at, name);
      if (existsSync(path)) found.push(path, readFileSync(path, "utf8"));
    }
    found.push(at, inManifest(join(at, "package.json")));
    if (dirname(at) === at) return hashOf(JSON.stringify(found));
  }
}

/** All else in it says nothing of style. */
function inManifest(path: string): string {
  if (!existsSync(path)) return "";
  const text = readFileSync(path, "utf8");
  try {
    const manifest: unknown = JSON.parse(text);
    return JSON.stringify([Reflect.get(Object(manifest) as object, "prettier")]);
  } catch {
    return text;
  }
}
