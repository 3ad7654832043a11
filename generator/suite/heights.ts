// How deep a value is at least, so that what refers to itself comes to an end.

import type { Contract, Place } from "./contract.ts";
import { schemaPlace } from "./flat.ts";
import { escapeToken, isObject, type JsonObject, listAt, objectAt, textOf } from "./json.ts";

export class Heights {
  readonly #contract: Contract;
  readonly #known = new Map<string, number>();
  /** what is being looked at: met again below itself, it has no end that way */
  readonly #open = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** The way that ends soonest. */
  lowest(ways: readonly Place[]): Place | undefined {
    return ways.toSorted((one, other) => this.of(one) - this.of(other))[0];
  }

  /** 0 for what has nothing inside; Infinity where every way leads back. */
  of({ node, pointer }: Place): number {
    const known = this.#known.get(pointer);
    if (known !== undefined) return known;
    if (this.#open.has(pointer)) return Infinity;
    this.#open.add(pointer);
    const height = this.#heightOf(node, pointer);
    this.#open.delete(pointer);
    // what was cut off on the way back to an open one may be lower from elsewhere
    if (Number.isFinite(height) || this.#open.size === 0) this.#known.set(pointer, height);
    return height;
  }

  #heightOf(node: JsonObject, pointer: string): number {
    const below = (...names: readonly string[]): number =>
      this.of(schemaPlace(this.#contract, [pointer, ...names].join("/")));
    const each = (name: string): number[] =>
      listAt(node, name).map((_, index) => below(name, String(index)));
    const parts = each("allOf");
    const reference = node["$ref"];
    if (typeof reference === "string") {
      const target = decodeURIComponent(reference.slice(1));
      parts.push(this.of(schemaPlace(this.#contract, target)));
    }
    for (const name of ["oneOf", "anyOf"]) {
      const ways = each(name);
      if (ways.length > 0) parts.push(Math.min(...ways));
    }
    const properties = objectAt(node, "properties");
    for (const name of listAt(node, "required").map(textOf)) {
      if (Object.hasOwn(properties, name)) parts.push(1 + below("properties", escapeToken(name)));
    }
    if (Number(node["minItems"] ?? 0) > 0 && isObject(node["items"]))
      parts.push(1 + below("items"));
    return Math.max(0, ...parts);
  }
}
