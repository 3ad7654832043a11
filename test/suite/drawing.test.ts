// Values and broken values that the suite makes of a schema: judged by Ajv, the same for the same seed.

import { describe, expect, test } from "vitest";
import { boundsIn } from "../../generator/suite/bounds.ts";
import { breaksIn } from "../../generator/suite/breaking.ts";
import { Contract } from "../../generator/suite/contract.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { Drawing } from "../../generator/suite/drawing.ts";
import type { Json, JsonObject } from "../../generator/suite/json.ts";
import { repeatsRepetitions } from "../../generator/suite/patterns.ts";
import { buildJudges } from "../../generator/suite/schemas.ts";
import { drawText } from "../../generator/suite/texts.ts";
import { upgrade } from "../../generator/suite/upgrade.ts";

const pointer = "/components/schemas/One";
const seeds = Array.from({ length: 8 }, (_, at) => at + 1);

function drawingOf(one: JsonObject, others: JsonObject = {}, openapi = "3.1.0"): Drawing {
  const document = upgrade({
    openapi,
    paths: {},
    components: { schemas: { One: one, ...others } },
  });
  return new Drawing(new Contract(document), buildJudges(document));
}

function brokenBy(drawing: Drawing, seed: number): readonly string[] {
  const dice = new Dice(seed);
  const whole = drawing.valueAt(pointer, "all", dice);
  if (whole === undefined) return [];
  const { broken } = breaksIn({ drawing, pointer, dice, isRequest: true }, whole.value);
  return broken.map(({ pointer: place, rule }) => `${place} ${rule}`);
}

/** Each with rules that are broken at one place or another. */
const schemas: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  [
    "lengths of a pattern",
    { type: "string", pattern: "^[a-z]+$", minLength: 3, maxLength: 9 },
    [" type", " pattern", " minLength", " maxLength"],
  ],
  [
    "a pattern that only works without the unicode flag",
    { type: "string", pattern: "^[\\w-.]+[+-\\d]$" },
    [" type", " pattern"],
  ],
  [
    "names by such a pattern",
    { type: "object", minProperties: 1, patternProperties: { "^[\\w-.]+$": { type: "integer" } } },
    [" type", " minProperties"],
  ],
  ["a format", { type: "string", format: "date-time" }, [" format"]],
  [
    "numbers",
    { type: "number", exclusiveMinimum: 0, maximum: 10, multipleOf: 0.25 },
    [" exclusiveMinimum", " maximum", " multipleOf"],
  ],
  ["an integer", { type: "integer", minimum: -5, exclusiveMaximum: 5 }, [" minimum", " type"]],
  [
    "parts that are one",
    {
      allOf: [
        { type: "object", required: ["a"], properties: { a: { type: "string", maxLength: 9 } } },
        { properties: { a: { minLength: 2 }, b: { const: 7 } }, required: ["b"] },
      ],
      unevaluatedProperties: false,
    },
    ["/a maxLength", "/a minLength", "/b const", "/a required", "/b required"],
  ],
  [
    "alternatives",
    {
      oneOf: [
        { type: "object", required: ["x"], properties: { x: { type: "integer" } } },
        { type: "array", items: { enum: ["p", "q"] }, minItems: 2 },
      ],
    },
    [" oneOf"],
  ],
  [
    "a map",
    {
      type: "object",
      propertyNames: { pattern: "^[A-Z]{2}$" },
      additionalProperties: { type: "boolean" },
      minProperties: 1,
      maxProperties: 4,
    },
    [" propertyNames", " minProperties", " maxProperties"],
  ],
  [
    "members by pattern",
    {
      type: "object",
      patternProperties: { "^x-": { type: "integer" } },
      additionalProperties: false,
    },
    ["/not_declared_here additionalProperties"],
  ],
  [
    "a list",
    { type: "array", items: { type: "integer", minimum: 0 }, uniqueItems: true, maxItems: 3 },
    [" uniqueItems", " maxItems", "/0 minimum"],
  ],
  [
    "a tuple",
    {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "integer" }],
      items: false,
      minItems: 2,
    },
    [" minItems", "/0 type", "/1 type"],
  ],
  ["what is not", { type: "string", minLength: 1, not: { pattern: "^a" } }, [" minLength"]],
  [
    "what needs another",
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      dependentRequired: { a: ["b"] },
    },
    ["/a type", "/b type"],
  ],
  [
    "what a list has",
    { type: "array", contains: { const: 5 }, items: { type: "integer" } },
    ["/0 type"],
  ],
];

describe.each(schemas)("%s", (_, schema, rules) => {
  const drawing = drawingOf(schema);
  const judge = drawing.judgeAt(pointer);

  test.each(["all", "some", "none"] as const)("is drawn with %s, as Ajv allows it", (optional) => {
    for (const seed of seeds) {
      const drawn = drawing.valueAt(pointer, optional, new Dice(seed));
      expect(drawn, `seed ${seed}`).toBeDefined();
      expect(judge(drawn?.value ?? null)).toEqual([]);
      expect(drawing.valueAt(pointer, optional, new Dice(seed))).toEqual(drawn);
    }
  });

  test("is broken rule by rule", () => {
    const found = new Set(seeds.flatMap((seed) => brokenBy(drawing, seed)));
    expect(rules.filter((rule) => !found.has(rule))).toEqual([]);
  });

  test("is taken on its bounds", () => {
    for (const seed of seeds.slice(0, 3)) {
      const dice = new Dice(seed);
      const whole = drawing.valueAt(pointer, "all", dice)?.value ?? null;
      for (const { value } of boundsIn({ drawing, pointer, dice, isRequest: true }, whole)) {
        expect(judge(value)).toEqual([]);
      }
    }
  });
});

test("a schema that refers to itself comes to an end", () => {
  const tree: JsonObject = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string" },
      left: { $ref: "#/components/schemas/One" },
      right: { $ref: "#/components/schemas/One" },
    },
  };
  const drawn = drawingOf(tree).valueAt(pointer, "all", new Dice(1));
  expect(JSON.stringify(drawn?.value).length).toBeLessThan(100_000);
});

test.each([
  ["properties", { a: true }, "object"],
  ["required", ["a"], "object"],
  ["additionalProperties", { type: "string" }, "object"],
  ["patternProperties", { "^a": true }, "object"],
  ["minProperties", 1, "object"],
  ["maxProperties", 1, "object"],
  ["items", { type: "string" }, "array"],
  ["prefixItems", [{ type: "string" }], "array"],
  ["minItems", 1, "array"],
  ["maxItems", 1, "array"],
  ["pattern", "^a", "string"],
  ["minLength", 1, "string"],
  ["maxLength", 1, "string"],
  ["format", "uuid", "string"],
  ["minimum", 1, "number"],
  ["maximum", 1, "number"],
  ["exclusiveMinimum", 1, "number"],
  ["exclusiveMaximum", 1, "number"],
  ["multipleOf", 2, "number"],
] as const)("without a type, %s says which one is meant", (keyword, value, type) => {
  const drawing = drawingOf({ [keyword]: value as Json });
  const kinds = seeds.map((seed) => {
    const drawn = drawing.valueAt(pointer, "all", new Dice(seed))?.value;
    return Array.isArray(drawn) ? "array" : typeof drawn;
  });
  expect(new Set(kinds)).toEqual(new Set([type]));
});

test("what nobody can be is not drawn", () => {
  expect(
    drawingOf({ allOf: [{ type: "string" }, { type: "integer" }] }).valueAt(
      pointer,
      "all",
      new Dice(1),
    ),
  ).toBeUndefined();
});

test("words of OpenAPI 3.0 are read as they are meant there", () => {
  const number = { type: "integer", minimum: 3, exclusiveMinimum: true, nullable: true };
  const judge = drawingOf(number, {}, "3.0.3").judgeAt(pointer);
  expect([3, 4, null].map((value: Json) => judge(value).map(({ rule }) => rule))).toEqual([
    ["exclusiveMinimum"],
    [],
    [],
  ]);
});

test.each([
  ["number", { minimum: 3 }],
  ["number", { multipleOf: 5 }],
  ["string", { maxLength: 3 }],
  ["string", { pattern: "^a+$" }],
  ["string", { format: "uuid" }],
  ["array", { minItems: 1 }],
  ["array", { items: { type: "string" } }],
  ["object", { properties: { a: { type: "string" } } }],
  ["object", { required: ["a"] }],
  ["object", { maxProperties: 2 }],
] as const)("without a type, the rules say which is meant: %s by %j", (type, schema) => {
  const drawing = drawingOf(structuredClone(schema) as unknown as JsonObject);
  for (const seed of seeds) {
    const value = drawing.valueAt(pointer, "all", new Dice(seed))?.value;
    expect(Array.isArray(value) ? "array" : typeof value).toBe(type);
  }
});

test("nullable says nothing without a type, nor in 3.1, and is a name like any other", () => {
  const one = { nullable: true, properties: { nullable: { type: "string", nullable: true } } };
  for (const [version, nullIsRight] of [
    ["3.0.3", true],
    ["3.1.0", false],
  ] as const) {
    const judge = drawingOf(structuredClone(one), {}, version).judgeAt(pointer);
    expect(judge({ nullable: "x" })).toEqual([]);
    expect(judge({ nullable: null }).length === 0).toBe(nullIsRight);
  }
});

test("a pattern of hundreds of thousands of characters is drawn from a few times", () => {
  const drawing = drawingOf({ type: "string", pattern: "^0x[a-f0-9]{262144}$" });
  expect(drawing.valueAt(pointer, "all", new Dice(1))?.value).toHaveLength(262_146);
});

const digits = (counts: readonly number[], between: readonly string[]): string =>
  counts.map((count, at) => `[0-9]{${count}}${between[at] ?? ""}`).join("");

test.each<[string, string, string]>([
  ["date", "a day", `^${digits([4, 2, 2], ["-", "-"])}$`],
  ["date-time", "a time", `^${digits([4, 2, 2, 2, 2, 2], ["-", "-", "T", ":", ":", "Z"])}$`],
  ["ipv4", "an address", `^${digits([3, 1, 1, 3], ["\\.", "\\.", "\\."])}$`],
])(
  "a text of the format %s that looks like %s is drawn at the first look",
  (format, _, pattern) => {
    const text: JsonObject = { type: "string", format, pattern };
    const names = Array.from({ length: 6 }, (_item, at) => `at${at}`);
    const document: JsonObject = {
      paths: {},
      components: {
        schemas: {
          One: {
            type: "object",
            required: names,
            properties: Object.fromEntries(names.map((name) => [name, text])),
          },
        },
      },
    };
    const judges = buildJudges(document);
    let looks = 0;
    const judgeAt: typeof judges.judgeAt = (place) => {
      const judge = judges.judgeAt(place);
      return (value) => {
        looks += 1;
        return judge(value);
      };
    };
    const drawing = new Drawing(new Contract(document), { ...judges, judgeAt });
    for (const seed of seeds) expect(drawing.valueAt(pointer, "all", new Dice(seed))).toBeDefined();
    expect(looks).toBe(seeds.length);
  },
);

test("a text of a pattern that may read it in many ways is short", () => {
  const pattern = String.raw`^\d+(\.\d+(\.[A-Za-z0-9\-_]+)*)*$`;
  const drawing = drawingOf({ type: "string", pattern });
  for (let seed = 1; seed <= 40; seed++) {
    const drawn = drawing.valueAt(pointer, "all", new Dice(seed));
    expect(JSON.stringify(drawn?.value).length).toBeLessThanOrEqual(16 + 2);
  }
});

test.each<[string, boolean]>([
  ["(a+)*", true],
  ["^x(?:-[a-z]+)+$", true],
  ["((a{2,5}b))*", true],
  ["(a+){2,}", true],
  ["(ab)*c+", false],
  ["(a+)?b*", false],
  ["(a+){0,1}", false],
  ["(a+){3}", false],
  ["[(a+)*]+", false],
  ["\\(a+\\)*", false],
])("%s repeats what is repeated: %s", (pattern, isSo) => {
  expect(repeatsRepetitions(pattern)).toBe(isSo);
});

test.each([
  ["2020-01-01T10:00:00Z", true],
  ["2020-01-01t10:00:00.5+01:00", true],
  ["2020-01-01 10:00:00Z", false],
  ["2020-01-01\n10:00:00Z", false],
  ["2020-01-01", false],
])("%j is a time as RFC 3339 writes it: %s", (text, isSo) => {
  const judge = drawingOf({ type: "string", format: "date-time" }).judgeAt(pointer);
  expect(judge(text).length === 0).toBe(isSo);
});

test("times are compared, as Ajv does it by a word of its own", () => {
  const schema = { type: "string", format: "date-time", formatMinimum: "2020-01-01T00:00:00Z" };
  const judge = drawingOf(schema).judgeAt(pointer);
  expect(judge("2020-01-01T01:00:00+02:00")).toEqual([{ pointer: "", rule: "formatMinimum" }]);
  expect(judge("2020-01-01T01:00:00Z")).toEqual([]);
});

test("a text of a pattern and a time has its T", () => {
  const pattern = "^2020-01-1[1-9](?: 10:00:00Z|T10:00:00[+]00:00)$";
  const wish = { patterns: [pattern], format: "date-time", minLength: 0, maxLength: 100 };
  for (const seed of seeds) {
    expect(drawText(wish, new Dice(seed))).toContain("T");
  }
});

test("a component is found by its name, however a reference writes it", () => {
  const text = { type: "string" };
  const at = (properties: JsonObject): JsonObject => ({ properties: { a: { properties } } });
  const document: JsonObject = {
    openapi: "3.1.0",
    paths: {},
    components: {
      schemas: {
        "Odd /one": at({ x: text }),
        "Key /one": { ...text, writeOnly: true },
        One: { allOf: [{ $ref: "#/components/schemas/Odd%20~1one" }, at({ y: text })] },
        Two: {
          required: ["key"],
          properties: { key: { $ref: "#/components/schemas/Key%20~1one" } },
        },
      },
    },
  };
  const judges = buildJudges(document);
  // the two members describe `a` together
  expect(judges.judgeAnswerAt(pointer)({ a: { x: "x", y: "y" } })).toEqual([]);
  expect(judges.judgeAnswerAt("/components/schemas/Two")({})).toEqual([]);
});
