// Places in JSON files are those that the reader of YAML gives for the same text, which knows each value's place
// from reading it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { readSource } from "../../generator/read/read-source.ts";
import { escapeToken, isObject, type Json } from "../../generator/json.ts";

function pointersOf(value: Json, pointer = ""): readonly string[] {
  const inner = Array.isArray(value)
    ? [...value.keys()].map((index) => [String(index), value[index] ?? null] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [
    pointer,
    ...inner.flatMap(([name, one]) => pointersOf(one, `${pointer}/${escapeToken(name)}`)),
  ];
}

/** Quotes and backslashes in every order, brackets in texts, and names that are numbers. */
const texts = fc.oneof(
  fc.stringMatching(/^["\\{}[\],:a ]{0,6}$/),
  fc.constantFrom("", "0", "1", "a/b", "a~b", "constructor", "é", "😀", "\u2028", "\n\t"),
);
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.constantFrom<Json[]>(null, true, false, 0, -1.5e-7, 1e21),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(texts, tie("value")), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

test("every value and every name of it stands where the reader of YAML finds it", () => {
  const spaces = fc.constantFrom(0, 1, 2, "\t");
  fc.assert(
    fc.property(values, spaces, fc.constantFrom("", "\n", " \r\n"), (value, space, around) => {
      const text = around + JSON.stringify({ value }, null, space) + around;
      const { source: json } = readSource("a.json", "/a.json", text);
      const { source: yaml } = readSource("a.yaml", "/a.yaml", text.replaceAll("\t", " "));
      if (json === undefined || yaml === undefined) throw new Error(`not read: ${text}`);
      for (const pointer of pointersOf({ value })) {
        for (const [way, what] of [
          ["", "value"],
          ["", "key"],
          ["/none/0", "value"],
        ] as const) {
          const { line, column } = json.place(pointer + way, what);
          expect(yaml.place(pointer + way, what)).toMatchObject({ line, column });
        }
      }
    }),
    { numRuns: 300 },
  );
});
