// A text that is longer than its maxLength is not held against its pattern: what an expression costs may double with
// each character, and a body has a million of them. Where it was, these tests would not end.

import { expect, test } from "vitest";
import { compileSchema } from "../../../generator/conformance/compile.ts";

const doubling = "^(a|a)*$";
const rulesOf = (schema: object, value: string) =>
  compileSchema({ schema: { ...schema } })
    .problems(value)
    .map(({ rule }) => rule);

test.each([
  ["of a type", { type: "string" }],
  ["of any type", {}],
  ["or null", { type: ["string", "null"] }],
])("a text (%s)", (_, more) => {
  const schema = { ...more, pattern: doubling, maxLength: 12 };
  expect(rulesOf(schema, `${"a".repeat(1_000_000)}!`)).toEqual(["maxLength"]);
  expect(compileSchema({ schema }).valid(`${"a".repeat(100)}!`)).toBe(false);
  expect(rulesOf(schema, "a".repeat(13))).toEqual(["maxLength"]);
  expect(rulesOf(schema, `${"a".repeat(11)}!`)).toEqual(["pattern"]);
  expect(rulesOf(schema, "a".repeat(12))).toEqual([]);
});

test("in characters, of which each may take two units", () => {
  const schema = { type: "string", pattern: "^😀*$", maxLength: 3 };
  expect(rulesOf(schema, "😀😀😀")).toEqual([]);
  expect(rulesOf(schema, "😀😀!")).toEqual(["pattern"]);
  expect(rulesOf(schema, "😀😀😀😀")).toEqual(["maxLength"]);
  expect(rulesOf(schema, "😀😀😀!")).toEqual(["maxLength"]);
});

test("the names of an object", () => {
  const schema = { propertyNames: { type: "string", pattern: doubling, maxLength: 12 } };
  const name = `${"a".repeat(10_000)}!`;
  expect(compileSchema({ schema }).valid({ [name]: 1 })).toBe(false);
});
