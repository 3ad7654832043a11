// Transactions that the chain has and this database has forgotten, since it was put back to a moment
// before they were signed. Each says by its signature which of our accounts has sent it, with which
// nonce: so an operator only has to say what it was for. From then on the chain decides what became of
// it, as of any other.

import type { OutgoingPurpose, OwnAccountRole } from "../database/words.ts";
import { ServiceError } from "../errors.ts";
import { NotReachable, OperatorError } from "../operator-error.ts";
import type { Chain, MinedTransaction } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { ChainAction } from "../ports/signer.ts";
import { isSameAddress } from "./fate.ts";
import {
  addForgottenAttempt,
  findNonceOwner,
  lockOutgoing,
  lockSenderAccount,
  noteSenderAccount,
  storeForgottenOutgoing,
} from "./forgotten.sql.ts";
import type { RememberedValues } from "./forgotten.sql.ts";
import { actionOf } from "./model.ts";

export interface ForgottenPorts {
  readonly clock: Clock;
  /** undefined: it is not connected */
  readonly chainOf: (chainId: string) => Promise<Chain | undefined>;
}

/** One that was read from the chain; `isSuccess`: by its receipt. */
export interface Forgotten extends MinedTransaction {
  readonly chainId: string;
  readonly isSuccess: boolean;
}

export interface Subject {
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
}

/** What the transaction is to what is known: its first one, or one more of its nonce. */
export type RememberedAs = "first" | "further";

const hashForm = /^0x[0-9a-f]{64}$/;

/** Nothing is written. Throws `OperatorError`. */
export async function readForgotten(
  { chainOf }: ForgottenPorts,
  chainId: string,
  given: string,
): Promise<Forgotten> {
  const txHash = given.trim().toLowerCase();
  if (!hashForm.test(txHash)) {
    throw new OperatorError("A transaction is named by its hash: 0x and 64 hexadecimal digits.");
  }
  const chain = await chainOf(chainId);
  if (chain === undefined) throw new OperatorError(`${chainId} is not connected.`);
  try {
    // If there are several nodes, two of them say what became of it.
    const receipt = await chain.receipt(txHash);
    const transaction = await chain.minedTransaction(txHash);
    if (receipt === undefined) {
      throw new OperatorError(
        `${txHash} is not mined on ${chainId}: what is not mined may never be. Look again later.`,
      );
    }
    if (transaction === undefined) {
      throw new OperatorError(`${txHash} is of a kind that no signer of ours makes.`);
    }
    return { ...transaction, chainId, isSuccess: receipt.isSuccess };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "chain_unavailable") throw error;
    const reason = error.cause instanceof Error ? `: ${error.cause.message}` : "";
    throw new NotReachable(`The chain does not answer${reason}. Nothing was changed.`);
  }
}

function notOurs(txHash: string, chainId: string): OperatorError {
  return new OperatorError(`${txHash} was sent by none of our accounts on ${chainId}.`);
}

/** Who has sent it, as far as that is known here. */
export interface ForgottenSender {
  /** what the account is for; null: the address of a payment */
  readonly role: OwnAccountRole | null;
  /** what has its nonce here; undefined: nothing */
  readonly owner: Subject | undefined;
}

/**
 * Nobody sends from its account until the commit. Throws `OperatorError` where it is none of ours, and
 * where the transaction is known.
 */
export async function lockSenderOf(
  inside: Database,
  { chainId, account, nonce, txHash }: Forgotten,
): Promise<ForgottenSender> {
  let [own] = await inside.run(lockSenderAccount, { chainId, account });
  if (own === undefined) {
    // It has sent something there for the first time since the backup.
    await inside.run(noteSenderAccount, { chainId, account });
    [own] = await inside.run(lockSenderAccount, { chainId, account });
  }
  if (own === undefined) throw notOurs(txHash, chainId);
  const [owner] = await inside.run(findNonceOwner, { chainId, account, nonce });
  if (owner === undefined) return { role: own.role, owner };
  const { purpose, subject_id: subjectId } = owner;
  if (owner.tx_hashes.includes(txHash)) {
    throw new OperatorError(
      `${txHash} is known here already: it is of the ${purpose} ${subjectId}.`,
    );
  }
  return { role: own.role, owner: { purpose, subjectId } };
}

/** The same of one subject. Throws `OperatorError` where its nonce belongs to something else here, too. */
export async function lockAccountOf(
  inside: Database,
  found: Forgotten,
  { purpose, subjectId }: Subject,
): Promise<OwnAccountRole | null> {
  const { role, owner } = await lockSenderOf(inside, found);
  const isItsOwn = owner?.purpose === purpose && owner.subjectId === subjectId;
  if (owner !== undefined && !isItsOwn) throw ofAnother(found, owner);
  return role;
}

/** Its nonce belongs to something else here. */
export function ofAnother(
  { txHash, nonce, account }: Forgotten,
  { purpose, subjectId }: Subject,
): OperatorError {
  return new OperatorError(
    `${txHash} has the nonce ${nonce} of ${account}, which belongs to the ${purpose} ${subjectId} here: ` +
      "say it of that one.",
  );
}

/** After `lockAccountOf`, in the same transaction. Throws `OperatorError`. */
export async function rememberTransaction(
  { clock }: Pick<ForgottenPorts, "clock">,
  inside: Database,
  { subject, found }: { readonly subject: Subject; readonly found: Forgotten },
): Promise<RememberedAs> {
  const { subjectId } = subject;
  const [row] = await inside.run(lockOutgoing, subject);
  if (row === undefined || row.status === "withdrawn" || row.chain_id !== found.chainId) {
    throw new OperatorError(`${subjectId} is not in the queue of what is sent on that chain.`);
  }
  const values = { ...rememberedValues(found, clock.now()), id: row.id };
  if (row.status === "broadcast") {
    refuseOtherNonce(subjectId, row, found);
    const added = await inside.run(addForgottenAttempt, values);
    if (added.length === 0) throw new Error(`${row.id} was locked, and is not under way`);
    return "further";
  }
  if (row.status !== "queued")
    throw new OperatorError(`${subjectId} has ended: it is ${row.status}.`);
  if (row.reserved_nonce !== null) {
    throw new OperatorError(
      `${subjectId} is about to be sent with the nonce ${row.reserved_nonce}: in two minutes it is sent, or waits again.`,
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

/** Whether that is what was signed. */
export function doesSame(action: ChainAction, { transfer, collect }: Forgotten): boolean {
  if (action.kind === "transfer") {
    return (
      transfer !== undefined &&
      isSameAddress(transfer.contractAddress, action.contractAddress) &&
      isSameAddress(transfer.to, action.to) &&
      transfer.amountRaw === action.amountRaw
    );
  }
  if (action.kind !== "collect" || collect === undefined) return false;
  const { authorization } = action;
  return (
    isSameAddress(collect.contractAddress, authorization.contractAddress) &&
    isSameAddress(collect.from, authorization.from) &&
    isSameAddress(collect.to, authorization.to) &&
    collect.amountRaw === authorization.amountRaw &&
    collect.nonce === authorization.nonce
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
