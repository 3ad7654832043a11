// JSON objects may have members called like those of every JavaScript object, "__proto__" above
// all. Ajv is of little help here, so each verdict is written down.

import { describe, expect, test } from "vitest";
import type { Json } from "../../../generator/json.ts";
import { compileSchema } from "../../../generator/conformance/compile.ts";

/** `JSON.parse` makes "__proto__" a property like any other; a literal would set the prototype. */
const parsed = (text: string): Json => JSON.parse(text) as Json;

const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

interface Case {
  readonly title: string;
  /** NAME stands for the name */
  readonly schema: string;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: "a property is checked when it is there and only then",
    schema: '{"type":"object","properties":{"NAME":{"type":"integer"}}}',
    valid: ['{"NAME":1}', "{}"],
    invalid: ['{"NAME":"1"}', '{"NAME":null}'],
  },
  {
    title: "a required property is not inherited",
    schema: '{"type":"object","properties":{"NAME":{}},"required":["NAME"]}',
    valid: ['{"NAME":null}'],
    invalid: ["{}"],
  },
  {
    title: "nor is a required name without a property",
    schema: '{"required":["NAME"]}',
    valid: ['{"NAME":{}}'],
    invalid: ["{}", '{"name":1}'],
  },
  {
    title: "a closed object refuses it",
    schema: '{"properties":{"a":{}},"additionalProperties":false}',
    valid: ["{}", '{"a":1}'],
    invalid: ['{"NAME":1}', '{"a":1,"NAME":{}}'],
  },
  {
    title: "a closed object that declares it takes it",
    schema: '{"properties":{"NAME":{"type":"integer"}},"additionalProperties":false}',
    valid: ["{}", '{"NAME":1}'],
    invalid: ['{"NAME":"1"}', '{"NAME":1,"a":1}'],
  },
  {
    title: "a map checks its value",
    schema: '{"type":"object","additionalProperties":{"type":"integer"}}',
    valid: ['{"NAME":1}', "{}"],
    invalid: ['{"NAME":"1"}', '{"a":1,"NAME":null}'],
  },
  {
    title: "a map beside properties checks its value",
    schema: '{"type":"object","properties":{"a":true},"additionalProperties":{"type":"integer"}}',
    valid: ['{"NAME":1}'],
    invalid: ['{"NAME":"1"}'],
  },
  {
    title: "patternProperties see it",
    schema: '{"patternProperties":{"[oO]":{"type":"integer"}}}',
    valid: ['{"NAME":1}'],
    invalid: ['{"NAME":"1"}'],
  },
  {
    title: "propertyNames see it",
    schema: '{"propertyNames":{"maxLength":3}}',
    valid: ["{}", '{"abc":1}'],
    invalid: ['{"NAME":1}'],
  },
  {
    title: "minProperties count it",
    schema: '{"type":"object","properties":{"a":{}},"minProperties":1}',
    valid: ['{"NAME":1}'],
    invalid: ["{}"],
  },
  {
    title: "maxProperties count it",
    schema: '{"type":"object","maxProperties":1}',
    valid: ['{"NAME":1}', '{"a":1}'],
    invalid: ['{"NAME":1,"a":1}'],
  },
  {
    title: "dependentRequired see it on both sides",
    schema: '{"dependentRequired":{"NAME":["a"],"b":["NAME"]}}',
    valid: ["{}", '{"NAME":1,"a":1}', '{"b":1,"NAME":1,"a":1}'],
    invalid: ['{"NAME":1}', '{"b":1}'],
  },
  {
    title: "dependentSchemas see it",
    schema: '{"dependentSchemas":{"NAME":{"required":["a"]}}}',
    valid: ["{}", '{"NAME":1,"a":1}'],
    invalid: ['{"NAME":1}'],
  },
  {
    title: "unevaluatedProperties see it",
    schema: '{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}',
    valid: ["{}", '{"a":1}'],
    invalid: ['{"NAME":1}'],
  },
  {
    title: "enum and const compare it",
    schema: '{"enum":[{"NAME":1},{"a":{"NAME":[]}}]}',
    valid: ['{"NAME":1}', '{"a":{"NAME":[]}}'],
    invalid: ["{}", '{"NAME":2}', '{"a":{}}'],
  },
  {
    title: "uniqueItems compare it, in items with a shape too",
    schema: '{"type":"array","items":{"type":"object","properties":{"a":{}}},"uniqueItems":true}',
    valid: ['[{"NAME":1},{"NAME":2}]', '[{"NAME":1},{}]'],
    invalid: ['[{"NAME":1},{"NAME":1}]', '[{"a":1,"NAME":{"b":1}},{"NAME":{"b":1},"a":1}]'],
  },
  {
    title: "not and if see it",
    schema:
      '{"not":{"required":["NAME"],"properties":{"NAME":{"const":1}}},"if":{"required":["NAME"]},"then":{"required":["a"]}}',
    valid: ["{}", '{"NAME":2,"a":1}'],
    invalid: ['{"NAME":1,"a":1}', '{"NAME":2}'],
  },
];

describe.each(names)("a member called %s", (name) => {
  test.each(cases)("$title", ({ schema, valid, invalid }) => {
    const compiled = compileSchema({ schema: parsed(schema.replaceAll("NAME", name)) });
    for (const text of [...valid, ...invalid].map((one) => one.replaceAll("NAME", name))) {
      const value = parsed(text);
      const isValid = compiled.valid(value);
      const problems = compiled.problems(value);
      expect({ text, isValid, isClean: problems.length === 0 }).toEqual({
        text,
        isValid: valid.some((one) => one.replaceAll("NAME", name) === text),
        isClean: isValid,
      });
      // the value a handler gets is the one that was sent
      expect(JSON.stringify(value)).toBe(text);
    }
  });
});

test("nothing of all this reaches the prototype of objects", () => {
  const schema = parsed('{"type":"object","additionalProperties":{"type":"object"}}');
  const value = parsed('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  const { valid, problems } = compileSchema({ schema });
  expect([valid(value), problems(value)]).toEqual([true, []]);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test.each([
  ['{"type":"string","minLength":1,"maxLength":9}', '{"length":[{"toString":1}]}'],
  ['{"type":"array","items":{},"minItems":1,"maxItems":9}', '{"length":{"valueOf":1}}'],
  ['{"type":"number","minimum":1,"multipleOf":2}', '{"valueOf":1,"toString":1}'],
  ['{"type":"integer","format":"int32"}', '[{"toString":1}]'],
  ['{"type":"string","pattern":"^a","format":"uri"}', '{"toString":1}'],
  ['{"enum":["a",1]}', '{"toString":1,"valueOf":1,"toJSON":1}'],
  ['{"oneOf":[{"type":"string","maxLength":1},{"minimum":1}]}', '{"length":{"valueOf":1}}'],
])("%s refuses %s, whose members look like methods", (schema, text) => {
  const { valid, problems } = compileSchema({ schema: parsed(schema) });
  // the last of them fits neither or both, depending on nothing but its type
  expect(valid(parsed(text))).toBe(problems(parsed(text)).length === 0);
  expect(problems(parsed(text)).every(({ rule }) => /^(?:type|enum|oneOf)$/.test(rule))).toBe(true);
});
