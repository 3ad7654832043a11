// The list of rooms against the import graph itself: what the files say, not what the linter reads.

import { matchesGlob, posix } from "node:path";
import ts from "typescript";
import type { Row } from "./rooms.ts";
import { roomsWithRules, rows } from "./rooms.ts";
import type { SourceFiles } from "./source-files.ts";

export function importProblems(files: SourceFiles): readonly string[] {
  const problems: string[] = [];
  for (const [path, text] of files) {
    const row = rowOf(path);
    if (row === undefined) continue;
    const types = onlyTypesIn(text);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const isType = types.has(fileName);
      if (!isAllowed(row, { path, imported: fileName, isType })) {
        problems.push(`${path} imports ${fileName}`);
      }
    }
  }
  return problems;
}

/** Undefined: scripts, tests and files at the root may import everything. */
export function rowOf(path: string): Row | undefined {
  const isStatements = path.endsWith(".sql.ts");
  return rows
    .filter(({ place }) => path === place || path.startsWith(`${place}/`))
    .filter(({ part }) => part === undefined || (part === "statements") === isStatements)
    .toSorted((one, other) => other.place.length - one.place.length)[0];
}

interface Import {
  readonly path: string;
  readonly imported: string;
  readonly isType: boolean;
}

function isAllowed(row: Row, { path, imported, isType }: Import): boolean {
  if (!imported.startsWith(".")) {
    return row.packages?.some((one) => matchesGlob(imported, one)) ?? true;
  }
  const target = posix.join(posix.dirname(path), imported);
  if (rowOf(target)?.place === row.place) return true;
  const isInside = row.may.some((one) => target === one || target.startsWith(`${one}/`));
  if (!isInside || isType) return isInside;
  return row.onlyTypes === undefined || kindOf(target) !== row.onlyTypes;
}

function kindOf(path: string): Row["onlyTypes"] {
  const [top, room = ""] = path.split("/");
  if (top !== "service" || !roomsWithRules.includes(room)) return undefined;
  return path.endsWith(".sql.ts") ? "statements" : "rules";
}

/** What the file imports nothing from but types. */
function onlyTypesIn(text: string): ReadonlySet<string> {
  const values = new Set<string>();
  const types = new Set<string>();
  const source = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest);
  for (const node of source.statements) {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) continue;
    const { importClause: clause, moduleSpecifier } = node;
    (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? types : values).add(
      moduleSpecifier.text,
    );
  }
  return new Set([...types].filter((one) => !values.has(one)));
}

/**
 * Groups of files that lead to each other by imports, by the name that `nameOf` gives each: its own
 * path for circles of files, its room for circles of rooms. Sorted, each group once.
 */
export function circlesIn(
  files: SourceFiles,
  nameOf: (path: string) => string | undefined,
): readonly (readonly string[])[] {
  const next = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const from = nameOf(path);
    if (from === undefined) continue;
    const targets = next.get(from) ?? new Set();
    next.set(from, targets);
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const to = nameOf(posix.join(posix.dirname(path), fileName));
      if (fileName.startsWith(".") && to !== undefined && to !== from) targets.add(to);
    }
  }
  const reached = new Map(Array.from(next.keys(), (name) => [name, reachedFrom(name, next)]));
  const groups = Array.from(next.keys(), (name) =>
    Array.from(reached.get(name) ?? [])
      .filter((other) => reached.get(other)?.has(name) === true)
      .toSorted(),
  );
  return Array.from(new Set(groups.map((group) => group.join(" "))), (line) =>
    line.split(" "),
  ).filter((group) => group.length > 1);
}

function reachedFrom(
  start: string,
  next: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const other of next.get(name) ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      waiting.push(other);
    }
  }
  return found;
}
