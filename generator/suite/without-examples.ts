// A document for Ajv, which takes an "$id" that it meets in an example for the name of a schema.

import { isObject, type Json, type JsonObject } from "./json.ts";

const mapNames =
  "schemas properties patternProperties $defs definitions dependentSchemas responses headers parameters " +
  "requestBodies mediaTypes paths webhooks pathItems callbacks links securitySchemes encoding variables";

/** Where names are the document's own, so that "example" or "default" may be one of them. */
export const maps: ReadonlySet<string> = new Set(mapNames.split(" "));

/** A copy; what is no example stays where it is. */
export function withoutExamples(document: JsonObject): JsonObject {
  const copied = (value: Json, isMap: boolean): Json => {
    if (Array.isArray(value)) return value.map((one) => copied(one, false));
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const [name, one] of Object.entries(value)) {
      if (!isMap && (name === "example" || name === "examples")) continue;
      // `__proto__` is a name like any other
      const own = { value: copied(one, !isMap && maps.has(name)) };
      Object.defineProperty(copy, name, { ...own, enumerable: true, configurable: true });
    }
    return copy;
  };
  const copy = copied(document, false);
  return isObject(copy) ? copy : {};
}
