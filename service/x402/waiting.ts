// Requests that wait for what a chain says. All of a chain wait together: one question for its newest
// block serves all of them, and each settlement is looked at once for each block, since nothing can be
// mined in between. What else may have changed it (the sender, another process) stands in its row.

import type { X402SettlementsTable } from "../database/tables/x402.ts";
import { isChainAway, isUnavailable, ServiceError } from "../errors.ts";
import type { Owner } from "../owner.ts";
import type { ChainHead } from "../ports/chain.ts";
import type { StoragePorts } from "../ports/recording.ts";
import { unminedMax } from "../sending/model.ts";
import { headOf } from "./chain-view.ts";
import type { X402Chain } from "./chain-view.ts";
import { findSettlement, markSettlementsChecked, readSettlementStates } from "./reconciler.sql.ts";
import type { X402Reconciler } from "./reconciler.ts";
import { countWaitingSettlements } from "./settling.sql.ts";
import { openResultOf, resultOf } from "./stored.ts";
import type { SettleResult } from "./stored.ts";

/**
 * How many settlements may wait for one of our accounts. Nodes take few transactions at a time of an account, so
 * what fits is so many a block, whatever is asked for. More would wait ever longer, and authorizations would
 * end meanwhile (threat 49).
 *
 * Our choice: as many wait as leave with the next two rounds. Whoever comes then hears when to come again;
 * nothing of it is kept, and the same authorization may be handed in.
 */
const waitingMax = 2 * unminedMax;
/** Of one merchant: nobody takes all places alone. */
const waitingOfMerchantMax = waitingMax / 2;
const retryAfterSeconds = 2;

/** Between two looks at the chain: the first comes soon, and none is ever further apart. */
const firstPauseMilliseconds = 150;
const pauseMillisecondsMax = 1_000;
/** Where no block comes for so long, what was sent is written down and told before one does. */
const quietMillisecondsMax = 2_000;

export interface WaitingPorts extends StoragePorts {
  readonly reconciler: Pick<X402Reconciler, "reconcile">;
  /** see `OutgoingSender.sendNow` */
  readonly sendNow: (chainId: string, account: string) => Promise<unknown>;
  /** how long a request waits for the chain */
  readonly waitMilliseconds: number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

type Found = Omit<SettleResult, "isReplayed">;

interface Waiter {
  readonly id: string;
  readonly begun: number;
  readonly end: number;
  readonly answer: PromiseWithResolvers<Found>;
  /** so many milliseconds in pauses: nobody waits for longer because a clock was set back */
  waited: number;
  /** hash of the block that it was last looked at with; undefined: it was not */
  seen: string | undefined;
  row: X402SettlementsTable | undefined;
}

/** Of one chain. */
export class SettlementWaiting {
  readonly #ports: WaitingPorts;
  readonly #place: X402Chain;
  #waiters: Waiter[] = [];
  #isLooking = false;
  #milliseconds = firstPauseMilliseconds;
  #headHash = "";

  constructor(ports: WaitingPorts, place: X402Chain) {
    this.#ports = ports;
    this.#place = place;
  }

  /**
   * Throws the refusal that it ended with.
   * @param known of the newest block when nothing was sent for it; undefined: nobody knows
   */
  wait(id: string, known: ChainHead | undefined): Promise<Found> {
    const begun = this.#ports.clock.nowMilliseconds();
    const end = begun + this.#ports.waitMilliseconds;
    const answer = Promise.withResolvers<Found>();
    this.#waiters.push({ id, begun, end, answer, waited: 0, seen: known?.hash, row: undefined });
    this.#milliseconds = firstPauseMilliseconds;
    if (!this.#isLooking) void this.#lookAgain();
    return answer.promise;
  }

  async #lookAgain(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiters.length > 0) {
      const all = [...this.#waiters];
      await this.#look(all).catch((error: unknown) => {
        // What hinders a look may be over at the next. Nobody is left to wait for ever.
        const now = this.#ports.clock.nowMilliseconds();
        for (const waiter of all) {
          if (this.#isLast(waiter, now)) this.#leave(waiter, () => waiter.answer.reject(error));
        }
      });
      if (this.#waiters.length === 0) break;
      const milliseconds = this.#milliseconds;
      this.#milliseconds = Math.min(milliseconds * 2, pauseMillisecondsMax);
      for (const waiter of this.#waiters) waiter.waited += milliseconds;
      await this.#ports.pause(milliseconds);
    }
    this.#isLooking = false;
  }

  /** After another pause its time is over. */
  #isLast({ end, waited }: Waiter, now: number): boolean {
    const pause = this.#milliseconds;
    return now + pause > end || waited + pause > this.#ports.waitMilliseconds;
  }

  /** Once, at those of them that are due. */
  async #look(all: readonly Waiter[]): Promise<void> {
    const head = await this.#head();
    const isNew = head !== undefined && head.hash !== this.#headHash;
    if (isNew) {
      this.#headHash = head.hash;
      this.#milliseconds = firstPauseMilliseconds;
    }
    const changed = await this.#changed(all);
    const now = this.#ports.clock.nowMilliseconds();
    const last = new Set(all.filter((waiter) => this.#isLast(waiter, now)));
    const due = all.filter((waiter) => {
      const isQuiet = waiter.row === undefined && now - waiter.begun >= quietMillisecondsMax;
      return last.has(waiter) || isQuiet || waiter.seen !== head?.hash || changed.has(waiter.id);
    });
    const looks = await Promise.allSettled(
      due.map(async (waiter) => {
        await this.#lookAt(waiter, head);
        if (last.has(waiter)) await this.#end(waiter);
      }),
    );
    if (head !== undefined) await this.#note(due.filter(({ seen }) => seen === head.hash));
    // Nodes take few at a time of one account: a block makes room for those that wait.
    if (isNew && this.#waiters.some(({ row }) => row?.submitted_at === null)) {
      const { chain, settlementAddress } = this.#place;
      void this.#ports.sendNow(chain.chainId, settlementAddress).catch(() => undefined);
    }
    for (const one of looks) if (one.status === "rejected") throw one.reason;
  }

  /** So that the jobs, here and elsewhere, need not look at what the chain was asked about just now. */
  async #note(looked: readonly Waiter[]): Promise<void> {
    const ids = looked.filter((one) => this.#waiters.includes(one)).map(({ id }) => id);
    if (ids.length === 0) return;
    const { database, clock } = this.#ports;
    // Where it fails they look twice, and that is all.
    await database.run(markSettlementsChecked, { ids, now: clock.now() }).catch(() => undefined);
  }

  /** Undefined: it does not answer, which is no refusal. */
  async #head(): Promise<ChainHead | undefined> {
    try {
      return await headOf(this.#place.chain);
    } catch (error) {
      if (isChainAway(error)) return undefined;
      throw error;
    }
  }

  /** Those that others have decided; all of them in one statement. */
  async #changed(waiters: readonly Waiter[]): Promise<ReadonlySet<string>> {
    const ids = waiters.map(({ id }) => id);
    const rows = await this.#ports.database.run(readSettlementStates, { ids });
    return new Set(rows.flatMap(({ id, status }) => (status === "queued" ? [] : [id])));
  }

  async #lookAt(waiter: Waiter, head: ChainHead | undefined): Promise<void> {
    try {
      const { row } = await this.#ports.reconciler.reconcile(waiter.id, { head });
      waiter.seen = head?.hash;
      waiter.row = row ?? waiter.row;
      const result = row === undefined ? undefined : resultOf(row);
      if (result !== undefined) this.#leave(waiter, () => waiter.answer.resolve(result));
    } catch (error) {
      // A chain or a database that does not answer is no refusal: it was accepted.
      if (isChainAway(error) || isUnavailable(error)) return;
      this.#leave(waiter, () => waiter.answer.reject(error));
    }
  }

  /** Its time is over, and the outcome is open: it was accepted, so what stands of it is told. */
  async #end(waiter: Waiter): Promise<void> {
    const { id } = waiter;
    const stored = waiter.row ?? (await this.#ports.database.run(findSettlement, { id }))[0];
    this.#leave(waiter, () => {
      try {
        if (stored === undefined) throw new Error(`${id} was accepted, and is not there`);
        waiter.answer.resolve(resultOf(stored) ?? openResultOf(stored));
      } catch (error) {
        waiter.answer.reject(error);
      }
    });
  }

  #leave(waiter: Waiter, answer: () => void): void {
    if (!this.#waiters.includes(waiter)) return;
    this.#waiters = this.#waiters.filter((one) => one !== waiter);
    answer();
  }
}

/** Of one process, for all chains. */
export class SettlementQueue {
  readonly #ports: Pick<StoragePorts, "database" | "clock">;
  /** by chain: whose requests were let in, and are not in the queue yet, by payment */
  readonly #entering = new Map<string, Map<string, Entering>>();

  constructor(ports: Pick<StoragePorts, "database" | "clock">) {
    this.#ports = ports;
  }

  /**
   * Throws `service_unavailable`, and says when to come again.
   * @returns to be called when it is in the queue, or will not be
   */
  async enter(
    { chain: { chainId }, settlementAddress: account }: X402Chain,
    { merchantId, environment }: Owner,
    paymentId: string,
  ): Promise<() => void> {
    const entering = this.#entering.get(chainId) ?? new Map<string, Entering>();
    this.#entering.set(chainId, entering);
    // All requests for a payment come to one settlement.
    const mine = entering.get(paymentId) ?? { merchantId, requests: 0 };
    mine.requests += 1;
    entering.set(paymentId, mine);
    const leave = (): void => {
      mine.requests -= 1;
      if (mine.requests === 0) entering.delete(paymentId);
    };
    try {
      const { database, clock } = this.#ports;
      const of = { chainId, account, merchantId, environment };
      const values = { ...of, now: clock.now(), rowsMax: waitingMax };
      const [row] = await database.run(countWaitingSettlements, values);
      const own = [...entering.values()].filter((one) => one.merchantId === merchantId).length;
      const isFree = (row?.all ?? 0) + entering.size <= waitingMax;
      if (isFree && (row?.own ?? 0) + own <= waitingOfMerchantMax) return leave;
      throw new ServiceError("service_unavailable", "Too many settlements wait for the chain.", {
        retryAfterSeconds,
      });
    } catch (error) {
      leave();
      throw error;
    }
  }
}

interface Entering {
  readonly merchantId: string;
  requests: number;
}
