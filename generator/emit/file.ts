// One generated file: statements in, text out, with the imports that it uses.

import { usedNames } from "./used-names.ts";

export interface GeneratedFile {
  /** below the output folder, with "/" */
  readonly path: string;
  readonly text: string;
  /** JSON is written as it is; TypeScript is formatted */
  readonly language: "typescript" | "json";
}

/** Import names by module; a name is imported only where the file uses it. */
export interface ImportPlan {
  readonly module: string;
  readonly namespace?: string;
  readonly named?: readonly string[];
  readonly typeOnly?: true;
}

export class FileWriter {
  readonly #source: string;

  /** `source`: the contract as the header of every file names it. */
  constructor(source: string) {
    this.#source = source;
  }

  write(
    path: string,
    imports: readonly ImportPlan[],
    statements: readonly string[],
  ): GeneratedFile {
    const body = statements.filter((statement) => statement !== "").join("\n");
    const used = usedNames(body);
    const lines = imports.flatMap((plan) => importOf(plan, used));
    const text = [this.header(), "", ...lines, body].join("\n");
    return { path, language: "typescript", text: `${text}\n` };
  }

  /** For text that is already whole. */
  verbatim(path: string, text: string): GeneratedFile {
    return { path, language: "typescript", text: `${this.header()}\n\n${text}` };
  }

  header(): string {
    return `// Written by "npm run generate" from ${this.#source}; do not edit.`;
  }
}

function importOf(plan: ImportPlan, used: ReadonlySet<string>): readonly string[] {
  const word = plan.typeOnly === true ? "import type" : "import";
  const from = `from ${JSON.stringify(plan.module)};`;
  if (plan.namespace !== undefined) {
    return used.has(plan.namespace) ? [`${word} * as ${plan.namespace} ${from}`] : [];
  }
  const names = (plan.named ?? []).filter((name) => used.has(name));
  return names.length === 0 ? [] : [`${word} { ${names.join(", ")} } ${from}`];
}
