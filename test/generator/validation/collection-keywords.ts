// The keywords of arrays and objects.

import { type Row, text, whole } from "./keyword-row.ts";

const arrays: readonly Row[] = [
  { name: "items", schema: { type: "array", items: whole } },
  { name: "items without a type", schema: { items: whole } },
  { name: "items false", schema: { type: "array", items: false } },
  { name: "items true", schema: { type: "array", items: true } },
  { name: "minItems", schema: { type: "array", minItems: 2 } },
  { name: "maxItems", schema: { type: "array", items: text, maxItems: 2 } },
  { name: "item counts without a type", schema: { minItems: 1, maxItems: 1 } },
  { name: "items of items", schema: { items: { type: "array", items: { enum: [1, 2] } } } },
  { name: "uniqueItems", schema: { type: "array", uniqueItems: true } },
  { name: "uniqueItems of texts", schema: { type: "array", items: text, uniqueItems: true } },
  {
    name: "uniqueItems false",
    schema: { type: "array", items: { enum: [1] }, uniqueItems: false },
  },
  {
    name: "uniqueItems of objects",
    schema: {
      items: { type: "object", properties: { a: { enum: [1, "1", true, [1], null] } } },
      uniqueItems: true,
    },
  },
  {
    name: "uniqueItems of look-alikes",
    schema: {
      items: { enum: [1, "1", true, 0, false, "", null, [], {}, "null"] },
      uniqueItems: true,
    },
  },
  { name: "prefixItems", schema: { type: "array", prefixItems: [text, whole] } },
  { name: "prefixItems and items", schema: { prefixItems: [text], items: whole } },
  { name: "prefixItems and no more", schema: { prefixItems: [text, whole], items: false } },
  {
    name: "a tuple of exact length",
    schema: { type: "array", prefixItems: [text, whole], minItems: 2, maxItems: 2 },
  },
  { name: "prefixItems true", schema: { prefixItems: [true, text] } },
  { name: "contains", schema: { type: "array", contains: whole } },
  { name: "contains without a type", schema: { contains: { const: 1 } } },
  { name: "minContains 0", schema: { type: "array", contains: whole, minContains: 0 } },
  {
    name: "minContains",
    schema: { type: "array", items: { enum: [1, 2] }, contains: { const: 1 }, minContains: 2 },
  },
  {
    name: "maxContains",
    schema: { items: { enum: [1, 2] }, contains: { const: 1 }, maxContains: 2 },
  },
  {
    name: "minContains and maxContains",
    schema: { items: { enum: [1, 2] }, contains: { const: 1 }, minContains: 2, maxContains: 3 },
  },
  {
    name: "minContains 0 and maxContains",
    schema: { items: { enum: [1, 2] }, contains: { const: 1 }, minContains: 0, maxContains: 1 },
  },
  { name: "contains true", schema: { type: "array", contains: true } },
];

const objects: readonly Row[] = [
  { name: "properties", schema: { type: "object", properties: { a: whole, b: text } } },
  { name: "properties without a type", schema: { properties: { a: whole } } },
  {
    name: "required",
    schema: { type: "object", required: ["a"], properties: { a: whole, b: text } },
  },
  {
    name: "required, undeclared",
    schema: { type: "object", required: ["a", "b"], properties: { a: whole } },
  },
  {
    name: "required, closed and undeclared",
    schema: { type: "object", required: ["a"], additionalProperties: false },
    always: "invalid",
  },
  { name: "required without a type", schema: { required: ["a"] } },
  {
    name: "required hostile names",
    schema: { type: "object", required: ["constructor", "toString"] },
  },
  {
    name: "a required property of any type",
    schema: { type: "object", required: ["a"], properties: { a: {} } },
  },
  {
    name: "a required property that may be null",
    schema: { type: "object", required: ["a"], properties: { a: { type: ["null", "integer"] } } },
  },
  { name: "a property that cannot be", schema: { type: "object", properties: { a: false } } },
  {
    name: "a property of any type",
    schema: { type: "object", properties: { a: true, b: {} }, additionalProperties: false },
  },
  {
    name: "closed",
    schema: { type: "object", properties: { a: whole }, additionalProperties: false },
  },
  { name: "closed and empty", schema: { type: "object", additionalProperties: false } },
  {
    name: "closed without a type",
    schema: { properties: { a: whole }, additionalProperties: false },
  },
  {
    name: "open",
    schema: { type: "object", properties: { a: whole }, additionalProperties: true },
  },
  { name: "a map", schema: { type: "object", additionalProperties: whole } },
  { name: "a map without a type", schema: { additionalProperties: whole } },
  {
    name: "a map beside properties",
    schema: { type: "object", properties: { a: text }, additionalProperties: whole },
  },
  {
    name: "a map beside required properties",
    fits: [{ a: "text", b: 1 }],
    schema: {
      type: "object",
      properties: { a: text },
      required: ["a", "b"],
      additionalProperties: whole,
    },
  },
  {
    name: "a map of anything",
    schema: { type: "object", properties: { a: text }, additionalProperties: {} },
  },
  {
    name: "a map of maps",
    schema: {
      additionalProperties: { type: "object", additionalProperties: { type: ["integer", "null"] } },
    },
  },
  {
    name: "hostile properties",
    schema: {
      type: "object",
      properties: { constructor: whole, toString: text, hasOwnProperty: whole },
    },
  },
  {
    name: "hostile properties, closed",
    schema: {
      type: "object",
      properties: { constructor: whole, valueOf: text },
      required: ["valueOf"],
      additionalProperties: false,
    },
  },
  {
    name: "names that need care",
    schema: {
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
  },
  { name: "patternProperties", schema: { type: "object", patternProperties: { "^a": whole } } },
  { name: "patternProperties without a type", schema: { patternProperties: { b: text } } },
  {
    name: "two patterns for one name",
    schema: { patternProperties: { "^a": whole, b$: { type: "number", minimum: 3 } } },
  },
  {
    name: "patternProperties beside properties",
    schema: { properties: { ab: { minimum: 3 } }, patternProperties: { "^a": whole } },
  },
  {
    name: "patternProperties, closed",
    schema: {
      type: "object",
      properties: { b: text },
      patternProperties: { "^a": whole },
      additionalProperties: false,
    },
  },
  {
    name: "patternProperties beside a map",
    schema: {
      type: "object",
      patternProperties: { "^\\p{L}$": whole },
      additionalProperties: text,
    },
  },
  {
    name: "patternProperties false",
    schema: { type: "object", patternProperties: { "^x-": false } },
  },
  { name: "propertyNames", schema: { type: "object", propertyNames: { pattern: "^[a-c]+$" } } },
  { name: "propertyNames without a type", schema: { propertyNames: { maxLength: 2 } } },
  {
    name: "propertyNames enum",
    schema: { type: "object", propertyNames: { enum: ["a", "constructor"] } },
  },
  { name: "propertyNames false", schema: { type: "object", propertyNames: false } },
  { name: "minProperties", schema: { type: "object", minProperties: 1 } },
  { name: "maxProperties", schema: { type: "object", maxProperties: 2 } },
  { name: "counts without a type", schema: { minProperties: 1, maxProperties: 2 } },
  {
    name: "counts beside properties",
    schema: { type: "object", properties: { a: whole }, minProperties: 2, maxProperties: 3 },
  },
  { name: "dependentRequired", schema: { type: "object", dependentRequired: { a: ["b", "c"] } } },
  {
    name: "dependentRequired without a type",
    schema: { dependentRequired: { a: ["b"], b: ["a"] } },
  },
  {
    name: "dependentRequired, hostile",
    schema: { dependentRequired: { constructor: ["toString"], a: ["constructor"] } },
  },
  {
    name: "dependentSchemas",
    schema: {
      type: "object",
      dependentSchemas: { a: { required: ["b"], properties: { b: whole } } },
    },
  },
  { name: "dependentSchemas false", schema: { dependentSchemas: { a: false, b: true } } },
  {
    name: "dependentSchemas, closed",
    schema: { dependentSchemas: { a: { properties: { a: true }, additionalProperties: false } } },
  },
];

export const collectionKeywords: readonly Row[] = [...arrays, ...objects];
