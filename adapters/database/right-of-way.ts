// How many transactions of this process are under way at once. Those that read the same pages undo one
// another, and each that is undone has cost as much as one that counts: with every conflict half as many go
// side by side, and with each that goes well a few more. Who has lost goes alone: one that reads much would
// be undone again and again by those that read little. First come, first served, and who has waited too long is
// refused with nothing begun: behind a server that hangs no crowd comes together whose callers have long gone.
// One that hangs, as behind a lock, is waited for by nobody: it would close the service to all others.

import { notAvailable } from "./failures.ts";

interface Turn {
  readonly isAlone: boolean;
  readonly start: () => void;
}

/** One more goes beside the others after so many that went well. */
const calmCount = 20;
/** However many conflicts there are: other processes may have a part in them, and wait for nobody here. */
const besideMin = 2;
/** As long as one waits for a connection. */
const waitMillisecondsMax = 5_000;
/** Nearly all are over by then; who is not has others beside it, and nobody waits for its end to go alone. */
const slowMilliseconds = 1_000;

export class RightOfWay {
  readonly #most: number;
  #waiting: Turn[] = [];
  readonly #quick = new Set<Turn>();
  readonly #slow = new Set<Turn>();
  #alone: Turn | undefined;
  #besideMax: number;

  /** @param most that go side by side when nobody is in anybody's way */
  constructor(most: number) {
    this.#most = most;
    this.#besideMax = most;
  }

  beside<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#take(false, work);
  }

  /** After all that are under way, and with nobody beside it, unless one of them hangs. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#take(true, work);
  }

  noteConflict(): void {
    this.#besideMax = Math.min(this.#most, Math.max(besideMin, this.#besideMax / 2));
  }

  async #take<Result>(isAlone: boolean, work: () => Promise<Result>): Promise<Result> {
    const turn = await this.#turn(isAlone);
    const timer = setTimeout(() => this.#noteSlow(turn), slowMilliseconds);
    try {
      const result = await work();
      this.#besideMax = Math.min(this.#most, this.#besideMax + 1 / calmCount);
      return result;
    } finally {
      clearTimeout(timer);
      this.#slow.delete(turn);
      this.#leave(turn);
    }
  }

  #noteSlow(turn: Turn): void {
    this.#slow.add(turn);
    this.#leave(turn);
  }

  #leave(turn: Turn): void {
    this.#quick.delete(turn);
    if (this.#alone === turn) this.#alone = undefined;
    this.#go();
  }

  /** Throws `service_unavailable`. */
  async #turn(isAlone: boolean): Promise<Turn> {
    const started = Promise.withResolvers<undefined>();
    const turn = { isAlone, start: () => started.resolve(undefined) };
    const giveUp = (): void => {
      this.#waiting = this.#waiting.filter((one) => one !== turn);
      started.reject(notAvailable());
      // It may have been the one that goes alone, for which the others waited.
      this.#go();
    };
    this.#waiting.push(turn);
    this.#go();
    const timer = setTimeout(giveUp, waitMillisecondsMax);
    try {
      await started.promise;
    } finally {
      clearTimeout(timer);
    }
    return turn;
  }

  #go(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#alone !== undefined) return;
      if (this.#quick.size + this.#slow.size >= this.#most) return;
      const isAlone = next.isAlone && this.#slow.size === 0;
      const most = isAlone ? 1 : Math.floor(this.#besideMax);
      if (this.#quick.size >= most) return;
      this.#waiting.shift();
      this.#quick.add(next);
      if (isAlone) this.#alone = next;
      next.start();
    }
  }
}
