// What the pairs of schemas are made of.

import type { Json, JsonObject } from "../../../generator/json.ts";

export type SchemaPair = readonly [what: string, one: Json, other: Json];

export const text = { type: "string" };
export const whole = { type: "integer" };

export function withProperties(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

export function tagged(tag: string, more: JsonObject = {}): JsonObject {
  return withProperties({ is: { const: tag }, ...more }, { required: ["is"] });
}

/** Where it has this property, it has so many. */
export function when(name: string, minProperties: number): JsonObject {
  return { if: { required: [name] }, then: { minProperties } };
}
