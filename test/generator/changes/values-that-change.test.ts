// Values as the judge: whatever one of two drawn schemas takes and the other refuses, by Ajv, is told to those whom it
// breaks. Not drawn is what is left open on purpose: properties that come and go, and alternatives that overlap.

import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareRevisions } from "../../../generator/changes/compare.ts";
import type { Direction, Party } from "../../../generator/changes/judgement.ts";
import { readRevision, type Revision } from "../../../generator/changes/revision.ts";
import type { Json, JsonObject } from "../../../generator/json.ts";
import { contractOf } from "./schema-pairs.ts";

const ajv = new Ajv2020({ strict: false });
const notice = { today: "2026-07-01", months: 12 };

const text: fc.Arbitrary<JsonObject> = fc.record(
  {
    type: fc.constant("string"),
    minLength: fc.integer({ min: 1, max: 3 }),
    maxLength: fc.integer({ min: 3, max: 5 }),
  },
  { requiredKeys: ["type"] },
);

const number: fc.Arbitrary<JsonObject> = fc.record(
  {
    type: fc.constantFrom<Json[]>("integer", "number", ["integer", "null"]),
    minimum: fc.integer({ min: -1, max: 2 }),
    maximum: fc.integer({ min: 2, max: 4 }),
    multipleOf: fc.constantFrom(2, 3),
  },
  { requiredKeys: ["type"] },
);

const words: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.subarray<Json>(["a", "ab", "abc", 1, null], { minLength: 1 }),
    fc.constantFrom<JsonObject[]>({}, { type: "string" }, { type: ["string", "null"] }),
  )
  .map(([values, type]) => ({ ...type, enum: values }));

/** Null or one or several ways, beside a bound that is theirs as well. */
const absent = fc
  .tuple(
    fc.oneof(text, fc.constant<JsonObject>({ oneOf: [{ type: "string" }, { type: "boolean" }] })),
    fc.boolean(),
    fc.integer({ min: 2, max: 5 }),
  )
  .map(([one, isNull, maxLength]): JsonObject => ({
    maxLength,
    anyOf: isNull ? [one, { type: "null" }] : [one],
  }));

const leaf = fc.oneof(text, number, words, absent);

const object = fc
  .tuple(leaf, leaf, fc.subarray(["a", "b"]), fc.boolean())
  .map(([a, b, required, isClosed]): JsonObject => {
    const closed = isClosed ? { additionalProperties: false } : {};
    return { type: "object", properties: { a, b }, required, ...closed };
  });

const either = fc.tuple(text, number).map((anyOf): JsonObject => ({ anyOf }));

const schema = fc.oneof(
  leaf,
  object,
  either,
  leaf.map((items): JsonObject => ({ type: "array", items })),
  fc.oneof(fc.tuple(text, text), fc.tuple(number, number)).map((allOf): JsonObject => ({ allOf })),
);

const leaves: readonly Json[] = [
  "",
  "a",
  "ab",
  "abc",
  "abcd",
  -1,
  0,
  1,
  1.5,
  2,
  3,
  4,
  6,
  null,
  true,
];
const values: readonly Json[] = [
  ...leaves,
  ...leaves.map((value) => [value]),
  ...leaves.flatMap((value) => [{ a: value, b: "a" }, { a: 1, b: value }, { a: value }]),
  [],
  {},
  { a: 1, b: 1, z: 1 },
];

function revisionOf(schema: JsonObject): Revision {
  const bytes = Buffer.from(JSON.stringify(contractOf(schema)));
  return readRevision("/contract.json", { read: () => bytes, shown: () => "contract.json" });
}

test("what one schema takes and the other refuses is told of", () => {
  fc.assert(
    fc.property(schema, schema, (one, other) => {
      const [before, after] = [ajv.compile(one), ajv.compile(other)];
      const lost = values.filter((value) => before(value) && !after(value));
      const gained = values.filter((value) => !before(value) && after(value));
      const pair = { base: revisionOf(one), head: revisionOf(other) };
      const found = compareRevisions(pair, { extensions: [], notice });
      const isTold = (direction: Direction, party: Party): boolean =>
        found.some(
          ({ rule, [party]: { severity } }) => rule.startsWith(direction) && severity !== "info",
        );
      if (lost.length > 0) {
        expect([lost[0], isTold("request", "clients"), isTold("response", "servers")]).toEqual([
          lost[0],
          true,
          true,
        ]);
      }
      if (gained.length > 0) {
        expect([gained[0], isTold("response", "clients"), isTold("request", "servers")]).toEqual([
          gained[0],
          true,
          true,
        ]);
      }
    }),
    { numRuns: 300 },
  );
});
