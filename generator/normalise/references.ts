// After this every schema reference points at a component of its own: references into the middle
// of other schemas, into paths or into $defs get a component, and discriminator mappings that name
// a component become references.

import type { Json, JsonObject } from "../json.ts";
import {
  at,
  entriesOf,
  escapeToken,
  fragmentOf,
  isObject,
  pointerTokens,
  put,
  textOf,
  unescapeToken,
} from "../json.ts";
import { walk } from "../read/walk.ts";

const componentPrefix = "#/components/schemas/";

/** The component a reference names; undefined for any other reference. */
export function componentName(reference: string): string | undefined {
  if (!reference.startsWith(componentPrefix)) return undefined;
  const rest = reference.slice(componentPrefix.length);
  return rest.includes("/") ? undefined : unescapeToken(decode(rest));
}

export function referenceTo(name: string): string {
  return fragmentOf(`/components/schemas/${escapeToken(name)}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not percent-encoded: a name with a "%" in it
  }
}

/** Follows references of anything but schemas; undefined when it leads nowhere or in a circle. */
export function follow(document: JsonObject, node: Json | undefined): JsonObject | undefined {
  const seen = new Set<string>();
  let value = node;
  while (isObject(value) && typeof value["$ref"] === "string") {
    const reference: string = value["$ref"];
    if (seen.has(reference)) return undefined;
    seen.add(reference);
    value = targetOf(document, reference);
  }
  return isObject(value) ? value : undefined;
}

/** What stands where a reference of the document points. */
export function targetOf(document: JsonObject, reference: string): Json | undefined {
  return at(document, decode(reference.slice(1)));
}

/** The schema with the default that holds for this one: itself, else the component it refers to. */
export function defaultOwner(document: JsonObject, schema: Json): JsonObject | undefined {
  const seen = new Set<Json>();
  let value: Json | undefined = schema;
  while (isObject(value) && !seen.has(value)) {
    if (value["default"] !== undefined) return value;
    seen.add(value);
    const reference: string | undefined = textOf(value["$ref"]);
    const name: string | undefined = reference === undefined ? undefined : componentName(reference);
    value = name === undefined ? undefined : schemasOf(document)[name];
  }
  return undefined;
}

export function schemasOf(document: JsonObject): JsonObject {
  const components = document["components"];
  const schemas = isObject(components) ? components["schemas"] : undefined;
  return isObject(schemas) ? schemas : {};
}

/** Changes the document in place (it is the generator's own copy). */
export function nameReferences(document: JsonObject): void {
  const names = new Map<string, string>();
  const added: [string, Json][] = [];
  const schemas = schemasOf(document);
  const taken = new Set(Object.keys(schemas));

  const nameOf = (reference: string): string => {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const words = pointerTokens(decode(reference.slice(1))).filter(
      (token) => !["components", "schemas", "properties", "$defs", "paths"].includes(token),
    );
    const wanted =
      words
        .slice(-3)
        .join("_")
        .replace(/[^A-Za-z0-9_]+/g, "_")
        .replace(/^_+|_+$/g, "") || "Part";
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
    taken.add(name);
    names.set(reference, name);
    added.push([name, targetOf(document, reference) ?? true]);
    return name;
  };

  walk(document, "Document", (node, kind) => {
    if (kind !== "Schema") return;
    const reference = textOf(node["$ref"]);
    if (reference !== undefined) {
      const known = componentName(reference);
      put(node, "$ref", referenceTo(known ?? nameOf(reference)));
    }
    nameMapping(node);
  });
  if (added.length === 0) return;
  for (const [name, schema] of added) put(schemas, name, schema);
  const components = isObject(document["components"]) ? document["components"] : {};
  put(components, "schemas", schemas);
  put(document, "components", components);
}

/** `mapping: {dog: Dog}` means the component Dog (OpenAPI 3.1.1 section 4.8.25), as `defaultMapping: Dog` does. */
function nameMapping(node: JsonObject): void {
  const discriminator = node["discriminator"];
  if (!isObject(discriminator)) return;
  const fallback = textOf(discriminator["defaultMapping"]);
  if (fallback !== undefined && !fallback.startsWith("#"))
    put(discriminator, "defaultMapping", referenceTo(fallback));
  const mapping = discriminator["mapping"];
  if (!isObject(mapping)) return;
  for (const [tag, target] of entriesOf(mapping)) {
    if (typeof target !== "string" || target.startsWith("#")) continue;
    put(mapping, tag, referenceTo(target));
  }
}
