// The second opinion: Ajv, which shares no line with the generated validation.

import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject, type Json } from "../../../generator/json.ts";
import type { Subject } from "../../../generator/conformance/compile.ts";

/** Undefined where Ajv is known to be wrong. */
type Oracle = (value: Json) => boolean | undefined;

/**
 * `ownProperties`: without it every object would have a property "constructor". `meta`: compiling
 * the schema of schemas for each case would take most of the time of these tests.
 */
function buildAjv(): Ajv2020 {
  const options = { strict: false, ownProperties: true, logger: false } as const;
  const ajv = new Ajv2020({ ...options, meta: false, validateSchema: false });
  addFormats.default(ajv);
  return ajv;
}

/**
 * Ajv compares objects with a library that calls the `toString` of a JSON object that has one, and
 * dies of it. Such values are compared by Node instead.
 */
function buildCarefulAjv(): Ajv2020 {
  const ajv = buildAjv();
  for (const keyword of ["enum", "const", "uniqueItems"]) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: "enum",
    validate: (values: Json[], value: Json) => values.some((one) => isEqual(one, value)),
  });
  ajv.addKeyword({
    keyword: "const",
    validate: (wanted: Json, value: Json) => isEqual(wanted, value),
  });
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    validate: (wanted: boolean, items: Json[]) =>
      !wanted || !items.some((item, at) => items.slice(0, at).some((one) => isEqual(one, item))),
  });
  return ajv;
}

function isEqual(one: Json, other: Json): boolean {
  // through JSON, since -0 and 0 are one number there
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

function hasUnsafeName(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasUnsafeName);
  return (
    isObject(value) &&
    Object.entries(value).some(([name, item]) => name in Object.prototype || hasUnsafeName(item))
  );
}

export function compileOracle(subject: Subject): Oracle {
  const usual = compileWith(buildAjv(), subject);
  const knownToBeWrong = mistakesOn(subject);
  let careful: Oracle | undefined;
  return (value) => {
    if (knownToBeWrong(value)) return undefined;
    if (!hasUnsafeName(value)) return unlessItDies(usual, subject)(value);
    return (careful ??= compileWith(buildCarefulAjv(), subject))(value);
  };
}

/**
 * Where a reference in one way of an anyOf has evaluated properties and another has not, Ajv writes down the next
 * one nowhere, and dies of it.
 */
function unlessItDies(oracle: Oracle, subject: Subject): Oracle {
  const mayDie = JSON.stringify(subject).includes('"unevaluatedProperties":');
  return (value) => {
    try {
      return oracle(value);
    } catch (error) {
      if (!mayDie || !(error instanceof TypeError)) throw error;
      return undefined;
    }
  };
}

/** What Ajv 8.20 gets wrong; the test of deviations has an example of each. */
function mistakesOn(subject: Subject): (value: Json) => boolean {
  const text = JSON.stringify(subject);
  const has = (keyword: string): boolean => text.includes(`"${keyword}":`);
  // it takes inherited members for properties it has looked at
  const forgetsNames = has("unevaluatedProperties");
  // it takes an empty array for one that contains what it must
  const forgetsEmpty = has("contains") && has("prefixItems");
  return (value) =>
    (forgetsNames && hasUnsafeName(value)) ||
    (forgetsEmpty && JSON.stringify(value).includes("[]"));
}

/** Ajv's own word, mistakes included. */
export function compileBareOracle(subject: Subject): (value: Json) => boolean {
  const oracle = compileWith(buildAjv(), subject);
  return (value) => oracle(value) === true;
}

function compileWith(ajv: Ajv2020, { schema, components = {} }: Subject): Oracle {
  ajv.addSchema({ components: { schemas: components }, subject: schema }, "document");
  // a reference is relative to the whole document, so the schema has to stand in it
  const validate = ajv.compile({ $ref: "document#/subject" });
  return (value) => validate(value);
}
