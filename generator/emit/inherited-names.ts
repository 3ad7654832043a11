// Names that every JavaScript object inherits (`constructor`, `toString`, `__proto__`). The library
// behind types.ts looks names up without asking whether they are an object's own, so it gets marks
// instead, and the names return in its text.

import type { Json, JsonObject } from "../json.ts";
import { isObject, put } from "../json.ts";

const markOf = (name: string): string => `inherited$${name}$`;

/** A copy with marks for such names, as properties, in references, as required and operation ids. */
export function withMarks(value: Json, property?: string): Json {
  if (Array.isArray(value)) {
    const names = property === "required";
    return value.map((item) =>
      names && typeof item === "string" ? marked(item) : withMarks(item),
    );
  }
  if (isObject(value)) {
    const copy: JsonObject = {};
    for (const [name, item] of Object.entries(value))
      put(copy, marked(name), withMarks(item, name));
    return copy;
  }
  if (typeof value !== "string") return value;
  if (property === "$ref") return value.split("/").map(marked).join("/");
  return property === "operationId" ? marked(value) : value;
}

/** The same for properties of plain data that are called `$ref` and refer to nothing. */
export function withMarkedReferences(value: Json): Json {
  if (Array.isArray(value)) return value.map(withMarkedReferences);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, item] of Object.entries(value)) {
    put(copy, name === "$ref" ? markOf(name) : name, withMarkedReferences(item));
  }
  return copy;
}

export function withoutMarks(text: string): string {
  return text.replace(/inherited\$(\$ref|[a-zA-Z_]+)\$/g, "$1");
}

export function marked(name: string): string {
  return name in Object.prototype ? markOf(name) : name;
}
