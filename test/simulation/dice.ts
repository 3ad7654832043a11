// All that is left to chance in a simulation comes from one seed.

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to but without 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whole numbers, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** The same for amounts. */
  amount(min: bigint, max: bigint): bigint {
    const part = BigInt(Math.floor(this.fraction() * 2 ** 32));
    return min + ((max - min) * part) / (2n ** 32n - 1n);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<One>(from: readonly One[]): One {
    const found = from[this.between(0, from.length - 1)];
    if (found === undefined) throw new Error("there is nothing to choose from");
    return found;
  }

  /** Undefined where there is none. */
  pickIfAny<One>(from: readonly One[]): One | undefined {
    return from.length === 0 ? undefined : this.pick(from);
  }

  /** One of the newer ones more often. */
  pickRecent<One>(from: readonly One[]): One | undefined {
    return this.pickIfAny(this.chance(0.7) ? from.slice(-8) : from);
  }

  weighted<One extends { readonly weight: number }>(from: readonly One[]): One {
    const total = from.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.fraction() * total;
    for (const one of from) {
      left -= one.weight;
      if (left < 0) return one;
    }
    return this.pick(from);
  }

  fill(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index++) bytes[index] = this.between(0, 255);
  }
}
