// Decides what became of transactions of ours: by the receipts of all that were signed for one, once
// they are so deep that they stay. What an end means is up to whoever wanted it, in the transaction
// that writes the end down; what the chain took for it is posted there too. Nothing here goes back to
// sending.
//
// Several processes may do it at once: each end is written to what is still `broadcast`, and posted
// to the ledger once.

import type { CatalogReader } from "../catalog/catalog.ts";
import { checkEach, finalNumberOf, viewOf } from "./confirming.ts";
import { gasValues } from "./gas.ts";
import { measuredMove } from "./measured.ts";
import type { MeasuredMove } from "./measured.ts";
import type { SendingObserver } from "../ports/sending-observer.ts";
import { factsOf } from "./ports.ts";
import type { Job, JobRun } from "../jobs/jobs.ts";
import { perChain } from "../jobs/per-chain.ts";
import { actionOf } from "./model.ts";
import { isChainAway } from "../errors.ts";
import type { Chain, ChainHead, ChainReceipt } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import type { ChainAction } from "../ports/signer.ts";
import type { OutgoingPurpose } from "../database/words.ts";
import { postTransaction } from "../ledger/ledger.sql.ts";
import {
  endOutgoing,
  listSentOutgoing,
  markOutgoingChecked,
  sumInFlight,
  undecidedPurposes,
} from "./confirmer.sql.ts";
import type { WaitingOutgoing } from "./confirmer.sql.ts";
import { fateOf, isClear } from "./fate.ts";
import type { Fate } from "./fate.ts";

const checkedMax = 50;
/** How often the chain is asked about the same transaction. */
const recheckMilliseconds = 5_000;
/** So long after its block people are told that the chain does not say what it has moved. */
const unmeasuredMilliseconds = 3_600_000;
/** What waits for that is asked about ever more rarely, and at least so often. */
const unmeasuredSecondsMax = 600;

/** Where a test lets the process die. */
export type OutgoingConfirmerPoint = "asked" | "ended";

export type OutgoingAlarm = "finality_unknown" | "number_used_by_another" | "move_unmeasured";

export interface OutgoingOutcome {
  readonly id: string;
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
  readonly chainId: string;
  /** that it was sent from */
  readonly account: string;
  readonly deploymentId: string;
  readonly action: ChainAction;
  /** it was given up, and a transfer of nothing to ourselves was signed in place of the action */
  readonly sendsNothing: boolean;
  /** of the one that was mined; `replaced`: of the newest that was signed */
  readonly txHash: string | null;
  readonly status: "succeeded" | "reverted" | "replaced";
  /** of the transaction that was mined; undefined: `replaced` */
  readonly receipt: ChainReceipt | undefined;
  /** of a token of which logs are not believed; undefined: its receipt says what it has moved */
  readonly measured?: MeasuredMove | undefined;
  readonly at: Date;
}

/**
 * Runs in the transaction that writes the end down, which may be run again: no effect outside of the
 * database. If it throws, the end is not written down, and asked for again later. Only
 * `EndUndecided` is no failure then.
 */
export type OnEnded = (database: Database, outcome: OutgoingOutcome) => Promise<void>;

/** Somebody has to look first: it is asked for again, and no job fails for it. */
export class EndUndecided extends Error {}

export interface OutgoingConfirmerPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly chains: readonly Chain[];
  readonly onEnded: Readonly<Record<OutgoingPurpose, OnEnded>>;
  readonly alarm: (what: OutgoingAlarm, facts: Readonly<Record<string, unknown>>) => void;
  readonly observer?: Pick<SendingObserver, "onEnded"> | undefined;
  /** only tests have something to do there */
  readonly reached?: (point: OutgoingConfirmerPoint) => Promise<void>;
}

type SentRow = NonNullable<(typeof listSentOutgoing)["row"]>;
type Ended = Exclude<Fate, { readonly kind: "waits" }>;
type Measured = MeasuredMove | undefined;

/** Of the hot account apart from what merchants have there. */
const gasPayers = {
  hot: "chain:gas",
  settlement: "chain:settlement",
  deposit: "chain:deposit_addresses",
} as const;

export class OutgoingConfirmer {
  readonly #ports: OutgoingConfirmerPorts;

  constructor(ports: OutgoingConfirmerPorts) {
    this.#ports = ports;
  }

  jobs(): readonly Job[] {
    const places = this.#ports.chains.map((chain) => ({ chain }));
    const job = { name: "confirm", everyMilliseconds: 5_000 };
    return perChain(job, places, ({ chain }) => this.#run(chain));
  }

  async #run(chain: Chain): Promise<JobRun> {
    const { database, clock } = this.#ports;
    const now = clock.nowMilliseconds();
    const checkedBefore = new Date(now - recheckMilliseconds);
    const values = {
      chainId: chain.chainId,
      now: clock.now(),
      checkedBefore,
      unmeasuredSecondsMax,
      rowsMax: checkedMax,
    };
    const rows = await database.run(listSentOutgoing, values);
    if (rows.length === 0) return { done: 0, isMore: false };
    const done = await checkEach(chain, rows, {
      check: (head, row) => this.#check(chain, head, row),
      putOff: (row) => this.#wait(row, asBefore(row)),
    });
    const oldest = Math.min(...rows.map(({ updated_at: since }) => since.getTime()));
    return { done, isMore: rows.length === checkedMax, lagMilliseconds: now - oldest };
  }

  /** True: it has ended. */
  async #check(chain: Chain, head: ChainHead, row: SentRow): Promise<boolean> {
    const moved = { deploymentId: row.deployment_id, amountRaw: BigInt(row.amount_raw) };
    const finalNumber = await finalNumberOf(this.#ports, moved, head);
    // Nobody says when one can be sure: then nobody is.
    if (finalNumber === undefined) this.#alarm("finality_unknown", row);
    const view = await viewOf(chain, { head, finalNumber: finalNumber ?? -1n, ...row });
    await this.#ports.reached?.("asked");
    const sent = { nonce: row.nonce, lostSinceBlock: row.lost_since_block };
    const fate = fateOf(sent, view);
    if (fate.kind !== "waits") return this.#measureAndEnd(chain, row, fate);
    const isNewlyLost = fate.lostSinceBlock !== null && row.lost_since_block === null;
    if (isNewlyLost) this.#alarm("number_used_by_another", row);
    if (view.receipt !== undefined) await this.#measureEarly(chain, row, view.receipt);
    const before = view.receipt === undefined ? {} : asBefore(row);
    const { lostSinceBlock } = fate;
    const isOver = isForPeople(row) && isClear(row.lost_since_block, view, fate);
    await this.#wait(row, { ...before, lostSinceBlock, isUnclear: isOver ? false : null });
    return false;
  }

  /** While nodes know it. What they do not say now is asked again at the end. */
  async #measureEarly(chain: Chain, row: SentRow, receipt: ChainReceipt): Promise<void> {
    try {
      await measuredMove(this.#ports, chain, movedBy(row, receipt));
    } catch (error) {
      if (!isChainAway(error)) throw error;
    }
  }

  /** Where the chain cannot say what it has moved, it waits, and no other one waits for it. */
  async #measureAndEnd(chain: Chain, row: SentRow, fate: Ended): Promise<boolean> {
    if (fate.kind === "replaced") return this.#endReplaced(row, fate);
    const { receipt } = fate;
    try {
      const measured = await measuredMove(this.#ports, chain, movedBy(row, receipt));
      return await this.#end(row, { ...fate, measured });
    } catch (error) {
      if (!isChainAway(error)) throw error;
      await this.#waitUnmeasured(row, receipt);
      return false;
    }
  }

  /**
   * In a database from a backup it may be our own, with fees that were raised since: ended as failed it could not be
   * remembered any more, and its money would be looked for where it is not.
   */
  async #endReplaced(row: SentRow, fate: Ended): Promise<boolean> {
    if (row.decided_at !== null || !isForPeople(row)) return this.#end(row, fate);
    if (row.unclear_at === null) this.#alarm("number_used_by_another", row);
    await this.#wait(row, { ...asBefore(row), isUnclear: true });
    return false;
  }

  /** People are told once, and again if it was not mined meanwhile. */
  async #waitUnmeasured(row: SentRow, receipt: ChainReceipt): Promise<void> {
    const now = this.#ports.clock.now();
    const isLate = now.getTime() - receipt.block.time.getTime() >= unmeasuredMilliseconds;
    if (isLate && row.unmeasured_told_at === null) this.#alarm("move_unmeasured", row);
    const unmeasuredToldAt = row.unmeasured_told_at ?? (isLate ? now : null);
    const unmeasuredAt = row.unmeasured_at ?? now;
    await this.#wait(row, {
      lostSinceBlock: null,
      unmeasuredAt,
      unmeasuredToldAt,
      isUnclear: isForPeople(row) ? false : null,
    });
  }

  /** State, what it means, and the gas, in one commit. */
  async #end(row: SentRow, fate: Ended & { readonly measured?: Measured }): Promise<boolean> {
    const receipt = fate.kind === "mined" ? fate.receipt : undefined;
    // Who has said what became of it knows.
    if (receipt === undefined && row.decided_at === null)
      this.#alarm("number_used_by_another", row);
    const { measured } = fate;
    const outcome = { ...outcomeOf(row, receipt), measured, at: this.#ports.clock.now() };
    const values = {
      id: row.id,
      status: outcome.status,
      txHash: outcome.txHash,
      seenTxHash: row.tx_hash,
      gasRaw: receipt?.gasCostRaw ?? null,
      now: outcome.at,
    };
    const gas = await gasValues(this.#ports, gasPayers[row.account_role], {
      chainId: row.chain_id,
      receipt,
    });
    const ending = this.#ports.database.transaction(async (database) => {
      if ((await database.run(endOutgoing, values)).length === 0) return false;
      if (gas !== undefined) await database.run(postTransaction, gas);
      await this.#ports.onEnded[row.purpose](database, outcome);
      return true;
    });
    const isEnded = await ending.catch(async (error: unknown) => {
      if (!(error instanceof EndUndecided)) throw error;
      const lostSinceBlock = receipt === undefined ? row.lost_since_block : null;
      await this.#wait(row, { lostSinceBlock, isUnclear: true });
      return false;
    });
    if (!isEnded) return false;
    this.#ports.observer?.onEnded({ ...outcome, queuedAt: row.created_at });
    await this.#ports.reached?.("ended");
    return true;
  }

  async #wait(
    { id, tx_hash: seenTxHash }: SentRow,
    seen: Pick<WaitingOutgoing, "lostSinceBlock"> & Partial<WaitingOutgoing>,
  ): Promise<void> {
    const measured = { unmeasuredAt: null, unmeasuredToldAt: null };
    const now = this.#ports.clock.now();
    const values = { id, seenTxHash, now, isUnclear: null, ...measured, ...seen };
    await this.#ports.database.run(markOutgoingChecked, values);
  }

  #alarm(what: OutgoingAlarm, row: SentRow): void {
    const { chain_id, account, nonce, tx_hash } = row;
    const at = { chain_id, account, nonce: nonce.toString(), tx_hash };
    this.#ports.alarm(what, { ...factsOf(row), ...at });
  }
}

function isForPeople({ purpose }: SentRow): boolean {
  return undecidedPurposes.some((one) => one === purpose);
}

function asBefore(row: SentRow) {
  const { unmeasured_at: unmeasuredAt, unmeasured_told_at: unmeasuredToldAt } = row;
  return { lostSinceBlock: row.lost_since_block, unmeasuredAt, unmeasuredToldAt };
}

function movedBy(row: SentRow, receipt: ChainReceipt) {
  const { id, deployment_id: deploymentId, purpose, account } = row;
  const action = actionOf(row.action);
  return { id, measured: measuredOf(row), deploymentId, purpose, account, action, receipt };
}

function measuredOf(row: SentRow) {
  const { measured_tx_hash: txHash, measured_block_hash: blockHash } = row;
  if (txHash === null || blockHash === null || row.left_raw === null) return undefined;
  const arrivedRaw = row.arrived_raw === null ? null : BigInt(row.arrived_raw);
  return { txHash, blockHash, leftRaw: BigInt(row.left_raw), arrivedRaw };
}

function outcomeOf(row: SentRow, receipt: ChainReceipt | undefined): Omit<OutgoingOutcome, "at"> {
  const { id, purpose, account } = row;
  return {
    id,
    purpose,
    subjectId: row.subject_id,
    chainId: row.chain_id,
    account,
    deploymentId: row.deployment_id,
    action: actionOf(row.action),
    sendsNothing: row.sends_nothing,
    txHash: receipt?.txHash ?? row.tx_hash,
    status: receipt === undefined ? "replaced" : receipt.isSuccess ? "succeeded" : "reverted",
    receipt,
  };
}

/** For whoever compares what the chains hold with what we owe. */
export async function outgoingInFlightRaw(
  database: Database,
  deploymentId: string,
): Promise<bigint> {
  const [row] = await database.run(sumInFlight, { deploymentId });
  return BigInt(row?.total_raw ?? 0);
}
