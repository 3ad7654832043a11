// Side by side, and alone for whoever has lost that way: among many, one that reads much would be undone
// again and again by those that read little. First come, first served: nobody waits for ever.

interface Waiting {
  readonly isAlone: boolean;
  readonly start: () => void;
}

export class RightOfWay {
  #waiting: Waiting[] = [];
  #running = 0;
  #isOneAlone = false;

  /** With any number of others. */
  beside<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#take(false, work);
  }

  /** After all that are under way, and with nobody beside it. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#take(true, work);
  }

  async #take<Result>(isAlone: boolean, work: () => Promise<Result>): Promise<Result> {
    const turn = Promise.withResolvers<undefined>();
    this.#waiting.push({ isAlone, start: () => turn.resolve(undefined) });
    this.#go();
    await turn.promise;
    try {
      return await work();
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
      if (next.isAlone && this.#running > 0) return;
      this.#waiting.shift();
      this.#running += 1;
      this.#isOneAlone = next.isAlone;
      next.start();
    }
  }
}
