// Which faults are made of which document, and that each is a document still.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { mutantsIn } from "../../scripts/mutate/find.ts";
import { applied } from "../../scripts/mutate/mutant.ts";

const path = "spec/openapi.yaml";

const head = `openapi: 3.1.1
paths: {}
components:
  schemas:
    One:
`;

/** What the schema is in each mutant, as JSON. */
function schemasOf(yaml: string): readonly string[] {
  const source = head + yaml.replaceAll(/^/gm, "      ").trimEnd() + "\n";
  return mutantsIn(path, source).map((mutant) => {
    const { components } = parse(applied(source, mutant)) as {
      components: { schemas: { One: unknown } };
    };
    return JSON.stringify(components.schemas.One);
  });
}

test.each([
  ["a bound", "type: string\nmaxLength: 5", [{ maxLength: 5 }, { type: "string" }, 6, 4]],
  ["a pattern", "type: string\npattern: ^a$", [{ pattern: "^a$" }, { type: "string" }]],
  [
    "a list in a line",
    "enum: [a, b, c]\ntype: string",
    [
      { type: "string" },
      { enum: ["a", "b", "c"] },
      ...[
        ["b", "c"],
        ["a", "c"],
        ["a", "b"],
      ].map((left) => ({ enum: left, type: "string" })),
    ],
  ],
  [
    "a list in lines",
    "required:\n  - a\n  - b\ntype: object",
    [
      { type: "object" },
      { required: ["a", "b"] },
      { required: ["b"], type: "object" },
      { required: ["a"], type: "object" },
    ],
  ],
  [
    "alternatives",
    "oneOf:\n  - type: string\n    format: date\n  - $ref: '#/b'",
    [
      { oneOf: [{ $ref: "#/b" }] },
      { oneOf: [{ type: "string", format: "date" }] },
      { oneOf: [{ type: "string" }, { $ref: "#/b" }] },
      { oneOf: [{ format: "date" }, { $ref: "#/b" }] },
    ],
  ],
  [
    "properties, whatever they are called",
    "type: object\nproperties:\n  description:\n    type: string\n  b:\n    type: string",
    [
      { properties: { description: { type: "string" }, b: { type: "string" } } },
      { type: "object", properties: { b: { type: "string" } } },
      { type: "object", properties: { description: { type: "string" } } },
    ],
  ],
  [
    "words for people",
    "type: string\ndescription: a\nexample: b",
    [{ description: "a", example: "b" }],
  ],
])("%s", (_, yaml, expected) => {
  const wanted = expected.map((one) =>
    JSON.stringify(typeof one === "number" ? { type: "string", maxLength: one } : one),
  );
  expect(schemasOf(yaml).toSorted()).toEqual(wanted.toSorted());
});

test("our contract: thousands of faults, each in a document, and none the same", () => {
  const source = readFileSync(join(import.meta.dirname, "..", "..", path), "utf8");
  const mutants = mutantsIn(path, source);
  expect(mutants.length).toBeGreaterThan(3_000);
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  const rules = new Set(mutants.map(({ rule }) => rule));
  for (const rule of ["path", "method", "response", "header", "x-error-codes", "parameters"]) {
    expect(rules).toContain(rule);
  }
  const whole = JSON.stringify(parse(source));
  // one of each rule, and the last: a parse takes a while
  const some = [...new Map(mutants.map((one) => [one.rule, one])).values()];
  for (const mutant of some) {
    expect(JSON.stringify(parse(applied(source, mutant)))).not.toBe(whole);
  }
});
