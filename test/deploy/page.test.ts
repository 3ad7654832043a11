// docs/operations.md: from nothing to a service in at most 20 commands, each of which a shell can read.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../programs/child.ts";
import { readDeployFile } from "./files.ts";

const page = readFileSync(join(projectRoot, "docs", "operations.md"), "utf8");
const first = page.split(/^### /m)[0] ?? "";
/** Each block is pasted as one command; those of a list are indented. */
const commands = Array.from(
  first.matchAll(/^( *)```sh\n(.*?)^\1```$/gms),
  ([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
);

test("is at most 20 commands, one for each step", () => {
  expect(commands.length).toBe(first.match(/^\d+\. /gm)?.length);
  expect(commands.length).toBeLessThanOrEqual(20);
  for (const command of commands) {
    const { status, stderr } = spawnSync("sh", ["-n"], { input: command, encoding: "utf8" });
    expect([command, status, stderr]).toEqual([command, 0, ""]);
  }
});

test("names files of the project that are there", () => {
  const paths = commands.flatMap((command) => command.match(/(?:docs|adapters)\/[\w./@-]+/g) ?? []);
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

test("its policy is one that the shipped catalog has the token of", () => {
  const policy = /<<'END'\n(.*)\nEND/s.exec(commands.join("\n"))?.[1] ?? "";
  const { chains } = JSON.parse(policy) as { readonly chains: Readonly<Record<string, object>> };
  expect(Object.keys(chains)).toEqual(["eip155:84532"]);
  const catalog = readFileSync(join(projectRoot, "adapters/catalog/catalog.json"), "utf8");
  expect(catalog).toContain('"contract_address": "0x036CbD53842c5426634e7929541eC2318f3dCF7e"');
});

test("replaces lines that the environment file has", () => {
  const file = readDeployFile("server.env");
  const patterns = commands.flatMap((command) =>
    Array.from(command.matchAll(/-e 's\|(\^[^|]+)\|/g), ([, pattern = ""]) => pattern),
  );
  expect(patterns.length).toBe(2);
  for (const pattern of patterns) expect(file).toMatch(new RegExp(pattern, "m"));
});

test("what is run by systemd for once leaves no failed unit behind", () => {
  const runs = page.replaceAll("\\\n", "").match(/systemd-run .*--wait .*/g) ?? [];
  expect(runs.length).toBeGreaterThan(2);
  expect(runs.filter((run) => !run.includes(" --collect "))).toEqual([]);
});
