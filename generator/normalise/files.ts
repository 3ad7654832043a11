// Files in multipart bodies: a property that is one is no text to validation and to types, but a part with bytes
// (OpenAPI 3.1.1, section 4.8.14.4). It is marked here, in a copy of the schema where that is shared.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, put } from "../json.ts";
import { codecOf, essenceOf } from "./codecs.ts";
import type { Origins } from "../read/origins.ts";
import { walk } from "../read/walk.ts";
import { endOf, PropertyRewriter } from "./properties.ts";

/** Stands in the place of all that a schema says of a file, with the bounds of its bytes. */
export const fileMark = "x-generated-file";

export interface FileBounds {
  readonly minBytes?: number;
  readonly maxBytes?: number;
}

/** Changes the document in place (it is the generator's own copy). @returns whether there is a file */
export function markFiles(document: JsonObject, origins: Origins): boolean {
  const files = new Files(document, origins);
  walk(document, "Document", (node, kind) => {
    if (kind !== "RequestBody") return;
    for (const [mediaType, media] of entriesOf(node["content"])) {
      if (codecOf(essenceOf(mediaType)) !== "multipart" || !isObject(media)) continue;
      const { schema } = media;
      if (schema !== undefined) put(media, "schema", files.marked(schema));
    }
  });
  return files.found;
}

class Files {
  readonly #document: JsonObject;
  readonly #origins: Origins;
  readonly #properties: PropertyRewriter;
  found = false;

  constructor(document: JsonObject, origins: Origins) {
    this.#document = document;
    this.#origins = origins;
    this.#properties = new PropertyRewriter(document, origins, (_, schema) =>
      this.#property(schema),
    );
  }

  /** The schema itself where it has no file. */
  marked(schema: Json): Json {
    return this.#properties.rewritten(schema);
  }

  #property(schema: Json): Json {
    const target = endOf(this.#document, schema);
    if (!isObject(target)) return schema;
    if (isFile(target)) return this.#mark(target);
    const items = endOf(this.#document, target["items"] ?? true);
    if (!isObject(items) || !isFile(items)) return schema;
    return this.#properties.copy(target, { items: this.#mark(items) });
  }

  #mark(schema: JsonObject): JsonObject {
    this.found = true;
    const { description, minLength, maxLength } = schema;
    const bounds: JsonObject = {};
    if (typeof minLength === "number") bounds["minBytes"] = minLength;
    if (typeof maxLength === "number") bounds["maxBytes"] = maxLength;
    const described: JsonObject = description === undefined ? {} : { description };
    return this.#origins.copy(schema, { ...described, [fileMark]: bounds });
  }
}

/**
 * `format: binary`, as 3.0 says it, a media type without a type, as 3.1 does, or the encoding that is none.
 */
export function isFile(schema: JsonObject): boolean {
  const { type, format, contentEncoding, contentMediaType } = schema;
  const types = Array.isArray(type) ? type : [type];
  const mayBeText = type === undefined || types.includes("string");
  if (format === "binary" || contentEncoding === "binary") return mayBeText;
  return type === undefined && contentMediaType !== undefined && contentEncoding === undefined;
}
