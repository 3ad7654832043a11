// Public documents: those of a package, and the command that tells what becomes of them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./work-folder.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "corpus-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** document, kB, operations, reached, warnings, type errors, seconds */
function cellsOf(line: string): readonly string[] {
  return line.split("|").map((cell) => cell.trim());
}

const refused = [
  "3.0/json/parameters-common.json",
  "3.0/json/response-examples.json",
  "3.0/json/response-http-behavior.json",
  "3.0/json/schema-validation.json",
  "3.1/json/schema-validation-local.json",
  "3.1/json/schema-validation-top-level.json",
];

test("documents of a package: those that are right generate, compile and are reached", async () => {
  const { output, errors, code } = await run(["scripts/corpus.ts"]);
  expect(errors).toBe("");
  const rows = output.split("\n").filter((line) => line.startsWith("| 3."));
  expect(rows.length).toBe(63);
  const others = rows.map(cellsOf).filter(([, , , operations, reached, , typeErrors]) => {
    return operations !== reached || typeErrors !== "0";
  });
  expect(others.map(([, document]) => document)).toEqual(refused);
  expect(code).toBe(1);
});

test("a document with everything in order ends with 0, and one that is wrong says why", async () => {
  const document = (path: string, type: string): string => {
    const schema = { type };
    const content = { "application/json": { schema } };
    const responses = { 200: { description: "Fine", content } };
    const get = { operationId: "getIt", responses };
    const info = { title: "T", version: "1" };
    const file = join(folder, path);
    writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info, paths: { "/a": { get } } }));
    return file;
  };
  const right = await run(["scripts/corpus.ts", document("right.json", "string")]);
  expect(right.code).toBe(0);
  const [, , line = ""] = right.output.split("\n");
  expect(cellsOf(line).slice(3, 7)).toEqual(["1", "1", "0", "0"]);
  const wrong = await run(["scripts/corpus.ts", document("wrong.json", "strng")]);
  expect(wrong.code).toBe(1);
  expect(wrong.output).toContain('the text "strng" is not a type');
});
