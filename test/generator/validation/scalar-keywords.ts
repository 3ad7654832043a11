// Types, and the keywords of texts, numbers and single values.

import type { Row } from "./keyword-row.ts";

const types: readonly Row[] = [
  { name: "nothing", schema: {}, always: "valid" },
  { name: "true", schema: true, always: "valid" },
  { name: "false", schema: false, always: "invalid" },
  ...["string", "number", "integer", "boolean", "null", "array", "object"].map((type) => ({
    name: `type ${type}`,
    schema: { type },
  })),
  { name: "a list of one type", schema: { type: ["string"] } },
  { name: "string or null", schema: { type: ["string", "null"] } },
  { name: "null and integer", schema: { type: ["null", "integer"] } },
  { name: "string or integer", schema: { type: ["string", "integer"] } },
  { name: "integer or number", schema: { type: ["integer", "number"] } },
  {
    name: "object or array or null, each with its keywords",
    schema: { type: ["object", "array", "null"], required: ["a"], minItems: 2 },
  },
  {
    name: "every type",
    schema: { type: ["string", "number", "boolean", "null", "array", "object"] },
    always: "valid",
  },
  { name: "keywords of another type", schema: { type: "integer", minLength: 3, required: ["a"] } },
];

const strings: readonly Row[] = [
  { name: "minLength", schema: { type: "string", minLength: 2 } },
  { name: "maxLength", schema: { type: "string", maxLength: 3 } },
  { name: "exact length", schema: { type: "string", minLength: 2, maxLength: 2 } },
  { name: "lengths without a type", schema: { minLength: 2, maxLength: 4 } },
  { name: "maxLength 0", schema: { type: "string", maxLength: 0 } },
  { name: "pattern", schema: { type: "string", pattern: "^[a-c]{2}$" } },
  { name: "pattern, unanchored", schema: { type: "string", pattern: "b" } },
  { name: "pattern without a type", schema: { pattern: "^a" } },
  { name: "pattern of letters", schema: { type: "string", pattern: "^\\p{L}+$" } },
  { name: "pattern of one code point", schema: { type: "string", pattern: "^.$" } },
  { name: "pattern with slashes", schema: { type: "string", pattern: "^/a/[/]?\\/$" } },
  { name: "pattern with a line feed", schema: { type: "string", pattern: "^a\\nb$" } },
  { name: "pattern with an astral class", schema: { type: "string", pattern: "^[😀-😎]$" } },
  {
    name: "pattern, group and lookahead",
    fits: ["a"],
    schema: { type: "string", pattern: "^(?=a)(?<n>a|ab)$" },
  },
  {
    name: "pattern of a decimal amount",
    schema: { type: "string", pattern: "^(0|[1-9][0-9]*)(\\.[0-9]+)?$", maxLength: 8 },
  },
  { name: "an empty pattern", schema: { type: "string", pattern: "" } },
  { name: "an unknown format", schema: { type: "string", format: "no-such-format" } },
  { name: "a format without a type", schema: { format: "uuid" } },
  { name: "a format and null", schema: { type: ["string", "null"], format: "date" } },
  { name: "a format of numbers on text", schema: { type: "string", format: "int32" } },
];

const numbers: readonly Row[] = [
  { name: "minimum", schema: { type: "number", minimum: 1.5 } },
  { name: "maximum", schema: { type: "integer", maximum: 10 } },
  { name: "minimum 0", schema: { type: "number", minimum: 0 } },
  { name: "exclusiveMinimum", schema: { type: "number", exclusiveMinimum: 0 } },
  { name: "exclusiveMaximum", schema: { type: "integer", exclusiveMaximum: 3 } },
  {
    name: "both kinds of bounds",
    schema: { type: "number", minimum: 1, exclusiveMinimum: 1, maximum: 3, exclusiveMaximum: 4 },
  },
  { name: "an integer between fractions", schema: { type: "integer", minimum: 0.5, maximum: 2.5 } },
  { name: "bounds without a type", schema: { minimum: 1, exclusiveMaximum: 3 } },
  { name: "multipleOf", schema: { type: "integer", multipleOf: 3 } },
  { name: "multipleOf a half", schema: { type: "number", multipleOf: 0.5 } },
  { name: "multipleOf without a type", schema: { multipleOf: 2 } },
  { name: "int32", schema: { type: "integer", format: "int32" } },
  { name: "int32 within bounds", schema: { type: "integer", format: "int32", minimum: 1 } },
  { name: "int64", schema: { type: "integer", format: "int64" } },
  { name: "float", schema: { type: "number", format: "float" } },
  { name: "double", schema: { type: "number", format: "double" } },
  { name: "int32 or null", schema: { type: ["integer", "null"], format: "int32", maximum: 5 } },
];

const values: readonly Row[] = [
  { name: "enum of texts", schema: { type: "string", enum: ["a", "b"] } },
  { name: "enum without a type", schema: { enum: ["a", 1, true, null] } },
  { name: "enum beside another type", schema: { type: "integer", enum: ["a", 1, 2.5] } },
  { name: "enum of one", schema: { enum: ["only"] } },
  { name: "enum of null", schema: { enum: [null] } },
  {
    name: "enum with null and a type list",
    schema: { type: ["string", "null"], enum: ["a", null] },
  },
  { name: "enum without null and a type list", schema: { type: ["string", "null"], enum: ["a"] } },
  { name: "enum of objects", schema: { enum: [{ a: 1, b: [1, 2] }, [], {}, [1, { b: 2 }]] } },
  { name: "enum of hostile names", schema: { enum: ["constructor", "__proto__", "toString", ""] } },
  { name: "enum of odd texts", schema: { enum: ['"', "\\", "\n", "\u2028", "*/", "${a}", "`"] } },
  { name: "enum of zero", schema: { enum: [0] } },
  { name: "enum and pattern", schema: { type: "string", enum: ["a", "bb"], pattern: "^.$" } },
  { name: "enum and bounds", schema: { enum: [1, 5, "a", null], maximum: 3 } },
  { name: "const", schema: { const: "a" } },
  { name: "const number", schema: { const: 1 } },
  { name: "const true", schema: { const: true } },
  { name: "const null", schema: { const: null } },
  { name: "const object", schema: { const: { b: 1, a: [{ c: null }] } } },
  { name: "const array", schema: { const: [1, "a"] } },
  { name: "const and enum", schema: { const: "a", enum: ["a", "b"] } },
  { name: "const and an enum without it", schema: { const: "c", enum: ["a"] }, always: "invalid" },
  { name: "const of another type", schema: { type: "string", const: 1 }, always: "invalid" },
  { name: "const and required", schema: { const: { a: 1 }, required: ["a"] } },
];

export const scalarKeywords: readonly Row[] = [...types, ...strings, ...numbers, ...values];
