// The document that types.ts is made of, in the words that types have. Where openapi-typescript would refuse it, lose
// something or say it differently, it is written so that both understand it: the tests hold one against the other.

import type { Json, JsonObject } from "../json.ts";
import { copyEntries, entriesOf, isObject, itemsOf, put, textOf } from "../json.ts";
import { plainReference } from "../model/build.ts";
import type { Model } from "../model/model.ts";
import { hasName } from "../model/paths.ts";
import { isQuerystring } from "../model/querystring.ts";
import { fileMark } from "../normalise/files.ts";
import { follow } from "../normalise/references.ts";
import { Origins } from "../read/origins.ts";
import { operationsOf } from "../read/operations.ts";
import type { Kind } from "../read/shapes.ts";
import { rewrite } from "../read/walk.ts";
import { assertedTypes, fitsType } from "./schema-facts.ts";

export function typedDocument(model: Model): JsonObject {
  const origins = new Origins();
  const names = new Map(
    model.operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  );
  const copy = rewrite(withoutAliases(model.document), "Document", {
    origins,
    rewriter(node, kind) {
      removeData(node, kind);
      if (kind === "Schema") return readableSchema(node);
      withObjects(node);
      if (kind === "Parameter" && isQuerystring(node)) return asQueryParameter(node);
      return node;
    },
  });
  if (!isObject(copy)) return {};
  // a path item may stand under several paths; its operations have a name of their own in each
  for (const [path, target] of entriesOf(copy["paths"])) {
    for (const { method, operation } of operationsOf(target)) {
      const name = names.get(`${method} ${path}`);
      if (name !== undefined) put(operation, "operationId", name);
    }
  }
  if (copy["components"] === undefined) put(copy, "components", {}); // there is a type of them in any case
  if (isObject(copy["components"])) {
    removeNames(copy["components"]["pathItems"]);
    delete copy["components"]["mediaTypes"]; // no reference to one is left
  }
  removeUnplaced(copy);
  moveOthers(copy, origins);
  delete copy["webhooks"];
  return copy;
}

/** openapi-typescript knows no place for the whole query. */
function asQueryParameter({ name = "", required = false, content }: JsonObject): JsonObject {
  const [media] = Object.values(isObject(content) ? content : {});
  const schema = isObject(media) ? (media["schema"] ?? {}) : {};
  return { name, in: "query", required, schema };
}

/**
 * Parameters of a path that has no place for them are ignored, those that lead nowhere, and of several with one
 * name all but the first.
 */
function removeUnplaced(document: JsonObject): void {
  for (const [path, item] of entriesOf(document["paths"])) {
    if (!isObject(item)) continue;
    for (const owner of [item, ...operationsOf(item).map(({ operation }) => operation)]) {
      if (owner["parameters"] === undefined) continue;
      const seen = new Set<string>();
      const placed = itemsOf(owner["parameters"]).filter((one) => {
        const target = follow(document, one);
        if (target === undefined) return false;
        const written = textOf(target["name"]) ?? "";
        const name = target["in"] === "header" ? written.toLowerCase() : written;
        const key = `${textOf(target["in"]) ?? ""} ${name}`;
        if (seen.has(key)) return false;
        seen.add(key);
        return target["in"] !== "path" || hasName(path, textOf(target["name"]) ?? "");
      });
      put(owner, "parameters", placed);
    }
  }
}

/** Of operations that stand under a path as well, which have their names there. */
function removeNames(items: Json | undefined): void {
  for (const [, item] of entriesOf(items)) {
    for (const { operation } of operationsOf(item)) delete operation["operationId"];
  }
}

const known = new Set("GET PUT POST DELETE OPTIONS HEAD PATCH TRACE".split(" "));

/** Operations whose method openapi-typescript does not know; those of `components` are written like any other. */
function moveOthers(document: JsonObject, origins: Origins): void {
  const moved: JsonObject = {};
  for (const [path, item] of entriesOf(document["paths"])) {
    if (!isObject(item)) continue;
    const { parameters = [] } = item;
    for (const { method, operation } of operationsOf(item)) {
      if (known.has(method)) continue;
      put(moved, `${method} ${path}`, { parameters, post: operation });
    }
    delete item["query"];
    delete item["additionalOperations"];
  }
  if (Object.keys(moved).length === 0) return;
  const components = isObject(document["components"]) ? document["components"] : {};
  const existing = isObject(components["pathItems"]) ? components["pathItems"] : {};
  put(components, "pathItems", origins.copy(existing, { ...existing, ...moved }));
  put(document, "components", components);
}

const unread: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  Components: ["examples", "links", "callbacks", "securitySchemes"],
  Operation: ["callbacks"],
  Response: ["links"],
  MediaType: ["example", "examples"],
  Parameter: ["examples"],
  Header: ["examples"],
};

/** Nothing of these becomes a type, or is said of one. */
function removeData(node: JsonObject, kind: Kind): void {
  for (const name of Object.keys(node)) {
    if (name.startsWith("x-") && name !== fileMark) delete node[name];
  }
  for (const name of unread[kind] ?? []) delete node[name];
  if (kind === "Operation" && node["responses"] !== undefined) {
    const answers = entriesOf(node["responses"]).filter(([key]) => !key.startsWith("x-"));
    put(node, "responses", Object.fromEntries(answers));
  }
}

const aliased = ["responses", "requestBodies", "parameters", "headers", "pathItems"];

/** Path items and components that only refer to others, written out; it does not follow them. */
function withoutAliases(document: JsonObject): JsonObject {
  const writtenOut = (entries: readonly (readonly [string, Json])[]): JsonObject => {
    const copy: JsonObject = {};
    for (const [name, item] of entries) put(copy, name, follow(document, item) ?? item);
    return copy;
  };
  const copy = copyEntries(document);
  const paths = entriesOf(document["paths"]).filter(([path]) => !path.startsWith("x-"));
  put(copy, "paths", writtenOut(paths));
  if (isObject(document["components"])) {
    const components = copyEntries(document["components"]);
    for (const folder of aliased) {
      const group = components[folder];
      if (group !== undefined) put(components, folder, writtenOut(entriesOf(group)));
    }
    put(copy, "components", components);
  }
  return copy;
}

function readableSchema(node: JsonObject): JsonObject {
  if (node[fileMark] !== undefined) {
    const { description } = node;
    return { ...(description === undefined ? {} : { description }), [fileMark]: true };
  }
  delete node["discriminator"];
  delete node["example"];
  delete node["examples"];
  for (const name of unsaid) delete node[name];
  delete node["$defs"]; // it would become a property; what is referred to has a component
  for (const name of ["properties", "patternProperties"]) {
    const properties = node[name];
    if (isObject(properties))
      for (const [key, item] of entriesOf(properties)) put(properties, key, asObject(item));
  }
  for (const name of ["items", "not"]) {
    const item = node[name];
    if (item !== undefined) put(node, name, asMember(item));
  }
  for (const name of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
    if (Array.isArray(node[name])) put(node, name, itemsOf(node[name]).map(asMember));
  }
  takeInAlternatives(node);
  dropUntyped(node);
  closeEmpty(node);
  addRequired(node);
  return withPossibleValues(withoutNeighbours(node));
}

const ofObjects = ["properties", "patternProperties", "additionalProperties", "required"];

/** What it does not look at. */
const unsaid =
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern uniqueItems".split(
    " ",
  );

/** Marks the schema that nothing fits. */
export const never = "x-never";

/** What a type can say; conditions, bounds and patterns it cannot. */
const typed = [
  "$ref",
  "type",
  "enum",
  "const",
  "properties",
  "patternProperties",
  "additionalProperties",
  "required",
  "items",
  "prefixItems",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  never,
];

/** Beside properties openapi-typescript writes an anyOf as one more way, and not as what has to hold as well. */
function takeInAlternatives(node: JsonObject): void {
  const { anyOf, properties, oneOf } = node;
  if (anyOf === undefined || (properties === undefined && oneOf === undefined)) return;
  delete node["anyOf"];
  put(node, "allOf", [...itemsOf(node["allOf"]), { anyOf }]);
}

/** A member of an allOf that no type can say would be written as `unknown`. */
function dropUntyped(node: JsonObject): void {
  if (!Array.isArray(node["allOf"])) return;
  const members = itemsOf(node["allOf"]).filter(
    (member) => isObject(member) && typed.some((name) => member[name] !== undefined),
  );
  if (members.length > 0) put(node, "allOf", members);
  else delete node["allOf"];
}

/** What stands beside a `$ref` becomes a member of an allOf: openapi-typescript reads a `$ref` alone. */
function withoutNeighbours(node: JsonObject): JsonObject {
  const { $ref, ...rest } = node;
  if ($ref === undefined || plainReference(node) !== undefined) return node;
  const description = node["description"];
  const outer: JsonObject = description === undefined ? {} : { description };
  return { ...outer, allOf: [{ $ref }, withPossibleValues(rest)] };
}

/** Without values that the type refuses, and without null where the values refuse it. */
function withPossibleValues(node: JsonObject): JsonObject {
  const types = assertedTypes(node);
  const constant = node["const"];
  if (constant !== undefined && types !== undefined && !fitsType(constant, types)) {
    return { enum: [] };
  }
  const values = node["enum"];
  if (types === undefined || !Array.isArray(values)) return node;
  const possible = values.filter((value) => fitsType(value, types));
  if (possible.length === 0) return { enum: [] };
  put(node, "enum", possible);
  const named = node["type"];
  if (!Array.isArray(named)) return node;
  const left = new Set<Json>();
  for (const type of types)
    if (possible.some((value) => fitsType(value, new Set([type])))) left.add(type);
  node["type"] = named.filter((type) => left.has(type));
  if (!left.has("object")) for (const name of ofObjects) delete node[name];
  return node;
}

/** Of everything that holds schemas and is none: components, media types, parameters, headers. */
function withObjects(node: JsonObject): void {
  if (node["schema"] !== undefined) put(node, "schema", asObject(node["schema"]));
  const schemas = node["schemas"];
  if (!isObject(schemas)) return;
  for (const [name, schema] of entriesOf(schemas)) put(schemas, name, asObject(schema));
}

/** An empty object that stays empty; openapi-typescript would let anything into it. */
function closeEmpty(node: JsonObject): void {
  const names = [...entriesOf(node["properties"]), ...entriesOf(node["patternProperties"])];
  if (node["additionalProperties"] === false && names.length === 0)
    put(node, "additionalProperties", { enum: [] });
}

/** openapi-typescript knows no boolean schemas. */
function asObject(schema: Json): Json {
  if (schema === true) return {};
  return schema === false ? { [never]: true } : schema;
}

/** The same for items and members, where only an enum without values becomes `never`. */
function asMember(schema: Json): Json {
  return schema === false ? { enum: [] } : asObject(schema);
}

/** A required name that is not among the properties would become a type error. */
function addRequired(node: JsonObject): void {
  const names = itemsOf(node["required"]).filter(
    (name): name is string => typeof name === "string",
  );
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const missing = names.filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0 || (node["properties"] === undefined && node["type"] !== "object"))
    return;
  if (isObject(node["additionalProperties"])) return;
  const complete = copyEntries(properties);
  for (const name of missing) put(complete, name, {});
  put(node, "properties", complete);
}
