// All mutants of a file.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Node, Project, type SourceFile } from "ts-morph";
import { codeEdits } from "./code-rules.ts";
import { documentEdits, placeOf } from "./document-rules.ts";
import { mutantsOf, type Edit, type Mutant } from "./mutant.ts";
import { queryEdits } from "./query-rules.ts";
import { sqlEdits } from "./sql-rules.ts";

const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });

/** @param path below `root` */
export function findMutants(root: string, path: string): readonly Mutant[] {
  return mutantsIn(path, readFileSync(join(root, path), "utf8"));
}

export function mutantsIn(path: string, source: string): readonly Mutant[] {
  if (path.endsWith(".yaml")) {
    return mutantsOf({ path, source, withinOf: placeOf(source) }, documentEdits(source));
  }
  const file = project.createSourceFile("/one.ts", source, { overwrite: true });
  // Every name in a query is a string, and a query with a wrong one does not even run.
  const edits: Edit[] = path.endsWith(".sql.ts")
    ? [...sqlEdits(file), ...queryEdits(file), ...codeEdits(file).filter(isNoName)]
    : [...sqlEdits(file), ...codeEdits(file)];
  return mutantsOf({ path, source, withinOf: (offset) => withinOf(file, offset) }, edits);
}

function isNoName({ rule }: Edit): boolean {
  return rule !== "string" && rule !== "method" && rule !== "step";
}

function withinOf(file: SourceFile, offset: number): string {
  const names: string[] = [];
  for (
    let node: Node | undefined = file.getDescendantAtPos(offset);
    node;
    node = node.getParent()
  ) {
    if (
      Node.isFunctionDeclaration(node) ||
      Node.isMethodDeclaration(node) ||
      Node.isClassDeclaration(node) ||
      Node.isVariableDeclaration(node) ||
      Node.isPropertyDeclaration(node) ||
      Node.isGetAccessorDeclaration(node)
    ) {
      names.unshift(node.getName() ?? "default");
    } else if (Node.isConstructorDeclaration(node)) {
      names.unshift("constructor");
    }
  }
  return names.join(".");
}
