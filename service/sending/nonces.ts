// The nonces of the account that money is sent from, against those that the chain has seen and those
// that the signer has signed. Where either of them is ahead of this database, somebody else has the
// key, or this database was restored from a backup and does not remember what it sent; then what
// stands here as pending may be sent already, and would be sent again.

import { auditValues } from "../audit/audit.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { ActionSigner, PayingRole } from "../ports/signer.ts";
import type { SenderLease } from "./lease.ts";
import { readKnownNonces, stopForForeignUse } from "./accounts.sql.ts";

export interface NoncePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly alarm: (
    what: "account_used_by_others",
    facts: Readonly<Record<string, unknown>>,
  ) => void;
}

interface Leased {
  readonly lease: SenderLease;
  readonly signer: ActionSigner;
}

/** As counts: one above the highest nonce. */
interface KnownNonces {
  /** of what was stored before it was sent, or was to be before one that is reserved */
  readonly given: bigint;
  /** of what the signer may have been asked for */
  readonly asked: bigint;
  /** up to there somebody has looked */
  readonly looked: bigint;
  readonly isStopped: boolean;
}

/**
 * Stops withdrawals on the chain if more nonces are used there than were ever given here, once for
 * each such find. That holds for an account of which nothing is known here, too: it may be restored
 * from a backup that is older than its first nonce. Only the address of a payment may have a past
 * that nobody here remembers: what leaves it goes to ourselves.
 */
export async function stopIfUsedByOthers(
  ports: NoncePorts,
  { lease, signer }: Leased,
  minedCount: bigint,
): Promise<void> {
  const { given, looked, isStopped } = await known(ports, lease);
  if (given === 0n && payingRole(signer, lease) === undefined) return;
  if (minedCount <= given || minedCount <= looked) return;
  const reason =
    `the account ${lease.account} used ${minedCount} nonces, ` +
    `and only those below ${given} were given here`;
  const counts = { next_nonce: given.toString(), mined_count: minedCount.toString() };
  await stop(ports, lease, { count: minedCount, reason, counts, isStopped });
}

/**
 * The same for what the signer has signed and the chain does not show yet. True: just stopped. What
 * this process asks for is reserved before, so the signer is asked first. Throws `chain_unavailable`.
 */
export async function stopIfSignedForOthers(
  ports: NoncePorts,
  { lease, signer }: Leased,
): Promise<boolean> {
  const role = payingRole(signer, lease);
  if (role === undefined) return false;
  const count = await signer.nextNonce(lease.chainId, role);
  const { asked, looked, isStopped } = await known(ports, lease);
  if (count <= asked || count <= looked) return false;
  const reason =
    `the signer has signed nonces of ${lease.account} below ${count}, ` +
    `and only those below ${asked} were given here`;
  const counts = { next_nonce: asked.toString(), signed_count: count.toString() };
  await stop(ports, lease, { count, reason, counts, isStopped });
  return true;
}

/** Undefined: the address of a payment, or the account of another signer. */
export function payingRole(
  { accounts: { hotAddress, settlementAddress } }: Pick<ActionSigner, "accounts">,
  { account }: Pick<SenderLease, "account">,
): PayingRole | undefined {
  if (account === hotAddress) return "hot";
  return account === settlementAddress ? "settlement" : undefined;
}

async function known(
  { database }: NoncePorts,
  { chainId, account }: SenderLease,
): Promise<KnownNonces> {
  const [row] = await database.run(readKnownNonces, { chainId, account });
  return {
    given: (row?.last_given ?? -1n) + 1n,
    asked: (row?.last_asked ?? -1n) + 1n,
    looked: row?.foreign_count ?? 0n,
    isStopped: row?.is_stopped ?? false,
  };
}

interface Find {
  /** as many nonces are used */
  readonly count: bigint;
  readonly reason: string;
  readonly counts: Readonly<Record<string, string>>;
  /** They were stopped before, for whatever reason. */
  readonly isStopped: boolean;
}

async function stop(
  { database, clock, alarm }: NoncePorts,
  lease: SenderLease,
  { count, reason, counts, isStopped }: Find,
): Promise<void> {
  const { chainId, account } = lease;
  const now = clock.now();
  const audit = auditValues({
    occurredAt: now,
    actor: "system",
    action: "withdrawals.stopped",
    subject: { type: "chain", id: chainId },
    details: { reason, account, ...counts, ...(isStopped ? { was_stopped: true } : {}) },
  });
  const values = { ...lease, ...audit, usedCount: count, reason, now };
  // Whoever has lost the account in between says nothing: the one who has it finds the same.
  const tell = () => alarm("account_used_by_others", { ...counts, chain_id: chainId, account });
  try {
    if ((await database.run(stopForForeignUse, values)).length === 0) return;
  } catch (error) {
    // It may count, and then nobody finds it again. What was found is true in any case.
    tell();
    throw error;
  }
  tell();
}

/** The one after the last that was given, or the chain's where others have used the account. */
export async function nextNonce(
  ports: NoncePorts,
  lease: SenderLease,
  minedCount: bigint,
): Promise<bigint> {
  const { given } = await known(ports, lease);
  return given > minedCount ? given : minedCount;
}
