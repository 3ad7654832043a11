// How many blocks are asked for at once: what goes to one node in the same moment is one request, and a node may
// refuse for ever what is too much for it.

import { TakenSize } from "../taken-size.ts";

const togetherMax = 20;
/** Where coins are watched: a block's traces may be tens of megabytes. */
const withCoinsMax = 4;

export class GroupSize {
  readonly #taken = new TakenSize(togetherMax);

  of(contracts: readonly (string | null)[]): number {
    return Math.min(this.#taken.size, contracts.includes(null) ? withCoinsMax : togetherMax);
  }

  note(asked: number, isFailed: boolean): void {
    // What is watched may be asked for in smaller groups than it would take.
    this.#taken.note(asked, isFailed);
  }
}

/**
 * Of one watcher. What is read a second time takes other calls than the first time. Both are asked for in one
 * moment, where that is not too much.
 */
export class LookSizes {
  readonly first = new GroupSize();
  readonly second = new GroupSize();
  readonly together = new TakenSize(2 * togetherMax);
}
