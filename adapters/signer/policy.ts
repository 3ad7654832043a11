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
  readonly amountRaw: (day: string, asset: SpentAsset) => bigint;
  readonly gasRaw: (day: string, chainId: string) => bigint;
}

export interface SpentAsset {
  readonly chainId: string;
  readonly role: AccountRole;
  /** lower case, so that no spelling counts by itself; null: the coin */
  readonly contractAddress: string | null;
}

/** What one signature adds to what was signed. */
export interface Signature extends NumberKey, SpentAsset {
  /** UTC */
  readonly day: string;
  readonly actionHash: string;
  readonly amountRaw: bigint;
  /** the most it can cost */
  readonly gasRaw: bigint;
  /** what the day had not counted for this number yet */
  readonly gasAddedRaw: bigint;
}

export interface Judged {
  readonly chainId: string;
  readonly intent: ActionIntent;
  readonly actionHash: string;
  readonly day: string;
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
  const isSame = before !== undefined && isSameUse(before, judged, { chain, own });
  if (before === undefined && key.nonce < usage.firstNumber(key) && !chain.mayRestart) {
    throw new NonceTaken(`number ${key.nonce} of ${nameOf(key)} is too old to be signed again`);
  }
  const asset = { chainId, ...spentBy(intent) };
  const gasRaw = intent.gasUnitsMax * intent.fees.maxFeePerGas;
  const signature = {
    ...key,
    ...asset,
    day: judged.day,
    actionHash: judged.actionHash,
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
 * A number belongs to what it was first signed for. A database that forgot what it had sent would
 * give it to something else, and then pay the first one again under another number. To use it for
 * nothing, a transfer of no coin to the account itself, is harmless, and clears the way.
 */
function isSameUse(
  before: NumberUse,
  { chainId, intent, actionHash }: Judged,
  { chain, own }: { readonly chain: ChainPolicy; readonly own: OwnAddresses },
): boolean {
  if (before.actionHash === actionHash || isForNothing(intent, own)) return true;
  if (chain.mayRestart) return false;
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
  const { chainId, gasRaw, gasAddedRaw, day } = signature;
  const { perTransactionRaw, perDayRaw } = chain.gas;
  if (perTransactionRaw !== null && gasRaw > perTransactionRaw) {
    const limit = `the limit for one transaction on ${chainId} is ${perTransactionRaw}`;
    throw new SignerRefusal(`gas may cost ${gasRaw}, and ${limit}`);
  }
  const usedRaw = usage.gasRaw(day, chainId);
  if (perDayRaw !== null && usedRaw + gasAddedRaw > perDayRaw) {
    const sum = `${usedRaw} of ${perDayRaw} are used, and this would add ${gasAddedRaw}`;
    throw new SignerRefusal(`the gas of ${day} on ${chainId} is used up: ${sum}`);
  }
}

function checkAmount(signature: Signature, chain: ChainPolicy, usage: Usage): void {
  const { chainId, role, contractAddress, amountRaw, day } = signature;
  const asset = contractAddress ?? "the coin";
  const what = `${asset} from the account ${role} on ${chainId}`;
  const limit = limitOf(chain, role, contractAddress);
  if (limit === undefined) throw new SignerRefusal(`no limit names ${what}: nothing is signed`);
  const { perTransactionRaw, perDayRaw } = limit;
  if (perTransactionRaw !== null && amountRaw > perTransactionRaw) {
    const text = `${perTransactionRaw} of ${what}, and this is ${amountRaw}`;
    throw new SignerRefusal(`one transaction may move ${text}`);
  }
  const usedRaw = usage.amountRaw(day, signature);
  if (perDayRaw !== null && usedRaw + amountRaw > perDayRaw) {
    const sum = `${usedRaw} of ${perDayRaw} are used, and this would add ${amountRaw}`;
    throw new SignerRefusal(`the limit of ${day} for ${what} is used up: ${sum}`);
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
