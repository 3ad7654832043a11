// Names that the library behind types.ts would read as something else, so that it gets marks instead, and the names
// return in its text. It looks up those that every JavaScript object inherits (`constructor`, `toString`,
// `__proto__`), and takes any name for a part of a reference, where "%" begins an escape and "#" a fragment.

import type { Json, JsonObject } from "../json.ts";
import { isObject, put } from "../json.ts";
import { decodeFragment } from "../read/locate.ts";

const markOf = (name: string): string => `inherited$${name}$`;
/** With spaces, so that it is no identifier: what had to be quoted stays quoted. */
const signs = new Map([
  ["%", " sign$25$ "],
  ["#", " sign$23$ "],
]);

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
  if (property === "$ref") return markedReference(value);
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
  return text
    .replace(/inherited\$(\$ref|[a-zA-Z_]+)\$/g, "$1")
    .replace(/ sign\$(2[35])\$ /g, (_, code: string) => (code === "25" ? "%" : "#"));
}

export function marked(name: string): string {
  if (name in Object.prototype) return markOf(name);
  return name.replace(/[%#]/g, (sign) => signs.get(sign) ?? sign);
}

/** All of them are within the document by now. */
function markedReference(reference: string): string {
  const tokens = reference.slice(1).split("/");
  return `#${tokens.map((token) => marked(decodeFragment(token))).join("/")}`;
}
