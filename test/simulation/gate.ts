// Lets several pieces of work go on at the same time, in an order that the seed decides. Whatever
// leaves the process (a statement, a transaction, a question to a chain) is one turn: all others
// wait for its end, so that a run with the same seed is the same run.

import { setImmediate as soon } from "node:timers/promises";
import type { Dice } from "./dice.ts";

/** Work that does not come back to the gate would hold up the simulation for ever. */
const idleRoundsMax = 100_000;

export class Gate {
  readonly #dice: Dice;
  /** no turns */
  readonly isWild: boolean;
  #waiting: (() => Promise<void>)[] = [];
  #isTakingTurns = false;

  /** `isWild`: no turns; what the database makes of it is another thing in each run */
  constructor(dice: Dice, isWild = false) {
    this.#dice = dice;
    this.isWild = isWild;
  }

  /** One turn; at once while there is only one piece of work. */
  async pass<Result>(turn: () => Result | Promise<Result>): Promise<Result> {
    if (!this.#isTakingTurns) return await turn();
    return await new Promise((resolve, reject) => {
      const take = async (): Promise<Result> => await turn();
      this.#waiting.push(() => take().then(resolve, reject));
    });
  }

  /** Throws what one of them throws, after all have ended. */
  async together(works: readonly (() => Promise<unknown>)[]): Promise<void> {
    const under = { way: works.length };
    this.#isTakingTurns = !this.isWild;
    const all = Promise.allSettled(works.map((work) => work().finally(() => (under.way -= 1))));
    for (let idle = 0; under.way > 0 && this.#isTakingTurns;) {
      // By then everybody has either ended or come to the gate.
      await soon();
      const count = this.#waiting.length;
      // Nobody rolls dice for nothing: how long that takes is not the seed's business.
      const [turn] = count === 0 ? [] : this.#waiting.splice(this.#dice.between(0, count - 1), 1);
      idle = turn === undefined ? idle + 1 : 0;
      if (idle > idleRoundsMax) throw new Error("some work has not come back to the gate");
      await turn?.();
    }
    const results = await all;
    this.#isTakingTurns = false;
    for (const result of results) {
      if (result.status === "rejected") throw result.reason;
    }
  }
}
