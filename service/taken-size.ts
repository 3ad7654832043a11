// How much is asked for at once of somebody who takes only so much, and does not say how much that is.

/** More is tried again after at most so many that went well. */
const waitMax = 64;

/**
 * Half as much after each refusal, down to one, since what is too much may be refused for ever; twice as much
 * when all that may be asked for was taken. A size that was refused is tried again, but after twice as many
 * that went well each time: who takes less for good is hardly ever asked in vain.
 */
export class TakenSize {
  readonly #most: number;
  #size: number;
  /** the least that was refused, and not taken since */
  #refused = Infinity;
  #wait = 1;
  /** of `#wait`, what is left */
  #left = 0;

  constructor(most: number) {
    this.#most = most;
    this.#size = most;
  }

  get size(): number {
    return this.#size;
  }

  note(asked: number, isRefused: boolean): void {
    if (isRefused) this.#noteRefused(asked);
    else this.#noteTaken(asked);
  }

  #noteRefused(asked: number): void {
    // It was asked for before another refusal made it less.
    if (asked > this.#size) return;
    this.#wait = asked < this.#refused ? 1 : Math.min(2 * this.#wait, waitMax);
    this.#left = this.#wait;
    this.#refused = Math.min(asked, this.#refused);
    this.#size = Math.max(1, Math.floor(asked / 2));
  }

  /** Who takes less than may be asked for has not said anything about more. */
  #noteTaken(asked: number): void {
    if (asked < this.#size) return;
    if (asked >= this.#refused) this.#refused = Infinity;
    const more = Math.min(this.#most, 2 * this.#size);
    if (more >= this.#refused) {
      this.#left -= 1;
      if (this.#left > 0) return;
    }
    this.#size = more;
  }
}
