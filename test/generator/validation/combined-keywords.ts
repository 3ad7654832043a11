// Schemas made of schemas: the combinations that generators get wrong.

import type { Json } from "../../../generator/json.ts";
import { reference, type Row, text, whole } from "./keyword-row.ts";

const a: Json = { type: "object", properties: { a: whole }, required: ["a"] };
const b: Json = { type: "object", properties: { b: text }, required: ["b"] };
const closed = (schema: Json): Json => ({ ...(schema as object), additionalProperties: false });
const cat: Json = {
  type: "object",
  properties: { kind: { const: "cat" }, lives: whole },
  required: ["kind"],
};
const dog: Json = {
  type: "object",
  properties: { kind: { enum: ["dog", "wolf"] }, name: text },
  required: ["kind"],
};

const combinations: readonly Row[] = [
  { name: "allOf", schema: { allOf: [a, b] } },
  { name: "allOf of one", schema: { allOf: [a] } },
  {
    name: "allOf beside properties",
    fits: [{ a: 1, b: "text", c: 1 }],
    schema: { type: "object", properties: { c: whole }, required: ["c"], allOf: [a, b] },
  },
  {
    name: "allOf on one property",
    schema: { properties: { a: { minimum: 2 } }, allOf: [{ properties: { a: { maximum: 4 } } }] },
  },
  {
    name: "allOf with required only",
    schema: { type: "object", properties: { a: whole }, allOf: [{ required: ["a"] }] },
  },
  { name: "allOf of closed objects", schema: { allOf: [closed(a), closed(b)] }, always: "invalid" },
  {
    name: "allOf of closed objects that share a name",
    schema: {
      allOf: [
        closed({ properties: { a: whole, b: whole } }),
        closed({ properties: { a: { minimum: 2 }, c: whole } }),
      ],
    },
  },
  {
    name: "allOf with a closed parent",
    schema: { properties: { a: whole, b: text }, additionalProperties: false, allOf: [a, b] },
  },
  {
    name: "allOf of numbers",
    schema: { allOf: [{ minimum: 2 }, { type: "integer" }, { multipleOf: 3 }] },
  },
  { name: "allOf with false", schema: { allOf: [true, false] }, always: "invalid" },
  {
    name: "allOf of allOf",
    fits: [{ a: 1, b: "text" }],
    schema: { allOf: [{ allOf: [a] }, { allOf: [b, { maxProperties: 3 }] }] },
  },
  { name: "anyOf", schema: { anyOf: [a, b] } },
  { name: "anyOf of one", schema: { anyOf: [text] } },
  { name: "anyOf of types", schema: { anyOf: [text, whole] } },
  {
    name: "anyOf beside a type",
    schema: { type: "string", anyOf: [{ maxLength: 1 }, { pattern: "^ab" }] },
  },
  {
    name: "anyOf with required only",
    schema: {
      type: "object",
      properties: { a: whole, b: text },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
  },
  { name: "anyOf with null", schema: { anyOf: [text, { type: "null" }] } },
  { name: "anyOf with null and a third", schema: { anyOf: [text, { type: "null" }, a] } },
  { name: "anyOf of closed objects", schema: { anyOf: [closed(a), closed(b)] } },
  { name: "oneOf", schema: { oneOf: [a, b] } },
  { name: "oneOf of one", schema: { oneOf: [text] } },
  {
    name: "oneOf that overlap",
    schema: { oneOf: [{ type: "integer" }, { type: "number", minimum: 2 }] },
  },
  { name: "oneOf twice the same", schema: { oneOf: [text, text] }, always: "invalid" },
  {
    name: "oneOf of three",
    schema: { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }, { multipleOf: 5 }] },
  },
  { name: "oneOf of closed objects", schema: { oneOf: [closed(a), closed(b)] } },
  { name: "oneOf with null", schema: { oneOf: [{ type: "null" }, a] } },
  {
    name: "oneOf with null that is welcome twice",
    schema: { oneOf: [{ type: "null" }, { type: ["string", "null"] }] },
  },
  {
    name: "oneOf with required only",
    schema: { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] },
  },
  {
    name: "oneOf beside anyOf and allOf",
    schema: {
      allOf: [{ type: "object" }],
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
      oneOf: [{ maxProperties: 1 }, { minProperties: 3 }],
    },
  },
  { name: "not", schema: { not: text } },
  { name: "not beside a type", schema: { type: "object", not: { required: ["a"] } } },
  { name: "not not", schema: { not: { not: a } } },
  { name: "not true", schema: { not: true }, always: "invalid" },
  { name: "not everything", schema: { not: {} }, always: "invalid" },
  { name: "not false", schema: { not: false }, always: "valid" },
  { name: "not enum", schema: { type: "string", not: { enum: ["a", "b"] } } },
  { name: "if then", schema: { if: { required: ["a"] }, then: { required: ["b"] } } },
  { name: "if else", schema: { if: { type: "integer" }, else: { type: "string" } } },
  {
    name: "if then else",
    schema: {
      type: "object",
      if: { properties: { a: { const: 1 } }, required: ["a"] },
      then: { required: ["b"] },
      else: { required: ["c"] },
    },
  },
  { name: "if true", schema: { if: true, then: text, else: whole } },
  { name: "if false", schema: { if: false, then: text, else: whole } },
  { name: "if alone", schema: { if: text }, always: "valid" },
  {
    name: "if then on one property",
    schema: {
      properties: { a: whole },
      if: { properties: { a: { minimum: 3 } } },
      then: { properties: { a: { multipleOf: 2 } } },
    },
  },
  { name: "nullable object", schema: { anyOf: [closed(a), { type: "null" }] } },
  {
    name: "all at once",
    fits: [{ a: 1, b: "text", x: true }],
    schema: {
      type: ["object", "null"],
      properties: { a: { type: ["integer", "null"] } },
      required: ["a"],
      minProperties: 1,
      patternProperties: { "^b": text },
      additionalProperties: { type: "boolean" },
      propertyNames: { maxLength: 3 },
      dependentRequired: { b: ["a"] },
      not: { required: ["c"] },
    },
  },
];

const unevaluated: readonly Row[] = [
  {
    name: "unevaluatedProperties alone",
    schema: { type: "object", properties: { a: whole }, unevaluatedProperties: false },
  },
  {
    name: "unevaluatedProperties and allOf",
    fits: [{ a: 1, b: "text" }],
    schema: { allOf: [a, b], unevaluatedProperties: false },
  },
  {
    name: "unevaluatedProperties and anyOf",
    schema: { anyOf: [a, b], unevaluatedProperties: false },
  },
  {
    name: "unevaluatedProperties and oneOf",
    schema: { properties: { c: true }, oneOf: [a, b], unevaluatedProperties: false },
  },
  {
    name: "unevaluatedProperties and if",
    schema: {
      if: a,
      then: { properties: { b: true } },
      else: { properties: { c: true } },
      unevaluatedProperties: false,
    },
  },
  {
    name: "unevaluatedProperties and dependentSchemas",
    schema: {
      properties: { a: true },
      dependentSchemas: { a: { properties: { b: whole } } },
      unevaluatedProperties: false,
    },
  },
  {
    name: "unevaluatedProperties with a schema",
    schema: { allOf: [a], unevaluatedProperties: text },
  },
  {
    name: "unevaluatedProperties and a reference",
    schema: { ...reference("A"), unevaluatedProperties: false },
    components: { A: a },
  },
  {
    name: "unevaluatedProperties and patterns",
    schema: { patternProperties: { "^b": true }, allOf: [a], unevaluatedProperties: false },
  },
  {
    name: "unevaluatedProperties and not",
    schema: { not: b, properties: { a: true }, unevaluatedProperties: false },
  },
  {
    name: "unevaluatedProperties inside allOf",
    schema: {
      allOf: [{ properties: { a: true }, unevaluatedProperties: whole }],
      unevaluatedProperties: false,
    },
  },
];

const references: readonly Row[] = [
  { name: "$ref", schema: reference("A"), components: { A: a } },
  {
    name: "$ref with siblings",
    schema: { ...reference("A"), required: ["b"], maxProperties: 3 },
    components: { A: a },
  },
  {
    name: "$ref with properties beside",
    schema: { ...reference("A"), properties: { a: { minimum: 3 }, b: text } },
    components: { A: a },
  },
  {
    name: "$ref with a closed sibling",
    schema: { ...reference("A"), additionalProperties: false },
    components: { A: a },
    always: "invalid",
  },
  {
    name: "$ref to true and false",
    schema: { properties: { a: reference("Yes"), b: reference("No") } },
    components: { Yes: true, No: false },
  },
  { name: "$ref to a $ref", schema: reference("B"), components: { B: reference("A"), A: a } },
  {
    name: "a list",
    schema: reference("List"),
    components: {
      List: {
        type: "object",
        properties: { value: whole, next: reference("List") },
        required: ["value"],
        additionalProperties: false,
      },
    },
  },
  {
    name: "a tree",
    schema: reference("Tree"),
    components: {
      Tree: {
        type: "object",
        properties: { value: whole, children: { type: "array", items: reference("Tree") } },
        required: ["value"],
      },
    },
  },
  {
    name: "two that need each other",
    schema: reference("Ping"),
    components: {
      Ping: { type: "object", properties: { pong: reference("Pong") } },
      Pong: {
        type: ["object", "null"],
        properties: { ping: reference("Ping") },
        required: ["ping"],
      },
    },
  },
  {
    name: "a JSON-like recursion",
    schema: reference("Any"),
    components: {
      Any: {
        anyOf: [
          text,
          { type: "array", items: reference("Any") },
          { type: "object", additionalProperties: reference("Any") },
        ],
      },
    },
  },
  {
    name: "a recursion over null",
    schema: reference("Chain"),
    components: {
      Chain: {
        anyOf: [
          { type: "null" },
          { type: "object", properties: { next: reference("Chain") }, required: ["next"] },
        ],
      },
    },
  },
  {
    name: "oneOf a reference with null",
    schema: { oneOf: [{ type: "null" }, reference("A")] },
    components: { A: a },
  },
  {
    name: "oneOf a reference that welcomes null",
    schema: { oneOf: [{ type: "null" }, reference("A")] },
    components: { A: { type: ["string", "null"] } },
  },
  {
    name: "oneOf with a discriminator",
    schema: {
      oneOf: [reference("Cat"), reference("Dog")],
      discriminator: { propertyName: "kind" },
    },
    components: { Cat: cat, Dog: dog },
  },
  {
    name: "oneOf with one member and a discriminator",
    schema: {
      oneOf: [reference("Cat")],
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } },
    },
    components: { Cat: cat },
  },
  {
    name: "anyOf with a discriminator",
    schema: {
      anyOf: [reference("Cat"), reference("Dog")],
      discriminator: { propertyName: "kind" },
    },
    components: { Cat: cat, Dog: dog },
  },
  {
    name: "a discriminator that tells nothing apart",
    schema: { oneOf: [reference("A"), reference("B")], discriminator: { propertyName: "kind" } },
    components: {
      A: { required: ["kind", "a"], properties: { kind: { const: "x" } } },
      B: { required: ["kind", "b"], properties: { kind: { const: "x" } } },
    },
  },
  {
    name: "allOf of references",
    fits: [{ a: 1, b: "text", c: null }],
    schema: { allOf: [reference("A"), reference("B"), { required: ["c"] }] },
    components: { A: a, B: b },
  },
];

export const combinedKeywords: readonly Row[] = [...combinations, ...unevaluated, ...references];
