// What the schemas of a document say of answers: what only requests have is required of none (OpenAPI 3.1.1
// section 4.8.24.3), and every list of known values, `x-known-values`, is one of all values.

import { schemaNamed } from "./contract.ts";
import { isObject, type Json, type JsonObject, listAt, objectAt } from "./json.ts";

/** A copy. A property that is `writeOnly` is not required by the schema that describes it. */
export function forAnswers(document: JsonObject): JsonObject {
  const isMarked = (property: Json | undefined): boolean => {
    if (!isObject(property)) return false;
    if (property["writeOnly"] === true) return true;
    const target = schemaNamed(document, property["$ref"]);
    return isObject(target) && target["writeOnly"] === true;
  };
  const copied = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(copied);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, inner]) => [name, copied(inner)] as const);
    const copy = Object.fromEntries(entries);
    const properties = objectAt(value, "properties");
    if (Array.isArray(copy["required"]) && Object.keys(properties).length > 0) {
      copy["required"] = listAt(copy, "required").filter((name) => {
        const isDescribed = typeof name === "string" && Object.hasOwn(properties, name);
        return !isDescribed || !isMarked(properties[name]);
      });
    }
    // callers have to live with new values; here there must be no other one
    const known = copy["x-known-values"];
    if (Array.isArray(known)) copy["enum"] = known;
    return copy;
  };
  const copy = copied(document);
  return isObject(copy) ? copy : {};
}
