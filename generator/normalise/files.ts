// Files in multipart bodies: a property that is one is no text to validation and to types, but a part with bytes
// (OpenAPI 3.1.1, section 4.8.14.4). It is marked here, in a copy of the schema where that is shared.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, put } from "../json.ts";
import { codecOf } from "./codecs.ts";
import type { Origins } from "../read/origins.ts";
import { walk } from "../read/walk.ts";
import { componentName, schemasOf } from "./references.ts";

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
      const essence = mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
      if (codecOf(essence) !== "multipart" || !isObject(media)) continue;
      const { schema } = media;
      if (schema !== undefined) put(media, "schema", files.marked(schema, []));
    }
  });
  return files.found;
}

class Files {
  readonly #document: JsonObject;
  readonly #origins: Origins;
  found = false;

  constructor(document: JsonObject, origins: Origins) {
    this.#document = document;
    this.#origins = origins;
  }

  /** The schema itself where it has no file; `above`: components on the way here. */
  marked(schema: Json, above: readonly string[]): Json {
    if (!isObject(schema)) return schema;
    const reference = schema["$ref"];
    const name = typeof reference === "string" ? componentName(reference) : undefined;
    if (name !== undefined && !above.includes(name)) {
      const target = schemasOf(this.#document)[name] ?? true;
      const changed = this.marked(target, [...above, name]);
      if (changed !== target) return this.#besideOthers(schema, changed);
    }
    const changes: [string, Json][] = [];
    for (const list of ["allOf", "anyOf", "oneOf"]) {
      const before = itemsOf(schema[list]);
      const after = before.map((member) => this.marked(member, above));
      if (after.some((member, index) => member !== before[index])) changes.push([list, after]);
    }
    const before = entriesOf(schema["properties"]);
    const after = before.map(([key, one]) => [key, this.#property(one)] as const);
    if (after.some(([, one], index) => one !== before[index]?.[1])) {
      changes.push(["properties", Object.fromEntries(after)]);
    }
    return changes.length === 0 ? schema : this.#copy(schema, Object.fromEntries(changes));
  }

  /** What stands beside a reference holds as well. */
  #besideOthers(schema: JsonObject, changed: Json): Json {
    const { $ref: _, ...others } = schema;
    if (Object.keys(others).length === 0) return changed;
    return this.#copy(schema, { ...others, allOf: [...itemsOf(others["allOf"]), changed] }, [
      "$ref",
    ]);
  }

  #property(schema: Json): Json {
    const target = this.#target(schema);
    if (!isObject(target)) return schema;
    if (isFile(target)) return this.#mark(target);
    const items = this.#target(target["items"] ?? true);
    if (!isObject(items) || !isFile(items)) return schema;
    return this.#copy(target, { items: this.#mark(items) });
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

  #copy(schema: JsonObject, changes: JsonObject, without: readonly string[] = []): JsonObject {
    const kept = Object.entries(schema).filter(([name]) => !without.includes(name));
    return this.#origins.copy(schema, { ...Object.fromEntries(kept), ...changes });
  }

  /** Of a chain of references its end. */
  #target(schema: Json): Json {
    const seen = new Set<string>();
    let value = schema;
    while (isObject(value) && typeof value["$ref"] === "string") {
      const name = componentName(value["$ref"]);
      if (name === undefined || seen.has(name)) return schema;
      seen.add(name);
      value = schemasOf(this.#document)[name] ?? true;
    }
    return value;
  }
}

/**
 * `format: binary`, as 3.0 says it, a media type without a type, as 3.1 does, or the encoding that is none.
 */
function isFile(schema: JsonObject): boolean {
  const { type, format, contentEncoding, contentMediaType } = schema;
  const types = Array.isArray(type) ? type : [type];
  const mayBeText = type === undefined || types.includes("string");
  if (format === "binary" || contentEncoding === "binary") return mayBeText;
  return type === undefined && contentMediaType !== undefined && contentEncoding === undefined;
}
