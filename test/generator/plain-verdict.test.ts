// Where a verdict is plain, it is Ajv's.

import fc from "fast-check";
import { expect, test } from "vitest";
import { plainJudge } from "../../generator/check/plain-verdict.ts";
import { isObject, type Json } from "../../generator/json.ts";
import { compileOracle } from "./validation/oracle.ts";
import { formatSamples } from "./validation/format-samples.ts";
import { subjects } from "./validation/schema-arbitrary.ts";
import { valuesFor } from "./validation/value-arbitraries.ts";

const schemas = 600;
const valuesEach = 12;

/** Ajv divides, and we look at decimals: whichever of the two, a large number is no matter of this test. */
function isLarge(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isLarge);
  if (isObject(value)) return Object.values(value).some(isLarge);
  return typeof value === "number" && Math.abs(value) > 2 ** 31;
}

test("of schemas and values that are drawn", () => {
  const seen = { true: 0, false: 0, undefined: 0 };
  const cases = subjects.chain((subject) => {
    const values = fc.array(valuesFor(subject), { minLength: valuesEach, maxLength: valuesEach });
    return fc.tuple(fc.constant(subject), values);
  });
  fc.assert(
    fc.property(cases, ([subject, values]) => {
      const judge = plainJudge({ components: { schemas: subject.components ?? {} } });
      const oracle = compileOracle(subject);
      for (const value of values.filter((one) => !isLarge(one))) {
        const verdict = judge(subject.schema, value);
        seen[`${verdict}`] += 1;
        const said = verdict === undefined ? undefined : oracle(value);
        if (said !== undefined) expect({ value, verdict }).toEqual({ value, verdict: said });
      }
    }),
    { numRuns: schemas },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan((schemas * valuesEach) / 20);
});

const texts = fc.oneof(
  fc.constantFrom(...Object.values(formatSamples).flatMap(({ good, bad }) => [...good, ...bad])),
  fc.stringMatching(/^[a-z\d.@:/T?=&_+-]{0,24}$/),
  fc.stringMatching(/^https?:\/\/[a-z.-]{0,9}(?:\/[\w./-]{0,5})?(?:\?[\w=&]{0,5})?$/),
  fc.stringMatching(/^(?:19|20)\d\d-[01]\d-[0-3]\d(?:T[0-2]\d:[0-6]\d:[0-6]\d(?:\.\d{1,9})?Z)?$/),
  fc.stringMatching(/^[a-z\d._+-]{1,6}@[a-z\d.-]{1,9}$/),
  fc.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/),
  fc.stringMatching(/^\d{1,3}(?:\.\d{1,3}){3}$/),
);

test.each(["date-time", "date", "uuid", "uri", "uri-reference", "email", "ipv4", "int32", "int64"])(
  "of texts and numbers that may be of the format %s",
  (format) => {
    const judge = plainJudge({});
    const oracle = compileOracle({ schema: { format } });
    let decided = 0;
    fc.assert(
      fc.property(fc.oneof(texts, fc.integer()), (value) => {
        const verdict = judge({ format }, value);
        if (verdict === undefined) return;
        decided += 1;
        expect(verdict).toBe(oracle(value));
      }),
      { numRuns: 1_000 },
    );
    expect(decided).toBeGreaterThan(20);
  },
);

test("circles without a value between them, and what is unknown, have no verdict", () => {
  const one = { $ref: "#/components/schemas/A" };
  expect(plainJudge({ components: { schemas: { A: { allOf: [one] } } } })(one, 1)).toBe(undefined);
  expect(plainJudge({})(one, 1)).toBe(undefined);
  expect(plainJudge({})({ unevaluatedProperties: false }, {})).toBe(undefined);
  expect(plainJudge({})({ pattern: "(" }, "a")).toBe(undefined);
});

test("where there are many ways through a schema, it ends", () => {
  const kinds = Array.from({ length: 12 }, (_, index) => `kind${index}`);
  const children = { type: "array", items: { $ref: "#/components/schemas/Node" } };
  const oneOf = kinds.map((kind) => ({
    properties: { children, kind: { const: kind } },
    required: ["kind"],
  }));
  const deep = (depth: number): Json => ({
    kind: "kind11",
    children: depth === 0 ? [] : [deep(depth - 1)],
  });
  const judge = plainJudge({ components: { schemas: { Node: { oneOf } } } });
  expect(judge({ $ref: "#/components/schemas/Node" }, deep(1))).toBe(true);
  expect(judge({ $ref: "#/components/schemas/Node" }, deep(20))).toBe(undefined);
  const chain = Array.from({ length: 25 }, (_, index) => {
    const next = { $ref: `#/components/schemas/A${index + 1}` };
    return [`A${index}`, { anyOf: [next, next] }] as const;
  });
  const schemas = { ...Object.fromEntries(chain), A25: { type: "number" } };
  const chained = plainJudge({ components: { schemas } });
  expect(chained({ $ref: "#/components/schemas/A0" }, 1)).toBe(true);
  expect(chained({ $ref: "#/components/schemas/A0" }, "x")).toBe(undefined);
  const many = Array.from({ length: 20_000 }, (_, index) => `${index}`);
  expect(judge({ uniqueItems: true }, many)).toBe(undefined);
});
