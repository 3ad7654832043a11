// Other schemas for the properties of one, wherever it describes them: itself, what it refers to, its alternatives.
// What changes is copied, since others may refer to it, too.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf } from "../json.ts";
import type { Origins } from "../read/origins.ts";
import { componentName, schemasOf } from "./references.ts";

/** The same schema where nothing changes. */
type Replacement = (name: string, schema: Json) => Json;

export class PropertyRewriter {
  readonly #document: JsonObject;
  readonly #origins: Origins;
  readonly #replacement: Replacement;

  constructor(document: JsonObject, origins: Origins, replacement: Replacement) {
    this.#document = document;
    this.#origins = origins;
    this.#replacement = replacement;
  }

  /** The schema itself where nothing changes; `above`: components on the way here. */
  rewritten(schema: Json, above: readonly string[] = []): Json {
    if (!isObject(schema)) return schema;
    const reference = schema["$ref"];
    const name = typeof reference === "string" ? componentName(reference) : undefined;
    if (name !== undefined && !above.includes(name)) {
      const target = schemasOf(this.#document)[name] ?? true;
      const changed = this.rewritten(target, [...above, name]);
      if (changed !== target) return this.#besideOthers(schema, changed);
    }
    const changes: [string, Json][] = [];
    for (const list of ["allOf", "anyOf", "oneOf"]) {
      const before = itemsOf(schema[list]);
      const after = before.map((member) => this.rewritten(member, above));
      if (after.some((member, index) => member !== before[index])) changes.push([list, after]);
    }
    const before = entriesOf(schema["properties"]);
    const after = before.map(([key, one]) => [key, this.#replacement(key, one)] as const);
    if (after.some(([, one], index) => one !== before[index]?.[1])) {
      changes.push(["properties", Object.fromEntries(after)]);
    }
    return changes.length === 0 ? schema : this.copy(schema, Object.fromEntries(changes));
  }

  /** What stands beside a reference holds as well. */
  #besideOthers(schema: JsonObject, changed: Json): Json {
    const { $ref: _, ...others } = schema;
    if (Object.keys(others).length === 0) return changed;
    return this.copy(schema, { ...others, allOf: [...itemsOf(others["allOf"]), changed] }, [
      "$ref",
    ]);
  }

  copy(schema: JsonObject, changes: JsonObject, without: readonly string[] = []): JsonObject {
    const kept = Object.entries(schema).filter(([name]) => !without.includes(name));
    return this.#origins.copy(schema, { ...Object.fromEntries(kept), ...changes });
  }
}

/** Of a chain of references its end; the schema itself where that leads nowhere. */
export function endOf(document: JsonObject, schema: Json): Json {
  const seen = new Set<string>();
  let value = schema;
  while (isObject(value) && typeof value["$ref"] === "string") {
    const name = componentName(value["$ref"]);
    if (name === undefined || seen.has(name)) return schema;
    seen.add(name);
    value = schemasOf(document)[name] ?? true;
  }
  return value;
}
