// The project's own source files, by path from its root.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const projectRoot = join(import.meta.dirname, "..", "..");

export type SourceFiles = ReadonlyMap<string, string>;

const excluded = ["node_modules", "data", "test-results", "test/generator/cases", ".git"];

export function readSourceFiles(pattern = "**/*.{ts,mjs}"): SourceFiles {
  const paths = globSync(pattern, {
    cwd: projectRoot,
    exclude: (path) => excluded.some((one) => path === one || path.startsWith(`${one}/`)),
  });
  return new Map(
    paths.toSorted().map((path) => [path, readFileSync(join(projectRoot, path), "utf8")]),
  );
}
