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
/** A reorganisation may bring back more than that. */
const resentMax = 200;

/** As a job waits after it has failed. */
const failingMillisecondsMin = 1_000;
const failingMillisecondsMax = 300_000;

interface Failing {
  readonly until: number;
  readonly waitMilliseconds: number;
}

interface Problem {
  readonly account: string;
  readonly error: unknown;
}

export class OutgoingSender {
  readonly #ports: OutgoingSenderPorts;
  /** by account: turns of this process come one after the other */
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<JobRun | undefined>>();
  /** by account: what its last turns have failed at, while others went well */
  readonly #failing = new Map<string, Failing>();

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
    const found = await database.run(listOutgoingAccounts, {
      chainId,
      now: new Date(now),
      lookedBefore: new Date(now - resendMilliseconds),
      rowsMax: accountsMax,
    });
    let done = 0;
    let isMore = false;
    let went = 0;
    let isHindered = false;
    const problems: Problem[] = [];
    for (const account of new Set([...always, ...found.map((row) => row.account)])) {
      if ((this.#failing.get(`${chainId} ${account}`)?.until ?? 0) > now) {
        isHindered = true;
        continue;
      }
      try {
        const turn = await this.#turn(sending, account);
        this.#failing.delete(`${chainId} ${account}`);
        went += 1;
        done += turn?.done ?? 0;
        isMore ||= turn?.isMore ?? false;
      } catch (error) {
        // An account that cannot be sent from must not hold up the others.
        problems.push({ account, error });
      }
    }
    // With none that went well the job has failed, and waits as a whole.
    if (went === 0 && problems[0] !== undefined) throw problems[0].error;
    for (const problem of problems) this.#setAside(chainId, problem);
    const oldest = Math.min(now, ...found.map(({ since }) => since?.getTime() ?? now));
    isHindered ||= problems.length > 0;
    return { done, isMore, lagMilliseconds: now - oldest, ...(isHindered && { isHindered }) };
  }

  /** It waits, longer each time, and the accounts beside it do not. */
  #setAside(chainId: string, { account, error }: Problem): void {
    const key = `${chainId} ${account}`;
    const before = this.#failing.get(key)?.waitMilliseconds ?? failingMillisecondsMin / 2;
    const waitMilliseconds = Math.min(before * 2, failingMillisecondsMax);
    const until = this.#ports.clock.nowMilliseconds() + waitMilliseconds;
    this.#failing.set(key, { until, waitMilliseconds });
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
