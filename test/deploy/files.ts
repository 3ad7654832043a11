// The files of docs/running/deploy, read for tests.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../programs/child.ts";

export const deployFolder = join(projectRoot, "docs", "running", "deploy");

export function readDeployFile(name: string): string {
  return readFileSync(join(deployFolder, name), "utf8");
}

interface EnvironmentFile {
  /** what it says, as systemd and containers read it */
  readonly given: ReadonlyMap<string, string>;
  /** in the order of the file, given or not */
  readonly names: readonly string[];
}

/** Throws for a line that is no comment, no variable and no variable that is left out. */
export function readEnvironmentFile(name: string): EnvironmentFile {
  const given = new Map<string, string>();
  const names: string[] = [];
  for (const line of readDeployFile(name).split("\n")) {
    if (line === "" || line.startsWith("# ")) continue;
    const [, hash = "", key = "", value = ""] = /^(#?)([A-Z0-9_]+)=([^\s'"]*)$/.exec(line) ?? [];
    if (key === "") throw new Error(`${name} has a line that is none of its forms: ${line}`);
    names.push(key);
    if (hash === "") given.set(key, value);
  }
  return { given, names };
}

/** Sections of a unit, with what each key is set to; a key may come several times. */
export function readUnit(
  name: string,
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const sections = new Map<string, Map<string, string[]>>();
  let section = new Map<string, string[]>();
  for (const line of readDeployFile(name).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, heading] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (heading !== undefined) {
      section = new Map();
      sections.set(heading, section);
      continue;
    }
    const [, key = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key === "") throw new Error(`${name} has a line that says nothing: ${line}`);
    section.set(key, [...(section.get(key) ?? []), value]);
  }
  return sections;
}

/** What the last stage of the image copies from the project's folder: paths from its root. */
export function copiedIntoImage(): readonly string[] {
  const stage =
    readDeployFile("Containerfile")
      .split(/^FROM /m)
      .at(-1) ?? "";
  const lines = Array.from(stage.matchAll(/^COPY (?!--from)(.+)$/gm), ([, words = ""]) => words);
  return lines.flatMap((words) => words.split(" ").slice(0, -1));
}

/** The command in brackets after one of the image's words, such as ENTRYPOINT. */
export function imageCommand(word: "ENTRYPOINT" | "CMD" | "HEALTHCHECK"): readonly string[] {
  const text = readDeployFile("Containerfile").replaceAll("\\\n", "");
  const found = new RegExp(`^${word} [^\\n[]*(\\[.*\\])$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`the image has no ${word}`);
  // The form of these lines is JSON, of texts.
  return JSON.parse(found) as readonly string[];
}
