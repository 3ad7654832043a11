// Members of an allOf, and a reference with what stands beside it, describe one value together. What one of
// them requires is required of the value, also where another one describes it: said there as well, it says
// nothing new, and the types of both agree.

import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf, put } from "../json.ts";
import type { Origins } from "../read/origins.ts";
import { copyObject, walk } from "../read/walk.ts";
import { componentName, schemasOf } from "./references.ts";

/** Changes the document in place (it is the generator's own copy). */
export function requireTogether(document: JsonObject, origins: Origins): void {
  walk(document, "Document", (node, kind) => {
    if (kind !== "Schema" || !isTogether(node)) return;
    const names = new Set<Json>();
    collect(node, { document, names, seen: new Set() });
    if (names.size > 0) require(node, names, origins);
  });
}

function isTogether(schema: JsonObject): boolean {
  const hasOwn = schema["$ref"] !== undefined && schema["properties"] !== undefined;
  return hasOwn || schema["allOf"] !== undefined;
}

interface Collecting {
  readonly document: JsonObject;
  readonly names: Set<Json>;
  readonly seen: Set<Json>;
}

/** What is required of every value that fits. */
function collect(schema: Json | undefined, collecting: Collecting): void {
  const { document, names, seen } = collecting;
  if (!isObject(schema) || seen.has(schema)) return;
  seen.add(schema);
  for (const name of itemsOf(schema["required"])) names.add(name);
  for (const member of itemsOf(schema["allOf"])) collect(member, collecting);
  const reference = schema["$ref"];
  const name = typeof reference === "string" ? componentName(reference) : undefined;
  if (name !== undefined) collect(schemasOf(document)[name], collecting);
}

/** Of a schema and the members written out in it; what is referred to is another schema. */
function require(schema: JsonObject, names: ReadonlySet<Json>, origins: Origins): void {
  const required = itemsOf(schema["required"]);
  const properties = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const more = properties.filter((name) => names.has(name) && !required.includes(name));
  if (more.length > 0) put(schema, "required", [...required, ...more]);
  const members = schema["allOf"];
  if (!Array.isArray(members)) return;
  // copies: a member may be referred to from elsewhere, where nothing else is required
  const own = members.map((member) => {
    if (!isObject(member)) return member;
    const copy = copyObject(member, origins);
    require(copy, names, origins);
    return copy;
  });
  put(schema, "allOf", origins.copy(members, own));
}
