// Whether the compiler would refuse a mutant: `npm run check` runs it, so such a mutant is noticed.

import { join } from "node:path";
import { Project } from "ts-morph";

export class TypeCheck {
  readonly #root: string;
  #project: Project | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** In the file itself; that others are refused for it is not looked at. */
  hasErrors(path: string, source: string): boolean {
    this.#project ??= new Project({ tsConfigFilePath: join(this.#root, "tsconfig.json") });
    const file = this.#project.getSourceFileOrThrow(join(this.#root, path));
    const before = file.getFullText();
    file.replaceWithText(source);
    try {
      return file.getPreEmitDiagnostics().length > 0;
    } finally {
      file.replaceWithText(before);
    }
  }
}
