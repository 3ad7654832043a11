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
      .filter(
        (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      )
      .map((name) => `${path} wants ${name}`),
  );
}

test("package-lock.json knows the packages of every platform", () => {
  // npm's own file in its version 3.
  const lock = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    readonly packages: Packages;
  };
  expect(missingInLock(lock.packages)).toEqual([]);
});

test("a platform that is left out is seen", () => {
  const packages = {
    "node_modules/a": { optionalDependencies: { "a-linux": "1", "a-mac": "1" } },
    "node_modules/a-linux": { version: "1" },
  };
  expect(missingInLock(packages)).toEqual(["node_modules/a wants a-mac"]);
});
