// What every printer of schemas shares.

import type { Json, JsonObject } from "../json.ts";
import { isObject } from "../json.ts";

export interface Scope {
  /** how a component is written at this place */
  readonly reference: (component: string) => string;
  readonly document: JsonObject;
}

/** Prints a schema; handed to printers of parts, which contain schemas again. */
export type Print = (schema: Json | undefined, scope: Scope) => string;

export function withChecks(base: string, checks: readonly string[]): string {
  if (checks.length === 0) return base;
  const list = checks.join(", ");
  return /^(?:(?:keywords|combinations|objects)\.|z\.(?!looseObject|strictObject))/.test(base)
    ? `${base}.check(${list})`
    : `combinations.also(${base}, ${list})`; // an object, or a component that may be one
}

const annotations = new Set([
  "title",
  "description",
  "deprecated",
  "default",
  "example",
  "examples",
  "readOnly",
  "writeOnly",
  "$comment",
  "$schema",
  "externalDocs",
  "xml",
]);

/** True when the keyword stands alone, but for words that accept and refuse nothing. */
export function isAnnotated(schema: JsonObject, keyword: string): boolean {
  return Object.keys(schema).every(
    (name) => name === keyword || annotations.has(name) || name.startsWith("x-"),
  );
}

/** `additionalProperties: {}` is `additionalProperties: true`. */
export function isEmptySchema(schema: Json): boolean {
  return isObject(schema) && isAnnotated(schema, "");
}

/** Names that every JavaScript object seems to have; zod reads them from the prototype. */
export function hostile(name: string): boolean {
  return name in Object.prototype;
}
