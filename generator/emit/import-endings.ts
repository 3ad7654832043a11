// How modules of ours name each other: with `.ts`, which Node, Bun and Deno run; with `.js`, for compilers that leave
// names as they are; or without an ending, for bundlers.

import ts from "typescript";
import type { ImportEndings } from "../configuration/define.ts";
import type { GeneratedFile } from "./file.ts";

const endings: Readonly<Record<ImportEndings, string>> = { ts: ".ts", js: ".js", none: "" };

/** The name of a module of ours, `./app.ts`, as it is imported. */
export function importName(name: string, importEndings: ImportEndings): string {
  return name.replace(/\.ts$/, endings[importEndings]);
}

/** Everything is written with `.ts`, and this is what people have asked for instead. */
export function withEndings(
  files: readonly GeneratedFile[],
  importEndings: ImportEndings,
): readonly GeneratedFile[] {
  if (importEndings === "ts") return files;
  return files.map((file) =>
    file.language === "json" ? file : { ...file, text: textWith(file.text, importEndings) },
  );
}

/** Only what imports and exports of the module name; texts and comments may look like it. */
function textWith(text: string, importEndings: ImportEndings): string {
  const file = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest);
  let changed = "";
  let end = 0;
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue;
    const { text: name } = moduleSpecifier;
    if (!name.startsWith(".")) continue;
    const start = moduleSpecifier.getStart(file);
    changed += text.slice(end, start) + JSON.stringify(importName(name, importEndings));
    end = moduleSpecifier.end;
  }
  return changed + text.slice(end);
}
