// The keywords of arrays and objects.

import { type Row, rows, text, whole } from "./keyword-row.ts";

const arrays = rows({
  items: { type: "array", items: whole },
  "items without a type": { items: whole },
  "items false": { type: "array", items: false },
  "items true": { type: "array", items: true },
  minItems: { type: "array", minItems: 2 },
  maxItems: { type: "array", items: text, maxItems: 2 },
  "item counts without a type": { minItems: 1, maxItems: 1 },
  "items of items": { items: { type: "array", items: { enum: [1, 2] } } },
  uniqueItems: { type: "array", uniqueItems: true },
  "uniqueItems of texts": { type: "array", items: text, uniqueItems: true },
  "uniqueItems false": { type: "array", items: { enum: [1] }, uniqueItems: false },
  "uniqueItems of objects": {
    items: { type: "object", properties: { a: { enum: [1, "1", true, [1], null] } } },
    uniqueItems: true,
  },
  "uniqueItems of look-alikes": {
    items: { enum: [1, "1", true, 0, false, "", null, [], {}, "null"] },
    uniqueItems: true,
  },
  prefixItems: { type: "array", prefixItems: [text, whole] },
  "prefixItems and items": { prefixItems: [text], items: whole },
  "prefixItems and no more": { prefixItems: [text, whole], items: false },
  "a tuple of exact length": {
    type: "array",
    prefixItems: [text, whole],
    minItems: 2,
    maxItems: 2,
  },
  "prefixItems true": { prefixItems: [true, text] },
  contains: { type: "array", contains: whole },
  "contains without a type": { contains: { const: 1 } },
  "minContains 0": { type: "array", contains: whole, minContains: 0 },
  minContains: { type: "array", items: { enum: [1, 2] }, contains: { const: 1 }, minContains: 2 },
  maxContains: { items: { enum: [1, 2] }, contains: { const: 1 }, maxContains: 2 },
  "minContains and maxContains": {
    items: { enum: [1, 2] },
    contains: { const: 1 },
    minContains: 2,
    maxContains: 3,
  },
  "minContains 0 and maxContains": {
    items: { enum: [1, 2] },
    contains: { const: 1 },
    minContains: 0,
    maxContains: 1,
  },
  "contains true": { type: "array", contains: true },
});

const objects = rows(
  {
    properties: { type: "object", properties: { a: whole, b: text } },
    "properties without a type": { properties: { a: whole } },
    required: { type: "object", required: ["a"], properties: { a: whole, b: text } },
    "required, undeclared": { type: "object", required: ["a", "b"], properties: { a: whole } },
    "required, closed and undeclared": {
      type: "object",
      required: ["a"],
      additionalProperties: false,
    },
    "required without a type": { required: ["a"] },
    "required hostile names": { type: "object", required: ["constructor", "toString"] },
    "a required property of any type": { type: "object", required: ["a"], properties: { a: {} } },
    "a required property that may be null": {
      type: "object",
      required: ["a"],
      properties: { a: { type: ["null", "integer"] } },
    },
    "a property that cannot be": { type: "object", properties: { a: false } },
    "a property of any type": {
      type: "object",
      properties: { a: true, b: {} },
      additionalProperties: false,
    },
    closed: { type: "object", properties: { a: whole }, additionalProperties: false },
    "closed and empty": { type: "object", additionalProperties: false },
    "closed without a type": { properties: { a: whole }, additionalProperties: false },
    open: { type: "object", properties: { a: whole }, additionalProperties: true },
    "a map": { type: "object", additionalProperties: whole },
    "a map without a type": { additionalProperties: whole },
    "a map beside properties": {
      type: "object",
      properties: { a: text },
      additionalProperties: whole,
    },
    "a map beside required properties": {
      type: "object",
      properties: { a: text },
      required: ["a", "b"],
      additionalProperties: whole,
    },
    "a map of anything": { type: "object", properties: { a: text }, additionalProperties: {} },
    "a map of maps": {
      additionalProperties: { type: "object", additionalProperties: { type: ["integer", "null"] } },
    },
    "hostile properties": {
      type: "object",
      properties: { constructor: whole, toString: text, hasOwnProperty: whole },
    },
    "hostile properties, closed": {
      type: "object",
      properties: { constructor: whole, valueOf: text },
      required: ["valueOf"],
      additionalProperties: false,
    },
    "names that need care": {
      type: "object",
      properties: {
        "": whole,
        "a b": text,
        "a/b": whole,
        "~": whole,
        'q"': text,
        "😀": whole,
        "0": text,
        "01": whole,
      },
      additionalProperties: false,
    },
    patternProperties: { type: "object", patternProperties: { "^a": whole } },
    "patternProperties without a type": { patternProperties: { b: text } },
    "two patterns for one name": {
      patternProperties: { "^a": whole, b$: { type: "number", minimum: 3 } },
    },
    "patternProperties beside properties": {
      properties: { ab: { minimum: 3 } },
      patternProperties: { "^a": whole },
    },
    "patternProperties, closed": {
      type: "object",
      properties: { b: text },
      patternProperties: { "^a": whole },
      additionalProperties: false,
    },
    "patternProperties beside a map": {
      type: "object",
      patternProperties: { "^\\p{L}$": whole },
      additionalProperties: text,
    },
    "patternProperties false": { type: "object", patternProperties: { "^x-": false } },
    propertyNames: { type: "object", propertyNames: { pattern: "^[a-c]+$" } },
    "propertyNames without a type": { propertyNames: { maxLength: 2 } },
    "propertyNames enum": { type: "object", propertyNames: { enum: ["a", "constructor"] } },
    "propertyNames false": { type: "object", propertyNames: false },
    minProperties: { type: "object", minProperties: 1 },
    maxProperties: { type: "object", maxProperties: 2 },
    "counts without a type": { minProperties: 1, maxProperties: 2 },
    "counts beside properties": {
      type: "object",
      properties: { a: whole },
      minProperties: 2,
      maxProperties: 3,
    },
    dependentRequired: { type: "object", dependentRequired: { a: ["b", "c"] } },
    "dependentRequired without a type": { dependentRequired: { a: ["b"], b: ["a"] } },
    "dependentRequired, hostile": {
      dependentRequired: { constructor: ["toString"], a: ["constructor"] },
    },
    dependentSchemas: {
      type: "object",
      dependentSchemas: { a: { required: ["b"], properties: { b: whole } } },
    },
    "dependentSchemas false": { dependentSchemas: { a: false, b: true } },
    "dependentSchemas, closed": {
      dependentSchemas: { a: { properties: { a: true }, additionalProperties: false } },
    },
  },
  {
    "required, closed and undeclared": { always: "invalid" },
    "a map beside required properties": { fits: [{ a: "text", b: 1 }] },
  },
);

export const collectionKeywords: readonly Row[] = [...arrays, ...objects];
