// What says the same in two revisions.

import { expect, test } from "vitest";
import { compareRevisions } from "../../../generator/changes/compare.ts";
import type { Extension, ExtensionRule } from "../../../generator/changes/found.ts";
import type { Rule } from "../../../generator/changes/judgement.ts";
import { readRevision, type Revision } from "../../../generator/changes/revision.ts";
import type { JsonObject } from "../../../generator/json.ts";
import { contractOf } from "./schema-pairs.ts";

const depth = 60;

/** Each schema leads to the next one by two ways: as many ways as there are numbers of `depth` bits. */
function ways(type: string): JsonObject {
  const schemas: JsonObject = { [`Way${depth}`]: { type } };
  for (let index = 0; index < depth; index += 1) {
    const next = { $ref: `#/components/schemas/Way${index + 1}` };
    schemas[`Way${index}`] = { type: "object", properties: { a: next, b: next } };
  }
  const schema = { not: { $ref: "#/components/schemas/Way0" } };
  const requestBody = { content: { "application/json": { schema } } };
  const paths = { "/ways": { post: { requestBody, responses: {} } } };
  return {
    openapi: "3.1.0",
    info: { title: "Ways", version: "1" },
    paths,
    components: { schemas },
  };
}

function revisionOf(document: JsonObject): Revision {
  const text = JSON.stringify(document);
  return readRevision("/one.json", { read: () => Buffer.from(text), shown: () => "one.json" });
}

const info: Rule["clients"] = { severity: "info", advice: "" };
const ruleOf = (id: string): ExtensionRule => ({ id, clients: info, servers: info });
const own = { on: "Schema", removed: ruleOf("own-removed"), added: ruleOf("own-added") } as const;
const extensions: readonly Extension[] = [
  { ...own, name: "x-one", form: "value" },
  { ...own, name: "x-all", form: "list" },
];

function rulesBetween(one: JsonObject, other: JsonObject): readonly string[] {
  const pair = { base: revisionOf(one), head: revisionOf(other) };
  const notice = { today: "2026-07-01", months: 0 };
  return compareRevisions(pair, { extensions, notice }).map(({ rule }) => rule);
}

test("each two schemas in a condition are compared once, however many ways lead to them", () => {
  expect(rulesBetween(ways("string"), ways("string"))).toEqual([]);
  expect(rulesBetween(ways("string"), ways("integer"))).toEqual(["request-condition-changed"]);
});

/** An object in each of two orders of its names. */
const [inOrder, turned] = [
  { a: 1, b: { c: 2, d: [3, { e: 4, f: 5 }] } },
  { b: { d: [3, { f: 5, e: 4 }], c: 2 }, a: 1 },
];

test.each([
  ["a value", { const: inOrder }, { const: turned }],
  ["a list of values", { enum: ["z", inOrder] }, { enum: [turned, "z"] }],
  [
    "lists that meet",
    { allOf: [{ enum: [inOrder, 1] }, { enum: [turned, 2] }] },
    { const: turned },
  ],
  ["a default", { default: inOrder }, { default: turned }],
  ["examples", { examples: [inOrder], example: inOrder }, { examples: [turned], example: turned }],
  [
    "a list of values in a condition",
    { not: { enum: [inOrder, { a: 2 }] } },
    { not: { enum: [{ a: 2 }, turned] } },
  ],
  ["a value of an extension", { "x-one": inOrder }, { "x-one": turned }],
  ["values of an extension", { "x-all": ["z", inOrder] }, { "x-all": [turned, "z"] }],
])("the order of names changes nothing in %s", (_what, one, other) => {
  expect(rulesBetween(contractOf(one), contractOf(other))).toEqual([]);
});

test("alternatives with the same object as their value overlap, however it is written", () => {
  const known = { type: "object" };
  const alternatives = {
    oneOf: [{ ...known, enum: [inOrder] }, known, { ...known, enum: [turned] }],
  };
  const apart = {
    oneOf: [
      { ...known, enum: [inOrder] },
      { ...known, enum: [{ a: 2 }] },
    ],
  };
  const joined = { oneOf: [...apart.oneOf, { ...known, enum: [turned] }] };
  expect(rulesBetween(contractOf(known), contractOf(alternatives))).toContain(
    "request-composition-changed",
  );
  expect(rulesBetween(contractOf(apart), contractOf(joined))).toContain(
    "request-composition-changed",
  );
});
