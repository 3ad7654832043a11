// The package of the generator brings what its program imports, and what it writes into projects fits: all in the
// versions that everything here is tried with.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { preProcessFile } from "typescript";
import { describe, expect, test } from "vitest";
import { dependencies, toolPackages } from "../../generator/project/package.ts";
import { packageOf } from "./reachable-modules.ts";
import { projectRoot, readSourceFiles } from "./source-files.ts";

type Versions = Readonly<Record<string, string>>;

function manifestOf(path: string): { dependencies: Versions; devDependencies?: Versions } {
  // its own text
  return JSON.parse(readFileSync(join(projectRoot, path), "utf8")) as {
    dependencies: Versions;
    devDependencies?: Versions;
  };
}

const root = manifestOf("package.json");
const versions: Versions = { ...root.devDependencies, ...root.dependencies };
const packaged = manifestOf("generator/package.json").dependencies;

/** Copied into projects as they are, where their own package.json says what they import. */
const isCopied = (path: string): boolean => /^generator\/(?:runtime|suite)\//.test(path);

/** Copied, too, where a client is asked for: whoever does adds openapi-fetch. */
const isOfClients = (path: string): boolean => path.startsWith("generator/client/runtime/");

const sources = readSourceFiles("generator/**/*.ts");

/** Packages that these files import, and the files that they lead to. */
function importedBy(isWanted: (path: string) => boolean): readonly string[] {
  const names = new Set<string>();
  const waiting = [...sources.keys()].filter(isWanted);
  const seen = new Set(waiting);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const { fileName } of preProcessFile(sources.get(path) ?? "", true, true).importedFiles) {
      if (!fileName.startsWith(".")) {
        if (!fileName.startsWith("node:")) names.add(packageOf(fileName));
        continue;
      }
      const next = posix.join(posix.dirname(path), fileName);
      if (!sources.has(next) || seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return [...names].toSorted();
}

describe("the package of the generator", () => {
  test("depends on what its program imports", () => {
    const imported = importedBy((path) => !isCopied(path) && !isOfClients(path));
    expect(imported).toContain("ts-morph");
    expect(imported.filter((name) => !Object.hasOwn(packaged, name))).toEqual([]);
  });

  test("depends on nothing in another version than this repository", () => {
    const known = Object.keys(packaged).map((name) => [name, versions[name]]);
    expect(packaged).toEqual(Object.fromEntries(known));
  });

  test("gives projects what the copied files import", () => {
    const given: Versions = { ...dependencies, ...toolPackages };
    expect(importedBy(isCopied).filter((name) => !Object.hasOwn(given, name))).toEqual([]);
    expect(importedBy(isOfClients)).toEqual(["openapi-fetch"]);
    const known = Object.keys(given).map((name) => [name, versions[name]]);
    expect(given).toEqual(Object.fromEntries(known));
  });
});
