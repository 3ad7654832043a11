// What was signed so far: in memory for the rules, and in the journal so that it survives. Kept are
// the newest numbers of the accounts that pay others, what this day has used up, and which deposit
// addresses may have been given out. A day that has begun does not end early, even if the clock goes back.

import type { NumberKey, NumberUse, Signature, SpentAsset, Usage } from "./policy.ts";
import type { Journal } from "./journal.ts";
import { parseRecord, wireRecord } from "./journal-records.ts";
import type { JournalRecord } from "./journal-records.ts";
import { SignerStartError } from "./start-error.ts";

/** Claims of indexes, of which only the last is needed, before the journal is made short again. */
const claimLinesMax = 1_000;

export interface UsageLimits {
  /** Of each account; what is older is mined many times over, and refused. */
  readonly numbersMax: number;
  /** Beyond twice of what is needed: a file of gigabytes could not be read at the next start. */
  readonly spareLinesMax: number;
}

const usageLimits: UsageLimits = { numbersMax: 4_096, spareLinesMax: 20_000 };

interface Account {
  readonly numbers: Map<bigint, NumberUse>;
  firstNumber: bigint;
}

export class JournaledUsage implements Usage {
  readonly #journal: Journal;
  /** of the hot account: a journal counts for one seed */
  readonly #owner: string;
  readonly #limits: UsageLimits;
  readonly #accounts = new Map<string, Account>();
  readonly #amounts = new Map<string, { readonly asset: SpentAsset; amountRaw: bigint }>();
  readonly #gas = new Map<string, bigint>();
  #day = "";
  #freeFrom = 0n;
  #claimLines = 0;
  #linesMax = 0;

  constructor(
    opened: { readonly journal: Journal; readonly records: readonly unknown[] },
    owner: string,
    limits: Partial<UsageLimits> = {},
  ) {
    this.#limits = { ...usageLimits, ...limits };
    this.#journal = opened.journal;
    this.#owner = owner;
    const records = opened.records.map(parseRecord);
    for (const [at, record] of records.entries()) this.#read(record, at);
    // Also the first line of a new one.
    this.#compact();
  }

  /** The later one of the clock's day and the newest day that was counted. */
  dayAt(milliseconds: number): string {
    const day = new Date(milliseconds).toISOString().slice(0, 10);
    return day > this.#day ? day : this.#day;
  }

  readonly numberUse = (key: NumberKey): NumberUse | undefined =>
    this.#accounts.get(accountKey(key))?.numbers.get(key.nonce);

  readonly firstNumber = (key: NumberKey): bigint =>
    this.#accounts.get(accountKey(key))?.firstNumber ?? 0n;

  /** One above the highest that was signed; 0: none. */
  nextNumber(key: Omit<NumberKey, "nonce">): bigint {
    const account = this.#accounts.get(accountKey(key));
    let next = account?.firstNumber ?? 0n;
    for (const number of account?.numbers.keys() ?? []) if (number >= next) next = number + 1n;
    return next;
  }

  readonly amountRaw = (day: string, asset: SpentAsset): bigint =>
    day === this.#day ? (this.#amounts.get(assetKey(asset))?.amountRaw ?? 0n) : 0n;

  readonly gasRaw = (day: string, chainId: string): bigint =>
    day === this.#day ? (this.#gas.get(chainId) ?? 0n) : 0n;

  /** On the disk when it returns; only then may the signature leave. */
  add(signature: Signature): void {
    if (signature.day !== this.#day && this.#day !== "") {
      this.#turnTo(signature.day);
      this.#compact();
    }
    this.#journal.append(wireRecord({ kind: "signed", ...signature }));
    this.#count(signature);
    if (this.#journal.lines >= this.#linesMax) this.#compact();
  }

  /** The first index that was free before; if that is not above `first`, the claim is on the disk. */
  claimIndexes(first: bigint, count: bigint): bigint {
    const before = this.#freeFrom;
    if (before > first || count === 0n) return before;
    const freeFrom = first + count;
    this.#journal.append(wireRecord({ kind: "free_index", freeFrom }));
    this.#freeFrom = freeFrom;
    this.#claimLines += 1;
    if (this.#claimLines >= claimLinesMax) this.#compact();
    return before;
  }

  /** An operator has made sure that what was signed under the number is not mined. */
  release(key: NumberKey): boolean {
    if (this.numberUse(key) === undefined) return false;
    this.#journal.append(wireRecord({ kind: "released", ...key }));
    this.#accounts.get(accountKey(key))?.numbers.delete(key.nonce);
    return true;
  }

  #read(record: JournalRecord, at: number): void {
    if ((record.kind === "journal") !== (at === 0)) throw unreadable();
    switch (record.kind) {
      case "journal":
        this.#day = record.day;
        if (record.owner === this.#owner) return;
        throw new SignerStartError(
          `The journal belongs to another seed: its hot account is ${record.owner}, and that of ` +
            `this seed is ${this.#owner}. Restore the seed, or give this one a folder of its own.`,
        );
      case "signed":
        if (record.day > this.#day) this.#turnTo(record.day);
        this.#count(record);
        return;
      case "released":
        this.#accounts.get(accountKey(record))?.numbers.delete(record.nonce);
        return;
      case "free_index":
        this.#freeFrom = record.freeFrom;
        return;
      case "number":
        this.#remember(record, record);
        return;
      case "first_number":
        this.#accountOf(record).firstNumber = record.nonce;
        return;
      case "amount":
        this.#addAmount(record, record.amountRaw);
        return;
      case "gas":
        this.#addGas(record.chainId, record.gasRaw);
    }
  }

  #count(signature: Signature): void {
    this.#day = signature.day;
    this.#remember(signature, signature);
    this.#addAmount(signature, signature.amountRaw);
    this.#addGas(signature.chainId, signature.gasAddedRaw);
  }

  #remember(key: NumberKey, { actionHash, gasRaw }: NumberUse): void {
    const { numbers } = this.#accountOf(key);
    const before = numbers.get(key.nonce);
    const most = before !== undefined && before.gasRaw > gasRaw ? before.gasRaw : gasRaw;
    numbers.set(key.nonce, { actionHash, gasRaw: most });
    if (numbers.size > this.#limits.numbersMax) this.#forgetOldest(key);
  }

  #forgetOldest(key: NumberKey): void {
    const account = this.#accountOf(key);
    let oldest: bigint | undefined;
    for (const number of account.numbers.keys()) {
      if (oldest === undefined || number < oldest) oldest = number;
    }
    if (oldest === undefined) return;
    account.numbers.delete(oldest);
    if (oldest >= account.firstNumber) account.firstNumber = oldest + 1n;
  }

  #addAmount(asset: SpentAsset, amountRaw: bigint): void {
    const key = assetKey(asset);
    const { chainId, role, contractAddress } = asset;
    const known = this.#amounts.get(key) ?? {
      asset: { chainId, role, contractAddress },
      amountRaw: 0n,
    };
    known.amountRaw += amountRaw;
    this.#amounts.set(key, known);
  }

  #addGas(chainId: string, gasRaw: bigint): void {
    this.#gas.set(chainId, (this.#gas.get(chainId) ?? 0n) + gasRaw);
  }

  #turnTo(day: string): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#amounts.clear();
    this.#gas.clear();
    // Deposit addresses pay nobody but ourselves, and there is one for every payment.
    for (const key of this.#accounts.keys()) {
      if (key.includes(" deposit ")) this.#accounts.delete(key);
    }
  }

  #compact(): void {
    const owner = this.#owner;
    const records: JournalRecord[] = [{ kind: "journal", owner, day: this.#day }];
    for (const [name, { numbers, firstNumber }] of this.#accounts) {
      const { chainId, account } = splitKey(name);
      if (firstNumber > 0n) {
        records.push({ kind: "first_number", chainId, account, nonce: firstNumber });
      }
      for (const [nonce, use] of numbers) {
        records.push({ kind: "number", chainId, account, nonce, ...use });
      }
    }
    for (const { asset, amountRaw } of this.#amounts.values()) {
      records.push({ kind: "amount", ...asset, amountRaw });
    }
    for (const [chainId, gasRaw] of this.#gas) records.push({ kind: "gas", chainId, gasRaw });
    const freeFrom = this.#freeFrom;
    if (freeFrom > 0n) records.push({ kind: "free_index", freeFrom });
    this.#journal.replace(records.map(wireRecord));
    this.#linesMax = 2 * records.length + this.#limits.spareLinesMax;
    this.#claimLines = 0;
  }

  #accountOf(key: Omit<NumberKey, "nonce">): Account {
    const name = accountKey(key);
    const account = this.#accounts.get(name) ?? { numbers: new Map(), firstNumber: 0n };
    this.#accounts.set(name, account);
    return account;
  }
}

function accountKey({ chainId, account }: Omit<NumberKey, "nonce">): string {
  return `${chainId} ${account}`;
}

function splitKey(name: string): Omit<NumberKey, "nonce"> {
  const at = name.indexOf(" ");
  return { chainId: name.slice(0, at), account: name.slice(at + 1) };
}

function assetKey({ chainId, role, contractAddress }: SpentAsset): string {
  return `${chainId} ${role} ${contractAddress ?? "coin"}`;
}

function unreadable(): SignerStartError {
  return new SignerStartError("The journal does not begin as a journal does: restore it.");
}
