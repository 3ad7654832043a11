// Schemas of OpenAPI 3.0 in the words of JSON Schema 2020-12, so that one judge reads both.

import { isObject, type Json, type JsonObject } from "./json.ts";

/** A copy; a document of 3.1 stays as it is. */
export function upgrade(document: JsonObject): JsonObject {
  const isOld = typeof document["openapi"] === "string" && document["openapi"].startsWith("3.0");
  const copy = isOld ? upgraded(document) : structuredClone(document);
  return isObject(copy) ? copy : {};
}

function upgraded(value: Json): Json {
  if (Array.isArray(value)) return value.map(upgraded);
  if (!isObject(value)) return value;
  // Beside a reference 3.0 reads nothing.
  if (typeof value["$ref"] === "string") return { $ref: value["$ref"] };
  const copy: JsonObject = {};
  for (const [name, one] of Object.entries(value)) copy[name] = upgraded(one);
  if (typeof copy["type"] !== "string") return copy;
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const isExclusive = copy[exclusive];
    if (typeof isExclusive !== "boolean") continue;
    delete copy[exclusive];
    if (!isExclusive || copy[bound] === undefined) continue;
    copy[exclusive] = copy[bound];
    delete copy[bound];
  }
  if (copy["nullable"] === true) {
    copy["type"] = [copy["type"], "null"];
    if (Array.isArray(copy["enum"]) && !copy["enum"].includes(null)) copy["enum"].push(null);
  }
  delete copy["nullable"];
  return copy;
}
