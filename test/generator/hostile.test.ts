// Hostile documents: what was found by putting faults into documents, and the command that does it.

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../generator/json.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { judge } from "../../scripts/hostile/judge.ts";
import { spoil } from "../../scripts/hostile/spoil.ts";
import { run } from "./work-folder.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, ".out-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A document with one schema; `JSON.parse` makes "__proto__" a name like any other. */
function documentOf(schema: string, more = "{}"): string {
  return `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{
    "operationId":"a",
    "requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}},
    "responses":{"204":{"description":"Done"}}}}},
    "components":{"schemas":{"A":${schema},"B":${more},"C":true}}}`;
}

/** Ajv dies of the example: test/generator/validation/deviations.test.ts has it alone. */
const notedNowhere = `{"anyOf":[{"$ref":"#/components/schemas/B"},{"$ref":"#/components/schemas/C"}],
  "patternProperties":{"^a":{}},"unevaluatedProperties":false,"examples":[{"a/b":null}]}`;

/** A schema with as many lists around its text as `levels`, and an example that fits. */
function nested(levels: number): string {
  let [schema, example]: [Json, Json] = [{ type: "string" }, "deep"];
  for (let level = 0; level < levels; level += 1)
    [schema, example] = [{ allOf: [{ type: "array", items: schema }] }, [example]];
  return JSON.stringify({ allOf: [schema], example });
}

function judgementOf(text: string) {
  return judge(text, "/document.json", folder);
}

describe("a document is generated", () => {
  test.for([
    ["with a keyword called __proto__", documentOf('{"type":"object","__proto__":{}}')],
    ["with a property called so", documentOf('{"properties":{"__proto__":{"type":"string"}}}')],
    ["with 60 lists one in the other, and an example", documentOf(nested(60))],
    [
      "with unique items that have a toString",
      documentOf('{"uniqueItems":true,"examples":[[{"toString":1},{"toString":2}]]}'),
    ],
    [
      "whose example Ajv cannot judge",
      documentOf(notedNowhere, '{"required":["a"],"additionalProperties":{}}'),
    ],
  ])("%s", async ([, text]) => {
    const { verdict, told } = await judgementOf(text ?? "");
    expect(told).toBe("");
    expect(verdict).toBe("generated");
  });
});

describe("a document is refused", () => {
  test.for([
    ["that is its own schema", documentOf('{"items":{"$ref":"#"}}')],
    ["with a reference to nothing at all", documentOf('{"$ref":""}')],
    ["with a reference to all its schemas", documentOf('{"$ref":"#/components/schemas"}')],
    [
      "with a reference to the values of an enum",
      documentOf('{"properties":{"a":{"$ref":"#/components/schemas/B/enum"}}}', '{"enum":[{}]}'),
    ],
    [
      "with a reference to a list below an extension",
      documentOf('{"items":{"$ref":"#/components/schemas/B/x-b/0"}}', '{"x-b":[[]]}'),
    ],
    [
      "whose broken part has a name twice",
      documentOf(
        '{"items":{"$ref":"#"},"default":1}',
        '{"$anchor":"b","examples":[{"$anchor":"b"}]}',
      ),
    ],
  ])("%s", async ([, text]) => {
    const { verdict, told } = await judgementOf(text ?? "");
    expect(told).toMatch(/^a schema is wanted here, and "#?[^"]*" is /);
    expect(verdict).toBe("refused");
  });
});

test("behind an error of YAML the lines are still counted", async () => {
  const text = "a: 1\n]  b: c\nd:\n  e: f\n    g: h\ni: 'j\n";
  const { verdict } = await judge(text, "/document.yaml", folder);
  expect(verdict).toBe("refused");
});

test("the same dice make the same fault", () => {
  const document: Json = { a: [1, { b: "c" }], d: { e: null } };
  const seeds = Array.from({ length: 50 }, (_, seed) => seed);
  const all = seeds.map((seed) => spoil(document, new Dice(seed)));
  expect(seeds.map((seed) => spoil(document, new Dice(seed)))).toEqual(all);
  expect(new Set(all.map(({ text }) => text)).size).toBeGreaterThan(30);
});

test("whatever is wrong with a document is said, or it is generated and loads", async () => {
  const seed = String(Number(process.env["SEED"] ?? 1) % 1_000_000);
  const { output, errors, code } = await run([
    "scripts/hostile.ts",
    "--seed",
    seed,
    "--count",
    "60",
  ]);
  expect(errors).toBe("");
  expect(output).toContain(`--seed ${seed}`);
  expect(output).toMatch(/^60 documents, 0 faults, the slowest in \d+\.\d s$/m);
  expect(code).toBe(0);
});
