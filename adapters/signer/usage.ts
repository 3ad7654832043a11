// What was signed so far: in memory for the rules, and in the journal so that it survives. Kept are
// the newest numbers of the accounts that pay others, what the last 24 hours have used up, which
// deposit addresses may have been given out, and what operators have mended.

import { SignerRefusal } from "../../service/ports/signer.ts";
import type { NumberKey, NumberUse, Signature, SpentAsset, Usage } from "./policy.ts";
import type { Journal } from "./journal.ts";
import type { JournalPosition } from "../../service/ports/signer.ts";
import { parseRecord, wireRecord } from "./journal-records.ts";
import type { JournalRecord, Mend } from "./journal-records.ts";
import { SlidingSums } from "./sliding-sums.ts";
import { SignerStartError } from "./start-error.ts";

/** Claims of indexes, of which only the last is needed, before the journal is made short again. */
const claimLinesMax = 1_000;
/** Our choice: more payments in 24 hours than anybody has; all of them would last for years. */
const claimedIndexesMax = 1_000_000n;
const dayMilliseconds = 86_400_000;
/** Between two times that the journal is made short, so that what is past its window goes. */
const compactMilliseconds = dayMilliseconds;
const mendsMax = 200;

export interface UsageLimits {
  /** Of each account; what is older is mined many times over, and refused. */
  readonly numbersMax: number;
  /** Beyond twice of what is needed: a file of gigabytes could not be read at the next start. */
  readonly spareLinesMax: number;
}

const usageLimits: UsageLimits = { numbersMax: 20_000, spareLinesMax: 20_000 };

type AccountKey = Omit<NumberKey, "nonce">;

interface Account {
  readonly numbers: Map<bigint, NumberUse>;
  firstNumber: bigint;
  /** one above the highest that was signed, or what an operator said */
  nextNumber: bigint;
  /** when something was signed for it last */
  signedAt: number;
}

const allClaims = "claims";

type RestKind = "number" | "first_number" | "amount" | "gas" | "count" | "claimed";

export class JournaledUsage implements Usage {
  readonly #journal: Journal;
  /** of the hot account: a journal counts for one seed */
  readonly #owner: string;
  readonly #limits: UsageLimits;
  readonly #accounts = new Map<string, Account>();
  readonly #amounts = new SlidingSums<SpentAsset>(assetKey);
  readonly #gas = new SlidingSums<string>((chainId) => chainId);
  readonly #counts = new SlidingSums<AccountKey>(accountKey);
  readonly #claims = new SlidingSums<typeof allClaims>((name) => name);
  #mends: readonly Mend[] = [];
  #newest: number | undefined;
  #compactedAt = 0;
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

  /** The newest time that was counted; undefined: none. */
  get newest(): number | undefined {
    return this.#newest;
  }

  get mends(): readonly Mend[] {
    return this.#mends;
  }

  /** How far the journal is, for whoever remembers it elsewhere. */
  get position(): JournalPosition {
    return this.#journal.position;
  }

  readonly numberUse = (key: NumberKey): NumberUse | undefined =>
    this.#accounts.get(accountKey(key))?.numbers.get(key.nonce);

  readonly firstNumber = (key: AccountKey): bigint =>
    this.#accounts.get(accountKey(key))?.firstNumber ?? 0n;

  readonly nextNumber = (key: AccountKey): bigint =>
    this.#accounts.get(accountKey(key))?.nextNumber ?? 0n;

  readonly newNumbers = (at: number, key: AccountKey): bigint => this.#counts.sum(key, at);

  readonly amountRaw = (at: number, asset: SpentAsset): bigint => this.#amounts.sum(asset, at);

  readonly spentAssets = (): readonly SpentAsset[] => this.#amounts.subjects();

  readonly gasRaw = (at: number, chainId: string): bigint => this.#gas.sum(chainId, at);

  /** On the disk when it returns; only then may the signature leave. */
  add(signature: Signature): void {
    if (signature.at - this.#compactedAt >= compactMilliseconds) this.#compact(signature.at);
    this.#journal.append(wireRecord({ kind: "signed", ...signature }));
    this.#count(signature);
    if (this.#journal.lines >= this.#linesMax) this.#compact();
  }

  /**
   * The first index that was free before; if that is not above `first`, the claim is on the disk.
   * Throws `SignerRefusal`: whoever asks for all there are would leave none.
   */
  claimIndexes(first: bigint, count: bigint, at: number): bigint {
    const before = this.#freeFrom;
    if (before > first || count === 0n) return before;
    const freeFrom = first + count;
    // The database may be older than this journal.
    const more = before === 0n ? count : freeFrom - before;
    const claimed = this.#claims.sum(allClaims, at);
    if (claimed + more > claimedIndexesMax) {
      throw new SignerRefusal(
        `indexes below ${freeFrom} would be ${more} more, ${claimed} were claimed in 24 hours, and ` +
          `${claimedIndexesMax} may be`,
      );
    }
    this.#journal.append(wireRecord({ kind: "free_index", freeFrom, at }));
    this.#claim(freeFrom, more, at);
    this.#claimLines += 1;
    if (this.#claimLines >= claimLinesMax) this.#compact();
    return before;
  }

  /** An operator has made sure that what was signed under the number is not mined. */
  release(key: NumberKey, mend: Mend): boolean {
    if (this.numberUse(key) === undefined) return false;
    this.#append({ kind: "released", ...key }, mend);
    return true;
  }

  /** An operator has made sure that this many of its numbers are used, and none from there on. */
  setNext(key: NumberKey, mend: Mend): void {
    this.#append({ kind: "next_number", ...key }, mend);
  }

  /** An operator has looked at the clock. */
  confirmTime(at: number, mend: Mend): void {
    this.#append({ kind: "clock", at }, mend);
  }

  /** What needs no other record: the journal is taken as it is. */
  note(mend: Mend): void {
    this.#append(mend);
  }

  #append(...records: readonly JournalRecord[]): void {
    for (const record of records) {
      this.#journal.append(wireRecord(record));
      this.#read(record);
    }
  }

  #read(record: JournalRecord, line?: number): void {
    if (line !== undefined && (record.kind === "journal") !== (line === 0)) throw unreadable();
    switch (record.kind) {
      case "journal":
        this.#see(record.at ?? startOf(record.day));
        this.#compactedAt = this.#newest ?? 0;
        if (record.owner === this.#owner) return;
        throw new SignerStartError(
          `The journal belongs to another seed: its hot account is ${record.owner}, and that of ` +
            `this seed is ${this.#owner}. Restore the seed, or give this one a folder of its own.`,
        );
      case "signed":
        this.#count({ ...record, at: record.at ?? startOf(record.day) ?? 0 });
        return;
      case "released":
        this.#accounts.get(accountKey(record))?.numbers.delete(record.nonce);
        return;
      case "next_number":
        this.#goOnFrom(record);
        return;
      case "clock":
        this.#newest = record.at;
        for (const sums of [this.#amounts, this.#gas, this.#counts, this.#claims]) {
          sums.bringBackTo(record.at);
        }
        return;
      case "mended":
        this.#mends = [...this.#mends, record].slice(-mendsMax);
        return;
      case "free_index":
        this.#claim(record.freeFrom, record.freeFrom - this.#freeFrom, record.at);
        return;
      default:
        this.#readRest(record);
    }
  }

  /** Of what was made short. */
  #readRest(record: Extract<JournalRecord, { kind: RestKind }>): void {
    switch (record.kind) {
      case "number":
        this.#remember(record, record);
        return;
      case "first_number":
        this.#accountOf(record).firstNumber = record.nonce;
        return;
      case "amount":
        this.#amounts.add(assetOf(record), record.at ?? this.#endOfDay(), record.amountRaw);
        return;
      case "gas":
        this.#gas.add(record.chainId, record.at ?? this.#endOfDay(), record.gasRaw);
        return;
      case "count":
        this.#counts.add(keyOf(record), record.at, record.count);
        return;
      case "claimed":
        this.#claims.add(allClaims, record.at, record.count);
    }
  }

  #count(signature: Signature): void {
    const { at } = signature;
    this.#see(at);
    if (this.numberUse(signature) === undefined) this.#counts.add(keyOf(signature), at, 1n);
    this.#remember(signature, signature);
    this.#accountOf(signature).signedAt = at;
    this.#amounts.add(assetOf(signature), at, signature.amountRaw);
    this.#gas.add(signature.chainId, at, signature.gasAddedRaw);
  }

  #remember(key: NumberKey, { actionHash, gasRaw }: NumberUse): void {
    const account = this.#accountOf(key);
    const { numbers } = account;
    const before = numbers.get(key.nonce);
    const most = before !== undefined && before.gasRaw > gasRaw ? before.gasRaw : gasRaw;
    numbers.set(key.nonce, { actionHash, gasRaw: most });
    if (key.nonce >= account.nextNumber) account.nextNumber = key.nonce + 1n;
    if (numbers.size > this.#limits.numbersMax) forgetOldest(account);
  }

  #goOnFrom(key: NumberKey): void {
    const account = this.#accountOf(key);
    for (const number of account.numbers.keys()) {
      if (number >= key.nonce) account.numbers.delete(number);
    }
    account.nextNumber = key.nonce;
    if (account.firstNumber > key.nonce) account.firstNumber = key.nonce;
  }

  #claim(freeFrom: bigint, more: bigint, at: number | undefined): void {
    this.#freeFrom = freeFrom;
    // Those of before were not counted, nor is the place where a new journal begins.
    if (at !== undefined && more <= claimedIndexesMax) this.#claims.add(allClaims, at, more);
  }

  #see(at: number | undefined): void {
    if (at !== undefined && (this.#newest === undefined || at > this.#newest)) this.#newest = at;
  }

  /** What an older version counted for a day, so that it counts for no less than 24 hours. */
  #endOfDay(): number {
    return (this.#newest ?? 0) + dayMilliseconds;
  }

  #compact(now = this.#newest): void {
    if (now !== undefined) this.#forgetBefore(now);
    const owner = this.#owner;
    const head = { kind: "journal", owner } as const;
    const records: JournalRecord[] = [now === undefined ? head : { ...head, at: now }];
    records.push(...this.#accountRecords());
    for (const { subject, at, sum } of this.#amounts.entries()) {
      records.push({ kind: "amount", ...subject, at, amountRaw: sum });
    }
    for (const { subject: chainId, at, sum } of this.#gas.entries()) {
      records.push({ kind: "gas", chainId, at, gasRaw: sum });
    }
    for (const { subject, at, sum } of this.#counts.entries()) {
      records.push({ kind: "count", ...subject, at, count: sum });
    }
    const freeFrom = this.#freeFrom;
    if (freeFrom > 0n) records.push({ kind: "free_index", freeFrom });
    for (const { at, sum } of this.#claims.entries()) {
      records.push({ kind: "claimed", at, count: sum });
    }
    records.push(...this.#mends);
    this.#journal.replace(records.map(wireRecord));
    this.#linesMax = 2 * records.length + this.#limits.spareLinesMax;
    this.#claimLines = 0;
    this.#compactedAt = now ?? 0;
  }

  #accountRecords(): readonly JournalRecord[] {
    return Array.from(this.#accounts).flatMap(([name, account]): readonly JournalRecord[] => {
      const key = splitKey(name);
      return [
        { kind: "first_number", ...key, nonce: account.firstNumber },
        ...Array.from(account.numbers, ([nonce, use]) => {
          return { kind: "number", ...key, nonce, ...use } as const;
        }),
        { kind: "next_number", ...key, nonce: account.nextNumber },
      ];
    });
  }

  #forgetBefore(now: number): void {
    for (const sums of [this.#amounts, this.#gas, this.#counts, this.#claims]) {
      sums.forgetBefore(now);
    }
    // Deposit addresses pay nobody but ourselves, and there is one for every payment.
    for (const [name, { signedAt }] of this.#accounts) {
      const isOld = signedAt + dayMilliseconds <= now;
      if (isOld && name.includes(" deposit ")) this.#accounts.delete(name);
    }
  }

  #accountOf(key: AccountKey): Account {
    const name = accountKey(key);
    const account = this.#accounts.get(name) ?? {
      numbers: new Map(),
      firstNumber: 0n,
      nextNumber: 0n,
      signedAt: this.#newest ?? 0,
    };
    this.#accounts.set(name, account);
    return account;
  }
}

function forgetOldest(account: Account): void {
  let oldest: bigint | undefined;
  for (const number of account.numbers.keys()) {
    if (oldest === undefined || number < oldest) oldest = number;
  }
  if (oldest === undefined) return;
  account.numbers.delete(oldest);
  if (oldest >= account.firstNumber) account.firstNumber = oldest + 1n;
}

function keyOf({ chainId, account }: AccountKey): AccountKey {
  return { chainId, account };
}

function assetOf({ chainId, role, contractAddress }: SpentAsset): SpentAsset {
  return { chainId, role, contractAddress };
}

function accountKey({ chainId, account }: AccountKey): string {
  return `${chainId} ${account}`;
}

function splitKey(name: string): AccountKey {
  const at = name.indexOf(" ");
  return { chainId: name.slice(0, at), account: name.slice(at + 1) };
}

function assetKey({ chainId, role, contractAddress }: SpentAsset): string {
  return `${chainId} ${role} ${contractAddress ?? "coin"}`;
}

function startOf(day: string | undefined): number | undefined {
  return day === undefined || day === "" ? undefined : Date.parse(`${day}T00:00:00Z`);
}

function unreadable(): SignerStartError {
  return new SignerStartError("The journal does not begin as a journal does: restore it.");
}
