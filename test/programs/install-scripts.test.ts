// What is installed runs nothing of its own while it is installed (threat 82), whichever npm does it.

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { endChildren, makeFolder, projectRoot } from "./child.ts";

afterEach(endChildren);

const run = promisify(execFile);

/** Without what an npm that runs this test hands on: that is said by our settings, too. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_config_")),
);

/** A project that depends on a package whose install script leaves a mark. */
function makeProject(): string {
  const folder = makeFolder();
  const dependency = join(folder, "dependency");
  mkdirSync(dependency);
  const write = (path: string, content: object) =>
    writeFileSync(path, JSON.stringify({ version: "1.0.0", ...content }));
  const scripts = { postinstall: "node -e \"require('fs').writeFileSync('mark','')\"" };
  write(join(dependency, "package.json"), { name: "dependency", scripts });
  write(join(folder, "package.json"), {
    name: "project",
    dependencies: { dependency: "file:dependency" },
    scripts: { start: "node -p 40+2" },
  });
  return folder;
}

test("the script of a package is not run with our settings, and would be without them", async () => {
  for (const isOurs of [true, false]) {
    const cwd = makeProject();
    if (isOurs) copyFileSync(join(projectRoot, ".npmrc"), join(cwd, ".npmrc"));
    await run("npm", ["install", "--offline"], { cwd, env });
    expect(existsSync(join(cwd, "dependency", "mark"))).toBe(!isOurs);
    // What the project itself is asked to run is run all the same.
    expect((await run("npm", ["start", "--silent"], { cwd, env })).stdout).toBe("42\n");
  }
});

interface Locked {
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
  readonly link?: boolean;
}

test("what this machine can install is held against a hash, and the rest is said to have none", () => {
  const lock = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const without = Object.entries(lock.packages).filter(
    ([path, { integrity, link }]) => path !== "" && integrity === undefined && link !== true,
  );
  for (const [, { optional }] of without) expect(optional).toBe(true);
  const page = readFileSync(join(projectRoot, "docs", "dependencies.md"), "utf8");
  expect(page).toContain(`${without.length} entries of the lock file`);
});
