// Values that are drawn of schemas nobody thought of: Ajv allows each of them, and where any value may be, one is
// found.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Contract } from "../../generator/suite/contract.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { forAnswers } from "../../generator/suite/directions.ts";
import { schemaPlace } from "../../generator/suite/flat.ts";
import { Heights } from "../../generator/suite/heights.ts";
import { Drawing, type DrawingOptions } from "../../generator/suite/drawing.ts";
import type { Json, JsonObject } from "../../generator/suite/json.ts";
import { buildJudges } from "../../generator/suite/schemas.ts";
import { compileOracle } from "../generator/validation/oracle.ts";
import { subjects } from "../generator/validation/schema-arbitrary.ts";
import { valuesFor } from "../generator/validation/value-arbitraries.ts";

const pointer = "/components/schemas/One";
const seed = Number(process.env["SEED"] ?? 1);

function drawingOf(schemas: JsonObject, options: DrawingOptions = {}): Drawing {
  const document: JsonObject = { openapi: "3.1.0", paths: {}, components: { schemas } };
  return new Drawing(new Contract(document), buildJudges(document), options);
}

test("random schemas: what is drawn is valid, and it is seldom missed", () => {
  const all = fc.sample(subjects, { seed, numRuns: 100 });
  const wrong: string[] = [];
  const missed: string[] = [];
  let drawn = 0;
  for (const [index, subject] of all.entries()) {
    const { schema, components = {} } = subject;
    const drawing = drawingOf({ One: schema, ...components }, { examples: "first" });
    const oracle = compileOracle(subject);
    const found = drawing.valueAt(pointer, "all", new Dice(seed + index));
    if (found !== undefined) {
      drawn += 1;
      // undefined: Ajv is known to be wrong of such values
      if (oracle(found.value) === false) wrong.push(JSON.stringify({ subject, found }));
      continue;
    }
    const others = fc.sample(valuesFor(subject), { seed, numRuns: 30 });
    const other = others.find((one) => oracle(one) === true);
    if (other !== undefined) missed.push(JSON.stringify({ subject, other }));
  }
  expect(wrong, `SEED=${seed}`).toEqual([]);
  expect(drawn).toBeGreaterThan(50);
  expect(missed.length / drawn, `SEED=${seed}\n${missed.join("\n")}`).toBeLessThan(0.03);
});

test("what Ajv cannot judge by all of its errors, it judges by the first", () => {
  const One = {
    patternProperties: { "^.{2}$": { type: "null" } },
    oneOf: [
      { multipleOf: 0.25 },
      { $ref: "#/components/schemas/B" },
      { type: "null", additionalProperties: { minimum: -1 }, propertyNames: { const: 1 } },
    ],
  };
  const drawing = drawingOf({ One, B: { type: "object" } });
  expect(drawing.judgeAt(pointer)({ "{I": "ab" })).not.toEqual([]);
  expect(drawing.judgeAt(pointer)("ab")).toEqual([]);
});

const plain = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});
const referenceTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const self = referenceTo("One");
const kinds = ["One", ...Array.from({ length: 11 }, (_, at) => `Kind${at + 1}`)];

/** Of what contracts are made of, what is hard to draw. */
const hard: readonly (readonly [what: string, schema: JsonObject])[] = [
  ["a password", { type: "string", pattern: "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[!?]).{8,20}$" }],
  ["a pattern that means nothing with the unicode flag", { type: "string", pattern: "^a\\_]{2}$" }],
  ["what must not begin so", { type: "string", pattern: "^(?!admin)[a-z]{5}$" }],
  ["two patterns", { allOf: [{ type: "string", pattern: "^[a-z]+$" }, { pattern: "x$" }] }],
  [
    "a step below one",
    { type: "number", multipleOf: 0.25, exclusiveMinimum: 1, exclusiveMaximum: 2 },
  ],
  ["little room", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.01 }],
  ["integers in steps of a half", { type: "integer", multipleOf: 0.5, maximum: -3 }],
  [
    "two steps",
    {
      allOf: [
        { type: "integer", multipleOf: 4 },
        { multipleOf: 6, minimum: 1 },
      ],
    },
  ],
  [
    "a tree of which most ways go on",
    {
      oneOf: [
        plain({ and: self, also: self }),
        plain({ or: self, other: self }),
        plain({ leaf: { type: "integer" } }),
      ],
    },
  ],
  [
    "what leads to itself twice, and may be something else",
    { required: ["a", "b"], additionalProperties: self, minimum: 1 },
  ],
  ["an endless list", plain({ next: { anyOf: [self, { type: "null" }] } })],
  [
    "many conditions",
    plain(
      { kind: { enum: ["a", "b", "c", "d"] } },
      {
        properties: { kind: { enum: ["a", "b", "c", "d"] }, x: {} },
        allOf: ["a", "b", "c", "d"].map((kind, at) => ({
          if: { properties: { kind: { const: kind } } },
          then: {
            properties: { x: { type: "integer", minimum: at * 10, maximum: at * 10 + 2 } },
            required: ["x"],
          },
        })),
      },
    ),
  ],
  [
    "what may not be",
    plain({ a: { type: "string" } }, { properties: { a: { type: "string" }, b: false } }),
  ],
  [
    "a member that asks for more",
    plain({ a: { type: "string" } }, { dependentSchemas: { a: plain({ b: { const: 1 } }) } }),
  ],
  [
    "a list that contains three",
    { type: "array", contains: { const: "x" }, minContains: 3, maxItems: 5 },
  ],
  [
    "a tuple and no more",
    {
      type: "array",
      prefixItems: [{ const: 1 }, { const: 2 }],
      unevaluatedItems: false,
      minItems: 2,
    },
  ],
  ["null alone", { const: null }],
];

describe.each(hard)("%s", (_, schema) => {
  test.each(["all", "some", "none"] as const)("is drawn with %s", (optional) => {
    const drawing = drawingOf({ One: schema });
    for (let at = 0; at < 20; at++) {
      const found = drawing.valueAt(pointer, optional, new Dice(seed + at));
      expect(found, `SEED=${seed + at}`).toBeDefined();
      expect(drawing.judgeAt(pointer)(found?.value ?? null)).toEqual([]);
      expect(JSON.stringify(found).length).toBeLessThan(50_000);
    }
  });
});

test("an example may be of something that has an $id, like another one", () => {
  const example = { $id: "https://example.com/one" };
  const one = plain({ $id: { type: "string" } }, { example });
  const properties: JsonObject = { example: { type: "integer" } };
  const drawing = drawingOf({ One: one, Other: { type: "object", properties, example } });
  expect(drawing.valueAt(pointer, "all", new Dice(seed))).toBeDefined();
  const judge = drawing.judgeAt("/components/schemas/Other");
  expect(judge({ example: "text" }).map(({ rule }) => rule)).toEqual(["type"]);
});

describe("of what has no end nothing is drawn, soon:", () => {
  const none = (schemas: JsonObject): void =>
    expect(drawingOf(schemas).valueAt(pointer, "all", new Dice(seed))).toBeUndefined();

  test("two members that are as the whole", () => {
    none({ One: plain({}, { required: ["a", "b"], additionalProperties: self }) });
  });

  test("twelve schemas of which each must have all of them", () => {
    const members = Object.fromEntries(kinds.map((name) => [name, referenceTo(name)]));
    none(Object.fromEntries(kinds.map((name) => [name, plain(members)])));
  });

  // Each of the three is judged at each level by what the other two have judged before.
  const endlessAt = (own: JsonObject): JsonObject => {
    const whole = { type: "object", if: own, then: own, else: { required: ["a/b"] } };
    const patternProperties = { "^a": whole, "^.{2}$": own };
    return { type: "object", required: ["ab"], patternProperties, maxProperties: 1 };
  };

  test("what must be as the whole by a pattern, by a condition and by what follows of it", () => {
    none({ One: endlessAt(self) });
  });

  test("items of a list that are so", () => {
    const items = referenceTo("Endless");
    const drawing = drawingOf({ One: { type: "array", items }, Endless: endlessAt(items) });
    const flat = drawing.flatOf([schemaPlace(drawing.contract, pointer)], []);
    expect(drawing.itemsFor(flat, 3, new Dice(seed))).toEqual([]);
  });
});

test("what leads back to itself without alternatives is drawn all around", () => {
  const names = ["One", "B", "C", "D", "E", "F", "G"];
  const ring = names.map((name, at) => {
    const next = referenceTo(names[(at + 1) % names.length] ?? "One");
    return [name, { type: "object", properties: { [`in${name}`]: { const: 1 }, next } }] as const;
  });
  const found = drawingOf(Object.fromEntries(ring)).valueAt(pointer, "all", new Dice(seed));
  for (const name of names) expect(JSON.stringify(found)).toContain(`"in${name}"`);
});

test("a tree that must be six levels deep nearly always is", () => {
  const Leaf = { ...plain({ leaf: { type: "integer" } }), additionalProperties: false };
  const Node = plain({ next: referenceTo("Tree") });
  const Tree: JsonObject = { oneOf: [referenceTo("Leaf"), referenceTo("Node")] };
  let deep: JsonObject = {};
  for (let level = 0; level < 6; level += 1) deep = plain({ next: deep });
  const drawing = drawingOf({ One: { allOf: [referenceTo("Tree"), deep] }, Tree, Leaf, Node });
  const dice = Array.from({ length: 20 }, (_, at) => new Dice(seed + at));
  const found = dice.filter((one) => drawing.valueAt(pointer, "all", one) !== undefined);
  expect(found.length, `SEED=${seed}`).toBeGreaterThan(12);
});

test("two thousand alternatives of which each but one needs the one before it", () => {
  const ways = Array.from({ length: 2_000 }, (_, at) => `Way${at}`);
  const one = (at: number): JsonObject =>
    at === 0 ? { type: "integer" } : plain({ before: referenceTo(`Way${at - 1}`) });
  const schemas = Object.fromEntries(ways.map((name, at) => [name, one(at)]));
  const heights = new Heights(drawingOf({ One: {}, ...schemas }).contract);
  const places = ways.map((name) => ({ node: referenceTo(name), pointer: `/${name}` }));
  expect(places.map((place) => heights.of(place))).toEqual(ways.map((_, at) => at));
});

test.each([
  ["an example", { example: { $ref: "100%" } }],
  ["a value", { properties: { a: { const: { $ref: "#/50%" } } } }],
  ["a note", { "x-note": { $ref: 5 } }],
])("%s may have a $ref that is no reference", (_, more) => {
  const drawing = drawingOf({ One: { type: "object", required: ["a"], ...more } });
  expect(drawing.valueAt(pointer, "all", new Dice(seed))).toBeDefined();
});

test("of twelve kinds that may each be in all others, one that ends is drawn, soon", () => {
  const nested = kinds.map((name) => {
    const others = kinds.filter((other) => other !== name).map(referenceTo);
    return [name, plain({ of: { oneOf: others } })] as const;
  });
  const leaf = { ...plain({ leaf: { type: "integer" } }), additionalProperties: false };
  const drawing = drawingOf({ ...Object.fromEntries(nested), Kind11: leaf });
  expect(drawing.valueAt(pointer, "all", new Dice(seed))).toBeDefined();
});

describe("examples come first:", () => {
  const first = (schema: JsonObject): Json | undefined =>
    drawingOf({ One: schema }, { examples: "first" }).valueAt(pointer, "all", new Dice(seed))
      ?.value;

  test.each([
    ["of the whole", { type: "object", example: { a: 1 } }, { a: 1 }],
    ["of a property", plain({ a: { type: "string", examples: ["x", "y"] } }), { a: "x" }],
    [
      "of a list",
      plain({ a: { type: "array", items: { type: "string" }, example: ["p", "q"] } }),
      { a: ["p", "q"] },
    ],
    ["the nearer one", { allOf: [{ type: "integer", example: 1 }], example: 2 }, 2],
    ["the one that fits", plain({ a: { enum: [3], example: 4 } }), { a: 3 }],
  ] as const)("%s", (...[, schema, value]) => {
    expect(first(structuredClone(schema) as unknown as JsonObject)).toEqual(value);
  });
});

test("what only requests have is drawn for no answer, and asked of none", () => {
  const secret: JsonObject = { type: "string", writeOnly: true };
  const user = plain({
    name: { type: "string" },
    password: secret,
    pin: { $ref: "#/components/schemas/Pin" },
  });
  const document: JsonObject = {
    openapi: "3.1.0",
    paths: {},
    components: { schemas: { One: user, Pin: secret } },
  };
  const written = forAnswers(document);
  const drawing = new Drawing(new Contract(written), buildJudges(written), { isAnswer: true });
  const value = drawing.valueAt(pointer, "all", new Dice(seed))?.value ?? null;
  expect(Object.keys(value ?? {})).toEqual(["name"]);
  const { judgeAt, judgeAnswerAt } = buildJudges(document);
  expect(judgeAnswerAt(pointer)(value)).toEqual([]);
  expect(judgeAt(pointer)(value).map(({ rule }) => rule)).toEqual(["required", "required"]);
});
