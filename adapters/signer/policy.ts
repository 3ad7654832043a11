// What the signer signs, and how much of it. It is the last word: whoever has taken over the process
// that asks can ask for anything, so nothing here believes what that one says about itself.

import type { ActionIntent, ChainAction, SigningAccount } from "../../service/ports/signer.ts";
import { NonceTaken, SignerRefusal } from "../../service/ports/signer.ts";
import type { AssetLimit, ChainPolicy, AccountRole } from "./policy-model.ts";
import { checkRecipients } from "./recipients.ts";
import type { OwnAddresses } from "./recipients.ts";

/** By chain; nothing is signed for a chain that is not in it. */
export type Policy = ReadonlyMap<string, ChainPolicy>;

/** Which number of which account. */
export interface NumberKey {
  readonly chainId: string;
  /** hot, settlement, or deposit and its index */
  readonly account: string;
  readonly nonce: bigint;
}

export interface NumberUse {
  /** what it was first signed for */
  readonly actionHash: string;
  /** the most it was signed with */
  readonly gasRaw: bigint;
}

/** What was signed before. */
export interface Usage {
  readonly numberUse: (key: NumberKey) => NumberUse | undefined;
  /** numbers below it are not remembered any more, and not signed */
  readonly firstNumber: (key: NumberKey) => bigint;
  /** one above the highest that was signed, or what an operator said */
  readonly nextNumber: (key: NumberKey) => bigint;
  // In the 24 hours up to a time:
  /** how many numbers were signed for the first time */
  readonly newNumbers: (at: number, key: NumberKey) => bigint;
  readonly amountRaw: (at: number, asset: SpentAsset) => bigint;
  readonly gasRaw: (at: number, chainId: string) => bigint;
}

export interface SpentAsset {
  readonly chainId: string;
  readonly role: AccountRole;
  /** lower case, so that no spelling counts by itself; null: the coin */
  readonly contractAddress: string | null;
}

/** What one signature adds to what was signed. */
export interface Signature extends NumberKey, SpentAsset {
  /** when, in milliseconds */
  readonly at: number;
  readonly actionHash: string;
  readonly amountRaw: bigint;
  /** the most it can cost */
  readonly gasRaw: bigint;
  /** what was not counted for this number yet */
  readonly gasAddedRaw: bigint;
}

export interface Judged {
  readonly chainId: string;
  readonly intent: ActionIntent;
  readonly actionHash: string;
  /** when, in milliseconds */
  readonly at: number;
}

/** More than any transaction of ours takes, whatever a policy says of its cost. */
const gasUnitsMost = 5_000_000n;
const gasUnitsLeast = 21_000n;

/**
 * Throws `SignerRefusal`. Undefined: the same was signed before, with the same gas or more, so there
 * is nothing to count and nothing to remember.
 */
export function judge(
  judged: Judged,
  usage: Usage,
  { policy, own }: { readonly policy: Policy; readonly own: OwnAddresses },
): Signature | undefined {
  const { chainId, intent } = judged;
  const chain = policy.get(chainId);
  if (chain === undefined) {
    throw new SignerRefusal(
      `no policy names ${chainId}, so nothing is signed there: name it in the file of SIGNER_POLICY`,
    );
  }
  checkGasUnits(intent);
  checkRecipients(intent, { chainId, chain, own });
  const key = keyOf(judged);
  const before = usage.numberUse(key);
  if (before === undefined && !chain.mayRestart) checkNewNumber(judged, chain, usage);
  const isSame = before !== undefined && isSameUse(before, judged, { chain, own });
  const asset = { chainId, ...spentBy(intent) };
  const gasRaw = intent.gasUnitsMax * intent.fees.maxFeePerGas;
  const signature = {
    ...key,
    ...asset,
    at: judged.at,
    actionHash: isForNothing(intent, own) ? forNothing : judged.actionHash,
    gasRaw,
    gasAddedRaw: isSame ? larger(gasRaw - before.gasRaw, 0n) : gasRaw,
  };
  checkGas(signature, chain, usage);
  // What moves under this number was counted when it was first signed: one of them at most is mined.
  if (isSame) {
    if (signature.gasAddedRaw === 0n) return undefined;
    return { ...signature, actionHash: before.actionHash, amountRaw: 0n };
  }
  const counted = { ...signature, amountRaw: amountOf(intent.action) };
  // No limit needs to name the coin for that.
  if (!isForNothing(intent, own)) checkAmount(counted, chain, usage);
  return counted;
}

function checkGasUnits({ gasUnitsMax, fees }: ActionIntent): void {
  if (gasUnitsMax < gasUnitsLeast || gasUnitsMax > gasUnitsMost) {
    const range = `${gasUnitsLeast} to ${gasUnitsMost}`;
    throw new SignerRefusal(`gas of ${gasUnitsMax} units is not within ${range}`);
  }
  if (fees.maxPriorityFeePerGas > fees.maxFeePerGas) {
    throw new SignerRefusal("the priority fee is above the whole fee");
  }
}

/**
 * Numbers are signed one after the other, as they are given. Whoever has taken over the process that
 * asks can sign no number that is far away, to use it when nobody looks any more, nor use up those that
 * come next: what an account has not signed before is its next number, and so many in 24 hours.
 */
function checkNewNumber(judged: Judged, chain: ChainPolicy, usage: Usage): void {
  const key = keyOf(judged);
  const name = `number ${key.nonce} of ${nameOf(key)}`;
  if (key.nonce < usage.firstNumber(key)) {
    throw new NonceTaken(`${name} is too old to be signed again`);
  }
  // What leaves a deposit address goes to ourselves, and soon nobody remembers what it signed.
  if (judged.intent.account.role === "deposit") return;
  const next = usage.nextNumber(key);
  if (key.nonce > next) {
    throw new SignerRefusal(
      `${name} is not the next one, which is ${next}: if the chain counts more, an operator says so ` +
        "(npm run signer -- next, docs/running/signer.md)",
    );
  }
  const isNew = key.nonce === next;
  if (isNew && usage.newNumbers(judged.at, key) >= chain.numbersPerDay) {
    throw new SignerRefusal(
      `${name} is one too many: ${chain.numbersPerDay} are signed in 24 hours at most`,
    );
  }
}

/** In place of the hash of an action: the number may be signed for something else still. */
const forNothing = "nothing";

/**
 * A number belongs to what it was first signed for. A database that forgot what it had sent would
 * give it to something else, and then pay the first one again under another number. To use it for
 * nothing, a transfer of no coin to the account itself, is harmless, and clears the way; so a number
 * that was only ever signed for nothing belongs to nobody yet.
 */
function isSameUse(
  before: NumberUse,
  { chainId, intent, actionHash }: Judged,
  { chain, own }: { readonly chain: ChainPolicy; readonly own: OwnAddresses },
): boolean {
  if (before.actionHash === actionHash || isForNothing(intent, own)) return true;
  if (chain.mayRestart || before.actionHash === forNothing) return false;
  const key = keyOf({ chainId, intent });
  throw new NonceTaken(
    `number ${key.nonce} of ${nameOf(key)} was signed for something else: either the database ` +
      "forgot what it sent, or that one was given up before it was sent (docs/running/signer.md)",
  );
}

function isForNothing({ account, action }: ActionIntent, own: OwnAddresses): boolean {
  if (action.kind !== "transfer" || action.contractAddress !== null) return false;
  return action.amountRaw === 0n && action.to === own.addressOf(account);
}

function checkGas(signature: Omit<Signature, "amountRaw">, chain: ChainPolicy, usage: Usage): void {
  const { chainId, gasRaw, gasAddedRaw, at } = signature;
  const { perTransactionRaw, perDayRaw } = chain.gas;
  if (perTransactionRaw !== null && gasRaw > perTransactionRaw) {
    const limit = `the limit for one transaction on ${chainId} is ${perTransactionRaw}`;
    throw new SignerRefusal(`gas may cost ${gasRaw}, and ${limit}`);
  }
  const usedRaw = usage.gasRaw(at, chainId);
  if (perDayRaw !== null && usedRaw + gasAddedRaw > perDayRaw) {
    const sum = `${usedRaw} of ${perDayRaw} are used, and this would add ${gasAddedRaw}`;
    throw new SignerRefusal(`the gas of 24 hours on ${chainId} is used up: ${sum}`);
  }
}

function checkAmount(signature: Signature, chain: ChainPolicy, usage: Usage): void {
  const { chainId, role, contractAddress, amountRaw, at } = signature;
  const asset = contractAddress ?? "the coin";
  const what = `${asset} from the account ${role} on ${chainId}`;
  const limit = limitOf(chain, role, contractAddress);
  if (limit === undefined) throw new SignerRefusal(`no limit names ${what}: nothing is signed`);
  const { perTransactionRaw, perDayRaw } = limit;
  if (perTransactionRaw !== null && amountRaw > perTransactionRaw) {
    const text = `${perTransactionRaw} of ${what}, and this is ${amountRaw}`;
    throw new SignerRefusal(`one transaction may move ${text}`);
  }
  const usedRaw = usage.amountRaw(at, signature);
  if (perDayRaw !== null && usedRaw + amountRaw > perDayRaw) {
    const sum = `${usedRaw} of ${perDayRaw} are used, and this would add ${amountRaw}`;
    throw new SignerRefusal(`the limit of 24 hours for ${what} is used up: ${sum}`);
  }
}

function limitOf(
  { limits }: ChainPolicy,
  role: AccountRole,
  contractAddress: string | null,
): AssetLimit | undefined {
  const own = limits.filter((limit) => limit.role === role);
  const named = own.find(
    (limit) => !limit.isForOthers && lower(limit.contractAddress) === contractAddress,
  );
  return named ?? own.find((limit) => limit.isForOthers);
}

/** Whose money it is: that of a sweep leaves a deposit address, whoever submits it. */
function spentBy({ account, action }: ActionIntent): Omit<SpentAsset, "chainId"> {
  if (action.kind === "collect") {
    return { role: "deposit", contractAddress: lower(action.authorization.contractAddress) };
  }
  const { contractAddress } = action.kind === "settle" ? action.signed.authorization : action;
  return { role: account.role, contractAddress: lower(contractAddress) };
}

/** Of our money: a settlement brings us some, and takes none. */
function amountOf(action: ChainAction): bigint {
  if (action.kind === "settle") return 0n;
  return action.kind === "transfer" ? action.amountRaw : action.authorization.amountRaw;
}

export function accountName(account: SigningAccount): string {
  return account.role === "deposit" ? `deposit ${account.index}` : account.role;
}

function keyOf({ chainId, intent }: Pick<Judged, "chainId" | "intent">): NumberKey {
  return { chainId, account: accountName(intent.account), nonce: intent.nonce };
}

function nameOf({ chainId, account }: NumberKey): string {
  return `the account ${account} on ${chainId}`;
}

function lower(address: string | null): string | null {
  return address?.toLowerCase() ?? null;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
