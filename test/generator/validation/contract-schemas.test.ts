// Every component of our own contract: the generated schemas, as they are committed, agree with
// Ajv on the examples of the document, on mutants of them and on values near to the schema.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ZodType } from "zod";
import * as generated from "../../../generated/schemas.ts";
import { check } from "../../../generated/runtime/checking.ts";
import {
  below,
  document,
  examplesOf,
  isObject,
  type Json,
  listAt,
  members,
  objectAt,
  operations,
  placeAt,
  textOf,
} from "../../support/contract-document.ts";
import { judgeAt } from "../../support/contract-schemas.ts";
import { boundaryValues, brokenValues, completeValues } from "../../support/contract-values.ts";
import { valuesFor } from "./value-arbitraries.ts";

const schemas = objectAt(objectAt(document, "components"), "schemas");
const names = Object.keys(schemas);
const runs = 150;

function agreementOn(name: string): (value: Json) => boolean {
  const { valid, problems } = check(Reflect.get(generated, name) as ZodType);
  const judge = judgeAt(`/components/schemas/${name}`);
  return (value) => {
    const isValid = valid(value);
    const findings = judge(value);
    const reported = problems(value);
    if (isValid === (findings.length === 0) && isValid === (reported.length === 0)) return isValid;
    if (isHandledElsewhere(value)) return isValid;
    const shown = { value, ajv: findings, ours: isValid, reported };
    throw new Error(`${name}: ${JSON.stringify(shown)}`);
  };
}

/** Forms of text that Ajv judges wrongly. */
const ajvErrs = [
  /^\d{4}-\d\d-\d\d\s/, // a space between date and time is fine with it
  /:60/,
  /^[A-Za-z][\w+.-]*:(?:[?#]|$)/, // what follows the scheme of a URI may be empty (RFC 3986, section 3)
  /^[A-Za-z][\w+.-]*:\/\/[^/?#]*:[^/?#]*[^\d/?#]/, // and its port is digits (section 3.2.3)
];

/** Deviations that a test of their own asserts one by one. */
function isHandledElsewhere(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value === "string") return ajvErrs.some((form) => form.test(value));
  return Object.values(value ?? {}).some(isHandledElsewhere);
}

/** More would only say the same again. */
const shownMax = 12;

/** What the document shows of a component: its own examples, and the parts of bodies that are made of it. */
function examplesBy(): ReadonlyMap<string, readonly Json[]> {
  const found = new Map(
    names.map((name) => [name, [...listAt(objectAt(schemas, name), "examples")]]),
  );
  const webhook = below(placeAt("/webhooks/event/post"), "requestBody", "content");
  const media = [
    below(webhook, "application/json"),
    ...operations.flatMap(({ body, responses }) => [
      ...(body === undefined ? [] : [body]),
      ...[...responses.values()].flatMap((response) => [...members(response, "content").values()]),
    ]),
  ];
  for (const one of media) {
    for (const value of examplesOf(one).values()) collect(one.node["schema"] ?? true, value, found);
  }
  return found;
}

/** The value, and what is in it, for each component that it is one of. */
function collect(schema: Json, value: Json, found: ReadonlyMap<string, Json[]>): void {
  if (!isObject(schema)) return;
  const name = textOf(schema["$ref"]).split("/").at(-1) ?? "";
  const shown = found.get(name);
  if (shown !== undefined) {
    if (judgeAt(`/components/schemas/${name}`)(value).length > 0) return;
    if (shown.length < shownMax) shown.push(value);
    collect(schemas[name] ?? true, value, found);
  }
  for (const list of ["oneOf", "allOf"]) {
    for (const one of listAt(schema, list)) collect(one, value, found);
  }
  if (Array.isArray(value)) {
    for (const item of value) collect(schema["items"] ?? true, item, found);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const property = objectAt(schema, "properties")[key] ?? schema["additionalProperties"];
      collect(property ?? true, member, found);
    }
  }
}

const examples = examplesBy();
/** The matcher of `oneOf` in responses: `null` or an object. */
const sampled = names.map((name) => [name, samplesOf(name)] as const);

function samplesOf(name: string): readonly Json[] {
  const shown = examples.get(name) ?? [];
  return shown.length > 0 ? shown : completeValues(`/components/schemas/${name}`);
}

test("every component has a generated schema", () => {
  expect(Object.keys(generated).toSorted()).toEqual(names.toSorted());
});

describe.each(sampled)("%s", (name, samples) => {
  test("takes its examples", () => {
    const agrees = agreementOn(name);
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.map((value) => agrees(value))).toEqual(samples.map(() => true));
  });

  test("agrees with Ajv on examples with one place changed", () => {
    const agrees = agreementOn(name);
    const mutants = fc.constantFrom(...samples).chain((value) => mutantsOf(value));
    let refused = 0;
    fc.assert(
      fc.property(mutants, (value) => {
        if (!agrees(value)) refused += 1;
      }),
      { numRuns: runs },
    );
    expect(refused).toBeGreaterThan(0);
  });

  test("agrees with Ajv on values near the schema and far from it", () => {
    const agrees = agreementOn(name);
    const near = valuesFor({ schema: schemas[name] ?? true, components: schemas });
    fc.assert(
      fc.property(near, (value) => void agrees(value)),
      { numRuns: runs },
    );
  });

  test("agrees with Ajv on each broken keyword and on each bound", () => {
    const agrees = agreementOn(name);
    for (const whole of completeValues(`/components/schemas/${name}`)) {
      for (const { value } of boundaryValues(`/components/schemas/${name}`, whole)) agrees(value);
      for (const { value } of brokenValues(`/components/schemas/${name}`, whole)) {
        expect(agrees(value)).toBe(false);
      }
    }
  });
});

/** The value with one place replaced, left out, doubled or added to. */
function mutantsOf(value: Json): fc.Arbitrary<Json> {
  const here = fc.constantFrom<Json[]>(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    "",
    "x",
    "0",
    [],
    {},
    ...grown(value),
  );
  const inner = Array.isArray(value)
    ? mutatedItems(value)
    : isObject(value)
      ? mutatedMembers(value)
      : [];
  return fc.oneof(
    { weight: 1, arbitrary: here },
    ...inner.map((arbitrary) => ({ weight: 3, arbitrary })),
  );
}

function grown(value: Json): Json[] {
  if (typeof value === "string")
    return [`${value} `, value.slice(1), value.toUpperCase(), value.repeat(40)];
  if (typeof value === "number") return [value + 1, -value, String(value)];
  if (Array.isArray(value)) return [[...value, ...value], value.slice(1)];
  return isObject(value)
    ? [
        { ...value, undeclared: 1 },
        { ...value, constructor: 1 },
      ]
    : [];
}

function mutatedItems(items: readonly Json[]): fc.Arbitrary<Json>[] {
  return items.map((item, at) => mutantsOf(item).map((mutant) => items.with(at, mutant)));
}

function mutatedMembers(value: Readonly<Record<string, Json>>): fc.Arbitrary<Json>[] {
  return Object.entries(value).flatMap(([name, item]) => {
    const { [name]: _left, ...others } = value;
    return [mutantsOf(item).map((mutant) => ({ ...value, [name]: mutant })), fc.constant(others)];
  });
}
