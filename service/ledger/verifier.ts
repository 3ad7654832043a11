// Recomputes the ledger from its postings and says what differs. The database keeps the balances
// right by itself; this is for what goes around it: a migration, somebody with a console, a disk.

import { debitKinds, kindsBelowZero } from "./model.ts";
import { LargeAccount, start } from "./large-account.ts";
import type { AccountSum, Place } from "./large-account.ts";
import {
  readAccountPage,
  listDeploymentsOffBalance,
  readPostingPage,
  readTransactionPage,
} from "./verifier.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

export interface LedgerVerdict {
  readonly transactions: number;
  readonly postings: number;
  readonly accounts: number;
  /** a line each, the first of them only; none: all agree */
  readonly differences: readonly string[];
  readonly differencesCount: number;
}

export interface VerifierLimits {
  /** rows in one statement */
  readonly rowsMax: number;
  /** of one account in one statement; a larger one is read in pages */
  readonly accountTransactionsMax: number;
}

export const verifierLimits: VerifierLimits = { rowsMax: 2000, accountTransactionsMax: 1000 };

/** Accounts in one statement, each with all of its postings up to the limit above. */
const accountsMax = 100;
/** Whoever has broken more than that needs no complete list. */
const differencesMax = 200;
/** A large account is read in several moments; a difference has to show every time. */
const attemptsMax = 3;

export interface VerifierPorts extends StoragePorts {
  readonly limits?: VerifierLimits;
}

/** All of it at once, while others post. */
export async function verifyLedger(ports: VerifierPorts): Promise<LedgerVerdict> {
  const pass = new LedgerPass(ports);
  for (;;) {
    const verdict = await pass.next();
    if (verdict !== undefined) return verdict;
  }
}

/** Once through the ledger. It may be left and gone on with at any time. */
export class LedgerPass {
  readonly #ports: Required<VerifierPorts>;
  readonly #differences: string[] = [];
  #differencesCount = 0;
  #transactions = 0;
  #postings = 0;
  #accounts = 0;
  #stage = 0;
  #cursor: Place = start;
  /** of the page of accounts that was read last; they come before the next page */
  readonly #large: LargeAccount[] = [];

  constructor(ports: VerifierPorts) {
    this.#ports = { limits: verifierLimits, ...ports };
  }

  /** A page; gives the verdict after the last one. */
  async next(): Promise<LedgerVerdict | undefined> {
    const [large] = this.#large;
    if (large !== undefined) {
      await this.#readLargeAccount(large);
      return undefined;
    }
    const stages = [
      () => this.#readTransactions(),
      () => this.#readPostings(),
      () => this.#readAccounts(),
    ];
    const stage = stages[this.#stage];
    if (stage === undefined) return await this.#end();
    const last = await stage();
    this.#cursor = last ?? start;
    if (last === undefined) this.#stage += 1;
    return undefined;
  }

  async #readTransactions(): Promise<Place | undefined> {
    const { database, limits } = this.#ports;
    const { rowsMax } = limits;
    const { after } = this.#cursor;
    const rows = await database.run(readTransactionPage, { after, rowsMax });
    this.#transactions += rows.length;
    for (const { id, kind, reference, postings, sums } of rows) {
      const name = `transaction ${id} (${kind} ${reference})`;
      if (postings === 0) this.#report(`${name} has no postings`);
      for (const [deploymentId, sum] of Object.entries(sums ?? {})) {
        this.#report(`${name} sums to ${sum} instead of 0 for ${deploymentId}`);
      }
    }
    const last = rows.length < rowsMax ? undefined : rows.at(-1);
    return last && { ...start, after: last.id };
  }

  async #readPostings(): Promise<Place | undefined> {
    const { database, limits } = this.#ports;
    const { rowsMax } = limits;
    const rows = await database.run(readPostingPage, { ...this.#cursor, rowsMax });
    const count = rows[0]?.count ?? 0;
    this.#postings += count;
    for (const row of rows) {
      const name = `posting ${row.position} of ${row.transaction_id}`;
      if (!row.has_transaction) this.#report(`${name} has no transaction`);
      if (!row.has_account) this.#report(`${name} has no account ${row.account_key}`);
    }
    const last = count < rowsMax ? undefined : rows.at(-1);
    return last && { after: last.transaction_id, afterPosition: last.position };
  }

  async #readAccounts(): Promise<Place | undefined> {
    const { database, limits } = this.#ports;
    const { accountTransactionsMax: transactionsMax } = limits;
    const rowsMax = Math.min(limits.rowsMax, accountsMax);
    const { after } = this.#cursor;
    const rows = await database.run(readAccountPage, { after, rowsMax, transactionsMax });
    this.#accounts += rows.length;
    for (const row of rows) {
      if (row.version > transactionsMax) {
        this.#large.push(new LargeAccount(this.#ports, row.key));
      } else {
        for (const problem of problemsOf(row)) this.#report(`account ${row.key} ${problem}`);
      }
    }
    const last = rows.length < rowsMax ? undefined : rows.at(-1);
    return last && { ...start, after: last.key };
  }

  async #readLargeAccount(large: LargeAccount): Promise<void> {
    const row = await large.next();
    if (row === undefined) return;
    const problems = row === "gone" ? ["is gone"] : problemsOf(row);
    if (problems.length > 0 && large.attempts < attemptsMax) {
      large.restart();
      return;
    }
    this.#large.shift();
    for (const problem of problems) this.#report(`account ${large.key} ${problem}`);
  }

  async #end(): Promise<LedgerVerdict> {
    // One statement over all accounts, since only one moment adds up.
    for (const row of await this.#ports.database.run(listDeploymentsOffBalance, {})) {
      this.#report(`the accounts of ${row.deployment_id} sum to ${row.sum} instead of 0`);
    }
    return {
      transactions: this.#transactions,
      postings: this.#postings,
      accounts: this.#accounts,
      differences: this.#differences,
      differencesCount: this.#differencesCount,
    };
  }

  #report(difference: string): void {
    this.#differencesCount += 1;
    if (this.#differences.length < differencesMax) this.#differences.push(difference);
  }
}

/** In words that go behind the account's name. */
function problemsOf({ kind, balance, version, sum, transactions }: AccountSum): readonly string[] {
  const problems: string[] = [];
  const has = BigInt(balance);
  const posted = BigInt(sum ?? 0) * (debitKinds.has(kind) ? 1n : -1n);
  if (transactions === 0n) problems.push("has no postings");
  if (has !== posted) problems.push(`has ${has}, but its postings sum to ${posted}`);
  if (version !== transactions) {
    problems.push(`has version ${version}, but is part of ${transactions} transactions`);
  }
  if (has < 0n && !kindsBelowZero.has(kind)) problems.push(`is below zero: ${has}`);
  return problems;
}

/** As people read it: one line, or one for each difference. */
export function verdictLines(verdict: LedgerVerdict): readonly string[] {
  const { transactions, postings, accounts, differences, differencesCount } = verdict;
  const read = `${transactions} transactions, ${postings} postings, ${accounts} accounts`;
  if (differencesCount === 0) return [`${read}: all agree`];
  const more = differencesCount - differences.length;
  const end = more === 0 ? [] : [`and ${more} more`];
  return [...differences, ...end, `${read}: ${differencesCount} differences`];
}
