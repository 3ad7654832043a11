// One account is sent from by one process at a time: whoever has its lease. The lease guards by being
// named in every statement that stores something signed, not by its time: a process that slept
// through the end of its lease writes nothing, and what it signed is never seen. Whoever is only slow
// keeps it, or two slow ones would take it from each other for ever.

import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { Random } from "../ports/random.ts";
import { extendSenderLease, releaseSenderLease, takeSenderLease } from "./accounts.sql.ts";

/** After that another process takes over from one that is gone. */
export const leaseMilliseconds = 60_000;
/** Whoever works on has it for the whole time again, so often. */
const keepMilliseconds = leaseMilliseconds / 4;

export interface SenderLease {
  readonly chainId: string;
  readonly account: string;
  readonly leaseToken: string;
}

export interface LeasePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
}

class LeaseLost extends Error {}

/**
 * Undefined: another process has the account, or has taken it. The work calls `keep` before each of
 * its steps; that one ends it if the lease is lost.
 */
export async function withSenderLease<Result>(
  ports: LeasePorts,
  account: Omit<SenderLease, "leaseToken">,
  work: (lease: SenderLease, keep: () => Promise<void>) => Promise<Result>,
): Promise<Result | undefined> {
  const { database, clock, random } = ports;
  // A new one for each turn, so that not even an earlier turn of this process can write with it.
  const leaseToken = Buffer.from(random.bytes(16)).toString("hex");
  const lease = { ...account, leaseToken };
  const now = clock.nowMilliseconds();
  const expiresAt = new Date(now + leaseMilliseconds);
  const taken = await database.run(takeSenderLease, { ...lease, now: new Date(now), expiresAt });
  if (taken.length === 0) return undefined;
  let keptAt = now;
  const keep = async (): Promise<void> => {
    const later = clock.nowMilliseconds();
    if (later - keptAt < keepMilliseconds) return;
    const values = { ...lease, expiresAt: new Date(later + leaseMilliseconds) };
    if ((await database.run(extendSenderLease, values)).length === 0) throw new LeaseLost();
    keptAt = later;
  };
  try {
    return await work(lease, keep);
  } catch (error) {
    if (error instanceof LeaseLost) return undefined;
    throw error;
  } finally {
    // If this fails too, the lease ends by itself.
    await database.run(releaseSenderLease, lease).catch(() => undefined);
  }
}
