// Names of schemas, the ways to them, and what looks at the whole of a schema: JSON Schema 2020-12 core,
// sections 8 and 11, on schemas that go the way of every contract. Values stand beside each one.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeOf } from "../../../generator/conformance/suite.ts";
import type { Json } from "../../../generator/json.ts";

type Row = readonly [
  name: string,
  schema: Json,
  fitting: readonly unknown[],
  broken: readonly unknown[],
];

const node = (id: string, more: { [name: string]: Json } = {}): { [name: string]: Json } => ({
  $id: id,
  $dynamicAnchor: "node",
  type: "object",
  properties: { value: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
  ...more,
});

const listOf = (item: Json, more: { [name: string]: Json } = {}): Json => ({
  $id: "https://example.com/list-of-something",
  $ref: "list",
  $defs: {
    item: { $dynamicAnchor: "item", ...(item as { [name: string]: Json }) },
    list: {
      $id: "list",
      type: "array",
      items: { $dynamicRef: "#item" },
      $defs: { anything: { $dynamicAnchor: "item" } },
    },
  },
  ...more,
});

const rows: readonly Row[] = [
  [
    "a pointer begins at the schema with the nearest $id",
    {
      $id: "https://example.com/outer",
      $defs: {
        a: { type: "string" },
        inner: { $id: "inner", $ref: "#/$defs/a", $defs: { a: { type: "integer" } } },
      },
      $ref: "inner",
    },
    [1],
    ["text"],
  ],
  [
    "a relative $id is seen from the $id around it",
    {
      $id: "https://example.com/folder/root.json",
      $ref: "https://example.com/folder/deep/leaf",
      $defs: { deep: { $id: "deep/", $defs: { leaf: { $id: "leaf", type: "integer" } } } },
    },
    [1],
    ["text"],
  ],
  [
    "URNs",
    {
      $id: "urn:example:root",
      properties: { a: { $ref: "urn:example:a" }, b: { $ref: "#b" } },
      $defs: { a: { $id: "urn:example:a", type: "integer" }, b: { $anchor: "b", type: "null" } },
    },
    [{ a: 1, b: null }],
    [{ a: "1" }, { b: 1 }],
  ],
  [
    "an anchor belongs to the schema with the nearest $id",
    {
      $ref: "https://example.com/a#x",
      $defs: {
        a: { $id: "https://example.com/a", $defs: { x: { $anchor: "x", type: "integer" } } },
        b: { $id: "https://example.com/b", $defs: { x: { $anchor: "x", type: "string" } } },
      },
    },
    [1],
    ["text"],
  ],
  [
    "what stands in values names nothing",
    {
      anyOf: [
        { enum: [{ $id: "https://example.com/id", type: "null" }] },
        { $ref: "https://example.com/id" },
      ],
      $defs: {
        held: { const: { $id: "https://example.com/id" } },
        named: { properties: { $id: { type: "string" }, $anchor: { type: "string" } } },
        real: { $id: "https://example.com/id", type: "integer" },
      },
    },
    [1, { $id: "https://example.com/id", type: "null" }],
    ["text", null],
  ],
  [
    "a schema that refers to itself by its $id",
    { $id: "https://example.com/tree", properties: { next: { $ref: "tree" } }, type: "object" },
    [{}, { next: { next: {} } }],
    [{ next: 1 }, { next: { next: [] } }],
  ],
  ["a list of one thing", listOf({ type: "string" }), [[], ["a"]], [[1], ["a", null]]],
  [
    "two ways that give a name two meanings",
    {
      properties: {
        texts: { $ref: "https://example.com/list-of-something" },
        anything: { $ref: "https://example.com/list" },
        numbers: {
          $id: "https://example.com/numbers",
          $ref: "list",
          $defs: { item: { $dynamicAnchor: "item", type: "number" } },
        },
      },
      $defs: { all: listOf({ type: "string" }) },
    },
    [{ texts: ["a"], anything: [1, "a"], numbers: [1] }],
    [{ texts: [1] }, { numbers: ["a"] }, { anything: 1 }],
  ],
  [
    "a tree whose branches are as strict as its root",
    node("https://example.com/strict", {
      $ref: "loose",
      unevaluatedProperties: false,
      $defs: { loose: node("loose") },
    }),
    [{}, { children: [{ value: 1, children: [] }] }],
    [{ other: 1 }, { children: [{ other: 1 }] }, { children: [{ children: [{ other: 1 }] }] }],
  ],
  [
    "the same tree, entered further down, is as loose as it says",
    {
      $ref: "https://example.com/loose",
      $defs: {
        strict: node("https://example.com/strict", {
          unevaluatedProperties: false,
          $defs: { loose: node("loose") },
        }),
      },
    },
    [{ other: 1 }, { children: [{ other: 1 }] }],
    [{ children: 1 }, { children: [1] }],
  ],
  [
    "a $dynamicRef to an $anchor is a $ref",
    {
      $id: "https://example.com/outer",
      $ref: "inner",
      $defs: {
        here: { $dynamicAnchor: "x", type: "string" },
        inner: { $id: "inner", $dynamicRef: "#x", $defs: { x: { $anchor: "x", type: "integer" } } },
      },
    },
    [1],
    ["text"],
  ],
  [
    "a $dynamicRef beside a $ref",
    listOf({ type: "integer" }, { properties: {}, allOf: [{ minItems: 1 }] }),
    [[1]],
    [[], ["a"]],
  ],
  [
    "a way through alternatives",
    {
      $id: "https://example.com/either",
      anyOf: [{ $ref: "a" }, { $ref: "b" }],
      $defs: {
        a: { $id: "a", $ref: "list", $defs: { i: { $dynamicAnchor: "i", type: "string" } } },
        b: { $id: "b", $ref: "list", $defs: { i: { $dynamicAnchor: "i", type: "integer" } } },
        list: {
          $id: "list",
          type: "array",
          items: { $dynamicRef: "#i" },
          $defs: { i: { $dynamicAnchor: "i", not: {} } },
        },
      },
    },
    [["a", "b"], [1, 2], []],
    [["a", 1], [null]],
  ],
  ["unevaluatedItems alone", { unevaluatedItems: { type: "string" } }, [["a"], 1], [[1]]],
  [
    "unevaluatedItems behind prefixItems of a member",
    { allOf: [{ prefixItems: [true, true] }], unevaluatedItems: false },
    [[], [1], [1, 2]],
    [[1, 2, 3]],
  ],
  [
    "unevaluatedItems beside contains, which looks at some",
    { contains: { type: "integer" }, unevaluatedItems: { type: "string" } },
    [[1], ["a", 1, 2]],
    [["a"], [1, null]],
  ],
  [
    "a member that refuses has looked at nothing",
    {
      anyOf: [{ prefixItems: [{ const: "a" }], minItems: 1 }, true],
      unevaluatedItems: false,
    },
    [["a"], []],
    [["b"], ["a", "b"]],
  ],
  [
    "items of items are another matter",
    {
      prefixItems: [{ prefixItems: [true, true] }],
      unevaluatedItems: false,
    },
    [[[1, 2, 3]], [1]],
    [[[1], 2]],
  ],
  [
    "unevaluatedItems of a part that is true has looked at all",
    { allOf: [{ unevaluatedItems: true }], unevaluatedItems: false },
    [[1, 2]],
    [],
  ],
  [
    "keywords that mean nothing alone",
    { then: { type: "string" }, else: false, minContains: 2, maxContains: 1 },
    [1, [], "a"],
    [],
  ],
  [
    "bounds that nothing can keep",
    { contains: true, minContains: 2, maxContains: 1 },
    [1],
    [[], [1], [1, 2]],
  ],
  [
    "dependencies of draft 7",
    { dependencies: { a: ["b"], c: { required: ["d"] } } },
    [{}, { a: 1, b: 1 }, { c: 1, d: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  [
    "definitions of draft 7",
    { $ref: "#/definitions/a", definitions: { a: { type: "integer" } } },
    [1],
    ["a"],
  ],
  [
    "words that are no keywords, and a schema inside one",
    { $ref: "#/colours/red", colours: { red: { type: "integer" } } },
    [1],
    ["a"],
  ],
  [
    "a property that is a schema",
    { properties: { schema: { $ref: "https://json-schema.org/draft/2020-12/schema" } } },
    [{ schema: { type: "string", $defs: { a: { minLength: 1 } } } }, { schema: true }],
    [{ schema: { type: 1 } }, { schema: { $defs: { a: { minLength: -1 } } } }, { schema: 1 }],
  ],
];

test.for(rows)("%s", ([, schema, fitting, broken]) => {
  const judge = judgeOf(structuredClone(schema));
  if (typeof judge === "string") throw new Error(judge);
  expect(fitting.filter((value) => !judge(value))).toEqual([]);
  expect(broken.filter((value) => judge(value))).toEqual([]);
});

test.each<readonly [name: string, schema: Json, said: string]>([
  ["nothing at an anchor", { $ref: "#a" }, 'there is no anchor "a" at "#a"'],
  ["nothing at a name", { $ref: "https://example.com/x" }, "is outside this machine"],
  [
    "one name for two",
    { $defs: { a: { $id: "https://example.com/a" }, b: { $id: "https://example.com/a" } } },
    "names another schema as well",
  ],
  [
    "an unknown vocabulary that must be known",
    { $vocabulary: { "https://example.com/units": true } },
    "is a vocabulary that the generated validation does not know",
  ],
  ["a language without a copy", { $schema: "https://example.com/l" }, "is another language"],
  ["endless meanings", endless(), "has more than 2000 meanings"],
])("refused: %s", (_name, schema, said) => {
  expect(judgeOf(schema)).toContain(said);
});

/** Every way through these schemas gives their names other meanings. */
function endless(): Json {
  const names = Array.from({ length: 14 }, (_, index) => `n${index}`);
  const anchors = (id: string): { [name: string]: Json } => ({
    $id: `https://example.com/${id}`,
    anyOf: names.map((name) => ({ $ref: `https://example.com/${name}` })),
    $defs: { [id]: { $dynamicAnchor: id }, own: { $dynamicRef: `#${id}` } },
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `all#${name}` }])),
  });
  return {
    $ref: "https://example.com/n0",
    $defs: {
      ...Object.fromEntries(
        names.map((name) => [name, { ...anchors(name), not: { $dynamicRef: `all#${name}` } }]),
      ),
      all: {
        $id: "https://example.com/all",
        $defs: Object.fromEntries(
          names.map((name) => [name, { $dynamicAnchor: name, type: "null" }]),
        ),
      },
    },
  };
}

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "copies-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("copies stand for what lies elsewhere, relative references in them too", () => {
  writeFileSync(join(folder, "a.json"), JSON.stringify({ $ref: "b.json#/$defs/whole" }));
  writeFileSync(join(folder, "b.json"), JSON.stringify({ $defs: { whole: { type: "integer" } } }));
  const copies = new Map([["https://example.com/schemas/", folder]]);
  const judge = judgeOf({ $ref: "https://example.com/schemas/a.json" }, copies);
  if (typeof judge === "string") throw new Error(judge);
  expect([judge(1), judge("a")]).toEqual([true, false]);
  const missing = judgeOf({ $ref: "https://example.com/schemas/c.json" }, copies);
  expect(missing).toContain("cannot be read: there is no such file");
});

test("a language without the vocabulary of validation says nothing of types", () => {
  const vocabularies = ["core", "applicator"].map((name) => [
    `https://json-schema.org/draft/2020-12/vocab/${name}`,
    true,
  ]);
  const language = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $vocabulary: Object.fromEntries(vocabularies) as { [name: string]: boolean },
  };
  writeFileSync(join(folder, "language"), JSON.stringify(language));
  const judge = judgeOf(
    { $schema: "https://example.com/language", type: "string", properties: { a: false } },
    new Map([["https://example.com/language", join(folder, "language")]]),
  );
  if (typeof judge === "string") throw new Error(judge);
  expect([judge(1), judge({ a: 1 })]).toEqual([true, false]);
});
