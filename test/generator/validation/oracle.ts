// The second opinion: Ajv, which shares no line with the generated validation.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isObject, type Json } from "../../../generator/json.ts";
import type { Subject } from "../../../generator/conformance/compile.ts";
import { verdictOf, withJsonEquality } from "../../../generator/suite/ajv-mistakes.ts";

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

function hasMember(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasMember);
  return isObject(value) && Object.keys(value).length > 0;
}

/** A member, or an item. */
function hasPart(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : hasMember(value);
}

/** Of the longest prefixItems, anywhere. */
function placesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own: unknown = Reflect.get(value, "prefixItems");
  const below = Object.values(value).map(placesOf);
  return Math.max(0, Array.isArray(own) ? own.length : 0, ...below);
}

function hasShorter(value: Json, length: number): boolean {
  if (Array.isArray(value)) {
    return value.length < length || value.some((item) => hasShorter(item, length));
  }
  return isObject(value) && Object.values(value).some((item) => hasShorter(item, length));
}

function hasUnsafeName(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasUnsafeName);
  return (
    isObject(value) &&
    Object.entries(value).some(([name, item]) => name in Object.prototype || hasUnsafeName(item))
  );
}

export function compileOracle(subject: Subject): Oracle {
  const validate = compileWith(withJsonEquality(buildAjv()), subject);
  const knownToBeWrong = mistakesOn(subject);
  return (value) => (knownToBeWrong(value) ? undefined : verdictOf(validate, value));
}

/** What Ajv 8.20 gets wrong; the test of deviations has an example of each. */
function mistakesOn(subject: Subject): (value: Json) => boolean {
  const text = JSON.stringify(subject);
  const has = (keyword: string): boolean => text.includes(`"${keyword}":`);
  // it takes inherited members for properties it has looked at
  const forgetsNames = has("unevaluatedProperties");
  // it takes an array that has not all of prefixItems for one that contains what it must
  const placesMax = has("contains") ? placesOf(subject) : 0;
  // it takes what an alternative has looked at by a pattern for evaluated, also where the alternative fails
  const ways = ["anyOf", "oneOf", "if", "dependentSchemas"];
  const forgetsFailures = forgetsNames && has("patternProperties") && ways.some(has);
  // it takes what a condition has looked at for evaluated, also where the condition fails
  const forgetsConditions =
    has("if") &&
    ["unevaluatedProperties", "unevaluatedItems"].some(has) &&
    ["then", "else"].some(has);
  return (value) =>
    (forgetsFailures && hasMember(value)) ||
    (forgetsConditions && hasPart(value)) ||
    (forgetsNames && hasUnsafeName(value)) ||
    hasShorter(value, placesMax);
}

/** Ajv's own word, mistakes included. */
export function compileBareOracle(subject: Subject): (value: Json) => boolean {
  const validate = compileWith(buildAjv(), subject);
  return (value) => validate(value);
}

function compileWith(ajv: Ajv2020, { schema, components = {} }: Subject): ValidateFunction {
  ajv.addSchema({ components: { schemas: components }, subject: schema }, "document");
  // a reference is relative to the whole document, so the schema has to stand in it
  return ajv.compile({ $ref: "document#/subject" });
}
