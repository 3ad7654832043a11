// One generated file: ts-morph structures in, text out, in a single batch.

import type { ImportDeclarationStructure, StatementStructures, WriterFunction } from "ts-morph";
import { Project, type SourceFile, StructureKind, ts } from "ts-morph";

export interface GeneratedFile {
  /** below the output folder, with "/" */
  readonly path: string;
  readonly text: string;
  /** JSON is written as it is; TypeScript goes through prettier */
  readonly language: "typescript" | "json";
}

export type Statement = string | WriterFunction | StatementStructures;

/** Import names by module; a name is imported only where the file uses it. */
export interface ImportPlan {
  readonly module: string;
  readonly namespace?: string;
  readonly named?: readonly string[];
  readonly typeOnly?: true;
}

export class FileWriter {
  readonly #project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  readonly #source: string;

  /** `source`: the contract as the header of every file names it. */
  constructor(source: string) {
    this.#source = source;
  }

  write(path: string, imports: readonly ImportPlan[], statements: readonly Statement[]): GeneratedFile {
    const body = statements.filter((statement) => statement !== "");
    const file = this.#project.createSourceFile(path, { statements: [...body] }, { overwrite: true });
    const used = usedNames(file);
    file.insertStatements(0, imports.flatMap((plan) => importOf(plan, used)));
    return { path, language: "typescript", text: `${this.header()}\n\n${file.getFullText()}` };
  }

  /** For text that is already whole. */
  verbatim(path: string, text: string): GeneratedFile {
    return { path, language: "typescript", text: `${this.header()}\n\n${text}` };
  }

  header(): string {
    return `// Written by "npm run generate" from ${this.#source}; do not edit.`;
  }
}

function importOf(plan: ImportPlan, used: ReadonlySet<string>): (ImportDeclarationStructure | string)[] {
  const isTypeOnly = plan.typeOnly === true;
  const moduleSpecifier = plan.module;
  if (plan.namespace !== undefined) {
    if (!used.has(plan.namespace)) return [];
    return [{ kind: StructureKind.ImportDeclaration, moduleSpecifier, namespaceImport: plan.namespace, isTypeOnly }];
  }
  const namedImports = (plan.named ?? []).filter((name) => used.has(name));
  if (namedImports.length === 0) return [];
  return [{ kind: StructureKind.ImportDeclaration, moduleSpecifier, namedImports, isTypeOnly }];
}

/** Identifiers that stand for something of their own: not names of properties, not in texts. */
function usedNames(file: SourceFile): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isMember =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isQualifiedName(parent) && parent.right === node) ||
        (ts.isPropertyAssignment(parent) && parent.name === node) ||
        (ts.isPropertySignature(parent) && parent.name === node);
      if (!isMember) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.compilerNode);
  return used;
}
