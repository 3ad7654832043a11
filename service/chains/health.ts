// How far the view of each chain can be trusted to be of now. Whoever decides because something did
// not happen on a chain (an expiry), or sends money because of what is there, asks here first.

import { listCursors } from "./watcher.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

export interface ChainReport {
  readonly chainId: string;
  readonly blockNumber: bigint;
  /** of the newest block that was read */
  readonly blockTime: Date;
  /** blocks that the chain had when it was last asked, and that were not read yet */
  readonly behindBlocks: bigint;
  readonly blockAgeMilliseconds: number;
  /** since the chain last agreed with what was read */
  readonly lookAgeMilliseconds: number;
  readonly isStale: boolean;
}

export interface StaleLimits {
  readonly blockAgeMillisecondsMax: number;
  readonly lookAgeMillisecondsMax: number;
}

/**
 * Our choice: the slowest chain of the catalog has a block every 12 seconds, and the watcher looks
 * every few seconds; whoever is this much behind has a node that lags or does not answer.
 */
export const staleLimits: StaleLimits = {
  blockAgeMillisecondsMax: 300_000,
  lookAgeMillisecondsMax: 120_000,
};

export interface ChainHealthPorts extends StoragePorts {
  readonly limits?: StaleLimits;
}

export class ChainHealth {
  readonly #ports: ChainHealthPorts;

  constructor(ports: ChainHealthPorts) {
    this.#ports = ports;
  }

  /** Of every chain that was ever watched. */
  async list(): Promise<readonly ChainReport[]> {
    const { database, clock, limits = staleLimits } = this.#ports;
    const rows = await database.run(listCursors, {});
    const now = clock.nowMilliseconds();
    return rows.map((row) => {
      const blockAgeMilliseconds = now - row.block_time.getTime();
      const lookAgeMilliseconds = now - row.looked_at.getTime();
      const behind = row.head_number - row.block_number;
      return {
        chainId: row.chain_id,
        blockNumber: row.block_number,
        blockTime: row.block_time,
        behindBlocks: behind > 0n ? behind : 0n,
        blockAgeMilliseconds,
        lookAgeMilliseconds,
        isStale:
          blockAgeMilliseconds > limits.blockAgeMillisecondsMax ||
          lookAgeMilliseconds > limits.lookAgeMillisecondsMax,
      };
    });
  }

  /** A chain that was never watched is as stale as can be. */
  async isStale(chainId: string): Promise<boolean> {
    const reports = await this.list();
    return reports.find((report) => report.chainId === chainId)?.isStale ?? true;
  }
}
