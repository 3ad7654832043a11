// Ends payments whose time is over. What counts is the time of the chains: a payment is not expired
// before every chain that it can be paid on was read past its end, so that a customer who paid in
// time never loses because we were late (threat 29).

import type { ChainHealth } from "../chains/health.ts";
import { runOfPage } from "../jobs/batch.ts";
import type { Job } from "../jobs/jobs.ts";
import type { PaymentProgress } from "./progress.ts";
import type { PaymentTroubles } from "./troubles.ts";
import { isUnavailable } from "../errors.ts";
import { findDuePayments } from "./progress.sql.ts";
import type { StoragePorts } from "../ports/recording.ts";

/** A batch is one transaction: its locks are gone soon, and little is lost if it has to be repeated. */
const paymentsMax = 50;
const everyMilliseconds = 5_000;

export interface PaymentExpiryPorts extends StoragePorts {
  readonly progress: Pick<PaymentProgress, "expire">;
  /** left out: one that fails stops all */
  readonly troubles?: Pick<PaymentTroubles, "note">;
  readonly health: Pick<ChainHealth, "list">;
  /** CAIP-2; the chains that are watched. Payments on others have nothing but the clock. */
  readonly connectedChainIds: readonly string[];
  /** payments in one batch, in place of the number above */
  readonly rowsMax?: number;
}

/**
 * Any number of processes may run it. A reorganisation between the search and the transaction makes
 * no difference to one a moment later: what it brings back is paid, but late.
 */
export function expirePayments(ports: PaymentExpiryPorts): Job {
  const { database, clock, health, connectedChainIds } = ports;
  const rowsMax = ports.rowsMax ?? paymentsMax;
  return {
    name: "expire-payments",
    everyMilliseconds,
    run: async () => {
      const reports = await health.list();
      const fresh = new Set(reports.flatMap((one) => (one.isStale ? [] : [one.chainId])));
      const now = clock.now();
      const rows = await database.run(findDuePayments, {
        now,
        connectedChainIds,
        freshChainIds: connectedChainIds.filter((id) => fresh.has(id)),
        staleChainIds: connectedChainIds.filter((id) => !fresh.has(id)),
        rowsMax,
      });
      const ids = rows.map(({ id }) => id);
      const done = ids.length === 0 ? 0 : await expireAll(ports, ids);
      return runOfPage({ rows, rowsMax, now, since: (row) => row.expires_at }, done);
    },
  };
}

async function expireAll(
  { database, progress, troubles }: PaymentExpiryPorts,
  ids: readonly string[],
): Promise<number> {
  try {
    return await database.transaction((inside) => progress.expire(inside, ids));
  } catch (error) {
    if (troubles === undefined || isUnavailable(error)) throw error;
  }
  // One of them has failed, and has taken the others along.
  let done = 0;
  for (const id of ids) {
    try {
      done += await database.transaction((inside) => progress.expire(inside, [id]));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await troubles.note(id, error);
    }
  }
  return done;
}
