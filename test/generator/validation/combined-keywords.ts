// Schemas made of schemas: the combinations that generators get wrong.

import type { Json } from "../../../generator/json.ts";
import type { Components } from "../../../generator/conformance/compile.ts";
import { reference, type Row, rows, text, whole } from "./keyword-row.ts";

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

const combinations = rows(
  {
    allOf: { allOf: [a, b] },
    "allOf of one": { allOf: [a] },
    "allOf beside properties": {
      type: "object",
      properties: { c: whole },
      required: ["c"],
      allOf: [a, b],
    },
    "allOf on one property": {
      properties: { a: { minimum: 2 } },
      allOf: [{ properties: { a: { maximum: 4 } } }],
    },
    "allOf with required only": {
      type: "object",
      properties: { a: whole },
      allOf: [{ required: ["a"] }],
    },
    "allOf of closed objects": { allOf: [closed(a), closed(b)] },
    "allOf of closed objects that share a name": {
      allOf: [
        closed({ properties: { a: whole, b: whole } }),
        closed({ properties: { a: { minimum: 2 }, c: whole } }),
      ],
    },
    "allOf with a closed parent": {
      properties: { a: whole, b: text },
      additionalProperties: false,
      allOf: [a, b],
    },
    "allOf of numbers": { allOf: [{ minimum: 2 }, { type: "integer" }, { multipleOf: 3 }] },
    "allOf with false": { allOf: [true, false] },
    "allOf of allOf": { allOf: [{ allOf: [a] }, { allOf: [b, { maxProperties: 3 }] }] },
    anyOf: { anyOf: [a, b] },
    "anyOf of one": { anyOf: [text] },
    "anyOf of types": { anyOf: [text, whole] },
    "anyOf beside a type": { type: "string", anyOf: [{ maxLength: 1 }, { pattern: "^ab" }] },
    "anyOf with required only": {
      type: "object",
      properties: { a: whole, b: text },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    "anyOf with null": { anyOf: [text, { type: "null" }] },
    "anyOf with null and a third": { anyOf: [text, { type: "null" }, a] },
    "anyOf of closed objects": { anyOf: [closed(a), closed(b)] },
    oneOf: { oneOf: [a, b] },
    "oneOf of one": { oneOf: [text] },
    "oneOf that overlap": { oneOf: [{ type: "integer" }, { type: "number", minimum: 2 }] },
    "oneOf twice the same": { oneOf: [text, text] },
    "oneOf of three": { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }, { multipleOf: 5 }] },
    "oneOf of closed objects": { oneOf: [closed(a), closed(b)] },
    "oneOf with null": { oneOf: [{ type: "null" }, a] },
    "oneOf with null that is welcome twice": {
      oneOf: [{ type: "null" }, { type: ["string", "null"] }],
    },
    "oneOf with required only": {
      type: "object",
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    "oneOf beside anyOf and allOf": {
      allOf: [{ type: "object" }],
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
      oneOf: [{ maxProperties: 1 }, { minProperties: 3 }],
    },
    not: { not: text },
    "not beside a type": { type: "object", not: { required: ["a"] } },
    "not not": { not: { not: a } },
    "not true": { not: true },
    "not everything": { not: {} },
    "not false": { not: false },
    "not enum": { type: "string", not: { enum: ["a", "b"] } },
    "if then": { if: { required: ["a"] }, then: { required: ["b"] } },
    "if else": { if: { type: "integer" }, else: { type: "string" } },
    "if then else": {
      type: "object",
      if: { properties: { a: { const: 1 } }, required: ["a"] },
      then: { required: ["b"] },
      else: { required: ["c"] },
    },
    "if true": { if: true, then: text, else: whole },
    "if false": { if: false, then: text, else: whole },
    "if alone": { if: text },
    "if then on one property": {
      properties: { a: whole },
      if: { properties: { a: { minimum: 3 } } },
      then: { properties: { a: { multipleOf: 2 } } },
    },
    "nullable object": { anyOf: [closed(a), { type: "null" }] },
    "all at once": {
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
  {
    "allOf beside properties": { fits: [{ a: 1, b: "text", c: 1 }] },
    "allOf of closed objects": { always: "invalid" },
    "allOf with false": { always: "invalid" },
    "allOf of allOf": { fits: [{ a: 1, b: "text" }] },
    "oneOf twice the same": { always: "invalid" },
    "not true": { always: "invalid" },
    "not everything": { always: "invalid" },
    "not false": { always: "valid" },
    "if alone": { always: "valid" },
    "all at once": { fits: [{ a: 1, b: "text", x: true }] },
  },
);

const unevaluated = rows(
  {
    "unevaluatedProperties alone": {
      type: "object",
      properties: { a: whole },
      unevaluatedProperties: false,
    },
    "unevaluatedProperties and allOf": { allOf: [a, b], unevaluatedProperties: false },
    "unevaluatedProperties and anyOf": { anyOf: [a, b], unevaluatedProperties: false },
    "unevaluatedProperties and oneOf": {
      properties: { c: true },
      oneOf: [a, b],
      unevaluatedProperties: false,
    },
    "unevaluatedProperties and if": {
      if: a,
      then: { properties: { b: true } },
      else: { properties: { c: true } },
      unevaluatedProperties: false,
    },
    "unevaluatedProperties and dependentSchemas": {
      properties: { a: true },
      dependentSchemas: { a: { properties: { b: whole } } },
      unevaluatedProperties: false,
    },
    "unevaluatedProperties with a schema": { allOf: [a], unevaluatedProperties: text },
    "unevaluatedProperties and a reference": { ...reference("A"), unevaluatedProperties: false },
    "unevaluatedProperties and patterns": {
      patternProperties: { "^b": true },
      allOf: [a],
      unevaluatedProperties: false,
    },
    "unevaluatedProperties and not": {
      not: b,
      properties: { a: true },
      unevaluatedProperties: false,
    },
    "unevaluatedProperties inside allOf": {
      allOf: [{ properties: { a: true }, unevaluatedProperties: whole }],
      unevaluatedProperties: false,
    },
  },
  {
    "unevaluatedProperties and allOf": { fits: [{ a: 1, b: "text" }] },
    "unevaluatedProperties and a reference": { components: { A: a } },
  },
);

/** What the rows below refer to; `Alias` stands before what it names. */
const components: Components = {
  Alias: reference("A"),
  A: a,
  B: b,
  Yes: true,
  No: false,
  List: {
    type: "object",
    properties: { value: whole, next: reference("List") },
    required: ["value"],
    additionalProperties: false,
  },
  Tree: {
    type: "object",
    properties: { value: whole, children: { type: "array", items: reference("Tree") } },
    required: ["value"],
  },
  Ping: { type: "object", properties: { pong: reference("Pong") } },
  Pong: { type: ["object", "null"], properties: { ping: reference("Ping") }, required: ["ping"] },
  Any: {
    anyOf: [
      text,
      { type: "array", items: reference("Any") },
      { type: "object", additionalProperties: reference("Any") },
    ],
  },
  Chain: {
    anyOf: [
      { type: "null" },
      { type: "object", properties: { next: reference("Chain") }, required: ["next"] },
    ],
  },
  TextOrNull: { type: ["string", "null"] },
  Cat: cat,
  Dog: dog,
  SameKindA: { required: ["kind", "a"], properties: { kind: { const: "x" } } },
  SameKindB: { required: ["kind", "b"], properties: { kind: { const: "x" } } },
};
const byKind = { propertyName: "kind" };

const references = rows(
  {
    $ref: reference("A"),
    "$ref with siblings": { ...reference("A"), required: ["b"], maxProperties: 3 },
    "$ref with properties beside": {
      ...reference("A"),
      properties: { a: { minimum: 3 }, b: text },
    },
    "$ref with a closed sibling": { ...reference("A"), additionalProperties: false },
    "$ref to true and false": { properties: { a: reference("Yes"), b: reference("No") } },
    "$ref to a $ref": reference("Alias"),
    "a list": reference("List"),
    "a tree": reference("Tree"),
    "two that need each other": reference("Ping"),
    "a JSON-like recursion": reference("Any"),
    "a recursion over null": reference("Chain"),
    "oneOf a reference with null": { oneOf: [{ type: "null" }, reference("A")] },
    "oneOf a reference that welcomes null": { oneOf: [{ type: "null" }, reference("TextOrNull")] },
    "oneOf with a discriminator": {
      oneOf: [reference("Cat"), reference("Dog")],
      discriminator: byKind,
    },
    "oneOf with one member and a discriminator": {
      oneOf: [reference("Cat")],
      discriminator: { ...byKind, mapping: { cat: "#/components/schemas/Cat" } },
    },
    "anyOf with a discriminator": {
      anyOf: [reference("Cat"), reference("Dog")],
      discriminator: byKind,
    },
    "a discriminator that tells nothing apart": {
      oneOf: [reference("SameKindA"), reference("SameKindB")],
      discriminator: byKind,
    },
    "allOf of references": { allOf: [reference("A"), reference("B"), { required: ["c"] }] },
  },
  {
    "$ref with a closed sibling": { always: "invalid" },
    "allOf of references": { fits: [{ a: 1, b: "text", c: null }] },
  },
).map((row) => ({ ...row, components }));

export const combinedKeywords: readonly Row[] = [...combinations, ...unevaluated, ...references];
