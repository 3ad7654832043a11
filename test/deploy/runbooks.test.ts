// docs/operations.md, its runbooks: each case has one, each says by what one notices it, when it is over and how long it
// took, and what it names exists.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adminUsage } from "../../adapters/operator/command.ts";
import { projectRoot } from "../programs/child.ts";

const read = (...path: readonly string[]): string =>
  readFileSync(join(projectRoot, "docs", ...path), "utf8");

const part = /^## Runbooks\n(.*?)(?=^## )/ms.exec(read("operations.md"))?.[1] ?? "";
const [opening = "", ...sections] = part.split(/^### /m);
const cases = [
  "A deploy",
  "A key is changed",
  "The signer is lost",
  "The database is lost",
  "A chain stands still",
  "A node lies",
  "The hot account is empty",
  "A receiver is down for days",
  "A suspicious withdrawal",
  "Restore from a backup",
];
/** Each block is pasted as it is; those of a list are indented. */
const blocks = Array.from(
  part.matchAll(/^( *)```sh\n(.*?)^\1```$/gms),
  ([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
);

test("has a section for each case", () => {
  expect(sections.map((text) => text.split("\n")[0])).toEqual(cases);
});

test.each(sections.map((text) => [text.split("\n")[0], text]))(
  "%s: says when, what to type, when it is over and how long it took",
  (_, text) => {
    expect(text).toMatch(/^\*\*(?:One notices|When)\*\*: /m);
    expect(text).toContain("```sh\n");
    expect(text).toMatch(/^\*\*It is over\*\* /m);
    expect(text).toMatch(/^\*\*It took\*\* .*\d+ (?:s|minutes?)\b/m);
  },
);

test("says of every kind of key how it is changed", () => {
  const kinds = Array.from(
    (sections[cases.indexOf("A key is changed")] ?? "").matchAll(/^\*\*([^*]+?)\.?\*\*/gm),
    ([, name]) => name,
  );
  expect(kinds).toEqual([
    "When",
    "A merchant's API key",
    "A webhook secret",
    "The encryption key",
    "A password of a database role",
    "The TLS certificate",
    "The signer's seed",
    "It is over",
    "It took",
  ]);
});

test("its blocks are what a shell can read", () => {
  expect(blocks.length).toBeGreaterThan(20);
  for (const block of blocks) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: block, encoding: "utf8" });
    expect([block, status, stderr]).toEqual([block, 0, ""]);
  }
});

test("names alerts and alarms that exist", () => {
  const alerts = read("running", "monitoring", "alerts.yaml");
  const named = new Set(part.match(/\bPay[A-Z]\w+/g));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !alerts.includes(`- alert: ${name}\n`))).toEqual([]);
  const alarms = read("running", "jobs.md");
  // Such words are alarms, or what commands and files are said to show.
  const words = new Set(
    Array.from(part.matchAll(/`([a-z0-9]+(?:_[a-z0-9]+)+)`/g), ([, word]) => word),
  );
  expect(words.size).toBeGreaterThan(5);
  const others = new Set(["writer_url", "pgbouncer_users"]);
  const unknown = [...words].filter((word) => !alarms.includes(`| \`${word}\``));
  expect(unknown.filter((word) => !others.has(word ?? ""))).toEqual([]);
});

test("types commands that exist", () => {
  const text = [...blocks, ...(part.match(/`admin [^`]+`/g) ?? [])].join("\n");
  const lines = Array.from(
    text.matchAll(/\badmin ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g),
    ([, words = ""]) => words,
  );
  expect(lines.length).toBeGreaterThan(30);
  const usage = adminUsage([]);
  expect(lines.filter((words) => !usage.includes(`\n  ${words} `))).toEqual([]);
  const signer = read("running", "signer.md");
  const typed = Array.from(text.matchAll(/^signer ([a-z]+)/gm), ([, word = ""]) => word);
  expect(typed.length).toBeGreaterThan(3);
  expect(typed.filter((word) => !signer.includes(`npm run signer -- ${word}`))).toEqual([]);
});

test("its short names are defined before them", () => {
  for (const name of ["admin", "signer", "restart_servers", "alerts", "alarms", "ask"]) {
    expect(opening).toMatch(new RegExp(String.raw`^${name}\(\) \{`, "m"));
  }
});
