// Random schemas: a small grammar of everything the generator supports.

import fc from "fast-check";
import type { Json, JsonObject } from "../../../generator/json.ts";
import type { Subject } from "../../../generator/conformance/compile.ts";

type Schemas = fc.Arbitrary<Json>;

// "__proto__" as a declared name is in hostile-names.test.ts: Ajv does not know it
const names = fc.constantFrom("a", "b", "c", "ab", "constructor", "toString", "a/b");
const counts = fc.nat({ max: 3 });
const scalars: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  0,
  1,
  -1,
  2.5,
  "",
  "a",
  "ab",
  true,
  false,
  null,
);
const constants = fc.oneof(
  { weight: 4, arbitrary: scalars },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json[]>({ a: 1 }, { b: "a", a: [1] }, [], [1, "a"], [[]], {}),
  },
);
const patterns = fc.constantFrom("^a", "b$", "^[a-c]+$", "^\\p{Lu}", "^.{2}$", "[0-9]", "^$");
const typeNames = ["string", "number", "integer", "boolean", "null", "array", "object"];
const types: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...typeNames) },
  { weight: 1, arbitrary: fc.subarray(typeNames, { minLength: 1 }) },
);

/** Any of the keywords, often none of them. */
function some(keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  // each arbitrary of the record gives JSON
  return fc.record(keywords, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

function mapOf(items: Schemas, keys: fc.Arbitrary<string> = names): fc.Arbitrary<JsonObject> {
  const entry = fc.tuple(keys, items);
  return fc
    .array(entry, { minLength: 1, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
}

const nameLists = fc.uniqueArray(names, { minLength: 1, maxLength: 3 });
const multiples = fc.constantFrom(1, 2, 3, 0.5, 0.25);
const formats = fc.constantFrom("date", "uuid", "ipv4", "int32", "int64", "unheard-of");

/** Keywords that speak of one type and need no schema below. */
const plainKeywords: readonly fc.Arbitrary<JsonObject>[] = [
  some({ minLength: counts, maxLength: counts, pattern: patterns, format: formats }),
  some({ minimum: counts, maximum: counts, exclusiveMinimum: counts, exclusiveMaximum: counts }),
  some({ multipleOf: multiples, minimum: fc.constantFrom(-1, 0.5) }),
  some({ minItems: counts, maxItems: counts, uniqueItems: fc.boolean() }),
  some({ required: nameLists, minProperties: counts, maxProperties: counts }),
  some({ dependentRequired: mapOf(nameLists.map((list): Json => list)) }),
  some({ const: constants }),
  some({
    enum: fc.uniqueArray(constants, { minLength: 1, maxLength: 4, selector: JSON.stringify }),
  }),
];

/** Keywords whose values stand inside the value: a reference to itself is harmless below them. */
function innerKeywords(schema: Schemas): fc.Arbitrary<JsonObject>[] {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  return [
    some({ items: schema, prefixItems: list }),
    some({ items: schema, minItems: counts }),
    fc.record(
      { contains: schema, minContains: counts, maxContains: counts },
      { requiredKeys: ["contains"] },
    ),
    some({ properties: mapOf(schema), required: nameLists, additionalProperties: schema }),
    some({ properties: mapOf(schema), additionalProperties: fc.boolean() }),
    some({ properties: mapOf(schema), patternProperties: mapOf(schema, patterns) }),
    some({ additionalProperties: schema, propertyNames: plainSchema }),
  ];
}

/** Keywords that apply a schema to the same value once more. */
function outerKeywords(schema: Schemas): fc.Arbitrary<JsonObject>[] {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  return [
    some({ allOf: list }),
    some({ anyOf: list }),
    some({ oneOf: list }),
    some({ not: schema }),
    fc.record(
      { if: schema, then: schema, else: schema },
      { requiredKeys: ["if", "then"] },
    ) as fc.Arbitrary<JsonObject>,
    some({ dependentSchemas: mapOf(schema) }),
    fc.record({ allOf: list, unevaluatedProperties: fc.constant(false) }),
    fc.record({ anyOf: list, unevaluatedProperties: schema }),
  ];
}

function mix(parts: readonly fc.Arbitrary<JsonObject>[]): Schemas {
  const typed = fc.tuple(some({ type: types }), fc.oneof(...parts), fc.oneof(...parts));
  const merged: Schemas = typed.map(([type, one, other]) => ({ ...type, ...one, ...other }));
  return fc.oneof({ weight: 12, arbitrary: merged }, { weight: 1, arbitrary: fc.boolean() });
}

const plainSchema: Schemas = mix([some({ type: types }), ...plainKeywords]);

function grammar(leaves: readonly Schemas[]): { inner: Schemas; any: Schemas } {
  return fc.letrec<{ inner: Schemas extends fc.Arbitrary<infer T> ? T : never; any: Json }>(
    (tie) => ({
      any: fc.oneof(
        { maxDepth: 3, depthSize: "small", withCrossShrink: true },
        plainSchema,
        ...leaves,
        mix([...plainKeywords, ...innerKeywords(tie("any")), ...outerKeywords(tie("any"))]),
      ),
      inner: mix([...plainKeywords, ...innerKeywords(tie("any"))]),
    }),
  );
}

const references: Schemas = fc
  .constantFrom("A", "B")
  .map((name) => ({ $ref: `#/components/schemas/${name}` }));
const referring = grammar([references]);

/** A schema and two components, which may refer to each other from inside. */
export const subjects: fc.Arbitrary<Subject> = fc.record({
  schema: referring.any,
  components: fc.record({ A: referring.inner, B: referring.inner }),
});
