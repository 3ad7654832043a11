// How modules of ours name each other: with `.ts`, which Node, Bun and Deno run; with `.js`, for compilers that leave
// names as they are; or without an ending, for bundlers.

import type ts from "typescript";
import type { ImportEndings } from "../configuration/define.ts";
import type { GeneratedFile } from "./file.ts";

const endings: Readonly<Record<ImportEndings, string>> = { ts: ".ts", js: ".js", none: "" };

/** The name of a module of ours, `./app.ts`, as it is imported. */
export function importName(name: string, importEndings: ImportEndings): string {
  return name.replace(/\.ts$/, endings[importEndings]);
}

/** Everything is written with `.ts`, and this is what people have asked for instead. */
export async function withEndings(
  files: readonly GeneratedFile[],
  importEndings: ImportEndings,
): Promise<readonly GeneratedFile[]> {
  if (importEndings === "ts") return files;
  const { default: compiler } = await import("typescript");
  return files.map((file) =>
    file.language === "json"
      ? file
      : { ...file, text: textWith(file.text, importEndings, compiler) },
  );
}

/** Only what imports and exports of the module name; texts and comments may look like it. */
function textWith(text: string, importEndings: ImportEndings, compiler: typeof ts): string {
  const file = compiler.createSourceFile("module.ts", text, compiler.ScriptTarget.Latest);
  let changed = "";
  let end = 0;
  for (const statement of file.statements) {
    if (!compiler.isImportDeclaration(statement) && !compiler.isExportDeclaration(statement)) {
      continue;
    }
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !compiler.isStringLiteral(moduleSpecifier)) continue;
    const { text: name } = moduleSpecifier;
    if (!name.startsWith(".")) continue;
    const start = moduleSpecifier.getStart(file);
    changed += text.slice(end, start) + JSON.stringify(importName(name, importEndings));
    end = moduleSpecifier.end;
  }
  return changed + text.slice(end);
}
