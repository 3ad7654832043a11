// types.ts: the types of the contract, written out. openapi-typescript writes them; this adapter
// hands it a document it can read and puts our own names in front, so that it can be replaced.

import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";
import type { Json, JsonObject } from "../json.ts";
import { copyEntries, entriesOf, isObject, itemsOf, put } from "../json.ts";
import type { Model } from "../model/model.ts";
import { follow } from "../normalise/references.ts";
import { Origins } from "../read/origins.ts";
import { methods } from "../read/shapes.ts";
import { rewrite } from "../read/walk.ts";
import { literal } from "./literals.ts";

export async function emitTypes(model: Model): Promise<string> {
  const document = readable(model);
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
        // bytes in forms and bodies are handed over as they are
        return "format" in schema && schema.format === "binary" ? binaryType : undefined;
      },
    },
  );
  const aliases = model.schemas.map(
    ({ name, identifier }) =>
      `export type ${identifier} = components["schemas"][${literal(name)}];`,
  );
  return [...aliases, "", astToString(nodes)].join("\n");
}

const binaryType = ts.factory.createUnionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
  ts.factory.createTypeReferenceNode("Blob"),
]);

/** The normalised document without what openapi-typescript refuses, loses or says differently. */
function readable(model: Model): JsonObject {
  const origins = new Origins();
  const names = new Map(
    model.operations.map((operation) => [operation.node, operation.operationId]),
  );
  const copy = rewrite(model.document, "Document", {
    origins,
    rewriter(node, kind) {
      if (kind === "Schema") return readableSchema(node);
      if (kind === "PathItem") return followed(model, node);
      withObjects(node);
      return node;
    },
  });
  if (!isObject(copy)) return {};
  // operations are found again by the position they have in both documents
  for (const [path, value] of entriesOf(model.document["paths"])) {
    const original = follow(model.document, value);
    const target = isObject(copy["paths"]) ? copy["paths"][path] : undefined;
    if (original === undefined || !isObject(target)) continue;
    for (const method of methods) {
      const operation = original[method];
      const written = target[method];
      const name = isObject(operation) ? names.get(operation) : undefined;
      if (name !== undefined && isObject(written)) put(written, "operationId", name);
    }
  }
  delete copy["webhooks"];
  return copy;
}

function followed(model: Model, node: JsonObject): Json {
  const target = typeof node["$ref"] === "string" ? follow(model.document, node) : undefined;
  return target === undefined ? node : copyEntries(target);
}

function readableSchema(node: JsonObject): JsonObject {
  // it writes the component's name as the tag and changes the component for all its users
  delete node["discriminator"];
  delete node["example"];
  delete node["examples"];
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
  return node;
}

/** Of everything that holds schemas and is none: components, media types, parameters, headers. */
function withObjects(node: JsonObject): void {
  if (node["schema"] !== undefined) put(node, "schema", asObject(node["schema"]));
  const schemas = node["schemas"];
  if (!isObject(schemas)) return;
  for (const [name, schema] of entriesOf(schemas)) put(schemas, name, asObject(schema));
}

/** It knows no boolean schemas. */
function asObject(schema: Json): Json {
  if (schema === true) return {};
  return schema === false ? { not: {} } : schema;
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
