// What a program can run, read from its imports: every file of ours that one leads to, with what
// they import from Node and from packages.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { preProcessFile } from "typescript";
import { projectRoot, type SourceFiles } from "./source-files.ts";

export interface Reachable {
  /** our files, with the modules of Node that each imports */
  readonly builtins: ReadonlyMap<string, ReadonlySet<string>>;
  /** names of packages, as package.json lists them */
  readonly packages: ReadonlySet<string>;
}

/** `import(name)` and `require` of what only the running program knows are seen by nobody. */
const hidden = /\bimport\((?!["'])|\brequire\(/;

export function reachableFrom(start: string, files: SourceFiles): Reachable {
  const builtins = new Map<string, Set<string>>();
  const packages = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (builtins.has(path)) continue;
    if (path.endsWith(".json")) {
      // Data, which imports nothing.
      builtins.set(path, new Set());
      continue;
    }
    const text = files.get(path);
    if (text === undefined) throw new Error(`there is no file ${path}`);
    if (hidden.test(text.replaceAll(/^\s*(?:\/\/|\*).*$/gm, ""))) {
      throw new Error(`${path} imports what cannot be read here`);
    }
    const own = new Set<string>();
    builtins.set(path, own);
    for (const { fileName } of preProcessFile(text, true, true).importedFiles) {
      if (fileName.startsWith(".")) waiting.push(posix.join(posix.dirname(path), fileName));
      else if (fileName.startsWith("node:")) own.add(fileName);
      else packages.add(packageOf(fileName));
    }
  }
  return { builtins, packages };
}

export function packageOf(imported: string): string {
  const [first = "", second = ""] = imported.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** With all that they need in turn, wherever npm has put it. */
export function withDependencies(names: Iterable<string>): ReadonlySet<string> {
  // npm's own file in its version 3.
  const { packages } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const [path, locked] of Object.entries(packages)) {
      if (!path.endsWith(`node_modules/${name}`)) continue;
      waiting.push(...Object.keys({ ...locked.dependencies, ...locked.peerDependencies }));
    }
  }
  return found;
}
