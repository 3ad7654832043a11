// What a value was held against, in one word: a schema with all that it refers to.

import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { componentName, schemasOf } from "../normalise/references.ts";

interface Part {
  readonly hash: string;
  /** components that it names */
  readonly names: ReadonlySet<string>;
}

/** Of one normalised document, where every reference names a component. */
export class Closures {
  readonly #schemas: JsonObject;
  readonly #components = new Map<string, Part>();
  readonly #parts = new Map<Json, string>();

  constructor(document: JsonObject) {
    this.#schemas = schemasOf(document);
  }

  /** The same for two schemas only if they and everything below them are the same. */
  hashOf(schema: Json): string {
    const known = this.#parts.get(schema);
    if (known !== undefined) return known;
    const own = partOf(schema);
    const seen = new Set(own.names);
    // what is added on the way is visited as well
    for (const name of seen) for (const next of this.#component(name).names) seen.add(next);
    const below = [...seen].toSorted().map((name) => [name, this.#component(name).hash]);
    const hash = digest([own.hash, below]);
    this.#parts.set(schema, hash);
    return hash;
  }

  #component(name: string): Part {
    const known = this.#components.get(name);
    if (known !== undefined) return known;
    const part = partOf(Object.hasOwn(this.#schemas, name) ? (this.#schemas[name] ?? null) : null);
    this.#components.set(name, part);
    return part;
  }
}

export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 24);
}

function partOf(schema: Json): Part {
  const names = new Set<string>();
  collect(schema, names);
  return { hash: digest(schema), names };
}

function collect(value: Json, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, names);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const name = key === "$ref" && typeof item === "string" ? componentName(item) : undefined;
      if (name === undefined) collect(item, names);
      else names.add(name);
    }
  }
}
