// npm leaves the packages of other platforms out of package-lock.json when its registry lacks them
// at that moment, and then refuses the lock file ("npm ci can only install packages when ... are in
// sync") wherever the registry has them. A whole lock file installs everywhere.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "./source-files.ts";

interface Package {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, Package>>;

function missingInLock(packages: Packages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !foldersOver(path).some((folder) => packages[`${folder}${name}`]))
      .map((name) => `${path} wants ${name}`),
  );
}

/** Where Node looks for what a package wants: in it, and in each folder that it lies in. */
function foldersOver(path: string): readonly string[] {
  const places = path.split("/node_modules/").map((_, count, all) => all.slice(0, count + 1));
  return [
    "node_modules/",
    ...places.map((parts) => `${parts.join("/node_modules/")}/node_modules/`),
  ];
}

test("package-lock.json knows the packages of every platform", () => {
  // npm's own file in its version 3.
  const lock = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    readonly packages: Packages;
  };
  expect(missingInLock(lock.packages)).toEqual([]);
});

test("a package in a package may have its platforms beside it", () => {
  const wants = { optionalDependencies: { "a-mac": "1" } };
  const a = "node_modules/b/node_modules/a";
  const platform = { version: "1" };
  expect(missingInLock({ [a]: wants, "node_modules/b/node_modules/a-mac": platform })).toEqual([]);
  expect(missingInLock({ [a]: wants, "node_modules/a-mac": platform })).toEqual([]);
  expect(missingInLock({ [a]: wants, "node_modules/c/node_modules/a-mac": platform })).toEqual([
    `${a} wants a-mac`,
  ]);
});

test("a platform that is left out is seen", () => {
  const packages = {
    "node_modules/a": { optionalDependencies: { "a-linux": "1", "a-mac": "1" } },
    "node_modules/a-linux": { version: "1" },
  };
  expect(missingInLock(packages)).toEqual(["node_modules/a wants a-mac"]);
});
