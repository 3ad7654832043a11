// What the compiler says of generated code, under the project's own flags.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** By folder, of one run of the compiler for all of them; they lie beside each other in `below`. */
export function typeErrors(
  below: string,
  folders: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>(folders.map((folder) => [folder, []]));
  if (folders.length === 0) return found;
  const files = folders.flatMap((folder) =>
    ["app", "handlers", "schemas"].map((name) => `${folder}/${name}.ts`),
  );
  const config = { extends: join(root, "tsconfig.json"), files, include: [], exclude: [] };
  writeFileSync(join(below, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  const { stdout, error, signal } = spawnSync(
    process.execPath,
    [compiler, "--noEmit", "--pretty", "false", "-p", "."],
    { cwd: below, encoding: "utf8", maxBuffer: 1e9 },
  );
  if (error !== undefined) throw error;
  if (signal !== null) throw new Error(`the compiler ended with ${signal}`);
  for (const [line, folder = ""] of stdout.matchAll(/^([^/\n]+)\/.*error TS.*$/gm))
    found.get(folder)?.push(line);
  return found;
}
