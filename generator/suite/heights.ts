// How deep a value is at least, so that what refers to itself comes to an end; and what refers to itself.

import type { Contract, Place } from "./contract.ts";
import { schemaPlace } from "./flat.ts";
import { escapeToken, isObject, type Json, listAt, objectAt, textOf } from "./json.ts";

/** What the height of a place comes of. */
interface Parts {
  /** at the same place, by reference or `allOf` */
  readonly same: readonly Place[];
  /** of which one will do */
  readonly ways: readonly (readonly Place[])[];
  /** members and items that must be there */
  readonly inside: readonly Place[];
}

export class Heights {
  readonly #contract: Contract;
  readonly #known = new Map<string, number>();
  readonly #recursive = new Map<string, boolean>();
  readonly #targets = new Map<string, readonly string[]>();
  /** what anybody refers to */
  #referred: ReadonlySet<string> | undefined;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** The way that ends soonest. */
  lowest(ways: readonly Place[]): Place | undefined {
    return ways.toSorted((one, other) => this.of(one) - this.of(other))[0];
  }

  /** 0 for what has nothing inside; Infinity where every way leads back. */
  of(place: Place): number {
    if (!this.#known.has(place.pointer)) this.#settle(place);
    return this.#at(place);
  }

  /** Whether it is referred to by what it consists of, or by what that refers to. */
  isRecursive(pointer: string): boolean {
    const known = this.#recursive.get(pointer);
    if (known !== undefined) return known;
    this.#referred ??= new Set(targetsIn(this.#contract.document));
    // Nearly all places stand in another one, and nobody refers to them.
    if (!this.#referred.has(pointer)) return false;
    const reached = new Set(this.#targetsAt(pointer));
    // A set goes on with what is added to it meanwhile.
    for (const next of reached) {
      if (next === pointer) break;
      for (const one of this.#targetsAt(next)) reached.add(one);
    }
    this.#recursive.set(pointer, reached.has(pointer));
    return reached.has(pointer);
  }

  #at({ pointer }: Place): number {
    return this.#known.get(pointer) ?? Infinity;
  }

  /** Of all that it leads to at once: what is found to be lower makes lower what it is part of. */
  #settle(place: Place): void {
    const open = new Map<string, Parts>();
    const wholes = new Map<string, string[]>();
    const reached = [place];
    for (const next of reached) {
      if (this.#known.has(next.pointer) || open.has(next.pointer)) continue;
      const parts = this.#partsOf(next);
      open.set(next.pointer, parts);
      for (const part of [...parts.same, ...parts.ways.flat(), ...parts.inside]) {
        reached.push(part);
        const known = wholes.get(part.pointer);
        if (known === undefined) wholes.set(part.pointer, [next.pointer]);
        else known.push(next.pointer);
      }
    }
    // What was reached last stands deepest, and is known first. A set goes on with what is added to it meanwhile.
    const waiting = new Set([...open.keys()].toReversed());
    for (const pointer of waiting) {
      waiting.delete(pointer);
      const parts = open.get(pointer);
      const height = parts === undefined ? Infinity : this.#heightBy(parts);
      if (height >= (this.#known.get(pointer) ?? Infinity)) continue;
      this.#known.set(pointer, height);
      for (const whole of wholes.get(pointer) ?? []) waiting.add(whole);
    }
    for (const pointer of open.keys()) {
      if (!this.#known.has(pointer)) this.#known.set(pointer, Infinity);
    }
  }

  #heightBy({ same, ways, inside }: Parts): number {
    return Math.max(
      0,
      ...same.map((one) => this.#at(one)),
      ...ways.map((all) => Math.min(...all.map((one) => this.#at(one)))),
      ...inside.map((one) => 1 + this.#at(one)),
    );
  }

  #partsOf({ node, pointer }: Place): Parts {
    const below = (...names: readonly string[]): Place =>
      schemaPlace(this.#contract, [pointer, ...names].join("/"));
    const each = (name: string): Place[] =>
      listAt(node, name).map((_, index) => below(name, String(index)));
    const reference = node["$ref"];
    const target = typeof reference === "string" ? targetsOf(reference) : [];
    const properties = objectAt(node, "properties");
    const members = listAt(node, "required")
      .map(textOf)
      .filter((name) => Object.hasOwn(properties, name))
      .map((name) => below("properties", escapeToken(name)));
    const hasItems = Number(node["minItems"] ?? 0) > 0 && isObject(node["items"]);
    return {
      same: [...each("allOf"), ...target.map((one) => schemaPlace(this.#contract, one))],
      ways: [each("oneOf"), each("anyOf")].filter((ways) => ways.length > 0),
      inside: hasItems ? [...members, below("items")] : members,
    };
  }

  #targetsAt(pointer: string): readonly string[] {
    const known = this.#targets.get(pointer);
    if (known !== undefined) return known;
    const targets = [...new Set(targetsIn(schemaPlace(this.#contract, pointer).node))];
    this.#targets.set(pointer, targets);
    return targets;
  }
}

/**
 * Pointers that are referred to in it, however deep that stands there. Examples and other values may have a `$ref`,
 * too, whatever is in it: one that reads like a reference may make something recursive that is not.
 */
function targetsIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(targetsIn);
  if (!isObject(value)) return [];
  const reference = value["$ref"];
  const inside = Object.values(value).flatMap(targetsIn);
  return typeof reference === "string" ? [...inside, ...targetsOf(reference)] : inside;
}

/** One or, of what is no reference into this document, none. */
function targetsOf(reference: string): readonly string[] {
  if (!reference.startsWith("#")) return [];
  try {
    return [decodeURIComponent(reference.slice(1))];
  } catch {
    return [];
  }
}
