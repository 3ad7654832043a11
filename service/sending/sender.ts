// Sends everything that we sign, each account by one process at a time: what is signed and not mined
// is handed over again, and then something new is signed.

import type { Job, JobRun } from "../jobs/jobs.ts";
import { perChain } from "../jobs/per-chain.ts";
import { promisedOf } from "./accounts.ts";
import { sendNew } from "./claiming.ts";
import { SenderFunds } from "./funds.ts";
import { unminedMax } from "./model.ts";
import { payingRole } from "./nonces.ts";
import type { OutgoingChain, OutgoingSenderPorts } from "./ports.ts";
import { resend, resendMilliseconds } from "./resending.ts";
import type { UnminedRow } from "./resending.ts";
import { listOutgoingAccounts, listUnminedOutgoing, markLookedAfter } from "./sender.sql.ts";
import { withSenderTurn } from "./turn.ts";
import type { Turn } from "./turn.ts";

/** In one run of the job; settlements do not wait for it. */
const accountsMax = 20;
/** Of addresses of payments no further one gets its turn after that: accounts of ours come first in the next round. */
const roundMilliseconds = 10_000;
/** A reorganisation may bring back more than that. */
const resentMax = 200;

/** As a job waits after it has failed. */
const failingMillisecondsMin = 1_000;
const failingMillisecondsMax = 300_000;
/** Whatever waited there is gone, as it has not had a turn since. */
const forgottenMilliseconds = 3_600_000;

interface Failing {
  readonly until: number;
  readonly waitMilliseconds: number;
}

/** By account; who has failed last comes last. */
type FailingAccounts = Map<string, Failing>;

interface Problem {
  readonly account: string;
  readonly error: unknown;
}

interface Round {
  /** those whose turn went well */
  went: number;
  done: number;
  isMore: boolean;
  isHindered: boolean;
  readonly problems: Problem[];
}

export class OutgoingSender {
  readonly #ports: OutgoingSenderPorts;
  /** by account: turns of this process come one after the other */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<JobRun | undefined>>();
  /** by chain: whose last turns have failed */
  readonly #failing = new Map<string, FailingAccounts>();

  constructor(ports: OutgoingSenderPorts) {
    this.#ports = ports;
  }

  jobs(): readonly Job[] {
    const job = { name: "send", everyMilliseconds: 2_000 };
    return perChain(job, this.#ports.chains, (sending) => this.#run(sending));
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
    const always = await this.#gather(sending);
    const now = clock.nowMilliseconds();
    const failing = this.#failing.get(chainId) ?? new Map<string, Failing>();
    this.#failing.set(chainId, failing);
    const found = await database.run(listOutgoingAccounts, {
      chainId,
      now: new Date(now),
      lookedBefore: new Date(now - resendMilliseconds),
      behind: behindOf(failing, now),
      rowsMax: accountsMax,
    });
    const ofPayments = found.filter((row) => row.is_deposit && !always.includes(row.account));
    const isOfPayment = new Set(ofPayments.map(({ account }) => account));
    const accounts = new Set([...always, ...found.map(({ account }) => account)]);
    const round = await this.#round(sending, { accounts, isOfPayment, failing, now });
    const { went, done, isMore, problems } = round;
    // With none that went well the job has failed, and waits as a whole.
    if (went === 0 && problems[0] !== undefined) {
      for (const { account } of problems)
        putLast(failing, account, failing.get(account) ?? fresh(now));
      throw problems[0].error;
    }
    for (const problem of problems) this.#setAside(chainId, failing, problem);
    const oldest = Math.min(now, found[0]?.oldest?.getTime() ?? now);
    const isHindered = round.isHindered || problems.length > 0;
    return { done, isMore, lagMilliseconds: now - oldest, ...(isHindered && { isHindered }) };
  }

  async #round(
    sending: OutgoingChain,
    { accounts, isOfPayment, failing, now }: Accounts,
  ): Promise<Round> {
    const round: Round = { went: 0, done: 0, isMore: false, isHindered: false, problems: [] };
    let turnsOfPayments = 0;
    for (const account of accounts) {
      if (isAside(failing.get(account), now)) {
        round.isHindered = true;
        continue;
      }
      if (isOfPayment.has(account)) {
        // One has its turn in any case, so that all have theirs sometime.
        const isOver = this.#ports.clock.nowMilliseconds() - now >= roundMilliseconds;
        round.isMore ||= isOver && turnsOfPayments > 0;
        if (isOver && turnsOfPayments > 0) break;
        turnsOfPayments += 1;
      }
      try {
        const turn = await this.#turn(sending, account);
        failing.delete(account);
        round.went += 1;
        round.done += turn?.done ?? 0;
        round.isMore ||= turn?.isMore ?? false;
      } catch (error) {
        // An account that cannot be sent from must not hold up the others.
        round.problems.push({ account, error });
      }
    }
    return round;
  }

  /** It waits, longer each time, and the accounts beside it do not. */
  #setAside(chainId: string, failing: FailingAccounts, { account, error }: Problem): void {
    const now = this.#ports.clock.nowMilliseconds();
    const before = failing.get(account) ?? fresh(now);
    const waitMilliseconds = Math.min(before.waitMilliseconds * 2, failingMillisecondsMax);
    putLast(failing, account, { until: now + waitMilliseconds, waitMilliseconds });
    this.#ports.alarm("account_turn_failed", { chain_id: chainId, account, err: error });
  }

  async #gather(sending: OutgoingChain): Promise<readonly string[]> {
    const accounts: string[] = [];
    for (const steps of Object.values(this.#ports.steps)) {
      accounts.push(...(await steps.gather(sending)));
    }
    return accounts;
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

  /** Where there are more than are read at once, of the lowest. */
  #tellNonces({ signer, lease, minedCount }: Turn, rows: readonly UnminedRow[]): void {
    const role = payingRole(signer, lease);
    if (role === undefined) return;
    const { chainId } = lease;
    const waiting = rows.length;
    const end = (rows.at(-1)?.nonce ?? minedCount - 1n) + 1n;
    const missing = Number(end - minedCount) - waiting;
    this.#ports.observer?.onNonces({ chainId, role, waiting, missing });
  }

  #turnNow(sending: OutgoingChain, account: string): Promise<JobRun | undefined> {
    const ports = this.#ports;
    return withSenderTurn(ports, { ...sending, account }, async (plain) => {
      const { chain, minedCount, fees } = plain;
      const place = { chainId: chain.chainId, account };
      const unmined = { ...place, minedCount, rowsMax: resentMax };
      const rows = await ports.database.run(listUnminedOutgoing, unmined);
      this.#tellNonces(plain, rows);
      const funds = new SenderFunds({ chain, account, fees }, rows.map(promisedOf));
      const resent = await resend(ports, plain, rows);
      const room = Math.max(0, unminedMax - rows.length);
      const { signed, isMore } = await sendNew(ports, { ...plain, funds }, room);
      const now = ports.clock.now();
      await ports.database.run(markLookedAfter, { ...place, now });
      return { done: resent + signed, isMore };
    });
  }
}

interface Accounts {
  /** in the order of their turns */
  readonly accounts: ReadonlySet<string>;
  /** those of them that are addresses of payments */
  readonly isOfPayment: ReadonlySet<string>;
  readonly failing: FailingAccounts;
  readonly now: number;
}

const fresh = (now: number): Failing => ({
  until: now,
  waitMilliseconds: failingMillisecondsMin / 2,
});

const isAside = (one: Failing | undefined, now: number): boolean => (one?.until ?? 0) > now;

/** Whom all others go before, those that are set aside at the end. Forgets those of long ago. */
function behindOf(failing: FailingAccounts, now: number): readonly string[] {
  for (const [account, { until }] of failing) {
    if (until + forgottenMilliseconds < now) failing.delete(account);
  }
  const aside = (account: string) => Number(isAside(failing.get(account), now));
  return [...failing.keys()].toSorted((one, other) => aside(one) - aside(other));
}

function putLast(failing: FailingAccounts, account: string, one: Failing): void {
  failing.delete(account);
  failing.set(account, one);
}
