// Blocks that an endpoint cannot trace: the state that it would need is gone, or there is more in the
// block than it answers in time, which whoever pays for a block full of calls can bring about. Without
// an end to the attempts one such block would hold up all payments of its chain.

import { BoundedCache } from "../../service/bounded-cache.ts";
import { AnswerTooMuch, NodeError } from "./answers.ts";

/** Of one block at one endpoint, for reasons that may pass. */
const attemptsMax = 3;
const rememberedBlocks = 4_096;

/** As Geth, and what is made from it, says that it was asked about too old a block. */
const isStateGone = /\bstate\b|trie node|prun|histor|archive|reexec/i;

export class Untraceable {
  /** by the hash of the block, how often each endpoint has failed */
  readonly #failures = new BoundedCache<string, Map<number, number>>(rememberedBlocks);

  /** Traces that are there and are wrong, or an endpoint that is away, are no reason to go without. */
  note(place: number, blockHash: string, error: unknown): void {
    if (!(error instanceof NodeError) && !(error instanceof AnswerTooMuch)) return;
    const failures = this.#failures.get(blockHash) ?? new Map<number, number>();
    const isForGood = error instanceof NodeError && isStateGone.test(error.message);
    const more = isForGood ? attemptsMax : 1;
    failures.set(place, (failures.get(place) ?? 0) + more);
    this.#failures.set(blockHash, failures);
  }

  /** At each of these endpoints, of which there is at least one. */
  isAt(places: readonly number[], blockHash: string): boolean {
    const failures = this.#failures.get(blockHash);
    return places.length > 0 && places.every((place) => (failures?.get(place) ?? 0) >= attemptsMax);
  }
}
