// Schemas of OpenAPI 3.0 in the words of JSON Schema 2020-12, so that one judge reads both.

import { isObject, type Json, type JsonObject } from "./json.ts";
import { maps } from "./without-examples.ts";

/**
 * A copy; of a document of 3.1 only `nullable` is left out, which means nothing there. References are escaped as
 * RFC 3986 asks (section 2.1), where they are not: Ajv dies of `#/components/schemas/100%`.
 */
export function upgrade(document: JsonObject): JsonObject {
  const isOld = typeof document["openapi"] === "string" && document["openapi"].startsWith("3.0");
  const copy = isOld ? upgraded(document) : withoutNullable(document);
  return isObject(copy) ? copy : {};
}

/** Where their values are not the document's words but somebody's data, in which `nullable` is a name like any other. */
const data: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples"]);

function withoutNullable(value: Json, isMap = false): Json {
  if (Array.isArray(value)) return value.map((one) => withoutNullable(one));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name, one]) => isMap || !isFlag(name, one));
  return Object.fromEntries(
    entries.map(([name, one]) => {
      if (name === "$ref" && typeof one === "string") return [name, escaped(one)];
      if (!isMap && data.has(name)) return [name, one];
      return [name, withoutNullable(one, !isMap && maps.has(name))];
    }),
  );
}

function escaped(reference: string): string {
  try {
    decodeURIComponent(reference);
    return reference;
  } catch {
    return reference.replaceAll("%", "%25");
  }
}

/** A property may be called so, too. */
function isFlag(name: string, value: Json): boolean {
  return name === "nullable" && typeof value === "boolean";
}

function upgraded(value: Json, isMap = false): Json {
  if (Array.isArray(value)) return value.map((one) => upgraded(one));
  if (!isObject(value)) return value;
  // Beside a reference 3.0 reads nothing.
  if (typeof value["$ref"] === "string") return { $ref: escaped(value["$ref"]) };
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const isData = !isMap && data.has(name);
      return [name, isData ? one : upgraded(one, !isMap && maps.has(name))];
    }),
  );
  if (!isMap) renewKeywords(copy);
  return copy;
}

function renewKeywords(copy: JsonObject): void {
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
  // Without a type it says nothing, and an enum lists null itself (OpenAPI 3.0.3).
  if (copy["nullable"] === true && typeof copy["type"] === "string") {
    copy["type"] = [copy["type"], "null"];
  }
  if (typeof copy["nullable"] === "boolean") delete copy["nullable"];
}
