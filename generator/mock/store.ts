// What callers have made, in memory: of each collection so many things, the oldest of which go first.

import type { Json } from "../suite/json.ts";

const perCollectionMax = 1_000;
const collectionsMax = 1_000;

export class Store {
  /** by the path of the collection as it was asked for, then by id */
  readonly #collections = new Map<string, Map<string, Json>>();
  #made = 0;

  /** How many things were ever made: what is drawn for the next one depends on it. */
  get made(): number {
    return this.#made;
  }

  get(collection: string, id: string): Json | undefined {
    return this.#collections.get(collection)?.get(id);
  }

  has(collection: string, id: string): boolean {
    return this.#collections.get(collection)?.has(id) ?? false;
  }

  /** In the order in which they were made. */
  list(collection: string): readonly Json[] {
    return [...(this.#collections.get(collection)?.values() ?? [])];
  }

  put(collection: string, id: string, value: Json): void {
    const things = this.#collections.get(collection) ?? new Map<string, Json>();
    if (!things.has(id)) this.#made += 1;
    things.set(id, value);
    dropOldest(things, perCollectionMax);
    this.#collections.set(collection, things);
    dropOldest(this.#collections, collectionsMax);
  }

  delete(collection: string, id: string): void {
    this.#collections.get(collection)?.delete(id);
  }
}

/** A map keeps its order. */
function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
