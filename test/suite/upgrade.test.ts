// Documents of OpenAPI 3.0 in the words of 3.1, as the judges of a suite read them.

import { expect, test } from "vitest";
import type { Json } from "../../generator/suite/json.ts";
import { upgrade } from "../../generator/suite/upgrade.ts";

function upgraded(schema: Json, openapi = "3.0.3"): Json | undefined {
  return upgrade({ openapi, schema })["schema"];
}

test.for<[string, Json, Json]>([
  [
    "a nullable type has null beside it",
    { type: "string", nullable: true },
    { type: ["string", "null"] },
  ],
  [
    "an enum lists null itself",
    { type: "string", nullable: true, enum: ["a"] },
    { type: ["string", "null"], enum: ["a"] },
  ],
  [
    "nullable says nothing without a type",
    { nullable: true, allOf: [{ type: "string" }] },
    { allOf: [{ type: "string" }] },
  ],
  [
    "a bound may be exclusive without a type",
    { minimum: 1, exclusiveMinimum: true },
    { exclusiveMinimum: 1 },
  ],
  ["a bound that is not exclusive stays", { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
  ["beside a reference nothing counts", { $ref: "#/a", nullable: true }, { $ref: "#/a" }],
  [
    "a property may be called nullable",
    { properties: { nullable: { type: "string", nullable: true } } },
    { properties: { nullable: { type: ["string", "null"] } } },
  ],
  [
    "values are somebody's data",
    {
      default: { nullable: true },
      enum: [{ nullable: true }],
      example: { nullable: true, minimum: 1, exclusiveMinimum: true },
      properties: { default: { nullable: true } },
    },
    {
      default: { nullable: true },
      enum: [{ nullable: true }],
      example: { nullable: true, minimum: 1, exclusiveMinimum: true },
      properties: { default: {} },
    },
  ],
])("of 3.0, %s", ([, schema, expected]) => {
  expect(upgraded(schema)).toEqual(expected);
});

test("of 3.1 only nullable is left out", () => {
  const schema = { type: "integer", nullable: true, exclusiveMinimum: 1 };
  expect(upgraded(schema, "3.1.0")).toEqual({ type: "integer", exclusiveMinimum: 1 });
  const data = { const: { nullable: true, $ref: "100%" }, examples: [{ nullable: true }] };
  expect(upgraded(data, "3.1.0")).toEqual(data);
});

test.each([
  ["3.0.3", "#/components/schemas/100%", "#/components/schemas/100%25"],
  ["3.1.0", "#/components/schemas/100%", "#/components/schemas/100%25"],
  ["3.1.0", "#/components/schemas/%e4%", "#/components/schemas/%25e4%25"],
  ["3.1.0", "#/components/schemas/a%20b", "#/components/schemas/a%20b"],
])("of %s the reference %s is written %s", (openapi, reference, expected) => {
  expect(upgraded({ $ref: reference }, openapi)).toEqual({ $ref: expected });
});
