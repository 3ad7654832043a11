// Text from elsewhere cannot move the cursor, turn its neighbours around, or begin a line.

import { expect, test } from "vitest";
import { inline, printable } from "../../../scripts/client/tool/printable.ts";

test.each([
  ["\u001B[31mred", String.raw`\u001b[31mred`],
  ["a\rb\u0000\u007F", String.raw`a\u000db\u0000\u007f`],
  ["\u009B2J", String.raw`\u009b2J`],
  ["\u202Egnp\u2066", String.raw`\u202egnp\u2066`],
  ["\u200F\u061C", String.raw`\u200f\u061c`],
  ["Grüße, 100 €, 日本", "Grüße, 100 €, 日本"],
])("%j", (text, expected) => {
  expect(printable(text)).toBe(expected);
  expect(inline(text)).toBe(expected);
});

test("lines of ours stay, and a word from elsewhere has none", () => {
  expect(printable("one\ntwo")).toBe("one\ntwo");
  expect(inline("one\ntwo")).toBe(String.raw`one\u000atwo`);
});

test("JSON says the same with it", () => {
  const value = { text: "a\u0085\u202E\u2028b" };
  const line = inline(JSON.stringify(value));
  expect(line).toBe(String.raw`{"text":"a\u0085\u202e\u2028b"}`);
  expect(JSON.parse(line)).toEqual(value);
});
