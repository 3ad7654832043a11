// The programs of docs/examples, each in a folder as a shop would have it.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Language } from "../../../scripts/reference/examples.ts";
import { makeFolder, projectRoot } from "../../programs/child.ts";
import { type Command, languages, problemsOf, type Tools } from "../languages/language.ts";
import { mistakesOf, installClient } from "../packed-client.ts";

export interface ExampleShop {
  /** what tools for the language had to say, where they had something to say */
  readonly problems: readonly string[];
  readonly command: Command;
}

export interface ExampleLanguage extends Tools {
  readonly language: Language;
  /** The caller calls `endChildren` at its end. */
  readonly open: () => ExampleShop;
}

export const exampleLanguages: readonly ExampleLanguage[] = [
  {
    name: "sh",
    language: "sh",
    versions: [
      ["sh", "-c", ":"],
      // of curl 7.76
      ["curl", "--fail-with-body", "--version"],
      ["openssl", "version"],
    ],
    package: "curl openssl",
    open: openShell,
  },
  {
    name: "TypeScript",
    language: "ts",
    versions: [[process.execPath, "--version"]],
    package: "nodejs",
    open: openTypeScript,
  },
  inLanguage("Python", "py"),
  inLanguage("Go", "go"),
];

/** Copies the program, under the name that it has in the folder. */
function place(language: Language, path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(projectRoot, "docs", "examples", `operations.${language}`), path);
  return path;
}

function openShell(): ExampleShop {
  const folder = makeFolder();
  const path = place("sh", join(folder, "operations.sh"));
  const hasLinter = spawnSync("shellcheck", ["--version"]).error === undefined;
  const linter: readonly Command[] = hasLinter ? [["shellcheck", path]] : [];
  const checks: readonly Command[] = [["sh", "-n", path], ...linter];
  return {
    problems: checks.flatMap((check) => problemsOf(check, folder)),
    command: ["sh", path],
  };
}

function openTypeScript(): ExampleShop {
  const folder = makeFolder();
  const path = place("ts", join(folder, "operations.ts"));
  installClient(folder);
  return {
    problems: mistakesOf(folder, ["operations.ts"]),
    command: [process.execPath, path],
  };
}

/** With the file that shops in the language copy. */
function inLanguage(name: string, language: Language): ExampleLanguage {
  const found = languages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no client in ${name}`);
  const open = (): ExampleShop => {
    const folder = makeFolder();
    mkdirSync(join(folder, found.place), { recursive: true });
    const client = join(projectRoot, "docs", "clients", found.file);
    copyFileSync(client, join(folder, found.place, found.file));
    place(language, join(folder, found.source("operations")));
    if (name === "Go") writeFileSync(join(folder, "go.mod"), "module shop\n\ngo 1.18\n");
    return {
      problems: found.checks.flatMap((check) => problemsOf(check, folder)),
      command: found.command(folder, "operations"),
    };
  };
  const { versions, package: debian } = found;
  return { name, language, versions, package: debian, open };
}
