// What two compilers say of generated code, under the project's own flags: the newest that is written in
// TypeScript, which most projects have, and the one that follows it.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

const compilers = ["typescript-7", "typescript"] as const;

/** By folder, of one run of each compiler for all of them; they lie beside each other in `below`. */
export function typeErrors(
  below: string,
  folders: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>(folders.map((folder) => [folder, []]));
  if (folders.length === 0) return found;
  const files = folders.flatMap((folder) =>
    ["app", "client/client", "handlers", "schemas"].map((name) => `${folder}/${name}.ts`),
  );
  const config = { extends: join(root, "tsconfig.json"), files, include: [], exclude: [] };
  writeFileSync(join(below, "tsconfig.json"), JSON.stringify(config));
  for (const compiler of compilers) {
    for (const [line, folder = ""] of compile(compiler, below).matchAll(
      /^([^/\n]+)\/.*error TS.*$/gm,
    ))
      found.get(folder)?.push(`${compiler}: ${line}`);
  }
  return found;
}

/** @returns what it prints */
function compile(compiler: (typeof compilers)[number], folder: string): string {
  const { stdout, error, signal, status } = spawnSync(
    process.execPath,
    [
      "--max-old-space-size=4096",
      join(root, "node_modules", compiler, "bin/tsc"),
      "--noEmit",
      "--pretty",
      "false",
      "-p",
      ".",
    ],
    { cwd: folder, encoding: "utf8", maxBuffer: 1e9 },
  );
  if (error !== undefined) throw error;
  if (signal !== null) throw new Error(`${compiler} ended with ${signal}`);
  if (status !== 0 && !stdout.includes("error TS")) throw new Error(`${compiler}: ${stdout}`);
  return stdout;
}
