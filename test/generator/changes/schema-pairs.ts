// Two ways to say a schema, for a request and for an answer: what is said of the change from the one to the
// other, and back, stands in found-changes.txt.

import type { Json, JsonObject } from "../../../generator/json.ts";
import { conditions } from "./condition-pairs.ts";
import { type SchemaPair, tagged, text, whole, withProperties } from "./schema-parts.ts";

const types: readonly SchemaPair[] = [
  ["a type, and another one", text, whole],
  ["a type, and two", text, { type: ["string", "integer"] }],
  ["a type, and any", text, {}],
  ["every integer is a number", whole, { type: "number" }],
  ["null as well", text, { type: ["string", "null"] }],
  ["null as well, and another type", text, { type: ["integer", "null"] }],
  ["nothing at all", text, false],
  ["anything at all", text, true],
  ["two types that meet in one", { allOf: [{ type: ["string", "null"] }, text] }, text],
  ["a type that only properties say", withProperties({ a: text }), { properties: { a: text } }],
  ["a type that only items say", { type: "array", items: text }, { items: text }],
  ["a type that only values say", { enum: ["a", 1, 2.5, true, null, [], {}] }, text],
];

const values: readonly SchemaPair[] = [
  ["one value, and another one", { const: "a" }, { const: "b" }],
  ["one value, and any", { type: "string", const: "a" }, text],
  ["a list, and any", { type: "string", enum: ["a", "b"] }, text],
  ["a list, and a shorter one", { enum: ["a", "b", "c"] }, { enum: ["a", "c"] }],
  ["a list, and another one", { enum: ["a", "b"] }, { enum: ["b", "c"] }],
  ["a list, and one with null", { enum: ["a", "b"] }, { enum: ["a", "b", null] }],
  ["one value of a list of one", { const: "a" }, { enum: ["a"] }],
  ["lists that meet", { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] }, { const: "b" }],
  ["objects of a list", { enum: [{ a: 1 }, { b: [2] }] }, { enum: [{ a: 1 }] }],
  [
    "null that the list has and the type refuses",
    { type: ["string", "null"], enum: ["a", null] },
    { type: "string", enum: ["a", null] },
  ],
  ["a long value", { const: "one of many words ".repeat(5) }, { const: "other words ".repeat(9) }],
];

const formats: readonly SchemaPair[] = [
  ["a format", text, { type: "string", format: "uuid" }],
  ["a format, and another one", { format: "date" }, { format: "date-time" }],
  ["a wider format of integers", { format: "int32" }, { format: "int64" }],
  ["a wider format of numbers", { format: "float" }, { format: "double" }],
  ["formats of two kinds of number", { format: "int32" }, { format: "double" }],
  ["a pattern", text, { type: "string", pattern: "^a" }],
  ["a pattern, and another one", { pattern: "^a" }, { pattern: "^b" }],
  [
    "two patterns, and one of them",
    { allOf: [{ pattern: "^a" }, { pattern: "b$" }] },
    { pattern: "^a" },
  ],
];

const bounds: readonly SchemaPair[] = [
  ...["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"].map((name): SchemaPair => [
    name,
    { type: "number", [name]: 3 },
    { type: "number", [name]: 5 },
  ]),
  ["a minimum, and without it", { minimum: 3 }, { exclusiveMinimum: 3 }],
  ["a maximum, and without it", { maximum: 3 }, { exclusiveMaximum: 3 }],
  ["the tighter one counts", { minimum: 3, exclusiveMinimum: 2 }, { minimum: 3 }],
  ["the tighter of two parts", { allOf: [{ minimum: 3 }, { minimum: 5 }] }, { minimum: 4 }],
  ["the shorter of two parts", { allOf: [{ maxLength: 3 }, { maxLength: 5 }] }, { maxLength: 4 }],
  ["a bound, and none", { maxLength: 5 }, {}],
  ["a bound of nothing", { minLength: 0, minItems: 0, minProperties: 0 }, {}],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (name): SchemaPair => [name, { [name]: 2 }, { [name]: 3 }],
  ),
  ["minContains", { contains: {}, minContains: 2 }, { contains: {}, minContains: 3 }],
  ["maxContains", { contains: {}, maxContains: 2 }, { contains: {}, maxContains: 3 }],
  ["multipleOf", { multipleOf: 2 }, { multipleOf: 6 }],
  ["multipleOf of fractions", { multipleOf: 0.1 }, { multipleOf: 0.3 }],
  ["multipleOf of another", { multipleOf: 2 }, { multipleOf: 3 }],
  ["multipleOf, and none", { multipleOf: 2 }, {}],
  ["uniqueItems", { uniqueItems: true }, {}],
  ["uniqueItems that says nothing", { uniqueItems: false }, {}],
];

/** Each with the lengths that it takes, and one more. */
const lengths: readonly SchemaPair[] = (
  [
    ["^[a-z]{3,5}$", 3, 5],
    ["^a?b*$", 0, undefined],
    ["^a+?$", 1, undefined],
    ["^(?:ab|cde)$", 2, 3],
    ["^(a|bc){2}$", 2, 4],
    ["^\\d{4}-\\d\\d$", 7, 7],
    ["^\\u{1F600}\\x41\\u0042\\p{L}[\\]x]$", 5, 5],
    ["^a{2,}$", 2, undefined],
    ["^$", 0, 0],
    ["^(?:){5}a$", 1, 1],
    ["^a|b$", undefined, undefined],
    ["^(?=a)b$", undefined, undefined],
    ["^(a)\\1$", undefined, undefined],
    ["^a\\$", undefined, undefined],
    ["^(^a)$", undefined, undefined],
    ["ab$", undefined, undefined],
  ] as const
).flatMap(([pattern, least, most]): readonly SchemaPair[] => {
  const bare = { type: "string", pattern };
  const from = least ?? 1;
  const to = most ?? 9;
  return [
    [`${pattern}, and its lengths`, bare, { ...bare, minLength: from, maxLength: to }],
    [
      `${pattern}, and tighter lengths`,
      bare,
      { ...bare, minLength: from + 1, maxLength: Math.max(0, to - 1) },
    ],
  ];
});

const objects: readonly SchemaPair[] = [
  ["a property more", withProperties({ a: text }), withProperties({ a: text, b: text })],
  [
    "a required property more",
    withProperties({ a: text }),
    withProperties({ a: text, b: text }, { required: ["b"] }),
  ],
  [
    "a property that must be there",
    withProperties({ a: text }),
    withProperties({ a: text }, { required: ["a"] }),
  ],
  ["a name that must be there", withProperties({}), withProperties({}, { required: ["a"] })],
  [
    "a property of answers",
    withProperties({ a: text }, { required: ["a"] }),
    withProperties({ a: { ...text, readOnly: true } }, { required: ["a"] }),
  ],
  [
    "a property of requests",
    withProperties({ a: text }, { required: ["a"] }),
    withProperties({ a: { ...text, writeOnly: true } }, { required: ["a"] }),
  ],
  [
    "nothing else",
    withProperties({ a: text }),
    withProperties({}, { additionalProperties: false }),
  ],
  ["nothing else, said otherwise", withProperties({}), { unevaluatedProperties: false }],
  ["other properties", { additionalProperties: text }, { additionalProperties: whole }],
  ["other properties of a kind", { type: "object" }, { additionalProperties: text }],
  ["names of properties", { propertyNames: { maxLength: 5 } }, { propertyNames: { maxLength: 9 } }],
  [
    "properties like a pattern",
    { patternProperties: { "^x": text } },
    { patternProperties: { "^x": whole } },
  ],
  [
    "properties like another pattern",
    { patternProperties: { "^x": text } },
    { patternProperties: { "^y": text } },
  ],
  [
    "a property that two parts say",
    { allOf: [withProperties({ a: { maxLength: 5 } }), withProperties({ a: { maxLength: 3 } })] },
    withProperties({ a: { maxLength: 4 } }),
  ],
  ["a default", text, { type: "string", default: "a" }],
  ["a default, and another one", { default: "a" }, { default: "b" }],
  ["deprecated", text, { type: "string", deprecated: true }],
  ["not deprecated, as before", text, { type: "string", deprecated: false }],
  ["how XML is written", text, { type: "string", xml: { name: "a" } }],
  ["what is only told", text, { type: "string", description: "A.", title: "A", examples: ["a"] }],
];

const lists: readonly SchemaPair[] = [
  ["items", { type: "array", items: text }, { type: "array", items: whole }],
  ["items of any kind", { type: "array" }, { type: "array", items: text }],
  ["items of a kind, said to be any", { items: true }, { type: "array" }],
  ["a place of a tuple", { prefixItems: [text, text] }, { prefixItems: [text, whole] }],
  ["places of a tuple", { prefixItems: [text] }, { prefixItems: [text, text] }],
  ["a circle", { $ref: "#/components/schemas/Tree" }, { $ref: "#/components/schemas/Bush" }],
  ["a reference", { $ref: "#/components/schemas/Text" }, { $ref: "#/components/schemas/Whole" }],
  ["a reference, written out", { $ref: "#/components/schemas/Text" }, text],
  [
    "what stands beside a reference",
    { $ref: "#/components/schemas/Text" },
    { $ref: "#/components/schemas/Text", maxLength: 5 },
  ],
];

const cat = tagged("cat", { claws: whole });
const dog = tagged("dog", { tail: text });

const unions: readonly SchemaPair[] = [
  ["one more way", { oneOf: [cat, dog] }, { oneOf: [cat, dog, tagged("fish")] }],
  [
    "one more way, which takes what another one takes",
    { oneOf: [whole, { type: "boolean" }] },
    { oneOf: [whole, { type: "boolean" }, { type: "number" }] },
  ],
  [
    "one more way, beside two that overlap already",
    { oneOf: [{ type: "string", maxLength: 3 }, text] },
    { oneOf: [{ type: "string", maxLength: 3 }, text, { type: "string", maxLength: 2 }] },
  ],
  ["a way that is another one", { oneOf: [cat, dog] }, { oneOf: [cat, tagged("fish")] }],
  ["oneOf, and anyOf", { oneOf: [cat, dog] }, { anyOf: [cat, dog] }],
  ["in another order", { oneOf: [cat, dog] }, { oneOf: [dog, cat] }],
  ["one way, and two", cat, { oneOf: [cat, dog] }],
  ["one schema, and ways that overlap", text, { oneOf: [text, { type: "string", maxLength: 5 }] }],
  [
    "one schema, and ways by a value",
    tagged("cat"),
    {
      oneOf: [
        tagged("cat"),
        tagged("dog"),
        { type: "object", required: ["is"], properties: { is: { enum: ["fish", "bird"] } } },
      ],
    },
  ],
  [
    "one schema, and one that is open beside it",
    withProperties({ a: text }),
    { oneOf: [withProperties({ a: text }), withProperties({ b: text }, { required: ["b"] })] },
  ],
  [
    "one schema, and numbers that are integers",
    { type: "number" },
    { oneOf: [{ type: "number" }, whole] },
  ],
  ["one schema, and ways by type", text, { oneOf: [text, whole] }],
  ["one schema, and ways by type with null", text, { oneOf: [text, whole, { type: "null" }] }],
  ["null as one of two", { anyOf: [text, { type: "null" }] }, { type: ["string", "null"] }],
  ["null as one of a list", { anyOf: [{ enum: ["a"] }, { const: null }] }, { enum: ["a", null] }],
  ["null as one of three", { anyOf: [text, whole, { type: "null" }] }, { anyOf: [text, whole] }],
  [
    "null beside a component that is several ways",
    { anyOf: [{ $ref: "#/components/schemas/Ways" }, { type: "null" }] },
    { $ref: "#/components/schemas/Ways" },
  ],
  [
    "a bound of one way that is tighter than the one beside it",
    { maxLength: 20, anyOf: [{ type: "string", maxLength: 15 }, { type: "null" }] },
    { maxLength: 20, anyOf: [{ type: "string", maxLength: 5 }, { type: "null" }] },
  ],
  ["only null", { anyOf: [{ type: "null" }] }, { type: "null" }],
  ["two lists of ways", { allOf: [{ oneOf: [cat, dog] }, { oneOf: [text, whole] }] }, cat],
  [
    "two lists of ways, and one",
    { allOf: [{ oneOf: [cat, dog] }, { anyOf: [text, whole] }] },
    { oneOf: [cat, dog] },
  ],
  [
    "a way by its title",
    { anyOf: [{ title: "A", type: "string" }, whole] },
    { anyOf: [{ title: "A", type: "string", maxLength: 5 }, whole] },
  ],
  [
    "a way by its component",
    { anyOf: [{ $ref: "#/components/schemas/Text" }, { $ref: "#/components/schemas/Whole" }] },
    { anyOf: [{ $ref: "#/components/schemas/Text" }, { $ref: "#/components/schemas/Tree" }] },
  ],
  [
    "a way whose property is gone",
    { oneOf: [cat, dog] },
    { oneOf: [tagged("cat"), tagged("dog", { tail: text })] },
  ],
  [
    "what stands beside the ways",
    { oneOf: [cat, dog], required: ["is"] },
    { oneOf: [cat, dog], required: ["is", "name"], properties: { name: text } },
  ],
  [
    "a way within another one, wider",
    { anyOf: [{ type: "string", maxLength: 3 }, whole] },
    { anyOf: [text, whole] },
  ],
  [
    "how ways are told apart",
    {
      oneOf: [cat, dog],
      discriminator: { propertyName: "is", mapping: { cat: "Cat", dog: "Dog" } },
    },
    { oneOf: [cat, dog], discriminator: { propertyName: "is", mapping: { cat: "Cat" } } },
  ],
  [
    "what a tag stands for",
    { oneOf: [cat, dog], discriminator: { propertyName: "is", mapping: { pet: "Cat" } } },
    {
      oneOf: [cat, dog],
      discriminator: { propertyName: "is", mapping: { pet: "#/components/schemas/Dog" } },
    },
  ],
  [
    "what a tag stands for, in other words",
    { oneOf: [cat, dog], discriminator: { propertyName: "is", mapping: { pet: "Cat" } } },
    {
      oneOf: [cat, dog],
      discriminator: { propertyName: "is", mapping: { pet: "#/components/schemas/Cat" } },
    },
  ],
  [
    "by which property ways are told apart",
    { oneOf: [cat, dog], discriminator: { propertyName: "is" } },
    { oneOf: [cat, dog], discriminator: { propertyName: "was" } },
  ],
  [
    "that ways are told apart",
    { oneOf: [cat, dog] },
    { oneOf: [cat, dog], discriminator: { propertyName: "is" } },
  ],
];

export const schemaPairs = [
  ...types,
  ...values,
  ...formats,
  ...bounds,
  ...lengths,
  ...objects,
  ...lists,
  ...conditions,
  ...unions,
];

/** The schema as what is sent, and as what comes back. */
export function contractOf(schema: Json): JsonObject {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/One" } } };
  const tree = (more: JsonObject): JsonObject => ({
    type: "object",
    properties: { ...more, next: { $ref: "#/components/schemas/Tree" } },
  });
  const bush = (more: JsonObject): JsonObject => ({
    type: "object",
    properties: { ...more, next: { $ref: "#/components/schemas/Bush" } },
  });
  return {
    openapi: "3.1.0",
    info: { title: "One", version: "1.0.0" },
    paths: {
      "/one": {
        post: {
          operationId: "one",
          requestBody: { required: true, content },
          responses: { "200": { description: "One.", content } },
        },
      },
    },
    components: {
      schemas: {
        One: schema,
        Text: text,
        Whole: whole,
        Cat: cat,
        Dog: dog,
        Ways: { oneOf: [text, whole] },
        Tree: tree({ leaf: text }),
        Bush: bush({ leaf: text }),
      },
    },
  };
}
