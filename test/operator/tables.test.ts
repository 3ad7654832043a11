// What the operator's commands print in columns, to the last character.

import { expect, test } from "vitest";
import { roughDuration, table } from "../../adapters/operator/tables.ts";

test("columns are as wide as their widest cell, and no line ends with spaces", () => {
  expect(
    table([
      ["A", "LONG", "B"],
      ["aaa", "b", "c"],
      ["a", "b", ""],
    ]),
  ).toBe("A    LONG  B\naaa  b     c\na    b\n");
  expect(
    table([
      ["A", "", "B"],
      ["a", "", ""],
      ["b", "", "c"],
    ]),
  ).toBe("A    B\na\nb    c\n");
  expect(table([])).toBe("");
  for (const row of [["a"], ["a", "b", "c"]]) {
    expect(() => table([["A", "B"], row])).toThrow("more or fewer cells than A, B");
  }
});

test.each([
  [0, "0s"],
  [999, "0s"],
  [1_000, "1s"],
  [1_999, "1s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [3_600_000, "1h"],
  [86_399_999, "23h"],
  [86_400_000, "1d"],
  [200 * 86_400_000, "200d"],
])("%d ms are %s, in the largest unit that fits", (milliseconds, shown) => {
  expect(roughDuration(milliseconds)).toBe(shown);
});
