// Contracts as people could write them: whatever a schema is made of speaks of values of one type.

import fc from "fast-check";
import type { Json, JsonObject } from "../../../generator/json.ts";

/** Names of properties and parameters; some are what every JavaScript object has. */
const names = fc.constantFrom(
  "id",
  "kind",
  "x-y",
  "a b",
  "constructor",
  "toString",
  "__proto__",
  "1",
);

const types = ["string", "number", "integer", "boolean", "array", "object"] as const;
type Type = (typeof types)[number];

/** Once in so many times. */
function maybe<T>(arbitrary: fc.Arbitrary<T>, times = 5): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: times - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  );
}

/** Without what is undefined. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

const values: Readonly<Record<Type, fc.Arbitrary<Json>>> = {
  string: fc.constantFrom("a", "b", "ö", 'it\'s "c"', "1"),
  number: fc.constantFrom(0, 1.5, -2, 1e21),
  integer: fc.constantFrom(0, 1, -7),
  boolean: fc.boolean(),
  array: fc.constantFrom<Json>([], ["a"]),
  object: fc.constantFrom<Json>({}, { id: "a" }),
};

/** What no type can say. */
const bounds: Readonly<Record<Type, fc.Arbitrary<JsonObject>>> = {
  string: fc.constantFrom({ minLength: 1 }, { pattern: "^[a-z]" }, { format: "uuid" }),
  number: fc.constantFrom({ minimum: 0 }, { multipleOf: 0.5 }),
  integer: fc.constantFrom({ exclusiveMaximum: 9 }, { format: "int64" }),
  boolean: fc.constant({}),
  array: fc.constantFrom({ minItems: 1 }, { uniqueItems: true }),
  object: fc.constantFrom(
    { minProperties: 1 },
    { required: ["id"] },
    { propertyNames: { maxLength: 9 } },
  ),
};

const schemaOf = memoized((type: Type, depth: number): fc.Arbitrary<JsonObject> => {
  const reference = fc.constant<JsonObject>({ $ref: `#/components/schemas/Any_${type}` });
  if (depth === 0) return fc.oneof(fc.constant<JsonObject>({ type }), reference);
  const same = fc.oneof(schemaOf(type, depth - 1), bounds[type]);
  const several = fc.array(same, { minLength: 1, maxLength: 3 });
  const schema = fc
    .tuple(
      fc.record({
        type: fc.constantFrom<Json>(type, type, type, [type], [type, "null"]),
        description: maybe(fc.constantFrom("One.", "Two\nlines", "*/")),
        enum: maybe(
          fc.uniqueArray(values[type], { minLength: 1, maxLength: 3, selector: String }),
          9,
        ),
        const: maybe(values[type], 15),
        allOf: maybe(several, 6),
        anyOf: maybe(several, 6),
        oneOf: maybe(several, 6),
        not: maybe(bounds[type], 9),
      }),
      type === "array"
        ? ofArrays(depth - 1)
        : type === "object"
          ? ofObjects(depth - 1)
          : fc.constant({}),
      maybe(bounds[type]),
    )
    .map((parts) => plain(Object.assign({}, ...parts) as object));
  return fc.oneof({ weight: 4, arbitrary: schema }, { weight: 1, arbitrary: reference });
});

function memoized<T>(make: (type: Type, depth: number) => T): (type: Type, depth: number) => T {
  const made = new Map<string, T>();
  return (type, depth) => {
    const key = `${type} ${depth}`;
    const known = made.get(key) ?? make(type, depth);
    made.set(key, known);
    return known;
  };
}

function ofArrays(depth: number): fc.Arbitrary<object> {
  const below = anyOf(depth);
  return fc.record({
    items: maybe(below, 2),
    prefixItems: maybe(fc.array(below, { minLength: 1, maxLength: 2 })),
  });
}

function ofObjects(depth: number): fc.Arbitrary<object> {
  const below = anyOf(depth);
  return fc.record({
    properties: maybe(fc.dictionary(names, property(depth), { maxKeys: 3 }), 2),
    required: maybe(fc.uniqueArray(names, { maxLength: 2 }), 3),
    additionalProperties: maybe(fc.oneof(fc.boolean(), below)),
    patternProperties: maybe(fc.dictionary(fc.constantFrom("^x", "y$"), below, { maxKeys: 1 }), 9),
  });
}

function anyOf(depth: number): fc.Arbitrary<JsonObject> {
  return fc.constantFrom(...types).chain((type) => schemaOf(type, depth));
}

function property(depth: number): fc.Arbitrary<JsonObject> {
  const direction = fc.constantFrom({}, {}, {}, { readOnly: true }, { writeOnly: true });
  return fc.tuple(anyOf(depth), direction).map(([schema, more]) => ({ ...schema, ...more }));
}

const depth = 2;

const mediaTypes = fc.constantFrom(
  ..."application/json application/x-www-form-urlencoded multipart/form-data text/plain".split(" "),
  ..."application/octet-stream application/x-ndjson text/event-stream application/problem+json".split(
    " ",
  ),
);

const content = fc.dictionary(
  mediaTypes,
  anyOf(depth).map((schema): JsonObject => ({ schema })),
  { minKeys: 1, maxKeys: 2 },
);

const parameters = fc.uniqueArray(
  fc.record({
    name: names,
    in: fc.constantFrom("query", "header", "cookie"),
    required: fc.boolean(),
    schema: anyOf(1),
  }),
  { maxLength: 3, selector: ({ in: place, name }) => `${place} ${name.toLowerCase()}` },
);

const response = fc.record({
  description: fc.constant("An answer."),
  headers: fc.dictionary(
    fc.constantFrom("X-A", "X-B"),
    anyOf(1).map((schema) => ({ schema })),
  ),
  content,
});

export const contracts: fc.Arbitrary<JsonObject> = fc
  .record({
    components: fc.tuple(...types.map((type) => schemaOf(type, depth))),
    parameters,
    requestBody: fc.record({ required: fc.boolean(), content }),
    responses: fc.record({ 200: response, "4XX": response }),
  })
  .map(({ components, ...operation }) => ({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { post: plain({ operationId: "write", ...operation }) } },
    components: {
      schemas: Object.fromEntries(
        components.map((schema, at) => [`Any_${types[at] ?? ""}`, schema]),
      ),
    },
  }));
