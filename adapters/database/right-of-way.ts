// How many transactions of this process are under way at once. Those that read the same pages undo one
// another, and each that is undone has cost as much as one that counts: with every conflict half as many go
// side by side, and with each that goes well a few more. Who has lost goes alone: one that reads much would
// be undone again and again by those that read little. First come, first served, and who has waited too long is
// refused with nothing begun: behind a server that hangs no crowd comes together whose callers have long gone.

import { ServiceError } from "../../service/errors.ts";

interface Waiting {
  readonly isAlone: boolean;
  readonly start: () => void;
}

/** One more goes beside the others after so many that went well. */
const calmCount = 20;
/** However many conflicts there are: other processes may have a part in them, and wait for nobody here. */
const besideMin = 2;
/** As long as one waits for a connection. */
const waitMillisecondsMax = 5_000;

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
    this.#besideMax = Math.min(this.#most, Math.max(besideMin, this.#besideMax / 2));
  }

  async #take<Result>(isAlone: boolean, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(isAlone);
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

  /** Throws `service_unavailable`. */
  async #turn(isAlone: boolean): Promise<void> {
    const turn = Promise.withResolvers<undefined>();
    const waiting = { isAlone, start: () => turn.resolve(undefined) };
    const giveUp = (): void => {
      const message = "The service is not available right now.";
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      turn.reject(new ServiceError("service_unavailable", message, { retryAfterSeconds: 1 }));
      // It may have been the one that goes alone, for which the others waited.
      this.#go();
    };
    this.#waiting.push(waiting);
    this.#go();
    const timer = setTimeout(giveUp, waitMillisecondsMax);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
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
