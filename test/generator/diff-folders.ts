// Two revisions of a small document, in folders and in git, for the subcommand diff.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { command, type Ended, temporaryFolder, writeFile } from "./work-folder.ts";

export const document = (parts = "parts.yaml#/Note", more = ""): string => `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: write
      requestBody: { content: { application/json: { schema: { $ref: "${parts}" } } } }
      responses: { "204": { description: Written. } }
${more}`;

export const parts = (maxLength: number): string =>
  `Note: { type: string, maxLength: ${maxLength} }\n`;

export const api = { "api.yaml": document(), "parts.yaml": parts(20) };

/** What is told of a shorter note. */
export const rule = "request-bound-tightened";

export type FolderWith = (files: Readonly<Record<string, string>>) => string;

/** Removed after the tests of the file. */
export function newFolders(): FolderWith {
  const folder = temporaryFolder();
  let count = 0;
  return (files) => {
    count += 1;
    const root = join(folder, String(count));
    mkdirSync(root);
    for (const [name, text] of Object.entries(files)) writeFile(join(root, name), text);
    return root;
  };
}

export function git(root: string, ...args: readonly string[]): void {
  const name = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  execFileSync("git", [...name, ...args], { cwd: root, stdio: "ignore" });
}

export function commit(root: string): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "notes");
}

export const diff = (root: string, ...args: readonly string[]): Promise<Ended> =>
  command(["diff", ...args], root);
