// The lock around an installation, in a project of its own whose "npm" only pretends.

import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, open, readdir, realpath } from "node:fs/promises";
import { rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endChildren, projectRoot, startChild } from "./child.ts";
import type { Child } from "./child.ts";

/** Part of every Unix; Node has no call for it. */
const makePipe = "mkfifo";

let folder: string;
let locks: string;
let lock: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "launch-lock-")));
  for (const name of ["scripts", "bin", "locks"]) await mkdir(join(folder, name));
  locks = join(folder, "locks");
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  lock = join(locks, `install-${name}.lock`);
  await copyFile(join(projectRoot, "scripts/launch.mjs"), join(folder, "scripts/launch.mjs"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "package-lock.json"), '{ "packages": { "": {} } }');
  await writeFile(join(folder, "program.ts"), 'console.log("started");');
  await writeNpm("");
});
afterEach(async () => {
  await endChildren();
  await rm(folder, { recursive: true });
});

/** @param more commands in the shell, after what npm would have done */
async function writeNpm(more: string): Promise<void> {
  const path = join(folder, "bin/npm");
  const lines = [
    "#!/bin/sh",
    "mkdir -p node_modules/node",
    `echo '{ "packages": {} }' > node_modules/.package-lock.json`,
    more,
  ];
  await writeFile(path, lines.join("\n"));
  await chmod(path, 0o755);
}

function launch(program: string, environment: Readonly<Record<string, string>> = {}): Child {
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const parameters = [join(folder, "scripts/launch.mjs"), program];
  return startChild(parameters, { PATH: path, TMPDIR: locks, ...environment });
}

function deadPid(): string {
  return String(spawnSync(process.execPath, ["--version"]).pid);
}

test("the lock of a dead launch is taken over, and nothing is left", async () => {
  await writeFile(lock, deadPid());
  const child = launch("program.ts");
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(child.output()).toBe("started\n");
  expect(await readdir(locks)).toEqual([]);
});

test("a lock that another launch takes after our release is left alone", async () => {
  // What runs after the installation stands in for the other launch.
  const script = "node_modules/node/installArchSpecificPackage.js";
  const code = `require("node:fs").writeFileSync("${lock}", "${process.pid}", { flag: "wx" });`;
  await writeNpm(
    `echo '{ "type": "commonjs" }' > node_modules/node/package.json; echo '${code}' > ${script}`,
  );
  const child = launch("nonsense");
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.errors()).toContain('"nonsense" is no file here');
  expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
});

test("a lock somebody else took over at the same moment is not removed", async () => {
  // A pipe holds the launch between opening the lock file and knowing whose it was.
  spawnSync(makePipe, [lock]);
  const other = join(folder, "other.lock");
  await writeFile(other, String(process.pid));
  const child = launch("program.ts");
  const pipe = await open(lock, "w");
  await rename(other, lock);
  await pipe.writeFile(deadPid());
  await pipe.close();
  await expect.poll(() => child.errors(), { timeout: 5000 }).toContain("waiting for another");
  expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
  expect(await readdir(locks)).toHaveLength(1);
  await rm(lock);
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(lock)).toBe(false);
});

test("the lock of a dead launch of another user is one readable line", async () => {
  await writeFile(lock, deadPid());
  const refusing = join(folder, "refusing.mjs");
  // Needs no second user: the system's answer is all that counts.
  await writeFile(
    refusing,
    `import fs from "node:fs";
     import { syncBuiltinESMExports } from "node:module";
     fs.renameSync = fs.unlinkSync = () => {
       throw Object.assign(new Error("EPERM: not permitted"), { code: "EPERM" });
     };
     syncBuiltinESMExports();`,
  );
  const child = launch("program.ts", { NODE_OPTIONS: `--import=${refusing}` });
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.errors()).toContain(lock);
  expect(child.errors()).toContain("belongs to another user");
  expect(child.errors().trim().split("\n")).toHaveLength(1);
});
