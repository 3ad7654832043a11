// types.ts is kept while what it is made of is the same, and is never older than the contract.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command, temporaryFolder, writeFile } from "./work-folder.ts";

const contract = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: write
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } }
      responses: { "204": { description: Written. } }
components:
  schemas:
    Note: { type: object, required: [text], properties: { text: { type: string, maxLength: 20 } } }
`;

const flags = ["--spec", "openapi.yaml", "--out", "generated", "--no-handlers"];

async function typesIn(folder: string, text: string) {
  writeFile(join(folder, "openapi.yaml"), text);
  const { code, errors, output } = await command(flags, folder);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  // it computes everything afresh
  expect(await command([...flags, "--check"], folder)).toMatchObject({ code: 0, errors: "" });
  return { text: readFileSync(join(folder, "generated/types.ts"), "utf8"), output };
}

const root = temporaryFolder();

test.for([
  ["a bound", "maxLength: 20", "maxLength: 30", false],
  ["a pattern", "maxLength: 20", "pattern: a+", false],
  ["the description of an answer", "Written.", "It is written.", true],
  ["a type", "type: string, maxLength: 20", "type: integer", true],
  ["what must be there", "required: [text], ", "", true],
  ["the name of a property", "properties: { text:", "properties: { words:", true],
  ["the name of an operation", "operationId: write", "operationId: note", true],
  ["the name of a schema", "Note", "Letter", true],
  ["a format", "maxLength: 20", "format: uuid", true],
] as const)("after an edit of %s", async ([name, before, after, isOther]) => {
  const folder = join(root, name);
  const old = await typesIn(folder, contract);
  const edited = contract.replaceAll(before, after);
  expect(edited).not.toBe(contract);
  const now = await typesIn(folder, edited);
  expect(now.text !== old.text).toBe(isOther);
  expect(now.output.includes("rewrote generated/types.ts")).toBe(isOther);
  expect((await typesIn(join(root, `${name}, at once`), edited)).text).toBe(now.text);
  // and back again
  expect((await typesIn(folder, contract)).text).toBe(old.text);
});
