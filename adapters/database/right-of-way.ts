// How many transactions of this process are under way at once. Those that read the same pages undo one
// another, and each that is undone has cost as much as one that counts: with every conflict half as many go
// side by side, and with each that goes well a few more. Who has lost goes alone: one that reads much would
// be undone again and again by those that read little. First come, first served: nobody waits for ever.

interface Waiting {
  readonly isAlone: boolean;
  readonly start: () => void;
}

/** One more goes beside the others after so many that went well. */
const calmCount = 20;

export class RightOfWay {
  readonly #most: number;
  #waiting: Waiting[] = [];
  #running = 0;
  #isOneAlone = false;
  #besideMax: number;

  /** @param most that go side by side when nobody is in anybody's way */
  constructor(most: number) {
    this.#most = most;
    this.#besideMax = most;
  }

  beside<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#take(false, work);
  }

  /** After all that are under way, and with nobody beside it. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#take(true, work);
  }

  noteConflict(): void {
    this.#besideMax = Math.max(1, this.#besideMax / 2);
  }

  async #take<Result>(isAlone: boolean, work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.withResolvers<undefined>();
    this.#waiting.push({ isAlone, start: () => turn.resolve(undefined) });
    this.#go();
    await turn.promise;
    try {
      const result = await work();
      this.#besideMax = Math.min(this.#most, this.#besideMax + 1 / calmCount);
      return result;
    } finally {
      this.#running -= 1;
      this.#isOneAlone = false;
      this.#go();
    }
  }

  #go(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#isOneAlone) return;
      const most = next.isAlone ? 1 : Math.floor(this.#besideMax);
      if (this.#running >= most) return;
      this.#waiting.shift();
      this.#running += 1;
      this.#isOneAlone = next.isAlone;
      next.start();
    }
  }
}
