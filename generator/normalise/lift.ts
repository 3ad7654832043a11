// Says a document of 3.0 or 3.2 in the words of 3.1 where there are such, so that everything after this knows one language.
// Served is the document as it was written; this copy is for the generator only.

import type { Version } from "../read/fields.ts";
import type { JsonObject } from "../json.ts";
import { isObject, itemsOf } from "../json.ts";
import type { Origins } from "../read/origins.ts";
import { renameSchemes, schemeOf } from "../read/scheme-references.ts";
import { rewrite } from "../read/walk.ts";

/** A copy in the words of 3.1; of 3.1 only what is not of 3.1 changes. */
export function lift(document: JsonObject, version: Version, origins: Origins): JsonObject {
  const lifted = rewrite(document, "Document", {
    origins,
    rewriter: (node, kind) => {
      if (kind === "Document" || kind === "Operation") {
        if (version === "3.2")
          renameSchemes(node, { origins, rename: (_, name) => schemeOf(document, name) });
        return node;
      }
      if (kind !== "Schema") return node;
      return liftSchema(node, version, origins);
    },
  });
  return isObject(lifted) ? lifted : {};
}

function liftSchema(node: JsonObject, version: Version, origins: Origins): JsonObject {
  if (version === "3.0" && typeof node["$ref"] === "string") {
    // what stands beside a reference does not count in 3.0 (and was reported)
    return origins.copy(node, { $ref: node["$ref"] });
  }
  // in 3.1 as well, where that is allowed
  liftBound(node, "minimum", "exclusiveMinimum");
  liftBound(node, "maximum", "exclusiveMaximum");
  return liftNullable(node);
}

/** Null is one more type; enums and combinations go on saying what they say (OpenAPI 3.0.3). */
function liftNullable(node: JsonObject): JsonObject {
  const type = node["type"];
  if (node["nullable"] === true) {
    const types = itemsOf(type);
    if (typeof type === "string") node["type"] = [type, "null"];
    else if (types.length > 0 && !types.includes("null")) node["type"] = [...types, "null"];
  }
  delete node["nullable"];
  return node;
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
