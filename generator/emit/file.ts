// One generated file: ts-morph structures in, text out, in a single batch.

import type { ImportDeclarationStructure, StatementStructures } from "ts-morph";
import { Project, type SourceFile, StructureKind, ts } from "ts-morph";

export interface GeneratedFile {
  /** below the output folder, with "/" */
  readonly path: string;
  readonly text: string;
  /** JSON is written as it is; TypeScript goes through prettier */
  readonly language: "typescript" | "json";
}

export type Statement = string | StatementStructures;

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

  write(
    path: string,
    imports: readonly ImportPlan[],
    statements: readonly Statement[],
  ): GeneratedFile {
    const body = statements.filter((statement) => statement !== "");
    const file = this.#project.createSourceFile(path, this.#print(body), { overwrite: true });
    const used = usedNames(file);
    file.insertStatements(
      0,
      imports.flatMap((plan) => importOf(plan, used)),
    );
    return { path, language: "typescript", text: `${this.header()}\n\n${file.getFullText()}` };
  }

  /**
   * The writer of ts-morph guesses where strings and comments end; a quote in a regular expression
   * or a backslash before a quote misleads it, and it adds ends of comments. So it is given marks,
   * and the texts take their places afterwards.
   */
  #print(statements: readonly Statement[]): string {
    const texts: string[] = [];
    const marked = withMarks([...statements], texts);
    const file = this.#project.createSourceFile(
      "marks.ts",
      { statements: marked },
      { overwrite: true },
    );
    return file.getFullText().replace(/\$(\d+)\$/g, (_, index) => texts[Number(index)] ?? "");
  }

  /** For text that is already whole. */
  verbatim(path: string, text: string): GeneratedFile {
    return { path, language: "typescript", text: `${this.header()}\n\n${text}` };
  }

  header(): string {
    return `// Written by "npm run generate" from ${this.#source}; do not edit.`;
  }
}

function importOf(
  plan: ImportPlan,
  used: ReadonlySet<string>,
): (ImportDeclarationStructure | string)[] {
  const isTypeOnly = plan.typeOnly === true;
  const moduleSpecifier = plan.module;
  if (plan.namespace !== undefined) {
    if (!used.has(plan.namespace)) return [];
    return [
      {
        kind: StructureKind.ImportDeclaration,
        moduleSpecifier,
        namespaceImport: plan.namespace,
        isTypeOnly,
      },
    ];
  }
  const namedImports = (plan.named ?? []).filter((name) => used.has(name));
  if (namedImports.length === 0) return [];
  return [{ kind: StructureKind.ImportDeclaration, moduleSpecifier, namedImports, isTypeOnly }];
}

/** The same structures with a mark such as `$7$` for every text; `texts` receives the texts. */
function withMarks<T>(value: T, texts: string[]): T {
  // the shape stays as it is, so the type does
  if (typeof value === "string") return `$${texts.push(value) - 1}$` as T;
  if (Array.isArray(value)) return value.map((item: unknown) => withMarks(item, texts)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]: [string, unknown]) =>
    // `const` is a word of ts-morph and no text of ours
    [name, name === "declarationKind" ? item : withMarks(item, texts)],
  );
  return Object.fromEntries(entries) as T;
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
