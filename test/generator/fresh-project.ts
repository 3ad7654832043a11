// A small project that the command has generated once, for tests to copy and edit.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type Ended, projectFolder, run, temporaryFolder, writeFile } from "./work-folder.ts";

export const contract = `openapi: 3.1.0
info: { title: Command, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      tags: [things]
      summary: All things
      responses:
        "200":
          description: The things.
          headers: { X-Total: { $ref: "#/components/headers/Total" } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Things" } } }
  /others:
    get: { operationId: listOthers, tags: [others], responses: { "204": { description: Fine. } } }
components:
  headers:
    Total: { schema: { type: integer } }
  schemas:
    Things: { type: array, items: { type: string }, maxItems: 10 }
`;

export const generator = join(projectFolder, "generator", "main.ts");
export const flags = ["--spec", "openapi.yaml", "--out", "generated", "--handlers", "handlers"];
export const folder = temporaryFolder();
export const fresh = join(folder, "fresh");
/** of the program, in a process of its own */
export let first: Ended = { code: null, output: "", errors: "" };

/** Call it once at the top of a file. */
export function useFreshProject(): void {
  beforeAll(async () => {
    writeFile(join(fresh, "openapi.yaml"), contract);
    first = await run([generator, ...flags], fresh);
  });

  afterAll(() => {
    // what the command remembers of folders that are gone
    const memory = join(projectFolder, "node_modules", ".cache", "contract-generator");
    for (const name of readdirSync(memory).filter((one) => one.endsWith(".json"))) {
      const path = join(memory, name);
      if (existsSync(path) && readFileSync(path, "utf8").includes(folder))
        rmSync(path, { force: true });
    }
  });
}

let count = 0;
/** A copy of the fresh project, unknown to the memory of the command. */
export function copyOfFresh(): string {
  count += 1;
  const copy = join(folder, String(count));
  cpSync(fresh, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

export function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  expect(text.split(from)).toHaveLength(2);
  writeFile(
    path,
    text.replace(from, () => to),
  );
}
