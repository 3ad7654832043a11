// One at a time, in the order they came.

export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts the work when all earlier work has ended, however it ended. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
