// types.ts: the types of the contract, written out. openapi-typescript writes them; this adapter
// hands it a document it can read and puts our own names in front, so that it can be replaced.

import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { Json, JsonObject } from "../json.ts";
import { copyEntries, entriesOf, isObject, itemsOf, put } from "../json.ts";
import { plainReference } from "../model/build.ts";
import type { Model } from "../model/model.ts";
import { follow } from "../normalise/references.ts";
import { Origins } from "../read/origins.ts";
import { methods } from "../read/shapes.ts";
import { rewrite } from "../read/walk.ts";
import { marked, withMarks, withoutMarks } from "./inherited-names.ts";
import { assertedTypes, fitsType } from "./schema-facts.ts";
import { withTypeAliases } from "./type-aliases.ts";

export async function emitTypes(model: Model): Promise<string> {
  const document = withMarks(readable(model));
  // the library takes the document as data it does not change; its own type for it is narrower
  const nodes = await openapiTypescript(
    document as unknown as Parameters<typeof openapiTypescript>[0],
    {
      alphabetize: false,
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
      excludeDeprecated: false,
      exportType: false,
      silent: true,
      transform(schema) {
        if (never in schema) return neverType;
        // bytes in forms and bodies are handed over as they are
        return "format" in schema && schema.format === "binary" ? binaryType : undefined;
      },
    },
  );
  const identifiers = new Map(
    model.schemas.map(({ name, identifier }) => [marked(name), identifier]),
  );
  return withoutMarks(astToString(withTypeAliases(nodes, identifiers)));
}

const neverType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
const binaryType = ts.factory.createUnionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeReferenceNode("Blob"),
]);

/** The normalised document without what openapi-typescript refuses, loses or says differently. */
function readable(model: Model): JsonObject {
  const origins = new Origins();
  const names = new Map(
    model.operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  );
  const copy = rewrite(withPathItems(model.document), "Document", {
    origins,
    rewriter(node, kind) {
      if (kind === "Schema") return readableSchema(node);
      withObjects(node);
      return node;
    },
  });
  if (!isObject(copy)) return {};
  // a path item may stand under several paths; its operations have a name of their own in each
  for (const [path, target] of entriesOf(copy["paths"])) {
    if (!isObject(target)) continue;
    for (const method of methods) {
      const written = target[method];
      const name = names.get(`${method} ${path}`);
      if (name !== undefined && isObject(written)) put(written, "operationId", name);
    }
  }
  delete copy["webhooks"];
  return copy;
}

/** Path items written out where they are referred to. */
function withPathItems(document: JsonObject): JsonObject {
  const paths: JsonObject = {};
  for (const [path, item] of entriesOf(document["paths"]))
    put(paths, path, follow(document, item) ?? item);
  const copy = copyEntries(document);
  put(copy, "paths", paths);
  return copy;
}

function readableSchema(node: JsonObject): JsonObject {
  // it writes the component's name as the tag and changes the component for all its users
  delete node["discriminator"];
  delete node["example"];
  delete node["examples"];
  delete node["$defs"]; // it would become a property; what is referred to has a component
  for (const name of ["properties", "patternProperties"]) {
    const properties = node[name];
    if (isObject(properties))
      for (const [key, item] of entriesOf(properties)) put(properties, key, asObject(item));
  }
  for (const name of ["items", "not"]) {
    const item = node[name];
    if (item !== undefined) put(node, name, asObject(item));
  }
  for (const name of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
    if (Array.isArray(node[name])) put(node, name, itemsOf(node[name]).map(asObject));
  }
  addRequired(node);
  return withPossibleValues(withoutNeighbours(node));
}

/** It reads a `$ref` alone; what stands beside one becomes a member of an allOf. */
function withoutNeighbours(node: JsonObject): JsonObject {
  const { $ref, ...rest } = node;
  if ($ref === undefined || plainReference(node) !== undefined) return node;
  const description = node["description"];
  const outer: JsonObject = description === undefined ? {} : { description };
  return { ...outer, allOf: [{ $ref }, rest] };
}

/** Without values that the type refuses, and without null where the values refuse it. */
function withPossibleValues(node: JsonObject): JsonObject {
  const types = assertedTypes(node);
  const constant = node["const"];
  if (constant !== undefined && types !== undefined && !fitsType(constant, types)) {
    return { [never]: true };
  }
  if (constant === null) {
    delete node["const"]; // the library overlooks it
    node["enum"] = [null];
  }
  const values = node["enum"];
  if (types === undefined || !Array.isArray(values)) return node;
  const possible = values.filter((value) => fitsType(value, types));
  if (possible.length === 0) return { [never]: true };
  put(node, "enum", possible);
  const named = node["type"];
  if (Array.isArray(named) && !possible.includes(null))
    node["type"] = named.filter((type) => type !== "null");
  return node;
}

/** Of everything that holds schemas and is none: components, media types, parameters, headers. */
function withObjects(node: JsonObject): void {
  if (node["schema"] !== undefined) put(node, "schema", asObject(node["schema"]));
  const schemas = node["schemas"];
  if (!isObject(schemas)) return;
  for (const [name, schema] of entriesOf(schemas)) put(schemas, name, asObject(schema));
}

/** Marks the schema that nothing fits. */
const never = "x-never";

/** It knows no boolean schemas. */
function asObject(schema: Json): Json {
  if (schema === true) return {};
  return schema === false ? { [never]: true } : schema;
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
