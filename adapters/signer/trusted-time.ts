// The time that limits are counted by. A clock that goes back renews no limit: the newest time that was
// counted stays. One that jumps far ahead would end all windows at once, and hold up all that comes
// after it once it is right again, so nothing is signed then until an operator has confirmed it.

import { SignerRefusal } from "../../service/ports/signer.ts";

/** Our choice: a signer that was away for longer than a week is told the date by a person. */
const aheadMillisecondsMax = 7 * 86_400_000;

export interface SignerClock {
  readonly nowMilliseconds: () => number;
  /** it goes on evenly, whatever is done to the other one */
  readonly monotonicMilliseconds: () => number;
}

export class TrustedTime {
  readonly #clock: SignerClock;
  /** undefined: nothing was counted yet, and any time will do */
  #newest: number | undefined;
  #readAt: number;

  constructor(clock: SignerClock, newest: number | undefined) {
    this.#clock = clock;
    this.#newest = newest;
    this.#readAt = clock.monotonicMilliseconds();
  }

  /** Never before a time that it gave. Throws `SignerRefusal`. */
  now(): number {
    const now = this.#clock.nowMilliseconds();
    const readAt = this.#clock.monotonicMilliseconds();
    const newest = this.#newest;
    if (newest !== undefined) {
      // However long nobody asked: a process that ran has seen that time pass.
      const expected = newest + (readAt - this.#readAt);
      if (now > expected + aheadMillisecondsMax) throw isAhead(now, expected);
    }
    this.#newest = newest === undefined || now > newest ? now : newest;
    this.#readAt = readAt;
    return this.#newest;
  }
}

function isAhead(now: number, expected: number): SignerRefusal {
  return new SignerRefusal(
    `the clock says ${new Date(now).toISOString()}, far ahead of ${new Date(expected).toISOString()}: ` +
      "nothing is signed until an operator confirms it (npm run signer -- clock, docs/running/signer.md)",
  );
}
