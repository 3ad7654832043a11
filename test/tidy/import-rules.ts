// The import table of the architecture, read from the import graph itself: a second opinion on
// what .oxlintrc.json says, which one wrong pattern there could silence.

import { posix } from "node:path";
import { preProcessFile } from "typescript";
import type { SourceFiles } from "./source-files.ts";

interface Row {
  readonly files: RegExp;
  /** folders that these files may import from */
  readonly folders: readonly string[];
  /** packages that these files may import; absent: any */
  readonly packages?: RegExp;
}

/** The first row whose `files` match counts. */
const table: readonly Row[] = [
  { files: /^generator\//, folders: ["generator"], packages: /^(?!pino$|kysely$)/ },
  {
    files: /^generated\//,
    folders: ["generated"],
    packages: /^(?:zod|hono(?:\/.*)?|@hono\/(?:zod-openapi|node-server)|node:.*)$/,
  },
  {
    files: /^service\//,
    folders: ["service"],
    packages:
      /^(?:kysely(?:\/helpers\/postgres)?|@noble\/hashes\/sha3\.js|node:assert(?:\/strict)?|node:crypto)$/,
  },
  {
    files: /^handlers\//,
    folders: ["handlers", "generated", "service"],
    packages: /^node:(?:assert(?:\/strict)?|crypto)$/,
  },
  { files: /^adapters\/main\.ts$/, folders: ["adapters", "handlers", "generated", "service"] },
  { files: /^adapters\//, folders: ["adapters", "generated", "service"] },
  {
    files: /^(?:scripts|test)\//,
    folders: ["adapters", "generated", "generator", "handlers", "scripts", "service", "test"],
  },
];

export function importProblems(files: SourceFiles): readonly string[] {
  const problems: string[] = [];
  for (const [path, text] of files) {
    const row = table.find((one) => one.files.test(path));
    if (row === undefined) continue; // configuration files at the root
    for (const { fileName } of preProcessFile(text).importedFiles) {
      if (!isAllowed(row, path, fileName)) problems.push(`${path} imports ${fileName}`);
    }
  }
  return problems;
}

function isAllowed(row: Row, path: string, imported: string): boolean {
  if (!imported.startsWith(".")) return row.packages?.test(imported) ?? true;
  const target = posix.join(posix.dirname(path), imported);
  const [folder = ""] = target.split("/");
  return row.folders.includes(folder) || !target.includes("/");
}
