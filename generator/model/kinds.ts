// What the text of a parameter, a header or a field may stand for, by its schema.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";
import type { ParameterKind, ScalarKind } from "../runtime/runtime.ts";

/** Members of a schema with references followed, each once: what can be told of its type. */
export function expand(document: JsonObject, schema: Json, seen = new Set<Json>()): Json[] {
  if (!isObject(schema)) return [schema];
  if (seen.has(schema)) return [];
  seen.add(schema);
  const name = typeof schema["$ref"] === "string" ? componentName(schema["$ref"]) : undefined;
  const target = name === undefined ? undefined : schemasOf(document)[name];
  const members = [
    ...itemsOf(schema["allOf"]),
    ...itemsOf(schema["anyOf"]),
    ...itemsOf(schema["oneOf"]),
  ];
  if (target !== undefined) members.unshift(target);
  return [schema, ...members.flatMap((member) => expand(document, member, seen))];
}

export function namedTypes(schema: Json): string[] {
  if (!isObject(schema)) return [];
  const type = schema["type"];
  const named = (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === "string",
  );
  const values = [
    ...itemsOf(schema["enum"]),
    ...(schema["const"] === undefined ? [] : [schema["const"]]),
  ];
  return named.length > 0 ? named : values.map((value) => (value === null ? "null" : typeof value));
}

/** What the text may stand for; text that fits nothing else stays text and fails by its type. */
export function kindOf(document: JsonObject, schema: Json): ParameterKind {
  const members = expand(document, schema);
  const named = new Set(members.flatMap(namedTypes));
  if (named.has("array")) {
    const items = members.flatMap((member) =>
      isObject(member) && member["items"] !== undefined ? [member["items"]] : [],
    );
    return { array: scalarsOf(document, items) };
  }
  if (named.has("object")) {
    const properties = new Map<string, readonly ScalarKind[]>();
    const others: Json[] = [];
    for (const member of members) {
      if (!isObject(member)) continue;
      for (const [name, property] of entriesOf(member["properties"]))
        properties.set(name, scalarsOf(document, [property]));
      if (isObject(member["additionalProperties"])) others.push(member["additionalProperties"]);
    }
    return { object: Object.fromEntries(properties), others: scalarsOf(document, others) };
  }
  return { scalar: scalarsOf(document, [schema]) };
}

/** Whether nothing but a text can stand there. */
export function isTextOnly(document: JsonObject, schema: Json): boolean {
  const kind = kindOf(document, schema);
  return kind !== "json" && "scalar" in kind && kind.scalar.every((one) => one === "string");
}

export const order: readonly ScalarKind[] = ["null", "boolean", "integer", "number", "string"];

function scalarsOf(document: JsonObject, schemas: readonly Json[]): ScalarKind[] {
  const named = new Set(schemas.flatMap((schema) => expand(document, schema)).flatMap(namedTypes));
  const found = order.filter((kind) => named.has(kind));
  return found.length === 0 ? ["string"] : found;
}
