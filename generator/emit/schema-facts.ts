// Small facts about a schema object that several emitters need.

import type { Json, JsonObject } from "../json.ts";
import { equal, isObject, itemsOf } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";

export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

export const jsonTypes: readonly JsonType[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
];

/** The types `type` names, undefined when any type is welcome. */
export function assertedTypes(schema: JsonObject): ReadonlySet<JsonType> | undefined {
  const type = schema["type"];
  if (type === undefined) return undefined;
  const named: Json[] = Array.isArray(type) ? type : [type];
  return new Set(jsonTypes.filter((one) => named.includes(one)));
}

/** The values of `const` and `enum`; a value must be in both. */
export function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  const constant = schema["const"];
  const list = Array.isArray(schema["enum"]) ? itemsOf(schema["enum"]) : undefined;
  if (constant === undefined) return list;
  if (list === undefined) return [constant];
  return list.filter((value) => equal(value, constant));
}

const byType: Readonly<Record<"string" | "number" | "array" | "object", readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"],
  object: [
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "required",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
  ],
};

/** The types that keywords of this schema constrain; `format` counts for text. */
export function typedKeywords(schema: JsonObject): ReadonlySet<JsonType> {
  const found = new Set<JsonType>();
  for (const [type, names] of Object.entries(byType)) {
    const known = jsonTypes.find((one) => one === type);
    if (known !== undefined && names.some((name) => says(schema, name))) found.add(known);
  }
  const format = schema["format"];
  if (typeof format === "string" && !numberTypes.has(format)) found.add("string");
  // beside a type the format narrows that type and adds none
  if (isWholeFormat(format) && schema["type"] === undefined) found.add("number");
  return found;
}

/** Formats of OpenAPI that turn any number into an integer. */
export function isWholeFormat(format: Json | undefined): boolean {
  return format === "int32" || format === "int64";
}

/** Formats of numbers; they say nothing of text. */
export const numberTypes: ReadonlySet<string> = new Set(["int32", "int64", "float", "double"]);

/** False for keywords that are present and welcome everything. */
function says(schema: JsonObject, name: string): boolean {
  const value = schema[name];
  if (name === "uniqueItems") return value === true;
  if (name === "contains") return value !== undefined; // `true` too wants an item
  if (value === undefined || value === true) return false;
  return !(isObject(value) && Object.keys(value).length === 0);
}

/** Whether `type` lets the value pass. */
export function fitsType(value: Json, types: ReadonlySet<JsonType>): boolean {
  if (value === null) return types.has("null");
  if (Array.isArray(value)) return types.has("array");
  if (typeof value === "number")
    return types.has("number") || (types.has("integer") && Number.isSafeInteger(value));
  return types.has(
    typeof value === "object" ? "object" : typeof value === "string" ? "string" : "boolean",
  );
}

/** True only when everything but an object is certainly refused by what the schema is made of. */
export function isMadeOfObjects(schema: JsonObject, document: JsonObject, depth = 0): boolean {
  if (depth > 20) return false;
  const isSure = (member: Json | undefined): boolean => {
    if (!isObject(member)) return false;
    const types = assertedTypes(member);
    const isOnly = types?.size === 1 && types.has("object");
    return isOnly || isMadeOfObjects(member, document, depth + 1);
  };
  const name = typeof schema["$ref"] === "string" ? componentName(schema["$ref"]) : undefined;
  if (name !== undefined && isSure(schemasOf(document)[name])) return true;
  if (itemsOf(schema["allOf"]).some(isSure)) return true;
  return ["anyOf", "oneOf"].some((combination) => {
    const members = itemsOf(schema[combination]);
    return members.length > 0 && members.every(isSure);
  });
}
