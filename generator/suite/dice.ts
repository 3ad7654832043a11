// What is drawn comes from one seed: the same seed, the same requests.

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to but without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 up to but without `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(part: number): boolean {
    return this.next() < part;
  }

  /** Undefined: there is nothing to pick. */
  pick<Item>(list: readonly Item[]): Item | undefined {
    return list[this.below(list.length)];
  }
}
