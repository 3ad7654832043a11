// Which test files reach which files of ours by imports, and in how many steps.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const importing = /\b(?:from|import)\s*\(?\s*"(?<name>\.{1,2}\/[^"]+)"/g;

/** Paths below the root; steps from the file itself, which has 0. */
export type Reach = ReadonlyMap<string, number>;

export class Imports {
  readonly #root: string;
  readonly #direct = new Map<string, readonly string[]>();

  constructor(root: string) {
    this.#root = root;
  }

  reachOf(path: string): Reach {
    const steps = new Map([[path, 0]]);
    // A map goes on with what is added to it while it is gone through.
    for (const [one, count] of steps) {
      for (const next of this.#importsOf(one)) if (!steps.has(next)) steps.set(next, count + 1);
    }
    return steps;
  }

  #importsOf(path: string): readonly string[] {
    const known = this.#direct.get(path);
    if (known !== undefined) return known;
    const text = existsSync(join(this.#root, path))
      ? readFileSync(join(this.#root, path), "utf8")
      : "";
    const found = [...text.matchAll(importing)].flatMap(({ groups }) =>
      groups?.["name"] === undefined ? [] : [posix.join(dirname(path), groups["name"])],
    );
    this.#direct.set(path, found);
    return found;
  }
}
