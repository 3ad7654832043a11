// Documents that are made to be deep, or to be walked for ever.

import { expect, test } from "vitest";
import { emitFiles, readContract } from "../../generator/generate.ts";
import { DocumentError } from "../../generator/problems.ts";
import { formatFiles } from "../../generator/write/format.ts";

/** The text as if it stood in this file. */
function read(text: string, file: string) {
  const shelf = { read: () => Buffer.from(text), shown: (name: string) => name };
  return readContract(`/${file}`, { shelf });
}

function problemsOf(text: string, file: string): readonly string[] {
  try {
    read(text, file);
    return [];
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.problems.map(({ code, place }) => `${code} ${place.line}:${place.column}`);
  }
}

const flow = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const head = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\n";

test("values may stand 250 deep, and not deeper", () => {
  expect(problemsOf(`${head}x-a: ${flow(249)}`, "a.yaml")).toEqual([]);
  expect(problemsOf(`${head}x-a: ${flow(250)}`, "a.yaml")).toEqual(["OAG119 4:255"]);
  const json = (depth: number): string =>
    `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},\n"x-a":${flow(depth)}}`;
  expect(problemsOf(json(249), "a.json")).toEqual([]);
  expect(problemsOf(json(250), "a.json")).toEqual(["OAG119 2:256"]);
});

test.for([500, 700, 800, 900, 1000, 5000])(
  "%i levels are told, however they are written",
  (depth) => {
    const aliases = Array.from({ length: depth / 100 }, (_, at) => {
      return `  - &n${at + 1} ${"[".repeat(100)}${at === 0 ? "" : `*n${at}`}${"]".repeat(100)}\n`;
    });
    const blocks = Array.from(
      { length: Math.min(depth, 1000) },
      (_, at) => `${" ".repeat(at + 1)}a:\n`,
    );
    const texts = {
      "flow.yaml": `x-a: ${flow(depth)}\n`,
      "open.yaml": `x-a: ${"[".repeat(depth)}\n`,
      "list.yaml": `x-a:\n  ${"- ".repeat(depth)}a\n`,
      "block.yaml": `x-a:\n${blocks.join("")}`,
      "alias.yaml": `x-a:\n${aliases.join("")}`,
    };
    for (const [file, text] of Object.entries(texts)) {
      const [first = ""] = problemsOf(head + text, file);
      expect(`${file} ${first}`).toContain(`${file} OAG119 `);
    }
    for (const text of [`{"x-a":${flow(depth)}}`, `{"x-a":${'[{"a":'.repeat(depth)}`])
      expect(problemsOf(text, "a.json")[0]).toMatch(/^OAG119 1:\d+$/);
  },
);

const documentOf = (schema: string, schemas = ""): string =>
  `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{"operationId":"a",
    "requestBody":{"content":{"application/json":{"schema":${schema}}}},
    "responses":{"200":{"description":"Done","content":{"text/plain":{"schema":${schema}}}}}}}},
    "components":{"schemas":{${schemas}}}}`;

test.for([
  '{"items":%}',
  '{"type":"array","items":%}',
  '{"not":%}',
  '{"if":%,"then":{"type":"integer"}}',
  '{"type":"object","additionalProperties":%}',
  '{"type":"object","required":["a"],"properties":{"a":%}}',
  '{"allOf":[%,{"type":"object","properties":{"b":{"type":"string"}}}]}',
  '{"anyOf":[%,{"type":"integer"}]}',
  '{"oneOf":[%,{"type":["integer","null"]}]}',
])("as deep as may be, %s is written and formatted", async (around) => {
  const [before = "", after = ""] = around.split("%");
  const levels = Math.floor(238 / before.replace(/[^[{]/g, "").length);
  const schema = before.repeat(levels) + '{"type":"string"}' + after.repeat(levels);
  const reading = read(documentOf(schema), "a.json");
  const formatted = await formatFiles(emitFiles(reading, "a.json"), import.meta.dirname);
  expect(formatted.length).toBeGreaterThan(10);
});

test.for(["allOf", "anyOf", "oneOf"])("%s of two that lead to the same, 60 levels", (keyword) => {
  const levels = Array.from({ length: 60 }, (_, at) => {
    const next = `{"$ref":"#/components/schemas/L${at + 1}"}`;
    return `"L${at}":{"${keyword}":[${next},{"allOf":[${next}]}]}`;
  });
  const schemas = [...levels, '"L60":{"type":"string"}'].join(",");
  const reading = read(documentOf('{"$ref":"#/components/schemas/L0"}', schemas), "a.json");
  expect(emitFiles(reading, "a.json").length).toBeGreaterThan(10);
});

const lengthOf = (text: string): number =>
  emitFiles(read(text, "a.json"), "a.json").reduce((sum, { text: one }) => sum + one.length, 0);

/** What the files are without it: their documents and types hold every schema once. */
const emptyLength = lengthOf(documentOf("{}"));

test.for([
  ["application/x-www-form-urlencoded", 9],
  ["application/x-www-form-urlencoded", 40],
  ["multipart/form-data", 9],
] as const)("schemas that each hold all of them, in a body of %s", ([mediaType, count]) => {
  const names = Array.from({ length: count }, (_, at) => `L${at}`);
  const properties = names.map((name) => `"${name}":{"$ref":"#/components/schemas/${name}"}`);
  const schemas = names.map((name) => `"${name}":{"properties":{${properties.join(",")}}}`);
  const document = documentOf('{"$ref":"#/components/schemas/L0"}', schemas.join(","));
  const plain = lengthOf(document) - emptyLength;
  const asForm = lengthOf(document.replace("application/json", mediaType)) - emptyLength;
  expect(asForm - plain).toBeLessThan(1_000_000);
});

test("a schema that holds itself is taken apart three levels deep in a form", () => {
  const schema = '{"type":"object","properties":{"next":{"$ref":"#/components/schemas/L0"}}}';
  const document = documentOf('{"$ref":"#/components/schemas/L0"}', `"L0":${schema}`);
  const text = document.replace("application/json", "application/x-www-form-urlencoded");
  const files = emitFiles(read(text, "a.json"), "a.json");
  const operation = files.find(({ path }) => path.startsWith("operations/"))?.text ?? "";
  const flat = operation.replace(/\s+/g, "");
  const level = (inside: string): string => `{object:{next:${inside}},others:{scalar:["string"]}}`;
  expect(flat).toContain(level(level(level('{scalar:["string"]}'))));
});

test("a chain of 8,000 schemas in a form is no stack of calls", () => {
  const schemas = Array.from({ length: 8000 }, (_, at) => {
    const next = at === 7999 ? "{}" : `{"$ref":"#/components/schemas/L${at + 1}"}`;
    return `"L${at}":{"type":"object","properties":{"a":${next}}}`;
  });
  const document = documentOf('{"$ref":"#/components/schemas/L0"}', schemas.join(","));
  expect(lengthOf(document.replace("application/json", "multipart/form-data"))).toBeGreaterThan(0);
});

test("unevaluatedProperties of what is shared on 40 levels", () => {
  const levels = Array.from({ length: 40 }, (_, at) => {
    const next = `{"$ref":"#/components/schemas/L${at + 1}"}`;
    return `"L${at}":{"properties":{"p${at}":{}},"allOf":[${next},{"allOf":[${next}]}]}`;
  });
  const closed = '"A":{"unevaluatedProperties":false,"$ref":"#/components/schemas/L0"}';
  const schemas = [closed, ...levels, '"L40":{"type":"object"}'].join(",");
  const document = documentOf('{"$ref":"#/components/schemas/A"}', schemas);
  expect(lengthOf(document) - emptyLength).toBeLessThan(100_000);
});

test.for([
  ["one by one", 500, (next: string) => next],
  ["in two allOf", 166, (next: string) => `{"allOf":[{"allOf":[${next}]}]}`],
] as const)("references lead on to others 500 deep, %s", ([, most, around]) => {
  const problems = (count: number, order: (list: string[]) => string[]): readonly string[] => {
    const chain = Array.from({ length: count }, (_, at) => {
      return `"L${at}":${around(`{"$ref":"#/components/schemas/L${at + 1}"}`)}`;
    });
    const schemas = order([...chain, `"L${count}":{"type":"string"}`]).join(",");
    const schema = '{"$ref":"#/components/schemas/L0","default":"a"}';
    return problemsOf(documentOf(schema, schemas), "a.json").map((one) => one.slice(0, 6));
  };
  for (const order of [(list: string[]) => list, (list: string[]) => list.toReversed()]) {
    expect(problems(most, order)).toEqual([]);
    expect(problems(most + 1, order)).toEqual(["OAG221"]);
    expect(problems(20 * most, order)).toEqual(["OAG221"]);
  }
});
