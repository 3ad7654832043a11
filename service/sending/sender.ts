// Sends what is no withdrawal, with the same promises (service/withdrawals/sender.ts): number, bytes
// and hash are stored before anybody sees the bytes, so a process may die at any step and another one
// goes on; a number is only ever given together with something signed; one transaction of each number
// is mined, and none is signed for what is not wanted any more.
//
// Nothing is sent that the chain says would fail now: that costs coin and moves nothing (threat 49).
// Whoever wanted it hears of it instead, and says what becomes of it.

import type { Job, JobRun } from "../jobs/jobs.ts";
import { accountRows, signsAs } from "./accounts.ts";
import type { OutgoingRow } from "./accounts.ts";
import { actionOf } from "./model.ts";
import type { Estimate, SettlementChain } from "../ports/settlement-chain.ts";
import { SignerRefusal } from "../ports/signer.ts";
import type { ActionSigner, ChainAction } from "../ports/signer.ts";
import { SenderFunds } from "./funds.ts";
import type { OutgoingPurpose } from "../database/words.ts";
import type { Spending } from "./funds.ts";
import { nextNumber } from "./nonces.ts";
import { accountOf, deferMilliseconds, Resending, resendMilliseconds } from "./turn.ts";
import { resentMax, unminedMax, withSenderTurn } from "./turn.ts";
import type { SenderAlarm, Turn, TurnPorts } from "./turn.ts";
import { sumSettlementGas } from "./gas.sql.ts";
import {
  deferOutgoing,
  freeNonce,
  listOutgoingAccounts,
  listQueuedOutgoing,
  listUnminedOutgoing,
  markLookedAfter,
  reserveNonce,
  storeSignedOutgoing,
} from "./sender.sql.ts";

/** In one run of the job; settlements do not wait for it. */
const accountsMax = 20;
/** More than anything takes that we send; what takes more is not sent. */
const gasUnitsCap = 600_000n;
/** Of what would fail: it is spent on the way there. */
const unknownGasUnits = 200_000n;
const dayMilliseconds = 86_400_000;
/** In one turn: more of them are no fault of the transactions. */
const unansweredMax = 3;
/** What the chain does not answer about waits as long as it has waited, and between these. */
const unansweredMillisecondsMin = 10_000;
const unansweredMillisecondsMax = 600_000;

/** A chain with what signs for our accounts there. */
export interface OutgoingChain {
  readonly chain: SettlementChain;
  readonly signer: ActionSigner;
}

export interface Impossible {
  readonly id: string;
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
  /** for the log, without control characters */
  readonly text: string;
}

export interface OutgoingSenderPorts extends TurnPorts {
  readonly chains: readonly OutgoingChain[];
  /**
   * The chain says that it would fail, or the address of a payment has less than it takes. Whoever
   * wanted it takes it back (`withdrawOutgoing`), or it is tried again after a while.
   */
  readonly onImpossible: (found: Impossible) => Promise<void>;
  /**
   * What the settlements of x402 of an account may cost in a day (UTC), in the chain's own coin;
   * null: there is no such limit.
   */
  readonly gasBudgetRaw: (chainId: string) => Promise<bigint | null>;
}

type QueuedRow = NonNullable<(typeof listQueuedOutgoing)["row"]>;

interface OutgoingTurn extends Turn, OutgoingChain {
  readonly chain: SettlementChain;
  readonly resending: Resending<OutgoingRow>;
  readonly funds: SenderFunds;
}

interface Prepared {
  readonly action: ChainAction;
  readonly gasUnitsMax: bigint;
  readonly spending: Spending;
}

export class OutgoingSender {
  readonly #ports: OutgoingSenderPorts;
  /** by account: turns of this process come one after the other */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<JobRun | undefined>>();

  constructor(ports: OutgoingSenderPorts) {
    this.#ports = ports;
  }

  /** One for each chain, so that one that does not answer holds up no other. */
  jobs(): readonly Job[] {
    return this.#ports.chains.map((sending) => ({
      name: `send-outgoing-${sending.chain.chainId.replaceAll(":", "-")}`,
      everyMilliseconds: 2_000,
      run: () => this.#run(sending),
    }));
  }

  /**
   * For whoever has just queued something and waits for it. What was in the queue before this was
   * called is sent when it returns, up to the limits of one turn. False: another process has the
   * account and sends it. Throws `chain_unavailable`, and what the signer throws.
   */
  async sendNow(chainId: string, account: string): Promise<boolean> {
    const sending = this.#ports.chains.find(({ chain }) => chain.chainId === chainId);
    if (sending === undefined) return false;
    return (await this.#turn(sending, account)) !== undefined;
  }

  async #run(sending: OutgoingChain): Promise<JobRun> {
    const { database, clock } = this.#ports;
    const { chainId } = sending.chain;
    const now = clock.nowMilliseconds();
    const accounts = await database.run(listOutgoingAccounts, {
      chainId,
      now: new Date(now),
      lookedBefore: new Date(now - resendMilliseconds),
      rowsMax: accountsMax,
    });
    let done = 0;
    let isMore = false;
    const problems: unknown[] = [];
    for (const { account } of accounts) {
      try {
        const turn = await this.#turn(sending, account);
        done += turn?.done ?? 0;
        isMore ||= turn?.isMore ?? false;
      } catch (error) {
        // An account that cannot be sent from must not hold up the others.
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
    const oldest = Math.min(now, ...accounts.map(({ since }) => since.getTime()));
    return { done, isMore, lagMilliseconds: now - oldest };
  }

  /** After the one that runs; whoever comes while that runs shares the next one. */
  #turn(sending: OutgoingChain, account: string): Promise<JobRun | undefined> {
    const key = `${sending.chain.chainId} ${account}`;
    const shared = this.#next.get(key);
    if (shared !== undefined) return shared;
    const before = this.#running.get(key) ?? Promise.resolve();
    const turn = before.then(() => {
      this.#next.delete(key);
      return this.#turnNow(sending, account);
    });
    this.#next.set(key, turn);
    const ended = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#running.get(key) === ended) this.#running.delete(key);
      });
    this.#running.set(key, ended);
    return turn;
  }

  #turnNow({ chain, signer }: OutgoingChain, account: string): Promise<JobRun | undefined> {
    return withSenderTurn(this.#ports, { chain, account }, async (plain) => {
      const { database } = this.#ports;
      const place = { chainId: chain.chainId, account };
      const { minedCount, fees } = plain;
      const rows = await database.run(listUnminedOutgoing, {
        ...place,
        minedCount,
        rowsMax: resentMax,
      });
      const promised = rows.map((row) =>
        spendingOf(actionOf(row.action), row.gas_units_max ?? gasUnitsCap),
      );
      const funds = new SenderFunds({ chain, account, fees }, promised);
      const resending = new Resending(this.#ports, accountRows(database, signer));
      const turn = { ...plain, chain, signer, funds, resending };
      const resent = await resending.resend(turn, rows);
      const room = Math.max(0, unminedMax - rows.length);
      const { signed, isMore } = await this.#sendNew(turn, room);
      await database.run(markLookedAfter, { ...place, now: this.#now() });
      return { done: resent + signed, isMore };
    });
  }

  async #sendNew(turn: OutgoingTurn, room: number) {
    const { chainId, account } = turn.lease;
    const values = { chainId, account, now: this.#now(), rowsMax: room };
    const queued = await this.#ports.database.run(listQueuedOutgoing, values);
    let signed = 0;
    const unanswered: unknown[] = [];
    for (const row of queued) {
      await turn.keep();
      const prepared = await this.#prepare(turn, row).catch(async (error: unknown) => {
        if (row.reserved_nonce !== null) throw error;
        // One that nobody can say anything about must not hold up all the others.
        await this.#waitUnanswered(row, error);
        unanswered.push(error);
        if (unanswered.length === unansweredMax) throw error;
        return undefined;
      });
      if (prepared === undefined) {
        // Its number may be signed for it, and is for nothing else.
        if (row.reserved_nonce !== null) break;
        continue;
      }
      // The same: it was not stored.
      if ((await this.#sign(turn, row, prepared)) === 0) break;
      signed += 1;
    }
    if (unanswered.length > 0) throw unanswered[0];
    return { signed, isMore: room > 0 && queued.length === room };
  }

  /** Undefined: not now, and why is written down. */
  async #prepare(turn: OutgoingTurn, row: QueuedRow): Promise<Prepared | undefined> {
    const action = actionOf(row.action);
    const isReserved = row.reserved_nonce !== null;
    if (isReserved && !row.is_free) return undefined;
    const estimate = await turn.chain.estimate(row.account, action);
    const text = impossibleText(estimate);
    // What may be signed already is sent, so that its number does not hold up all others for ever.
    if (text !== undefined && !isReserved) {
      await this.#impossible(turn, row, text);
      return undefined;
    }
    const gasUnitsMax = withMargin(estimate.isPossible ? estimate.gasUnits : unknownGasUnits);
    const spending = spendingOf(action, gasUnitsMax);
    if (!isReserved && !(await this.#isInBudget(turn, row, gasUnitsMax))) {
      await this.#defer(turn, row, "gas_budget_used_up");
      return undefined;
    }
    if (!(await turn.funds.cover(spending))) {
      // Nobody fills up the address of a payment: what is swept from it is planned anew.
      if (row.account_role === "deposit" && !isReserved) {
        await this.#impossible(turn, row, "the address has less than it takes");
      } else {
        await this.#defer(turn, row, "account_cannot_pay");
      }
      return undefined;
    }
    return { action, gasUnitsMax, spending };
  }

  async #impossible(turn: OutgoingTurn, row: QueuedRow, text: string): Promise<void> {
    const { id, purpose, subject_id: subjectId } = row;
    await this.#ports.onImpossible({ id, purpose, subjectId, text });
    // If nobody took it back, it waits.
    this.#ports.alarm("transaction_would_fail", { ...factsOf(turn, row), text });
    await this.#wait(row, text);
  }

  async #isInBudget(turn: OutgoingTurn, row: QueuedRow, gasUnitsMax: bigint): Promise<boolean> {
    if (row.purpose !== "x402_settlement") return true;
    const { chainId, account } = turn.lease;
    const budgetRaw = await this.#ports.gasBudgetRaw(chainId);
    if (budgetRaw === null) return true;
    const now = this.#ports.clock.nowMilliseconds();
    const since = new Date(now - (now % dayMilliseconds));
    const [spent] = await this.#ports.database.run(sumSettlementGas, { chainId, account, since });
    return BigInt(spent?.raw ?? 0) + gasUnitsMax * turn.fees.maxFeePerGas <= budgetRaw;
  }

  async #sign(turn: OutgoingTurn, row: QueuedRow, prepared: Prepared): Promise<number> {
    const { id } = row;
    const { lease, fees, head, chain, signer } = turn;
    const { action, gasUnitsMax, spending } = prepared;
    const nonce = await nextNumber(this.#ports, lease, turn.minedCount);
    const reserved = await this.#ports.database.run(reserveNonce, { ...lease, id, nonce });
    if (reserved.length === 0) return 0;
    await this.#ports.reached?.("claimed");
    const intent = { account: signsAs(row), nonce, action, gasUnitsMax, fees };
    const { txHash, raw } = await signer
      .signAction(chain.chainId, intent)
      .catch(async (error: unknown) => {
        this.#ports.alarm("signer_refuses", { ...factsOf(turn, row), err: error });
        const isNew = row.reserved_nonce !== nonce;
        if (isNew && error instanceof SignerRefusal) {
          await this.#ports.database.run(freeNonce, { id, nonce });
        }
        await this.#wait(row, error instanceof Error ? error.message : "the signer refuses");
        throw error;
      });
    await this.#ports.reached?.("signed");
    const signed = { ...fees, id, attempt: 1, txHash, raw, signedAtBlock: head.number };
    const values = { ...lease, ...signed, nonce, gasUnitsMax, now: this.#now() };
    const stored = await this.#ports.database.run(storeSignedOutgoing, values);
    if (stored.length === 0) return 0;
    turn.funds.promise(spending);
    await this.#ports.reached?.("stored");
    await turn.resending.send(turn, {
      ...row,
      ...signed,
      status: "broadcast",
      nonce,
      gas_units_max: gasUnitsMax,
      max_fee_per_gas: fees.maxFeePerGas.toString(),
      max_priority_fee_per_gas: fees.maxPriorityFeePerGas.toString(),
      signed_at_block: head.number,
      sent_at: null,
    });
    return 1;
  }

  async #defer(turn: OutgoingTurn, row: QueuedRow, what: SenderAlarm): Promise<void> {
    this.#ports.alarm(what, factsOf(turn, row));
    await this.#wait(row, what);
  }

  #waitUnanswered(row: QueuedRow, error: unknown): Promise<void> {
    const age = this.#ports.clock.nowMilliseconds() - row.created_at.getTime();
    const atLeast = Math.max(unansweredMillisecondsMin, age);
    const text = error instanceof Error ? error.message : "nobody answers";
    return this.#wait(row, text, Math.min(atLeast, unansweredMillisecondsMax));
  }

  async #wait(
    { id }: QueuedRow,
    problem: string,
    milliseconds: number = deferMilliseconds,
  ): Promise<void> {
    const notBefore = new Date(this.#ports.clock.nowMilliseconds() + milliseconds);
    await this.#ports.database.run(deferOutgoing, { id, notBefore, problem: plain(problem) });
  }

  #now(): Date {
    return new Date(this.#ports.clock.nowMilliseconds());
  }
}

function factsOf(turn: OutgoingTurn, { id, purpose, subject_id }: QueuedRow) {
  return { outgoing_id: id, purpose, subject_id, ...accountOf(turn) };
}

function impossibleText(estimate: Estimate): string | undefined {
  if (!estimate.isPossible) return estimate.text;
  if (estimate.gasUnits <= gasUnitsCap) return undefined;
  return `it would take ${estimate.gasUnits} units of gas`;
}

/** The next block may see another state, which takes a little more. */
export function withMargin(gasUnits: bigint): bigint {
  const more = (gasUnits * 13n + 9n) / 10n;
  return more > gasUnitsCap ? gasUnitsCap : more;
}

/** What the account itself pays: the money of a settlement is somebody else's. */
function spendingOf(action: ChainAction, gasUnits: bigint): Spending {
  if (action.kind !== "transfer") return { contractAddress: null, amountRaw: 0n, gasUnits };
  const { contractAddress, amountRaw } = action;
  return { contractAddress, amountRaw, gasUnits };
}

/** The database keeps no U+0000, and people read it in a terminal. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}
