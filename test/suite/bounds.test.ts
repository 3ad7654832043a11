// Which values the suite makes of a bound, and that it breaks a rule in each of the ways it has.

import { describe, expect, test } from "vitest";
import { boundsIn } from "../../generator/suite/bounds.ts";
import { breaksIn, type BreakWish } from "../../generator/suite/breaking.ts";
import { Contract } from "../../generator/suite/contract.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { schemaPlace } from "../../generator/suite/flat.ts";
import { Drawing } from "../../generator/suite/drawing.ts";
import type { Json, JsonObject } from "../../generator/suite/json.ts";
import { buildJudges } from "../../generator/suite/schemas.ts";

const pointer = "/components/schemas/One";

function wishFor(One: JsonObject): BreakWish {
  const document = { openapi: "3.1.0", paths: {}, components: { schemas: { One } } };
  const drawing = new Drawing(new Contract(document), buildJudges(document));
  return { drawing, pointer, dice: new Dice(1), isRequest: true };
}

const [most, int32] = [9_007_199_254_740_991, 2_147_483_647];
const map: JsonObject = { type: "object", additionalProperties: { type: "integer" } };

type Bounds = Readonly<Record<string, Json>>;

describe.each<[string, [JsonObject, Json], Bounds]>([
  [
    "a text, counted in code points",
    [{ type: "string", minLength: 2, maxLength: 4 }, "abc"],
    { "minLength of code points": "😀😀", "maxLength of code points": "😀😀😀😀" },
  ],
  [
    "a text of which only a part may be any",
    [{ type: "string", pattern: "^a", maxLength: 4 }, "ab"],
    { "maxLength of code points": "ab😀😀" },
  ],
  [
    "an integer",
    [{ type: "integer" }, 1],
    { "is the largest integer": most, "is the smallest integer": -most },
  ],
  [
    "an integer of 32 bits",
    [{ type: "integer", format: "int32" }, 1],
    { "is the largest integer": int32, "is the smallest integer": -int32 - 1 },
  ],
  [
    "a map",
    [{ ...map, maxProperties: 3 }, { one: 1 }],
    {
      minProperties: {},
      maxProperties: { one: 1, more0: 1, more1: 1 },
      'has the member "__proto__"': JSON.parse('{ "one": 1, "__proto__": 1 }') as Json,
      'has the member ""': { one: 1, "": 1 },
      'has the member "a/b"': { one: 1, "a/b": 1 },
    },
  ],
  [
    "a map with members that must be there",
    [
      { ...map, properties: { own: { type: "integer" } }, required: ["own"], minProperties: 2 },
      { other: 1, own: 2, more: 3 },
    ],
    { minProperties: { own: 2, other: 1 } },
  ],
])("%s", (_, [schema, whole], expected) => {
  const found = boundsIn(wishFor(schema), whole);
  test.each(Object.entries(expected))("%s", (name, value) => {
    expect(found).toContainEqual({ name: ` ${name}`, value });
  });
});

test("an integer with a maximum has no larger one, and a closed object no odd member", () => {
  const names = (schema: JsonObject, whole: Json) =>
    boundsIn(wishFor(schema), whole).map(({ name }) => name);
  expect(names({ type: "integer", minimum: 0, maximum: 9 }, 1)).toEqual([" minimum", " maximum"]);
  expect(names({ type: "object", additionalProperties: false }, {})).toEqual([]);
});

test.each<[string, JsonObject]>([
  ["without bounds", {}],
  ["of which the bounds are too large for a fraction", { minimum: -most, maximum: most }],
])("an integer %s is broken by another type and by a fraction", (_, more) => {
  const { broken, unbroken } = breaksIn(wishFor({ type: "integer", ...more }), 5);
  const types = broken.filter(({ rule }) => rule === "type");
  expect(unbroken).toEqual([]);
  expect(types.map(({ value }) => typeof value)).toEqual(["string", "number"]);
  expect(new Set(types.map(({ place }) => place)).size).toBe(2);
});

describe("a list that would have more than a million characters", () => {
  const items = { type: "string", minLength: 100_000 };
  const schema: JsonObject = {
    type: "object",
    properties: { blobs: { type: "array", items, maxItems: 900 } },
  };
  const whole = { blobs: ["x".repeat(100_000)] };

  test("is not made, and whoever asks is told of it", () => {
    const told: string[] = [];
    const leaveOut = (name: string): void => void told.push(name);
    const found = boundsIn({ ...wishFor(schema), leaveOut }, whole);
    expect(told).toEqual(["/blobs maxItems"]);
    expect(found.map(({ name }) => name)).not.toContain("/blobs maxItems");
  });

  test("is broken by another one, which is small", () => {
    const { broken, unbroken } = breaksIn(wishFor(schema), whole);
    const long = broken.find(({ rule }) => rule === "maxItems");
    expect(unbroken).toEqual([]);
    expect(long?.pointer).toBe("/blobs");
    expect(JSON.stringify(long?.value).length).toBeLessThan(10_000);
  });

  test("ends while its items are drawn", () => {
    const { drawing, dice } = wishFor({ type: "array", items: { ...items, minLength: 1_000_000 } });
    const flat = drawing.flatOf([schemaPlace(drawing.contract, pointer)], []);
    expect(drawing.itemsFor(flat, 50, dice).length).toBeLessThan(3);
  });
});

test("a list of different items that are not to be had is on no bound", () => {
  const items = { enum: ["a", "b"] };
  const found = boundsIn(wishFor({ type: "array", uniqueItems: true, maxItems: 5, items }), ["a"]);
  expect(found.map(({ name }) => name)).not.toContain(" maxItems");
});

test("a map that would have more than a million characters is not made", () => {
  const long = { type: "string", minLength: 100_000 };
  const schema = { type: "object", additionalProperties: long, maxProperties: 900 };
  const told: string[] = [];
  const wish = { ...wishFor(schema), leaveOut: (name: string) => void told.push(name) };
  const whole = { one: "x".repeat(100_000) };
  const found = boundsIn(wish, whole);
  expect(found.map(({ name }) => name)).not.toContain(" maxProperties");
  expect(breaksIn(wish, whole).unbroken).toEqual([" maxProperties"]);
  expect(told).toEqual([" maxProperties", " maxProperties"]);
});

test("an integer on a bound is one that doubles have exactly", () => {
  const bounds = { minimum: -(2 ** 63), maximum: 2 ** 63 };
  const names = (schema: JsonObject) => boundsIn(wishFor(schema), 1).map(({ name }) => name);
  expect(names({ type: "integer", ...bounds })).toEqual([
    " is the largest integer",
    " is the smallest integer",
  ]);
  for (const type of [{ type: "number" }, {}])
    expect(names({ ...type, ...bounds })).toEqual(expect.arrayContaining([" minimum", " maximum"]));
});
