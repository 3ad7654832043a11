// Public documents: those of a package, and the command that tells what becomes of them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z, type ZodType } from "zod";
import { readContract } from "../../generator/generate.ts";
import type { JsonObject } from "../../generator/suite/json.ts";
import { compare } from "../../scripts/corpus/agreement.ts";
import { convert } from "../../scripts/corpus/convert.ts";
import { run } from "./work-folder.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "corpus-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Cells by the titles of their columns. */
function rowsOf(output: string): readonly Readonly<Record<string, string>>[] {
  const [titles = [], , ...rows] = output
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.map((cells) =>
    Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? ""])),
  );
}

/** Of the sample: what each cannot be read without. */
const allowed = {
  "3.0/json/parameters-common.json": "OAG609",
  "3.0/json/response-examples.json": "OAG523",
  "3.0/json/response-http-behavior.json": "OAG701",
  "3.0/json/schema-validation.json": "OAG801",
  "3.1/json/schema-validation-local.json": "OAG413 OAG422 OAG801",
  "3.1/json/schema-validation-top-level.json": "OAG413 OAG422",
};

test("documents of a package generate, compile, are reached, and judge values as Ajv does", async () => {
  const { output, errors, code } = await run(["scripts/corpus.ts", "--schemas", "30"]);
  expect(errors).toBe("");
  const rows = rowsOf(output);
  expect(rows.length).toBe(63);
  const wrong = rows.filter(
    (row) =>
      row["operations"] !== row["reached"] ||
      row["type errors"] !== "0" ||
      row["disagreements"] !== "0",
  );
  expect(wrong).toEqual([]);
  const named = rows.filter((row) => row["allowed"] !== "");
  const codes = named.map((row) => [row["document"] ?? "", row["allowed"] ?? ""]);
  expect(Object.fromEntries(codes)).toEqual(allowed);
  const values = rows.map((row) => Number(row["values"])).reduce((sum, one) => sum + one, 0);
  expect(values).toBeGreaterThan(5_000);
  expect(code).toBe(0);
});

interface Shop {
  readonly name: string;
  readonly schema: unknown;
  readonly parameter?: string;
}

function document({ name, schema, parameter }: Shop): string {
  const content = { "application/json": { schema } };
  const responses = { 200: { description: "Fine", content } };
  const get = { operationId: "getIt", responses };
  const info = { title: "T", version: "1" };
  const file = join(folder, name);
  const paths = { [parameter === undefined ? "/a" : `/{${parameter}}`]: { get } };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info, paths }));
  return file;
}

test("a document says what it needs, and one that cannot be read says why", async () => {
  const text = { type: "string" };
  const files = [
    document({ name: "right.json", schema: text }),
    document({ name: "allowed.json", schema: { type: "strng" }, parameter: "id" }),
    document({ name: "wrong.json", schema: [] }),
  ];
  writeFileSync(join(folder, "sources.json"), JSON.stringify({ "right.json": "somewhere 1a2b" }));
  const { output, code } = await run(["scripts/corpus.ts", ...files]);
  const [right, lenient, wrong] = rowsOf(output);
  expect(right).toMatchObject({
    document: "right.json",
    source: "somewhere 1a2b",
    operations: "1",
    reached: "1",
    allowed: "",
    schemas: "1",
    disagreements: "0",
  });
  expect(lenient).toMatchObject({ operations: "1", allowed: "OAG401 OAG607" });
  expect(wrong).toMatchObject({ operations: "refused" });
  expect(output).toContain("OAG307: a schema must be an object, not an array");
  expect(code).toBe(1);
});

test("validation that is not what the document says is found", () => {
  const schema: JsonObject = { type: "object", properties: { a: { type: "integer", minimum: 1 } } };
  const written: JsonObject = {
    openapi: "3.0.0",
    info: { title: "T", version: "1" },
    paths: {},
    components: { schemas: { One: schema } },
  };
  const file = join(folder, "one.json");
  writeFileSync(file, JSON.stringify(written));
  const reading = readContract(file);
  const compared = (One: ZodType) =>
    compare({
      path: file,
      reading,
      operations: [],
      schemas: { One },
      allowed: [],
      seed: 1,
      schemasMax: 9,
    });
  const right = z.looseObject({ a: z.int().min(1).exactOptional() });
  expect(compared(right)).toMatchObject({ schemas: 1, disagreements: [], uncompiled: [] });
  const wide = z.looseObject({ a: z.int().exactOptional() });
  expect(compared(wide).disagreements.join()).toMatch(/"ours":true,"theirs":false/);
  const narrow = z.looseObject({ a: z.int().min(1) });
  expect(compared(narrow).disagreements.join()).toMatch(/"ours":false,"theirs":true/);
});

test("whatever is called default is what its map holds, a default of 3.0 is data", () => {
  const flagged = { type: "integer", nullable: true };
  const answer = (schema: JsonObject): JsonObject => ({
    content: { "application/json": { schema } },
  });
  const documentOf = (schema: JsonObject): JsonObject => ({
    openapi: "3.0.0",
    paths: { "/a": { get: { responses: { default: answer(schema) } } } },
    components: {
      schemas: { One: { properties: { default: schema }, default: flagged } },
      headers: { default: { schema } },
      parameters: { example: { name: "a", in: "query", schema } },
      requestBodies: { enum: answer(schema) },
    },
  });
  const nullable = { type: ["integer", "null"] };
  expect(convert(documentOf(flagged), undefined)).toEqual(documentOf(nullable));
});
