// Transactions that the chain has and this database has forgotten, since it was put back to a moment
// before they were signed. Each says by its signature which of our accounts has sent it, with which
// nonce: so an operator only has to say what it was for. From then on the chain decides what became of
// it, as of any other.

import { auditValues } from "../audit/audit.ts";
import type { CatalogReader } from "../catalog/catalog.ts";
import { isMeasured } from "../catalog/transfer-fee.ts";
import type { OutgoingPurpose, OwnAccountRole } from "../database/words.ts";
import { ServiceError } from "../errors.ts";
import { NotReachable, OperatorError } from "../operator-error.ts";
import type { Chain, ChainReceipt, MinedTransaction, OtherMined } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { ChainAction } from "../ports/signer.ts";
import { readKnownNonces, stopForRememberedUse } from "./accounts.sql.ts";
import { isSameAddress } from "./fate.ts";
import {
  addForgottenAttempt,
  findNonceOwner,
  lockOutgoing,
  lockSenderAccount,
  markAddressLookedAt,
  noteSenderAccount,
  storeForgottenOutgoing,
} from "./forgotten.sql.ts";
import type { RememberedValues } from "./forgotten.sql.ts";
import { actionOf, doesSame } from "./model.ts";

export interface ForgottenPorts {
  readonly clock: Clock;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  /** undefined: it is not connected */
  readonly chainOf: (chainId: string) => Promise<Chain | undefined>;
}

/** One that was read from the chain; `isSuccess`: by its receipt. */
export interface Forgotten extends MinedTransaction {
  readonly chainId: string;
  readonly isSuccess: boolean;
  /** of its account */
  readonly minedCount: bigint;
}

export type OtherForgotten = OtherMined & Pick<Forgotten, "txHash" | "chainId">;

export interface Subject {
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
}

/** What the transaction is to what is known: its first one, or one more of its nonce. */
export type RememberedAs = "first" | "further";

/** What is told of each that was remembered. */
export interface Remembered extends Pick<ForgottenSender, "stopped"> {
  readonly transaction: Forgotten;
  readonly as: RememberedAs;
}

const hashForm = /^0x[0-9a-f]{64}$/;

/** Nothing is written. Throws `OperatorError`. */
export async function readForgotten(
  ports: Omit<ForgottenPorts, "clock">,
  chainId: string,
  given: string,
): Promise<Forgotten> {
  return await orNotReachable(async () => {
    const { found, ...read } = await readAny(ports, chainId, given);
    if (found.raw === undefined) {
      throw new OperatorError(`${found.txHash} is of a kind that no signer of ours makes.`);
    }
    await refuseUnmeasurable(ports, { ...read, found });
    return found;
  });
}

/** Whoever has sent it, and whatever it is. Nothing is written. Throws `OperatorError`. */
export async function readMined(
  ports: Omit<ForgottenPorts, "clock">,
  chainId: string,
  given: string,
): Promise<Forgotten | OtherForgotten> {
  return await orNotReachable(async () => (await readAny(ports, chainId, given)).found);
}

async function readAny(
  { chainOf }: Pick<ForgottenPorts, "chainOf">,
  chainId: string,
  given: string,
) {
  const txHash = given.trim().toLowerCase();
  if (!hashForm.test(txHash)) {
    throw new OperatorError("A transaction is named by its hash: 0x and 64 hexadecimal digits.");
  }
  const chain = await chainOf(chainId);
  if (chain === undefined) throw new OperatorError(`${chainId} is not connected.`);
  // With it the chain knows what is too new to be agreed on.
  const head = await chain.head();
  if (head.chainId !== chainId) throw new NotReachable("Another chain answers.");
  // If two nodes answer they have to say the same; a success counts by one as well.
  const receipt = await chain.receipt(txHash);
  const transaction = await chain.minedTransaction(txHash);
  if (receipt === undefined) {
    throw new OperatorError(
      `${txHash} is not mined on ${chainId}: what is not mined may never be. Look again later.`,
    );
  }
  if (transaction === undefined) {
    throw new NotReachable(`The node that was asked does not have ${txHash} yet: ask again.`);
  }
  if (transaction.raw === undefined) {
    return { chain, receipt, found: { ...transaction, txHash, chainId } };
  }
  const minedCount = await chain.minedCount(transaction.account);
  const found = { ...transaction, chainId, isSuccess: receipt.isSuccess, minedCount };
  return { chain, receipt, found };
}

async function orNotReachable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "chain_unavailable") throw error;
    const reason = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    throw new NotReachable(`The chain does not answer${reason}. Nothing was changed.`);
  }
}

interface Read {
  readonly chain: Chain;
  readonly receipt: ChainReceipt;
  readonly found: Forgotten;
}

/**
 * What a token that may keep a part has moved is said by the balances of its block: nobody could say any more
 * what became of it, and no decision by hand would help.
 */
async function refuseUnmeasurable(
  { catalog }: Pick<ForgottenPorts, "catalog">,
  { chain, receipt: { block }, found }: Read,
): Promise<void> {
  const { txHash, transfer, collect, account, isSuccess } = found;
  const contractAddress = transfer?.contractAddress ?? collect?.contractAddress ?? null;
  if (contractAddress === null || !isSuccess) return;
  const deployments = await catalog.allDeployments();
  const token = deployments.find(
    (one) => one.chainId === chain.chainId && isSameAddress(one.contractAddress, contractAddress),
  );
  if (token === undefined || !isMeasured(deployments, token.id)) return;
  const from = collect?.from ?? account;
  try {
    for (const hash of [block.parentHash, block.hash]) {
      await chain.balanceAt(from, contractAddress, hash);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "chain_unavailable") throw error;
    throw new OperatorError(
      `${token.id} may keep a part, and no node knows the balances of the block ${block.number} any more: ` +
        `with an archive node in EVM_RPC_URLS ${txHash} can be remembered.`,
    );
  }
}

function notOurs(txHash: string, chainId: string): OperatorError {
  return new OperatorError(
    `${txHash} was sent by none of our accounts on ${chainId}, as far as is known here: a server says ` +
      "which are ours when it starts.",
  );
}

/** What has the nonce, and what that sends. */
export interface NonceOwner extends Subject {
  readonly action: ChainAction;
}

/** Who has sent it, as far as that is known here. */
export interface ForgottenSender {
  /** what the account is for; null: the address of a payment */
  readonly role: OwnAccountRole | null;
  /** what has its nonce here; undefined: nothing */
  readonly owner: NonceOwner | undefined;
  /** why withdrawals were stopped now; null: they were not, by this */
  readonly stopped: string | null;
}

/**
 * Nobody sends from its account until the commit. Throws `OperatorError` where it is none of ours, and
 * where the transaction is known.
 */
export async function lockSenderOf(
  { clock }: Pick<ForgottenPorts, "clock">,
  inside: Database,
  found: Forgotten,
): Promise<ForgottenSender> {
  const { chainId, account, nonce, txHash } = found;
  let [own] = await inside.run(lockSenderAccount, { chainId, account });
  if (own === undefined) {
    // It has sent something there for the first time since the backup.
    await inside.run(noteSenderAccount, { chainId, account });
    [own] = await inside.run(lockSenderAccount, { chainId, account });
  }
  if (own === undefined) throw notOurs(txHash, chainId);
  const [owner] = await inside.run(findNonceOwner, { chainId, account, nonce });
  if (owner === undefined) {
    if (own.role !== null) {
      return { role: own.role, owner, stopped: await stopIfUnseen(inside, found, clock.now()) };
    }
    // The address of a payment pays ourselves only: what else it has sent stops nothing, also from now on.
    await inside.run(markAddressLookedAt, { chainId, account, usedCount: found.minedCount });
    return { role: null, owner, stopped: null };
  }
  const { purpose, subject_id: subjectId } = owner;
  if (owner.tx_hashes.includes(txHash)) {
    throw new OperatorError(
      `${txHash} is known here already: it is of the ${purpose} ${subjectId}.`,
    );
  }
  const action = actionOf(owner.action);
  return { role: own.role, owner: { purpose, subjectId, action }, stopped: null };
}

/**
 * Where nobody has found out yet that the account was used up to there: with this nonce it would look as
 * if all below had been given here, and what was sent with them would be sent again. So all stops now, as
 * it would have when the sender looks.
 */
async function stopIfUnseen(
  inside: Database,
  { chainId, account, nonce, txHash }: Forgotten,
  now: Date,
): Promise<string | null> {
  const [known] = await inside.run(readKnownNonces, { chainId, account });
  const given = (known?.last_given ?? -1n) + 1n;
  // All below it are known, or somebody has found out about it.
  if (nonce <= given || nonce < (known?.foreign_count ?? 0n)) return null;
  const usedCount = nonce + 1n;
  const reason =
    `the account ${account} used ${usedCount} nonces, and only those below ${given} were given here ` +
    `(remembered: ${txHash})`;
  const audit = auditValues({
    occurredAt: now,
    actor: "system",
    action: "withdrawals.stopped",
    subject: { type: "chain", id: chainId },
    details: { reason, account, next_nonce: given.toString(), mined_count: usedCount.toString() },
  });
  await inside.run(stopForRememberedUse, { chainId, account, usedCount, reason, now, ...audit });
  return reason;
}

/** What an operator says: that it was sent for this. */
export interface Meant {
  readonly subject: Subject;
  readonly found: Forgotten;
}

/** The same of one subject. Throws `OperatorError` where its nonce belongs to something else here, too. */
export async function lockAccountOf(
  ports: Pick<ForgottenPorts, "clock">,
  inside: Database,
  { subject: { purpose, subjectId }, found }: Meant,
): Promise<ForgottenSender> {
  const sender = await lockSenderOf(ports, inside, found);
  const { owner } = sender;
  const isItsOwn = owner?.purpose === purpose && owner.subjectId === subjectId;
  if (owner !== undefined && !isItsOwn) throw ofAnother(found, owner);
  return sender;
}

/** Its nonce belongs to something else here. */
export function ofAnother(
  found: Forgotten,
  { purpose, subjectId, action }: NonceOwner,
): OperatorError {
  const { txHash, nonce, account } = found;
  const what =
    `${txHash} has the nonce ${nonce} of ${account}, which belongs to the ${purpose} ${subjectId} here` as const;
  if (doesSame(action, found)) return new OperatorError(`${what}: say it of that one.`);
  return new OperatorError(`${what}. ${notSentBy(subjectId)}`);
}

/** What there is to do where something else has used the nonce of what is known. */
function notSentBy(subjectId: string): string {
  return (
    `That is something else than ${subjectId} sends, so ${subjectId} was not sent, and never can be: say so when ` +
    'its alarm tells ("withdrawal decide", "suspense decide", "chain decide"). What the transaction has paid cannot ' +
    'be remembered: take back what waits for the same ("withdrawal reject", "suspense cancel"), and book it with ' +
    '"ledger take".'
  );
}

/** After `lockAccountOf`, in the same transaction. Throws `OperatorError`. */
export async function rememberTransaction(
  { clock }: Pick<ForgottenPorts, "clock">,
  inside: Database,
  { subject, found }: Meant,
): Promise<RememberedAs> {
  const { subjectId } = subject;
  const [row] = await inside.run(lockOutgoing, subject);
  if (row === undefined || row.status === "withdrawn" || row.chain_id !== found.chainId) {
    throw new OperatorError(`${subjectId} is not in the queue of what is sent on that chain.`);
  }
  const values = { ...rememberedValues(found, clock.now()), id: row.id };
  if (row.status === "broadcast") {
    refuseOtherNonce(subjectId, row, found);
    const sendsNothing = isNothing(found);
    if (!sendsNothing && !doesSame(actionOf(row.action), found)) {
      throw new OperatorError(`${found.txHash} is ${deedText(found)}. ${notSentBy(subjectId)}`);
    }
    const added = await inside.run(addForgottenAttempt, { ...values, sendsNothing });
    if (added.length === 0) throw new Error(`${row.id} was locked, and is not under way`);
    return "further";
  }
  if (row.status !== "queued")
    throw new OperatorError(`${subjectId} has ended: it is ${row.status}.`);
  if (row.reserved_nonce !== null) {
    throw new OperatorError(
      `${subjectId} is about to be sent with the nonce ${row.reserved_nonce}: when a server has run for two ` +
        "minutes it is sent, or waits again.",
    );
  }
  refuseOtherAction(subjectId, row, found);
  const { nonce, gasUnitsMax } = found;
  const stored = await inside.run(storeForgottenOutgoing, { ...values, nonce, gasUnitsMax });
  if (stored.length === 0) throw new Error(`${row.id} was locked, and is not queued`);
  return "first";
}

function rememberedValues(found: Forgotten, now: Date): Omit<RememberedValues, "id"> {
  const { txHash, raw, fees, blockNumber } = found;
  return { txHash, raw, ...fees, blockNumber, now };
}

type Row = NonNullable<(typeof lockOutgoing)["row"]>;

/** They would both be mined. */
function refuseOtherNonce(subjectId: string, { account, nonce }: Row, found: Forgotten): void {
  if (found.account === account && found.nonce === nonce) return;
  throw new OperatorError(
    `${subjectId} was sent with the nonce ${nonce} of ${account}, and ${found.txHash} has the nonce ` +
      `${found.nonce} of ${found.account}: it is another one's.`,
  );
}

/** It must be the very same that is to be sent, or that would be sent beside it. */
function refuseOtherAction(subjectId: string, row: Row, found: Forgotten): void {
  const { txHash, account, isSuccess } = found;
  if (account !== row.account) {
    throw new OperatorError(
      `${subjectId} leaves from ${row.account}, and ${txHash} from ${account}.`,
    );
  }
  if (!doesSame(actionOf(row.action), found)) {
    throw new OperatorError(
      `${txHash} is ${deedText(found)}, and not what ${subjectId} is to send.`,
    );
  }
  if (!isSuccess) {
    throw new OperatorError(
      `${txHash} has failed on the chain: nothing was sent by it for ${subjectId}.`,
    );
  }
}

/** What is signed where a nonce is given up; see `signedActionOf`. */
function isNothing({ account, transfer }: Forgotten): boolean {
  return (
    transfer?.contractAddress === null &&
    transfer.amountRaw === 0n &&
    isSameAddress(transfer.to, account)
  );
}

/** For people. */
export function deedText({ transfer, collect }: Pick<Forgotten, "transfer" | "collect">): string {
  const of = (contractAddress: string | null) => contractAddress ?? "the coin";
  if (transfer !== undefined) {
    const { contractAddress, to, amountRaw } = transfer;
    return `a transfer of ${amountRaw} of ${of(contractAddress)} to ${to}`;
  }
  if (collect === undefined) return "no transfer";
  const { contractAddress, from, to, amountRaw } = collect;
  return `an authorization of ${amountRaw} of ${of(contractAddress)} from ${from} to ${to}`;
}
