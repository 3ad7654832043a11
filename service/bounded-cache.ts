// A cache that cannot grow: what has not been asked for longest goes first. Its order is a list beside the map. A map
// remembers an order too, but a key that is taken out and put in again leaves a gap each time, and the next time
// all gaps of that key are walked over: what is asked for often would cost the most.

interface Entry<Key, Value> {
  readonly key: Key;
  value: Value;
  older: Entry<Key, Value> | undefined;
  newer: Entry<Key, Value> | undefined;
}

export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  readonly #entriesMax: number;
  #oldest: Entry<Key, Value> | undefined;
  #newest: Entry<Key, Value> | undefined;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.#newest) {
      this.#takeOut(entry);
      this.#putLast(entry);
    }
    return entry.value;
  }

  /** Gives the key that had to go, if one had to. */
  set(key: Key, value: Value): Key | undefined {
    const known = this.#entries.get(key);
    if (known === undefined) {
      const entry = { key, value, older: undefined, newer: undefined };
      this.#entries.set(key, entry);
      this.#putLast(entry);
    } else {
      known.value = value;
      this.#takeOut(known);
      this.#putLast(known);
    }
    const oldest = this.#oldest;
    if (this.#entries.size <= this.#entriesMax || oldest === undefined) return undefined;
    this.delete(oldest.key);
    return oldest.key;
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#takeOut(entry);
  }

  #takeOut(entry: Entry<Key, Value>): void {
    const { older, newer } = entry;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }

  #putLast(entry: Entry<Key, Value>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }
}
