// Contracts are compiled once for each content, by whoever comes first.

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { compileContracts } from "../../adapters/local-chain/compile.ts";

const folder = mkdtempSync(join(tmpdir(), "merchant-compile-"));
const sources = join(folder, "sources");
const cache = join(folder, "cache");

beforeEach(() => {
  for (const path of [sources, cache]) rmSync(path, { recursive: true, force: true });
  mkdirSync(sources);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const counter = (start: number) =>
  `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
contract Counter { uint256 public count = ${start}; }`;

test("the same sources are compiled once, by several at once, and others again", async () => {
  writeFileSync(join(sources, "Counter.sol"), counter(1));
  const [first, second] = await Promise.all([
    compileContracts([sources], cache),
    compileContracts([sources], cache),
  ]);
  expect(first).toEqual(second);
  const [kept = "", ...others] = readdirSync(cache);
  expect(kept).toMatch(/^[0-9a-f]{64}\.json$/);
  expect(others).toEqual([]);
  // What is in the cache is what is answered: nobody compiles again.
  const whole = readFileSync(join(cache, kept), "utf8");
  writeFileSync(join(cache, kept), whole.replaceAll("Counter", "Marked"));
  expect([...(await compileContracts([sources], cache)).keys()]).toEqual(["Marked"]);
  writeFileSync(join(sources, "Counter.sol"), counter(2));
  const third = await compileContracts([sources], cache);
  expect(third.get("Counter")?.creationCode).not.toBe(first.get("Counter")?.creationCode);
  expect(readdirSync(cache)).toHaveLength(2);
});

test("half a file in the cache is compiled anew", async () => {
  writeFileSync(join(sources, "Counter.sol"), counter(1));
  const first = await compileContracts([sources], cache);
  const [kept = ""] = readdirSync(cache);
  writeFileSync(join(cache, kept), '[["Counter",{"abi"');
  expect(await compileContracts([sources], cache)).toEqual(first);
});

test("a mistake is said with its place, and nothing but the library can be imported", async () => {
  const text = `import "/etc/passwd";\n${counter(1)}`;
  writeFileSync(join(sources, "Counter.sol"), text.replace("count", "contract"));
  writeFileSync(join(sources, "Reader.sol"), text);
  const compiled = compileContracts([sources], cache);
  await expect(compiled).rejects.toThrow(/Counter\.sol:4[^]*only @openzeppelin/);
});

test("without the development dependencies it says what is missing and why", () => {
  const here = join(import.meta.dirname, "..", "..", "adapters", "local-chain");
  for (const file of ["anvil.ts", "compile.ts"]) {
    // In this folder there is no node_modules.
    copyFileSync(join(here, file), join(folder, file));
  }
  const run = (script: string) =>
    spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: folder,
      encoding: "utf8",
    }).stderr;
  const compile =
    'import { compileContracts } from "./compile.ts"; await compileContracts(["sources"]);';
  expect(run(compile)).toMatch(/needs the package solc: install with "npm ci", without --omit=dev/);
  const start =
    'import { startAnvil } from "./anvil.ts"; await startAnvil({ chainNumber: 1n, isMiningByHand: true });';
  expect(run(start)).toMatch(
    /needs the package @foundry-rs\/anvil-\w+-\w+, which "npm ci" installs/,
  );
});
