// Reads a chain block by block and writes down what arrived at our addresses. Nothing is remembered
// between two runs but what the database holds; what a block changes commits together with the
// position behind it, so that a crash, or a second watcher, can neither lose nor repeat anything.

import { blocksText, contradiction, findFork, readLinked, readWhole } from "./branches.ts";
import type { BlockPosition } from "./branches.ts";
import { firstBlock } from "./beginning.ts";
import { contractsOf, depositsText, findDeposits, watchedChain } from "./deposits.ts";
import type { WatchedAccounts, WatchedChain } from "./deposits.ts";
import { staleLimits } from "./health.ts";
import { LookSizes } from "./group-size.ts";
import { measureDeposits, recordMeasurement } from "./measuring.ts";
import type { Measurement } from "./measuring.ts";
import { dueForSecondLook, lookAgain, nothingRead, readAgain } from "./second-look.ts";
import { changingDeposits, Overtaken } from "./touched.ts";
import type { Touching, TouchingPorts } from "./touched.ts";
import { askWaiting } from "./waiting.ts";
import type { MeasuringAlarm } from "./waiting.ts";
import type { CatalogReader } from "../catalog/catalog.ts";
import { finalityRules } from "../catalog/finality.ts";
import { watcherLimits } from "./limits.ts";
import type { WatcherLimits } from "./limits.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { perChain } from "../jobs/per-chain.ts";
import type { BlockContent, Chain, ChainHead } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import { findReplacedDeposits } from "./recording.sql.ts";
import * as store from "./watcher.sql.ts";

/** In their order; a test may stop the watcher at any of them. */
export type WatcherStep =
  | "head_read"
  | "blocks_read"
  | "deposits_found"
  | "blocks_abandoned"
  | "cursor_moved"
  | "deposits_recorded"
  | "payments_touched"
  | "committed"
  | "second_look_done"
  | "deposits_finalized"
  | "waiting_asked";

export interface WatcherPorts extends TouchingPorts {
  readonly clock: Clock;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly chain: Chain;
  /** left out: only addresses of payments are watched */
  readonly accounts?: WatchedAccounts | undefined;
  /** left out: nobody is told of what the chain does not say */
  readonly alarm?: (what: MeasuringAlarm, facts: Readonly<Record<string, unknown>>) => void;
  readonly limits?: Partial<WatcherLimits>;
  /** hears of each reorganisation, once what follows from it is written: how many blocks are gone */
  readonly onReorganised?: ((chainId: string, blocks: number) => void) | undefined;
  /** hears of each step; for tests */
  readonly onStep?: (step: WatcherStep) => void | Promise<void>;
}

/** How often each chain is looked at when there was nothing more to read. */
const everyMilliseconds = 4_000;

export interface WatcherJobPorts extends Omit<WatcherPorts, "chain"> {
  readonly chains: readonly Chain[];
}

export function watcherJobs({ chains, ...ports }: WatcherJobPorts): readonly Job[] {
  const places = chains.map((chain) => ({
    chain,
    watcher: new ChainWatcher({ ...ports, chain }),
  }));
  return perChain({ name: "watch", everyMilliseconds }, places, ({ watcher }) => watcher.run());
}

type Cursor = NonNullable<(typeof store.readCursor)["row"]>;

/** What one run goes by. */
interface Look {
  readonly head: ChainHead;
  readonly watched: WatchedChain;
}

interface Change {
  readonly from: BlockPosition;
  /** The newest block that stays; undefined: all of them stay. */
  readonly fork?: BlockPosition;
  readonly blocks: readonly BlockContent[];
}

export class ChainWatcher {
  readonly #ports: WatcherPorts;
  readonly #limits: WatcherLimits;
  /** What the chain takes at once. Nothing is decided by it: another watcher has its own. */
  readonly #sizes = new LookSizes();

  constructor(ports: WatcherPorts) {
    this.#ports = ports;
    this.#limits = { ...watcherLimits, ...ports.limits };
  }

  /**
   * Throws `chain_unavailable` when the chain does not answer, or its answers contradict each other;
   * `ForkTooDeep` when nobody can tell what to undo. Then nothing more was written.
   */
  async run(): Promise<JobRun> {
    const { chain } = this.#ports;
    const head = await chain.head();
    if (head.chainId !== chain.chainId) {
      throw contradiction(`${head.chainId} answers in place of ${chain.chainId}`);
    }
    await this.#step("head_read");
    const deployments = await this.#ports.catalog.allDeployments();
    const watched = watchedChain(chain.chainId, deployments, this.#ports.accounts);
    if (watched === undefined) return { done: 0, isMore: false };
    const cursor = await this.#cursor();
    if (cursor === undefined) return await this.#begin({ head, watched });
    // A node that lags behind what another one has said. Our choice: a branch is followed once it is
    // as long as the one that was read; until then nothing is decided on either.
    if (head.number < cursor.block_number) return { done: 0, isMore: false, ...this.#lag(cursor) };
    try {
      return await this.#follow({ head, watched }, cursor);
    } catch (error) {
      if (error instanceof Overtaken) return { done: 0, isMore: true };
      throw error;
    }
  }

  async #follow(look: Look, cursor: Cursor): Promise<JobRun> {
    const { watched } = look;
    const { first: size, second: secondSize, together } = this.#sizes;
    const ports = { ...this.#ports, limits: this.#limits, size: secondSize };
    const from = { watched, from: cursor.checked_number, upTo: cursor.block_number };
    const { number: head } = look.head;
    const next = Math.min(size.of(contractsOf(watched)), Number(head - cursor.block_number));
    const due = await dueForSecondLook(ports, from, { head, room: together.size - next });
    // In the same moment: to one node, both are one request. Where that is too much, the second
    // look comes after the first.
    const [first, second] = await Promise.allSettled([
      this.#readOn(look, cursor),
      readAgain(ports, watched, due),
    ]);
    const isFirstCut =
      first.status === "rejected" || (first.value.isCut && first.value.blocks < next);
    const isSecondCut = second.status === "rejected" || second.value.failure !== undefined;
    const isCut = isFirstCut || isSecondCut;
    if (due.length > 0 || !isCut) together.note(next + due.length, isCut);
    if (first.status === "rejected") throw first.reason;
    const reading = first.value;
    // Nothing says that the chain still has what was read before: no more is made of it.
    if (!reading.isConfirmed) return { done: 0, isMore: false, ...this.#lag(cursor) };
    if (second.status === "rejected") throw second.reason;
    const now = (await this.#cursor()) ?? cursor;
    // Where the branch has changed, they are those of the one that is gone.
    const again = reading.isForked
      ? { from: now.checked_number, read: nothingRead }
      : { from: cursor.checked_number, read: second.value };
    const looked = await lookAgain(ports, { watched, upTo: now.block_number, ...again });
    await this.#step("second_look_done");
    const finals = await this.#finalize(look, reading.position, looked.upTo);
    const measured = await askWaiting(this.#ports, watched);
    await this.#step("waiting_asked");
    return {
      done: reading.blocks + finals + measured,
      isMore: reading.isMore || looked.isMore || finals >= this.#limits.finalsMax,
      ...this.#lag(now),
    };
  }

  /** Our choice: a chain is watched from about now on, or from the first payment that named it. */
  async #begin({ head, watched }: Look): Promise<JobRun> {
    const { database, chain } = this.#ports;
    const { firstBlocks } = this.#limits;
    const { chainId, family } = watched;
    const [oldest] = await database.run(store.readOldestDepositAddress, { chainId, family });
    const block = await firstBlock(chain, head, { firstBlocks, since: oldest?.since ?? null });
    const { number, hash, parentHash, time } = block;
    const of = { chainId, headNumber: head.number, now: this.#ports.clock.now() };
    await database.run(store.startCursor, { ...of, number, hash, parentHash, time });
    return { done: 0, isMore: head.number > number };
  }

  async #readOn(look: Look, cursor: Cursor) {
    const { chain } = this.#ports;
    const { blocksMax, blocksAtOnce } = this.#limits;
    const { head, watched } = look;
    const contracts = contractsOf(watched);
    let position: BlockPosition = { number: cursor.block_number, hash: cursor.block_hash };
    let read = 0;
    let isForked = false;
    let isCut = false;
    while (!isCut && read < blocksMax && position.hash !== head.hash) {
      const upTo = least(position.number + BigInt(blocksAtOnce), head.number);
      const { first: size } = this.#sizes;
      const next = await readLinked(chain, { after: position, upTo, contracts, size });
      isCut = next.failure !== undefined;
      // With what was read before it, the rest of the run goes on.
      if (next.failure !== undefined && read + next.blocks.length === 0) throw next.failure.reason;
      const isOther = read === 0 && position.number === head.number;
      if (next.blocks.length === 0 && !next.isForked && !isOther) break;
      await this.#step("blocks_read");
      const change: Change =
        next.blocks.length > 0
          ? { from: position, blocks: next.blocks }
          : await this.#otherBranch(look, position);
      isForked ||= change.fork !== undefined;
      position = await this.#apply(look, change);
      read += change.blocks.length;
    }
    const isAtHead = position.hash === head.hash;
    if (isAtHead) await this.#noteLook(head);
    return {
      position,
      blocks: read,
      isForked,
      isCut,
      isConfirmed: isAtHead || read > 0,
      isMore: position.number < head.number && (isCut || read >= blocksMax),
    };
  }

  /**
   * The abandoned blocks and the first of those in their place are one change: a payment whose
   * transaction is in both branches does not even look as if it had been gone.
   */
  async #otherBranch(look: Look, from: BlockPosition): Promise<Change> {
    const { chain, database } = this.#ports;
    const { chainId } = chain;
    const [oldest] = await database.run(store.readOldestBlock, { chainId });
    const fork = await findFork(chain, {
      chainId,
      oldest: oldest?.block_number ?? from.number,
      newest: from,
      hashOf: async (number) => {
        const range = { chainId, fromNumber: number, toNumber: number };
        return (await database.run(store.readBlocks, range))[0]?.block_hash;
      },
    });
    const upTo = least(fork.number + BigInt(this.#limits.blocksMax), look.head.number);
    const contracts = contractsOf(look.watched);
    const blocks = await readWhole(chain, {
      after: fork,
      upTo,
      contracts,
      size: this.#sizes.first,
    });
    return { from, fork, blocks };
  }

  async #apply(look: Look, change: Change): Promise<BlockPosition> {
    const { database } = this.#ports;
    const found = await findDeposits(database, look.watched, change.blocks);
    const measurement = await measureDeposits(this.#ports, look.watched, found);
    await this.#step("deposits_found");
    const last = change.blocks.at(-1) ?? change.from;
    if (found.length === 0 && change.fork === undefined) {
      await this.#move(database, look, change);
    } else {
      await changingDeposits(this.#ports, (inside, touching) =>
        this.#applyIn(inside, { ...look, ...touching }, { ...change, measurement }),
      );
    }
    await this.#step("committed");
    if (change.fork !== undefined) {
      const gone = Number(change.from.number - change.fork.number);
      this.#ports.onReorganised?.(look.watched.chainId, gone);
    }
    return { number: last.number, hash: last.hash };
  }

  async #applyIn(
    database: Database,
    look: Look & Touching,
    change: Change & { readonly measurement: Measurement },
  ): Promise<void> {
    const { chainId } = look.watched;
    const gone: { readonly payment_id: string | null }[] = [];
    if (change.fork !== undefined) {
      const above = { chainId, forkNumber: change.fork.number };
      await database.run(store.abandonBlocks, above);
      const orphaned = await database.run(store.orphanDeposits, above);
      gone.push(...orphaned);
      await this.#step("blocks_abandoned");
    }
    await this.#move(database, look, change);
    await this.#step("cursor_moved");
    if (change.fork !== undefined) {
      // Whoever booked such a deposit has to take it back while it still says what it was.
      const deposits = depositsText(change.measurement.deposits);
      const replaced = await database.run(findReplacedDeposits, { chainId, deposits });
      await look.touchNow(database, replaced);
      await this.#ports.onNobodysGone?.(database, chainId);
    }
    const now = this.#ports.clock.now();
    const recorded = await recordMeasurement(database, chainId, { ...change.measurement, now });
    await this.#step("deposits_recorded");
    await look.touch(database, [...recorded, ...gone]);
    await this.#step("payments_touched");
  }

  /** Throws `Overtaken` where the cursor is not at `change.from`. */
  async #move(database: Database, { head, watched }: Look, change: Change): Promise<void> {
    const { from, fork, blocks } = change;
    const last = blocks.at(-1);
    if (last === undefined) throw contradiction("a branch without blocks");
    const { number, hash, time } = last;
    const moved = await database.run(store.moveCursor, {
      chainId: watched.chainId,
      fromNumber: from.number,
      fromHash: from.hash,
      forkNumber: (fork ?? from).number,
      number,
      hash,
      time,
      headNumber: head.number,
      now: this.#ports.clock.now(),
      keptFrom: number - this.#limits.keptBlocks + 1n,
      blocks: blocksText(blocks),
    });
    if (moved.length === 0) throw new Overtaken();
  }

  /** How many deposits became final. */
  async #finalize(
    { head, watched }: Look,
    position: BlockPosition,
    agreedUpTo: bigint,
  ): Promise<number> {
    const { database } = this.#ports;
    const { chainId, deployments } = watched;
    const values = {
      chainId,
      rules: finalityRules([...deployments.values()], {
        ...head,
        number: position.number,
        agreedUpTo,
        agreedAfter: this.#limits.secondLookBlocks,
      }),
      rowsMax: this.#limits.finalsMax,
    };
    const [due] = await database.run(store.countFinalDeposits, values);
    if ((due?.count ?? 0) === 0) return 0;
    const count = await changingDeposits(this.#ports, async (inside, { touch }) => {
      const held = await inside.run(store.holdCursor, { chainId, ...position });
      if (held.length === 0) throw new Overtaken();
      const rows = await inside.run(store.finalizeDeposits, values);
      await touch(inside, rows);
      return rows.length;
    });
    await this.#step("deposits_finalized");
    return count;
  }

  async #noteLook({ number, hash }: ChainHead): Promise<void> {
    const { database, chain } = this.#ports;
    const values = {
      chainId: chain.chainId,
      number,
      hash,
      headNumber: number,
      now: this.#ports.clock.now(),
    };
    await database.run(store.noteLook, values);
  }

  async #cursor(): Promise<Cursor | undefined> {
    const { database, chain } = this.#ports;
    const [cursor] = await database.run(store.readCursor, { chainId: chain.chainId });
    return cursor;
  }

  #lag({ block_time: time }: Cursor): Pick<JobRun, "lagMilliseconds" | "isHindered"> {
    const lagMilliseconds = Math.max(0, this.#ports.clock.nowMilliseconds() - time.getTime());
    const isHindered = lagMilliseconds > staleLimits.blockAgeMillisecondsMax;
    return { lagMilliseconds, ...(isHindered && { isHindered }) };
  }

  async #step(step: WatcherStep): Promise<void> {
    await this.#ports.onStep?.(step);
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
