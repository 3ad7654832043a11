// How much of a chain the watcher reads at once, and how much of it is kept.

export interface WatcherLimits {
  /** of one run */
  readonly blocksMax: number;
  /** of one transaction */
  readonly blocksAtOnce: number;
  /** Kept to find where another branch began; beyond them nobody knows what to undo. */
  readonly keptBlocks: bigint;
  /** so many blocks before the head a chain begins to be watched, if no address is older */
  readonly firstBlocks: bigint;
  /** so many blocks after it a block is read once more */
  readonly secondLookBlocks: bigint;
  /** deposits that become final in one run */
  readonly finalsMax: number;
}

export const watcherLimits: WatcherLimits = {
  blocksMax: 100,
  blocksAtOnce: 20,
  keptBlocks: 4096n,
  firstBlocks: 32n,
  secondLookBlocks: 3n,
  finalsMax: 25,
};
