// Reads a part of a chain again and brings what is stored to what the chain says now: the operator's
// way out where the watcher has stopped, since two answers contradicted each other or nothing that is
// kept is on the chain any more (`ForkTooDeep`), and where a deposit was missed both times (threats
// 24 and 27).
//
// All of it is one transaction, with the position of the watcher as the condition: a payment whose
// deposit is in both branches does not even look as if it had been gone, and a crash changes nothing.
// What follows for payments is worked out where the watcher has it worked out too. Deposits of which
// nothing has changed stay as they are.

import { auditValues } from "../audit/audit.ts";
import { blocksText } from "./branches.ts";
import { depositsText, watchedChain } from "./deposits.ts";
import type { WatchedAccounts } from "./deposits.ts";
import { recordMeasurement } from "./measuring.ts";
import { compare } from "./rescan-changes.ts";
import type { Comparison, RescanChange } from "./rescan-changes.ts";
import { RescanReading } from "./rescan-reading.ts";
import { changingDeposits, Overtaken } from "./touched.ts";
import type { Touching, TouchingPorts } from "./touched.ts";
import { watcherLimits } from "./limits.ts";
import type { CatalogReader } from "../catalog/catalog.ts";
import { ServiceError } from "../errors.ts";
import { type Look, NotReachable, OperatorError } from "../operator-error.ts";
import type { Chain, ChainBlock } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import { recordAudit } from "../audit/audit.sql.ts";
import { findReplacedDeposits } from "./recording.sql.ts";
import * as store from "./watcher.sql.ts";
import {
  moveDeposits,
  readNewestBlockBelow,
  orphanChosenDeposits,
  readBlocksFrom,
  readDepositsFromBlock,
} from "./rescan.sql.ts";

/** How often the watcher may be faster. */
const attemptsMax = 5;

export interface RescanLimits {
  /** of one rescan: they are in memory, without what is in them, and one transaction */
  readonly blocksMax: bigint;
  /** the same as the watcher's */
  readonly keptBlocks: bigint;
}

export interface RescanPorts extends TouchingPorts {
  readonly clock: Clock;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  /** undefined: it is not connected */
  readonly chainOf: (chainId: string) => Promise<Chain | undefined>;
  /** left out: what came to a settlement account and is stored is looked at, and nothing more */
  readonly accounts?: WatchedAccounts | undefined;
  readonly limits?: Partial<RescanLimits>;
}

export interface RescanReport {
  readonly fromNumber: bigint;
  readonly toNumber: bigint;
  readonly changes: readonly RescanChange[];
  /** deposits that are as they are stored */
  readonly same: number;
  /** Transfers of which the chain does not say what they have brought: they count when it does. */
  readonly unmeasured: number;
  /** blocks that are stored and that the chain has others in place of */
  readonly otherBlocks: number;
}

interface Rescan {
  readonly chain: Chain;
  readonly reading: RescanReading;
  readonly fromNumber: bigint;
  readonly options: RescanOptions;
}

interface RescanOptions {
  readonly isDryRun: boolean;
  /** throws where what was found is not what somebody meant */
  readonly look?: Look<RescanReport>;
}

interface Found extends Comparison {
  readonly report: RescanReport;
}

type Cursor = NonNullable<(typeof store.readCursor)["row"]>;

export class ChainRescan {
  readonly #ports: RescanPorts;
  readonly #limits: RescanLimits;

  constructor(ports: RescanPorts) {
    this.#ports = ports;
    const { keptBlocks } = watcherLimits;
    this.#limits = { blocksMax: 50_000n, keptBlocks, ...ports.limits };
  }

  /** Throws `OperatorError` for what cannot be done; then nothing was changed. */
  async run(chainId: string, fromNumber: bigint, options: RescanOptions): Promise<RescanReport> {
    try {
      return await this.#run(chainId, fromNumber, options);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "chain_unavailable") throw error;
      const reason = error.cause instanceof Error ? `: ${error.cause.message}` : "";
      throw new NotReachable(`The chain does not answer${reason}. Nothing was changed.`);
    }
  }

  async #run(chainId: string, fromNumber: bigint, options: RescanOptions): Promise<RescanReport> {
    const { catalog, database, chainOf } = this.#ports;
    const chain = await chainOf(chainId);
    if (chain === undefined) throw new OperatorError(`${chainId} is not connected.`);
    const watched = watchedChain(chainId, await catalog.allDeployments(), this.#ports.accounts);
    if (watched === undefined) throw new OperatorError(`The catalog has nothing on ${chainId}.`);
    const reading = new RescanReading({ database, chain, watched, fromNumber });
    const rescan: Rescan = { chain, reading, fromNumber, options };
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const report = await this.#attempt(rescan);
      if (report !== undefined) return report;
    }
    throw new OperatorError("The watcher of the chain was faster each time. Try again.");
  }

  /** Undefined: the watcher was faster. */
  async #attempt(rescan: Rescan): Promise<RescanReport | undefined> {
    const { chain, reading, fromNumber, options } = rescan;
    const { database } = this.#ports;
    const { chainId } = chain;
    const [cursor] = await database.run(store.readCursor, { chainId });
    if (cursor === undefined) throw new OperatorError(`${chainId} was never read.`);
    const headNumber = await this.#check(rescan, cursor);
    const last = await reading.readTo(cursor.block_number);
    // It went back to a shorter branch since then.
    if (last.number !== cursor.block_number) return undefined;
    await reading.readReceipts(await database.run(readDepositsFromBlock, { chainId, fromNumber }));
    try {
      if (options.isDryRun) return (await this.#compare(database, rescan, last)).report;
      return await changingDeposits(this.#ports, (inside, touching) =>
        this.#apply(inside, { ...rescan, ...touching }, { cursor, last, headNumber }),
      );
    } catch (error) {
      if (error instanceof Overtaken) return undefined;
      throw error;
    }
  }

  /** @returns the number of the newest block */
  async #check({ chain, fromNumber }: Rescan, cursor: Cursor): Promise<bigint> {
    const { chainId } = chain;
    const { block_number: number } = cursor;
    const { blocksMax } = this.#limits;
    if (fromNumber < 1n || fromNumber > number) {
      throw new OperatorError(`--from is a block from 1 to ${number}, the newest that was read.`);
    }
    if (number - fromNumber >= blocksMax) {
      throw new OperatorError(
        `At most ${blocksMax} blocks are read again at once: --from is ${number - blocksMax + 1n} or more.`,
      );
    }
    const head = await chain.head();
    if (head.chainId !== chainId)
      throw new OperatorError(`${head.chainId} answers for ${chainId}.`);
    if (head.number < number) {
      throw new OperatorError(
        `The chain is at block ${head.number}, and ${number} was read: wait until it is as long.`,
      );
    }
    await this.#checkBelow(chain, fromNumber);
    return head.number;
  }

  /** Whatever is on the chain, so is all before it: below, nothing has to be put right. */
  async #checkBelow(chain: Chain, fromNumber: bigint): Promise<void> {
    const { chainId } = chain;
    const [below] = await this.#ports.database.run(readNewestBlockBelow, { chainId, fromNumber });
    if (below === undefined) return;
    const { block_number: number, block_hash: hash } = below;
    const block = await chain.block(number, []);
    if (block?.hash === hash) return;
    throw new OperatorError(
      `The chain has another block ${number} than the one that is stored: begin there or before.`,
    );
  }

  async #compare(
    database: Database,
    { chain: { chainId }, reading, fromNumber, options }: Rescan,
    last: ChainBlock,
  ): Promise<Found> {
    const stored = await database.run(readDepositsFromBlock, { chainId, fromNumber });
    const comparison = compare(reading, stored);
    if (comparison === undefined) throw new Overtaken();
    const blocks = await database.run(readBlocksFrom, { chainId, fromNumber });
    const otherBlocks = blocks.filter(
      ({ block_number: number, block_hash: hash }) => reading.blocks.get(number)?.hash !== hash,
    ).length;
    const { changes, same } = comparison;
    const unmeasured = reading.measured.filter(({ arrivedRaw }) => arrivedRaw === null).length;
    const toNumber = last.number;
    const report = { fromNumber, toNumber, changes, same, unmeasured, otherBlocks };
    options.look?.(report);
    return { ...comparison, report };
  }

  async #apply(
    database: Database,
    rescan: Rescan & Touching,
    place: { readonly cursor: Cursor; readonly last: ChainBlock; readonly headNumber: bigint },
  ): Promise<RescanReport> {
    const { chainId } = rescan.chain;
    const { cursor } = place;
    const position = { chainId, number: cursor.block_number, hash: cursor.block_hash };
    if ((await database.run(store.holdCursor, position)).length === 0) throw new Overtaken();
    const found = await this.#compare(database, rescan, place.last);
    const forkNumber = rescan.fromNumber - 1n;
    await database.run(store.abandonBlocks, { chainId, forkNumber });
    const goneText = JSON.stringify(
      found.gone.map(({ tx_hash, log_index }) => ({ tx_hash, log_index })),
    );
    const gone = await database.run(orphanChosenDeposits, { chainId, deposits: goneText });
    await this.#move(database, rescan, place);
    const values = { chainId, deposits: depositsText(found.recorded) };
    // Whoever booked such a deposit has to take it back while it still says what it was.
    await rescan.touchNow(database, await database.run(findReplacedDeposits, values));
    await this.#ports.onNobodysGone?.(database, chainId);
    const measurement = { deposits: found.recorded, measured: found.measured, isAnew: true };
    const now = this.#ports.clock.now();
    const recorded = await recordMeasurement(database, chainId, { ...measurement, now });
    const moved = await database.run(moveDeposits, { chainId, deposits: movedText(found) });
    await rescan.touch(database, [...gone, ...recorded, ...moved]);
    await database.run(recordAudit, this.#audit(chainId, found.report));
    return found.report;
  }

  async #move(
    database: Database,
    { chain: { chainId }, reading, fromNumber }: Rescan,
    place: { readonly cursor: Cursor; readonly last: ChainBlock; readonly headNumber: bigint },
  ): Promise<void> {
    const { cursor, last, headNumber } = place;
    const keptFrom = last.number - this.#limits.keptBlocks + 1n;
    const first = fromNumber < keptFrom ? keptFrom : fromNumber;
    const blocks = [...reading.blocks.values()].filter(({ number }) => number >= first);
    const moved = await database.run(store.moveCursor, {
      chainId,
      fromNumber: cursor.block_number,
      fromHash: cursor.block_hash,
      // From here on the watcher looks a second time: only what is kept can be compared.
      forkNumber: first - 1n,
      number: last.number,
      hash: last.hash,
      time: last.time,
      headNumber,
      now: this.#ports.clock.now(),
      keptFrom,
      blocks: blocksText(blocks.map((block) => ({ ...block, transfers: [] }))),
    });
    if (moved.length === 0) throw new Overtaken();
  }

  #audit(chainId: string, report: RescanReport) {
    const { fromNumber, toNumber, changes, otherBlocks } = report;
    const count = (wanted: string) => changes.filter(({ what }) => what === wanted).length;
    return auditValues({
      occurredAt: this.#ports.clock.now(),
      actor: "operator",
      action: "chain.rescanned",
      subject: { type: "chain", id: chainId },
      details: {
        from_number: fromNumber.toString(),
        to_number: toNumber.toString(),
        other_blocks: otherBlocks,
        gone: count("gone"),
        moved: count("moved"),
        new: count("new"),
        corrected: count("corrected"),
        final_otherwise: count("final"),
      },
    });
  }
}

function movedText({ moved }: Comparison): string {
  return JSON.stringify(
    moved.map(({ deposit: { tx_hash, log_index }, block: { number, hash, time } }) => ({
      tx_hash,
      log_index,
      block_number: number.toString(),
      block_hash: hash,
      block_time: time.toISOString(),
    })),
  );
}
