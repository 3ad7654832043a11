// Types, and the keywords of texts, numbers and single values.

import { type Row, rows } from "./keyword-row.ts";

const types = rows(
  {
    nothing: {},
    true: true,
    false: false,
    ...Object.fromEntries(
      ["string", "number", "integer", "boolean", "null", "array", "object"].map((type) => [
        `type ${type}`,
        { type },
      ]),
    ),
    "a list of one type": { type: ["string"] },
    "string or null": { type: ["string", "null"] },
    "null and integer": { type: ["null", "integer"] },
    "string or integer": { type: ["string", "integer"] },
    "integer or number": { type: ["integer", "number"] },
    "object or array or null, each with its keywords": {
      type: ["object", "array", "null"],
      required: ["a"],
      minItems: 2,
    },
    "every type": { type: ["string", "number", "boolean", "null", "array", "object"] },
    "keywords of another type": { type: "integer", minLength: 3, required: ["a"] },
  },
  {
    nothing: { always: "valid" },
    true: { always: "valid" },
    false: { always: "invalid" },
    "every type": { always: "valid" },
  },
);

const strings = rows(
  {
    minLength: { type: "string", minLength: 2 },
    maxLength: { type: "string", maxLength: 3 },
    "exact length": { type: "string", minLength: 2, maxLength: 2 },
    "lengths without a type": { minLength: 2, maxLength: 4 },
    "maxLength 0": { type: "string", maxLength: 0 },
    pattern: { type: "string", pattern: "^[a-c]{2}$" },
    "pattern, unanchored": { type: "string", pattern: "b" },
    "pattern without a type": { pattern: "^a" },
    "pattern of letters": { type: "string", pattern: "^\\p{L}+$" },
    "pattern of one code point": { type: "string", pattern: "^.$" },
    "pattern with slashes": { type: "string", pattern: "^/a/[/]?\\/$" },
    "pattern with a line feed": { type: "string", pattern: "^a\\nb$" },
    "pattern with an astral class": { type: "string", pattern: "^[😀-😎]$" },
    "pattern, group and lookahead": { type: "string", pattern: "^(?=a)(?<n>a|ab)$" },
    "pattern of a decimal amount": {
      type: "string",
      pattern: "^(0|[1-9][0-9]*)(\\.[0-9]+)?$",
      maxLength: 8,
    },
    "an empty pattern": { type: "string", pattern: "" },
    "an unknown format": { type: "string", format: "no-such-format" },
    "a format without a type": { format: "uuid" },
    "a format and null": { type: ["string", "null"], format: "date" },
    "a format of numbers on text": { type: "string", format: "int32" },
  },
  {
    "pattern, group and lookahead": { fits: ["a"] },
  },
);

const numbers = rows({
  minimum: { type: "number", minimum: 1.5 },
  maximum: { type: "integer", maximum: 10 },
  "minimum 0": { type: "number", minimum: 0 },
  exclusiveMinimum: { type: "number", exclusiveMinimum: 0 },
  exclusiveMaximum: { type: "integer", exclusiveMaximum: 3 },
  "both kinds of bounds": {
    type: "number",
    minimum: 1,
    exclusiveMinimum: 1,
    maximum: 3,
    exclusiveMaximum: 4,
  },
  "an integer between fractions": { type: "integer", minimum: 0.5, maximum: 2.5 },
  "bounds without a type": { minimum: 1, exclusiveMaximum: 3 },
  multipleOf: { type: "integer", multipleOf: 3 },
  "multipleOf a half": { type: "number", multipleOf: 0.5 },
  "multipleOf without a type": { multipleOf: 2 },
  int32: { type: "integer", format: "int32" },
  "int32 within all that it is": {
    type: "integer",
    format: "int32",
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
  },
  "integers that a double holds": {
    type: "integer",
    minimum: -9_007_199_254_740_991,
    maximum: 9_007_199_254_740_991,
  },
  "int32 within bounds": { type: "integer", format: "int32", minimum: 1 },
  int64: { type: "integer", format: "int64" },
  float: { type: "number", format: "float" },
  double: { type: "number", format: "double" },
  "int32 or null": { type: ["integer", "null"], format: "int32", maximum: 5 },
});

const values = rows(
  {
    "enum of texts": { type: "string", enum: ["a", "b"] },
    "enum without a type": { enum: ["a", 1, true, null] },
    "enum beside another type": { type: "integer", enum: ["a", 1, 2.5] },
    "enum of one": { enum: ["only"] },
    "enum of null": { enum: [null] },
    "enum with null and a type list": { type: ["string", "null"], enum: ["a", null] },
    "enum without null and a type list": { type: ["string", "null"], enum: ["a"] },
    "enum of objects": { enum: [{ a: 1, b: [1, 2] }, [], {}, [1, { b: 2 }]] },
    "enum of hostile names": { enum: ["constructor", "__proto__", "toString", ""] },
    "enum of odd texts": { enum: ['"', "\\", "\n", "\u2028", "*/", "${a}", "`"] },
    "enum of zero": { enum: [0] },
    "enum and pattern": { type: "string", enum: ["a", "bb"], pattern: "^.$" },
    "enum and bounds": { enum: [1, 5, "a", null], maximum: 3 },
    const: { const: "a" },
    "const number": { const: 1 },
    "const true": { const: true },
    "const null": { const: null },
    "const object": { const: { b: 1, a: [{ c: null }] } },
    "const array": { const: [1, "a"] },
    "const and enum": { const: "a", enum: ["a", "b"] },
    "const and an enum without it": { const: "c", enum: ["a"] },
    "const of another type": { type: "string", const: 1 },
    "const and required": { const: { a: 1 }, required: ["a"] },
  },
  {
    "const and an enum without it": { always: "invalid" },
    "const of another type": { always: "invalid" },
  },
);

export const scalarKeywords: readonly Row[] = [...types, ...strings, ...numbers, ...values];
