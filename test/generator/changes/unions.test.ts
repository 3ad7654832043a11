// Alternatives that lead back to themselves: only what has changed is told, and telling it takes near to what the
// document is long.

import { describe, expect, test } from "vitest";
import { compareRevisions } from "../../../generator/changes/compare.ts";
import { readRevision, type Revision } from "../../../generator/changes/revision.ts";
import type { Json, JsonObject } from "../../../generator/json.ts";
import { effortOf } from "../../support/patience.ts";

const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const several = (name: string): JsonObject => ({ type: "array", items: to(name) });
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required: [...required],
});
/** It must be there. */
const withOne = (name: string, schema: JsonObject): JsonObject =>
  object({ [name]: schema }, [name]);
const text = (maxLength: number): JsonObject => ({ type: "string", maxLength });

function revisionOf(schemas: JsonObject, root: string): Revision {
  const content = { "application/json": { schema: to(root) } };
  const post = { requestBody: { content }, responses: {} };
  const info = { title: "T", version: "1" };
  const document = { openapi: "3.1.0", info, paths: { "/a": { post } }, components: { schemas } };
  const bytes = Buffer.from(JSON.stringify(document));
  return readRevision("/a.json", { read: () => bytes, shown: () => "a.json" });
}

function told(before: JsonObject, after: JsonObject, root: string): readonly string[] {
  const pair = { base: revisionOf(before, root), head: revisionOf(after, root) };
  const found = compareRevisions(pair, {
    extensions: [],
    notice: { today: "2026-07-01", months: 0 },
  });
  return found.map(
    ({ rule, place }) => `${rule} ${place.pointer.replace("/components/schemas/", "")}`,
  );
}

const filter = (leaf: JsonObject, ...more: readonly JsonObject[]): JsonObject => ({
  Filter: {
    oneOf: [withOne("and", several("Filter")), withOne("or", several("Filter")), leaf, ...more],
  },
});
const field = (maxLength: number): JsonObject => withOne("field", text(maxLength));

const circles: readonly (readonly [string, JsonObject, JsonObject, readonly string[]])[] = [
  ["nothing", filter(field(6)), filter(field(6)), []],
  [
    "a bound of one way",
    filter(field(6)),
    filter(field(5)),
    ["request-bound-tightened Filter/oneOf/2/properties/field/maxLength"],
  ],
  [
    "a way more",
    filter(field(6)),
    filter(field(6), withOne("not", to("Filter"))),
    ["request-variant-added Filter/oneOf/3"],
  ],
  [
    "a way less",
    filter(field(6), withOne("not", to("Filter"))),
    filter(field(6)),
    ["request-variant-removed Filter/oneOf/3"],
  ],
  [
    "a way in another place",
    filter(field(6), withOne("not", to("Filter"))),
    filter(withOne("not", to("Filter")), field(5)),
    ["request-bound-tightened Filter/oneOf/3/properties/field/maxLength"],
  ],
  [
    "a bound beside the ways",
    {
      Filter: object({
        id: text(6),
        ways: { oneOf: [object({ a: to("Filter") }), object({ b: to("Filter") })] },
      }),
    },
    {
      Filter: object({
        id: text(5),
        ways: { oneOf: [object({ a: to("Filter") }), object({ b: to("Filter") })] },
      }),
    },
    ["request-bound-tightened Filter/properties/id/maxLength"],
  ],
  [
    "a bound of the list in a value of any kind",
    {
      Filter: {
        anyOf: [
          { type: "string" },
          { ...several("Filter"), maxItems: 6 },
          { type: "object", additionalProperties: to("Filter") },
        ],
      },
    },
    {
      Filter: {
        anyOf: [
          { type: "string" },
          { ...several("Filter"), maxItems: 5 },
          { type: "object", additionalProperties: to("Filter") },
        ],
      },
    },
    ["request-bound-tightened Filter/anyOf/1/maxItems"],
  ],
];

test.each(circles)("what leads back to itself has changed by %s", (...[, before, after, rules]) => {
  expect(told(before, after, "Filter")).toEqual(rules);
});

type Web = (index: number, nameOf: (index: number) => string) => Json;

function web(count: number, of: Web): JsonObject {
  const nameOf = (index: number): string => `S${index % count}`;
  const indices = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(indices.map((index) => [nameOf(index), of(index, nameOf)]));
}

const ways = [1, 2, 3, 4];

/** Each schema leads to others by alternatives without names. */
const nameless = (count: number, maxLength: number): JsonObject =>
  web(count, (index, nameOf) => {
    const oneOf = ways.map((way) =>
      object({ [`k${way}`]: text(maxLength), next: to(nameOf(index * way + way * 7 + 1)) }),
    );
    return object({ way: { oneOf } });
  });

/** By alternatives that look alike, and have other names now. */
const renamed = (count: number, maxLength: number): JsonObject =>
  web(count, (index, nameOf) => {
    const moved = (way: number): number => (way === 2 && maxLength === 5 ? 1 : 0);
    const oneOf = ways.map((way) => to(nameOf(index * way + way * 7 + 1 + moved(way))));
    return object({ id: text(maxLength), way: { oneOf } });
  });

describe("ways from schema to schema multiply, and the work does not", () => {
  test.each([
    ["without names", nameless, 400],
    ["that look alike and have other names now", renamed, 150],
  ])("by alternatives %s", async (_what, schemas, count) => {
    const [before, after] = [schemas(count, 6), schemas(count, 5)];
    let found = 0;
    const compare = (): void => {
      found = told(before, after, "S0").length;
    };
    // some seconds; it took minutes, or did not end
    expect(await effortOf(compare)).toBeLessThan(400);
    expect(found).toBeGreaterThanOrEqual(count);
  });
});

const oneAtLeast = (...members: readonly JsonObject[]): JsonObject => ({ anyOf: [...members] });
const single = (schema: JsonObject): JsonObject => ({ A: schema });

describe("one and the same, written as alternatives and as a list", () => {
  const pairs: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ["types", { type: ["string", "integer"] }, oneAtLeast({ type: "string" }, { type: "integer" })],
    ["values", { type: "string", enum: ["a", "b"] }, oneAtLeast({ const: "a" }, { const: "b" })],
    [
      "values of one type",
      { enum: ["a", "b"] },
      { type: "string", ...oneAtLeast({ const: "a" }, { const: "b" }, { const: 1 }) },
    ],
    ["values of two", { enum: [1, "b", "c"] }, oneAtLeast({ const: 1 }, { enum: ["b", "c"] })],
  ];
  test.for(pairs)("%s", ([, list, alternatives]) => {
    expect(told(single(list), single(alternatives), "A")).toEqual([]);
    expect(told(single(alternatives), single(list), "A")).toEqual([]);
  });

  test("and one of them is gone", () => {
    const fewer = single(oneAtLeast({ const: "a" }, { const: "b" }));
    expect(told(single({ enum: ["a", "b", "c"] }), fewer, "A")).toEqual([
      "request-enum-value-removed A/enum/2",
    ]);
  });
});

test.for([{ type: "array" }, { type: "string", maxLength: 4 }])(
  "null that is gone from $type, beside what speaks of objects",
  (schema) => {
    const object = { properties: { a: {} } };
    for (const beside of [oneAtLeast(object), { oneOf: [object] }]) {
      const before = { ...schema, ...beside, type: [schema.type, "null"] };
      const after = { ...schema, ...beside };
      expect(told(single(before), single(after), "A")).toEqual([
        "request-no-longer-nullable A/type",
      ]);
    }
  },
);
