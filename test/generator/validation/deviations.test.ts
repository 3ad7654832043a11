// Where the generated validation and Ajv are known to differ, each place asserted for both: first
// what is decided otherwise on purpose, then what Ajv gets wrong.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../generator/json.ts";
import { compileSchema, type Subject } from "../../../generator/conformance/compile.ts";
import { compileBareOracle } from "./oracle.ts";

interface Deviation extends Subject {
  readonly name: string;
  readonly value: Json;
  readonly ours: boolean;
}

/** `JSON.parse` makes "__proto__" a property like any other; a literal would set the prototype. */
const parsed = (text: string): Json => JSON.parse(text) as Json;
const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

function expectDeviation({ ours, value, ...subject }: Deviation): void {
  const { valid, problems } = compileSchema(subject);
  const verdicts = { ours: valid(value), reported: problems(value).length > 0 };
  expect({ ...verdicts, ajv: compileBareOracle(subject)(value) }).toEqual({
    ours,
    reported: !ours,
    ajv: !ours,
  });
}

describe("decided otherwise than Ajv", () => {
  const integer: Json = { type: "integer" };
  const int64: Json = { type: "integer", format: "int64" };
  // a JavaScript number would silently have become another value
  test.each([
    { name: "2^53", schema: integer, value: 2 ** 53, ours: false },
    { name: "-2^53", schema: integer, value: -(2 ** 53), ours: false },
    { name: "2^63-1", schema: int64, value: parsed("9223372036854775807"), ours: false },
    { name: "1e300", schema: integer, value: 1e300, ours: false },
  ])("an integer beyond 2^53-1 is refused: $name", expectDeviation);

  // a divisor is the decimal that the contract writes, not the binary number next to it
  test.each([
    { name: "0.3 of 0.1", schema: { multipleOf: 0.1 }, value: 0.3, ours: true },
    { name: "19.99 of 0.01", schema: { multipleOf: 0.01 }, value: 19.99, ours: true },
    { name: "1.13 of 0.01", schema: { multipleOf: 0.01 }, value: 1.13, ours: true },
    { name: "1e308 of 0.5", schema: { multipleOf: 0.5 }, value: 1e308, ours: true },
    { name: "5e-324 of 3", schema: { multipleOf: 3 }, value: 5e-324, ours: false },
  ])("multipleOf is exact on decimals: $name", expectDeviation);

  test("multipleOf is exact on any decimal", () => {
    const divisors = [0.1, 0.01, 0.001, 0.05, 0.25, 1.1, 7, 0.000003];
    const checks = divisors.map((multipleOf) => compileSchema({ schema: { multipleOf } }));
    const digits = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    const places = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(digits, places, fc.nat({ max: divisors.length - 1 }), (count, shift, at) => {
        const millionths = BigInt(count) * 10n ** BigInt(6 - shift);
        const divisor = BigInt(Math.round((divisors[at] ?? 1) * 1e6));
        const value = Number(`${count}e-${shift}`);
        expect({ value, valid: checks[at]?.valid(value) }).toEqual({
          value,
          valid: millionths % divisor === 0n,
        });
      }),
      { numRuns: 1000 },
    );
  });

  // a tag that names no member is refused even where a member would not mind
  const untagged: Json = { type: "object", properties: { a: { type: "integer" } } };
  const discriminated: Subject = {
    schema: {
      oneOf: [reference("Cat"), reference("Dog")],
      discriminator: {
        propertyName: "kind",
        mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
      },
    },
    components: {
      Cat: { ...untagged, required: ["claws"] },
      Dog: { ...untagged, required: ["tail"] },
    },
  };
  test.each([
    { name: "no tag", value: { claws: 1 }, ours: false },
    { name: "a tag of nobody", value: { claws: 1, kind: "bird" }, ours: false },
    { name: "the tag of the other", value: { claws: 1, kind: "dog" }, ours: false },
    { name: "a tag that settles a tie", value: { claws: 1, tail: 1, kind: "dog" }, ours: true },
  ])("a discriminator chooses the one schema: $name", (one) => {
    expectDeviation({ ...discriminated, ...one });
  });

  // OpenAPI 3.2.0, section 4.25.3
  const withFallback: Subject = {
    ...discriminated,
    schema: {
      oneOf: [reference("Cat"), reference("Dog")],
      discriminator: { propertyName: "kind", defaultMapping: "#/components/schemas/Cat" },
    },
  };
  test.each([
    { name: "no tag", value: { tail: 1 }, ours: false },
    { name: "a tag of nobody", value: { tail: 1, kind: "bird" }, ours: false },
    { name: "a tag that is no text", value: { claws: 1, tail: 1, kind: 7 }, ours: true },
    { name: "no tag to settle a tie", value: { claws: 1, tail: 1 }, ours: true },
    { name: "the tag of the other", value: { claws: 1, kind: "Dog" }, ours: false },
  ])("where a tag chooses nothing the schema for that is asked: $name", (one) => {
    expectDeviation({ ...withFallback, ...one });
  });
});

describe("the generated validation and Ajv agree on the same places elsewhere", () => {
  test.each<Deviation>([
    { name: "2^53-1", schema: { type: "integer" }, value: 2 ** 53 - 1, ours: true },
    { name: "1.0", schema: { type: "integer" }, value: parsed("1.0"), ours: true },
    { name: "1e2", schema: { type: "integer" }, value: parsed("1e2"), ours: true },
    { name: "a number beyond 2^53", schema: { type: "number" }, value: 2 ** 60, ours: true },
    { name: "0.35 of 0.1", schema: { multipleOf: 0.1 }, value: 0.35, ours: false },
    { name: "0.0075 of 0.0001", schema: { multipleOf: 0.0001 }, value: 0.0075, ours: true },
    { name: "-4.5 of 1.5", schema: { multipleOf: 1.5 }, value: -4.5, ours: true },
    { name: "0 of 7", schema: { multipleOf: 7 }, value: -0, ours: true },
  ])("$name", ({ value, ours, ...subject }) => {
    expect([compileSchema(subject).valid(value), compileBareOracle(subject)(value)]).toEqual([
      ours,
      ours,
    ]);
  });
});

describe("Ajv is wrong", () => {
  const seen: Json = {
    anyOf: [{ properties: { a: { type: "integer" } }, required: ["a"] }],
    unevaluatedProperties: false,
  };
  test.each<Deviation>([
    {
      name: "inherited members pass for properties that were looked at",
      schema: seen,
      value: { a: 1, constructor: 1 },
      ours: false,
    },
    {
      name: "what a failing alternative has looked at by a pattern is evaluated",
      schema: {
        anyOf: [true, { patternProperties: { "[0-9]": { maximum: 0 } } }],
        unevaluatedProperties: { maximum: 0 },
      },
      value: parsed(`{"0":1}`),
      ours: false,
    },
    {
      name: "what a failing condition has looked at is evaluated",
      schema: {
        if: { additionalProperties: false },
        else: { pattern: "^a" },
        unevaluatedProperties: false,
      },
      value: { a: 1 },
      ours: false,
    },
    {
      name: "so are the items that a failing condition has looked at",
      schema: {
        if: { items: { type: "string" } },
        then: { maximum: 1 },
        unevaluatedItems: false,
      },
      value: [1],
      ours: false,
    },
    {
      name: "an empty array contains something, beside prefixItems",
      schema: { contains: { const: 1 }, prefixItems: [true, { type: "string" }] },
      value: [],
      ours: false,
    },
    {
      name: "so does any array that has not all of prefixItems",
      schema: { contains: { maximum: 0 }, prefixItems: [true, { type: "string" }] },
      value: [1],
      ours: false,
    },
    {
      name: "a property called __proto__ is not checked",
      schema: { properties: parsed('{"__proto__":{"type":"integer"}}') },
      value: parsed('{"__proto__":"text"}'),
      ours: false,
    },
    {
      name: "a declared __proto__ is unknown to a closed object",
      schema: {
        properties: parsed('{"__proto__":{"type":"integer"}}'),
        additionalProperties: false,
      },
      value: parsed('{"__proto__":1}'),
      ours: true,
    },
  ])("$name", expectDeviation);

  test("objects with a toString of their own cannot be compared", () => {
    const subject: Subject = { schema: { enum: [{ toString: 1 }] } };
    const value: Json = { toString: 1 };
    expect(() => compileBareOracle(subject)(value)).toThrow(/is not a function/);
    expect(compileSchema(subject).valid(value)).toBe(true);
    expect(compileSchema(subject).valid({ toString: 2 })).toBe(false);
  });

  test("properties that one way of an anyOf has evaluated, and another not, are noted nowhere", () => {
    const subject: Subject = {
      schema: {
        anyOf: [reference("A"), reference("B")],
        patternProperties: { "^a": {} },
        unevaluatedProperties: false,
      },
      components: { A: { required: ["a"], additionalProperties: {} }, B: true },
    };
    expect(() => compileBareOracle(subject)({ "a/b": null })).toThrow(TypeError);
    expect(compileSchema(subject).valid({ "a/b": null })).toBe(true);
    expect(compileSchema(subject).valid({ b: null })).toBe(false);
    expect(compileSchema(subject).valid({ a: 1, b: null })).toBe(true);
  });
});
