// The programs of docs/examples, each in a folder as a shop would have it.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Language } from "../../../scripts/reference/examples.ts";
import { makeFolder, projectRoot } from "../../programs/child.ts";
import { type Command, languages, problemsOf, type Tools } from "../languages/language.ts";
import { mistakesOf, installClient } from "../packed-client.ts";

export interface ExampleShop {
  /** what tools for the language had to say, where they had something to say */
  readonly problems: readonly string[];
  /** of the program as it stands, and of the same with pages of one entry and calls of a second */
  readonly commands: Readonly<Record<ProgramName, Command>>;
}

export type ProgramName = "operations" | "hasty";

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

/** Writes both programs, each under the path that it has in the shop. */
function place(language: Language, pathOf: (name: ProgramName) => string): void {
  const text = readFileSync(
    join(projectRoot, "docs", "examples", `operations.${language}`),
    "utf8",
  );
  const hasty = text
    .replaceAll(/\b(limit(?:=|: )1)00\b/g, "$1")
    .replace("--max-time 60", "--max-time 1");
  for (const [name, content] of [
    ["operations", text],
    ["hasty", hasty],
  ] as const) {
    mkdirSync(dirname(pathOf(name)), { recursive: true });
    writeFileSync(pathOf(name), content);
  }
}

function commandsBy(command: (name: ProgramName) => Command): ExampleShop["commands"] {
  return { operations: command("operations"), hasty: command("hasty") };
}

function openShell(): ExampleShop {
  const folder = makeFolder();
  const pathOf = (name: ProgramName) => join(folder, `${name}.sh`);
  place("sh", pathOf);
  const path = pathOf("operations");
  const hasLinter = spawnSync("shellcheck", ["--version"]).error === undefined;
  const linter: readonly Command[] = hasLinter ? [["shellcheck", path]] : [];
  const checks: readonly Command[] = [["sh", "-n", path], ...linter];
  return {
    problems: checks.flatMap((check) => problemsOf(check, folder)),
    commands: commandsBy((name) => ["sh", pathOf(name)]),
  };
}

function openTypeScript(): ExampleShop {
  const folder = makeFolder();
  const pathOf = (name: ProgramName) => join(folder, `${name}.ts`);
  place("ts", pathOf);
  installClient(folder);
  return {
    problems: mistakesOf(folder, ["operations.ts"]),
    commands: commandsBy((name) => [process.execPath, pathOf(name)]),
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
    place(language, (one) => join(folder, found.source(one)));
    if (name === "Go") writeFileSync(join(folder, "go.mod"), "module shop\n\ngo 1.18\n");
    return {
      problems: found.checks.flatMap((check) => problemsOf(check, folder)),
      commands: commandsBy((one) => found.command(folder, one)),
    };
  };
  const { versions, package: debian } = found;
  return { name, language, versions, package: debian, open };
}
