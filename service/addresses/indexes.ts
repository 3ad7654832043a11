// The indexes that deposit addresses are derived with. A process takes them in blocks: the database
// counts the blocks, and a keeper that no backup of the database reaches has to agree to each before
// anything of it is given out. So whatever becomes of the database, and while whoever runs, no payment
// gets an address that another one had (threat 78). A database that counts from a backup is found out
// by it, since what the keeper agreed to was always counted there before.

import { auditValues } from "../audit/audit.ts";
import { ServiceError } from "../errors.ts";
import type { Job } from "../jobs/jobs.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { IndexKeeper } from "../ports/signer.ts";
import { advanceIndexBlocks, readNextIndexBlock, takeIndexBlock } from "./deposit-addresses.sql.ts";

export interface AddressIndexPorts extends StoragePorts {
  /** undefined: nobody remembers but the database; for tests, and where no payment gets an address */
  readonly keeper: IndexKeeper | undefined;
  readonly alarm: (what: "database_restored", facts: Readonly<Record<string, unknown>>) => void;
}

/**
 * Our choice: half of it is what a process can give out while the keeper is away, and all of it is
 * lost when a process ends. There are two billion indexes. With another size the numbers of blocks
 * mean other indexes, which the keeper refuses like those of a backup: safe, with a false alarm.
 */
export const blockSize = 1_000n;

const lookMilliseconds = 60_000;
/** Another block is taken for each process that was faster, and one more after a restore. */
const attemptsMax = 20;

/** From the first that is free up to its end. */
interface Block {
  next: bigint;
  readonly end: bigint;
}

export class AddressIndexes {
  readonly #ports: AddressIndexPorts;
  /** what was claimed; those in front are used first */
  #blocks: Block[] = [];
  #claiming: Promise<void> | undefined;

  constructor(ports: AddressIndexPorts) {
    this.#ports = ports;
  }

  /** Never given before, nor again. Throws `chain_unavailable` if all are used and the keeper is away. */
  async next(): Promise<bigint> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const [block] = this.#blocks;
      if (block !== undefined) {
        const index = block.next++;
        if (block.next === block.end) this.#blocks.shift();
        return index;
      }
      await this.#claimOnce();
    }
    throw noneNow();
  }

  /**
   * Looks whether the database is behind the keeper, and has enough for a while. Each process does it
   * for itself, since each has blocks of its own.
   */
  job(): Job {
    return {
      name: "claim-address-indexes",
      everyMilliseconds: lookMilliseconds,
      isForEveryProcess: true,
      run: async () => {
        const isMoved = await this.#look();
        // A process that nobody has asked for an address yet takes none.
        const [block] = this.#blocks;
        const isLow = this.#blocks.length === 1 && block && block.end - block.next < blockSize / 2n;
        if (isLow === true) await this.#claimOnce();
        return { done: isMoved ? 1 : 0, isMore: false };
      },
    };
  }

  /** Calls at the same time share a block. */
  #claimOnce(): Promise<void> {
    this.#claiming ??= this.#claim().finally(() => (this.#claiming = undefined));
    return this.#claiming;
  }

  async #claim(): Promise<void> {
    const { database, keeper } = this.#ports;
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      // Before a block is taken: a database that lost only a few would catch up, and nobody would know.
      await this.#look();
      const first = blockOf(await database.run(takeIndexBlock, {})) * blockSize;
      const freeFrom = keeper === undefined ? 0n : await keeper.claimIndexes(first, blockSize);
      if (freeFrom <= first) {
        this.#blocks.push({ next: first, end: first + blockSize });
        return;
      }
      // A later block was claimed before this one, or the answer to our own claim was lost.
    }
    throw noneNow();
  }

  /**
   * What the keeper agreed to was counted here before it was asked, so the number here is lower only
   * if it went back. True: it did, and this process moved it forward.
   */
  async #look(): Promise<boolean> {
    const { database, clock, keeper, alarm } = this.#ports;
    if (keeper === undefined) return false;
    const freeFrom = await keeper.claimIndexes(0n, 0n);
    const counted = blockOf(await database.run(readNextIndexBlock, {})) * blockSize;
    if (counted >= freeFrom) return false;
    const target = (freeFrom + blockSize - 1n) / blockSize;
    const facts = {
      database_index: counted.toString(),
      signer_index: freeFrom.toString(),
      next_index: (target * blockSize).toString(),
    };
    const audit = auditValues({
      occurredAt: clock.now(),
      actor: "system",
      action: "deposit_addresses.advanced",
      subject: { type: "database", id: "deposit_index_blocks" },
      details: facts,
    });
    const rows = await database.run(advanceIndexBlocks, { ...audit, target });
    // None: another process was faster, and tells.
    if (rows.length === 0) return false;
    alarm("database_restored", facts);
    return true;
  }
}

function blockOf([row]: readonly { readonly block: bigint }[]): bigint {
  if (row === undefined) throw new Error("deposit_index_blocks has lost its row");
  return row.block;
}

function noneNow(): ServiceError {
  return new ServiceError("chain_unavailable", "No new address can be made right now.");
}
