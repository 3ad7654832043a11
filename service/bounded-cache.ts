// A cache that cannot grow: what has not been asked for longest goes first.

export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #entriesMax: number;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    // A map remembers the order of insertion: to the end with it.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Gives the key that had to go, if one had to. */
  set(key: Key, value: Value): Key | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#entriesMax) return undefined;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return oldest;
    }
    return undefined;
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
