// scripts/launch.mjs with everything installed. The installation itself is tried on a fresh clone.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { tmpdir } from "node:os";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { endChildren, projectRoot, startChild } from "./child.ts";

let folder: string;
let script: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "launch-"));
  script = relative(projectRoot, join(folder, "program.ts"));
  await writeFile(
    join(folder, "program.ts"),
    `const names: readonly string[] = process.argv.slice(2);
     process.on("SIGTERM", () => { console.log("SIGTERM"); });
     console.log(JSON.stringify({ names, version: process.version, pid: process.pid }));
     if (names[0] === "stay") setTimeout(() => process.exit(3), 300);
     else process.exitCode = Number(names[0] ?? 0);`,
  );
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(endChildren);

test("becomes the program: arguments, output, exit code and process are its own", async () => {
  const child = startChild(["scripts/launch.mjs", script, "7", "--flag", "a b"]);
  expect(await child.ended).toEqual({ code: 7, signal: null });
  const { names, version, pid } = JSON.parse(child.output()) as Record<string, unknown>;
  expect(names).toEqual(["7", "--flag", "a b"]);
  expect(version).toMatch(/^v24\./);
  expect(pid).toBe(child.pid);
});

test("a signal reaches the program exactly once", async () => {
  const child = startChild(["scripts/launch.mjs", script, "stay"]);
  await child.waitFor(/names/);
  process.kill(-child.pid, "SIGTERM"); // the whole group, as a terminal does
  expect(await child.ended).toEqual({ code: 3, signal: null });
  expect(child.output().match(/SIGTERM/g)).toHaveLength(1);
});

test.each([
  ["an unknown name", ["nonsense"], /"nonsense" is no file here and no tool/],
  ["nothing", [], /say what to run/],
])("%s is one readable line and exit 1", async (_name, parameters, line) => {
  const child = startChild(["scripts/launch.mjs", ...parameters]);
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.errors()).toMatch(line);
  expect(child.errors().trim().split("\n")).toHaveLength(1);
});
