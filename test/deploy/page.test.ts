// docs/operations.md: from nothing to a service in at most 20 commands, each of which a shell can read.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { endChildren, makeFolder, projectRoot } from "../programs/child.ts";
import { readDeployFile } from "./files.ts";

const page = readFileSync(join(projectRoot, "docs", "operations.md"), "utf8");
const first = page.split(/^### /m)[0] ?? "";
/** Each block is pasted as one command; those of a list are indented. */
const commands = Array.from(
  first.matchAll(/^( *)```sh\n(.*?)^\1```$/gms),
  ([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
);

afterEach(endChildren);

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
  const policy = /policy.json <<'END'\n(.*?)\nEND/s.exec(commands.join("\n"))?.[1] ?? "";
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
  expect(runs.length).toBeGreaterThan(1);
  expect(runs.filter((run) => !run.includes(" --collect "))).toEqual([]);
});

test("its short command hands each word on to systemd as it was typed, and says how it ended", () => {
  const script = /payments-admin <<'END'\n(.*?\n)END\n/s.exec(commands.at(-1) ?? "")?.[1] ?? "";
  const folder = makeFolder();
  const said = join(folder, "systemd-run");
  // In place of systemd: what it is told to run, a word a line.
  writeFileSync(said, '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 4\n', { mode: 0o755 });
  const path = join(folder, "payments-admin");
  writeFileSync(path, script, { mode: 0o755 });
  const typed = ["withdrawal", "stop", "--reason", "an alert, with 'quotes' and  blanks"];
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const { status, stdout, stderr } = spawnSync(path, typed, { encoding: "utf8", env });
  expect({ status, stderr }).toEqual({ status: 4, stderr: "" });
  const program = ["/opt/payments/node", "adapters/admin.ts", ...typed].join("\n");
  expect(stdout.endsWith(`EnvironmentFile=/etc/payments/server.env\n${program}\n`)).toBe(true);
});
