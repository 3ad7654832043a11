// Says a 3.0 document in the words of 3.1, so that everything after this knows one language.
// Served is the document as it was written; this copy is for the generator only.

import type { Version } from "../check/shape.ts";
import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf } from "../json.ts";
import type { Origins } from "../read/origins.ts";
import { rewrite } from "../read/walk.ts";

/** A copy in the words of 3.1; a document of 3.1 is only copied. */
export function lift(document: JsonObject, version: Version, origins: Origins): JsonObject {
  const lifted = rewrite(document, "Document", {
    origins,
    rewriter: (node, kind) =>
      kind === "Schema" && version === "3.0" ? liftSchema(node, origins) : node,
  });
  return isObject(lifted) ? lifted : {};
}

function liftSchema(node: JsonObject, origins: Origins): JsonObject {
  if (typeof node["$ref"] === "string") {
    // what stands beside a reference does not count in 3.0 (and was reported)
    return origins.copy(node, { $ref: node["$ref"] });
  }
  liftBound(node, "minimum", "exclusiveMinimum");
  liftBound(node, "maximum", "exclusiveMaximum");
  if (node["nullable"] === undefined) return node;
  const nullable = node["nullable"] === true;
  delete node["nullable"];
  return nullable ? withNull(node, origins) : node;
}

function liftBound(node: JsonObject, bound: string, exclusive: string): void {
  const strict = node[exclusive];
  if (typeof strict !== "boolean") return;
  delete node[exclusive];
  const limit = node[bound];
  if (!strict || limit === undefined) return;
  delete node[bound];
  node[exclusive] = limit;
}

/** `nullable: true` welcomes null whatever else the schema says, an enum without null included. */
function withNull(node: JsonObject, origins: Origins): JsonObject {
  const type = node["type"];
  const plain = ["allOf", "anyOf", "oneOf", "not"].every((name) => node[name] === undefined);
  if (typeof type === "string" && plain) {
    node["type"] = [type, "null"];
    const values: Json[] = itemsOf(node["enum"]);
    if (node["enum"] !== undefined && !values.includes(null)) node["enum"] = [...values, null];
    return node;
  }
  // annotations stay outside, where types and documentation look for them
  const outer: JsonObject = {};
  for (const name of [
    "title",
    "description",
    "deprecated",
    "readOnly",
    "writeOnly",
    "default",
    "example",
  ]) {
    const value = node[name];
    if (value === undefined) continue;
    outer[name] = value;
    delete node[name];
  }
  outer["anyOf"] = [node, origins.copy(node, { type: "null" })];
  return origins.copy(node, outer);
}
