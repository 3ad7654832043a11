// The nonces of the account that money is sent from, against those that the chain has seen.

import { auditValues } from "../audit/audit.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { SenderLease } from "./lease.ts";
import { readLastNonce, stopForForeignUse } from "./accounts.sql.ts";

export interface NoncePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly alarm: (
    what: "account_used_by_others",
    facts: Readonly<Record<string, unknown>>,
  ) => void;
}

/**
 * Stops withdrawals on the chain if more nonces are used there than were ever given here, once for
 * each such find. Either somebody else has the key, or this database does not remember what it sent,
 * because it was restored from a backup; then what stands here as pending may be sent already, and
 * would be sent again. What an account had done before it was first used here is no such find.
 */
export async function stopIfUsedByOthers(
  { database, clock, alarm }: NoncePorts,
  lease: SenderLease,
  minedCount: bigint,
): Promise<void> {
  const { chainId, account } = lease;
  const [row] = await database.run(readLastNonce, { chainId, account });
  const last = row?.last ?? null;
  const looked = row?.foreign_count ?? 0n;
  if (last === null || minedCount <= last + 1n || minedCount <= looked) return;
  const next = last + 1n;
  const now = clock.now();
  const nonces = { next_nonce: next.toString(), mined_count: minedCount.toString() };
  const reason = `the account used ${minedCount} nonces, and only those below ${next} were given here`;
  const audit = auditValues({
    occurredAt: now,
    actor: "system",
    action: "withdrawals.stopped",
    subject: { type: "chain", id: chainId },
    details: { reason, account, ...nonces },
  });
  await database.run(stopForForeignUse, { ...lease, ...audit, minedCount, reason, now });
  alarm("account_used_by_others", { ...nonces, chain_id: chainId, account });
}

/** The one after the last that was given, or the chain's where others have used the account. */
export async function nextNonce(
  { database }: NoncePorts,
  { chainId, account }: SenderLease,
  minedCount: bigint,
): Promise<bigint> {
  const [row] = await database.run(readLastNonce, { chainId, account });
  const next = (row?.last ?? -1n) + 1n;
  return next > minedCount ? next : minedCount;
}
