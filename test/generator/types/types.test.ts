// The types of a contract are those that openapi-typescript writes, without its compiler.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { format } from "oxfmt";
import { expect, test } from "vitest";
import { emitTypes } from "../../../generator/emit/types.ts";
import { readContract } from "../../../generator/generate.ts";
import { isObject, type Json, type JsonObject } from "../../../generator/json.ts";
import type { Model } from "../../../generator/model/model.ts";
import { DocumentError } from "../../../generator/problems.ts";
import { readAllowing } from "../../../scripts/corpus/allowing.ts";
import { cases, isWrong, outputOf } from "../cases.ts";
import { projectFolder, temporaryFolder } from "../work-folder.ts";
import { libraryTypes } from "./library-types.ts";
import { withPlainTuples } from "./plain-tuples.ts";

const folder = temporaryFolder();

/** The library escapes what is not ASCII, and breaks lines of comments at fewer characters. */
async function comparable(text: string): Promise<string> {
  const readable = text
    .replace(/\\u([0-9A-Fa-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/@constant|@enum \{(?:unknown|null)\}/g, "@constant") // of null it has to be told as one of these
    .replace(
      /\/\*\*[^]*?\*\//g,
      (comment) => `/**${comment.slice(3, -2).replace(/[\s*\u0085]+/g, " ")}*/`,
    );
  const { code, errors } = await format("types.ts", readable, { printWidth: 100 });
  expect(errors).toEqual([]);
  return code;
}

async function expectSame(model: Model): Promise<void> {
  const [ours, library] = [emitTypes(model), libraryTypes(model)].map(withPlainTuples);
  expect(await comparable(ours ?? "")).toBe(await comparable(library ?? ""));
}

test.for(cases.filter((one) => !isWrong(one)))("of the case $name", async ({ document, out }) => {
  await expectSame(outputOf(document, out).reading.model);
});

test("of our own contract", async () => {
  await expectSame(readContract(join(projectFolder, "spec/openapi.yaml")).model);
});

test("of a header of an answer that is one of a part of its own content", async () => {
  const path = join(folder, "within.json");
  const header = { $ref: "#/paths/~1a/get/responses/200/headers/X-A" };
  const encoding = { a: { contentType: "text/plain", headers: { "X-Part": header } } };
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const headers = { "X-A": { content: { "multipart/form-data": { schema, encoding } } } };
  const get = { operationId: "a", responses: { 200: { description: "Fine", headers } } };
  const other = { description: "Fine", headers: { "X-B": header } };
  const paths = { "/a": { get: { ...get, responses: { ...get.responses, 201: other } } } };
  writeFileSync(
    path,
    JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths }),
  );
  await expectSame(readContract(path).model);
});

const words = fc.constantFrom(
  "a",
  "b",
  "c d",
  "constructor",
  "__proto__",
  "$ref",
  "1",
  "%#",
  "ö\u2028",
);
const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1.5, 1e21, "", "a", 'ö "*/', [], {}),
  fc.array(words, { maxLength: 2 }),
  fc.dictionary(words, fc.constantFrom<Json>(1, "b", null, [{ $ref: "a" }]), { maxKeys: 2 }),
);
const typeNames = fc.constantFrom(
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
);
const texts = fc.constantFrom("One.", "Two\nlines. ", "", "*/", "a\r\n\r\n b");

/** Of an enum of objects the library takes the objects for schemas, so that there is none. */
const { schema: schemas } = fc.letrec<{ schema: Json }>((tie) => {
  const schema = tie("schema");
  /** Once in so many times. */
  const maybe = <T>(arbitrary: fc.Arbitrary<T>, times = 7) =>
    fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
  const some = fc.array(schema, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(words, schema, { maxKeys: 3 });
  const rest = {
    $ref: maybe(
      fc.constantFrom("A", "B", "C").map((name) => `#/components/schemas/${name}`),
      5,
    ),
    type: maybe(fc.oneof(typeNames, fc.uniqueArray(typeNames, { minLength: 1, maxLength: 3 })), 1),
    title: maybe(texts),
    description: maybe(texts),
    default: maybe(values),
    deprecated: maybe(fc.boolean()),
    readOnly: maybe(fc.boolean()),
    format: maybe(fc.constantFrom("binary", "date", "int32")),
    enum: maybe(
      fc.uniqueArray(
        values.filter((one) => !isObject(one)),
        { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) },
      ),
    ),
    const: maybe(values, 9),
    required: maybe(fc.uniqueArray(words, { maxLength: 3 }), 2),
    properties: maybe(named, 2),
    patternProperties: maybe(fc.dictionary(fc.constantFrom("^a", "b$"), schema, { maxKeys: 2 })),
    additionalProperties: maybe(schema),
    minLength: maybe(fc.nat(3)),
    items: maybe(schema, 2),
    prefixItems: maybe(some, 9),
    allOf: maybe(some, 4),
    anyOf: maybe(some, 5),
    oneOf: maybe(some, 5),
    not: maybe(schema, 9),
  };
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 1, arbitrary: fc.constantFrom<Json>(true, false, {}, { type: "string" }) },
      {
        weight: 4,
        arbitrary: fc.record(rest).map((one) => JSON.parse(JSON.stringify(one)) as JsonObject),
      },
    ),
  };
});

function documentOf([a, b, c, body, answer]: readonly Json[]): Json {
  const content = (schema: Json = true): JsonObject => ({ "application/json": { schema } });
  const post = {
    operationId: "write",
    summary: "Writes.",
    requestBody: { content: content(body) },
    responses: { 200: { description: "Fine", content: content(answer) } },
  };
  return {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { post } },
    components: { schemas: { A: a ?? true, B: b ?? true, C: c ?? true } },
  };
}

test("of schemas that are drawn", async () => {
  const path = join(folder, "drawn.json");
  let read = 0;
  const runs = Number(process.env["RUNS"] ?? 150);
  await fc.assert(
    fc.asyncProperty(fc.array(schemas, { minLength: 5, maxLength: 5 }), async (drawn) => {
      writeFileSync(path, JSON.stringify(documentOf(drawn)));
      const model = modelOf(path);
      fc.pre(model !== undefined);
      read += 1;
      await expectSame(model);
    }),
    { numRuns: runs, maxSkipsPerRun: 1000 },
  );
  expect(read).toBeGreaterThan(runs / 20);
});

/** Undefined: it is refused whatever is allowed. */
function modelOf(path: string): Model | undefined {
  try {
    return readAllowing(path).reading.model;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
