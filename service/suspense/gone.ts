// What the chain takes back after it was decided about. The books add up all the same: what was credited
// is the merchant's debt where it has spent it, and what was sent back or written off is the platform's
// loss. Nothing here may stop the chain for everybody; people hear of it.

import { lockGoneUnmatched } from "../chains/unmatched.sql.ts";
import { takeBack, unmatchedReference } from "../chains/unmatched.ts";
import { doPage } from "../jobs/batch.ts";
import type { Job } from "../jobs/jobs.ts";
import { readDepositCredit } from "../payments/booking.sql.ts";
import { balancesOf, opposites, withoutEmpty } from "../payments/share-postings.ts";
import type { Database } from "../ports/database.ts";
import type { StampPorts, StoragePorts } from "../ports/recording.ts";
import { listGoneExits, markGoneTold } from "./refunds.sql.ts";

const toldMax = 50;
const everyMilliseconds = 30_000;

export type SuspenseAlarm = "suspense_money_gone";

export interface GonePorts extends StoragePorts {
  readonly alarm: (what: SuspenseAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

/** In the transaction in which the chain takes back deposits that are nobody's. */
export async function takeBackGone(
  ports: StampPorts,
  inside: Database,
  chainId: string,
): Promise<void> {
  for (const row of await inside.run(lockGoneUnmatched, { chainId })) {
    const { tx_hash: txHash, log_index: logIndex, deployment_id: deploymentId, bookings } = row;
    const reference = unmatchedReference(row, bookings);
    const place = { chainId, txHash, logIndex };
    const posted = await inside.run(readDepositCredit, { ...place, booking: bookings, reference });
    // Whoever it was credited to; it was one merchant at most.
    const merchantIds = posted.flatMap(({ merchant_id: id }) => (id === null ? [] : [id]));
    const environment = posted.find((one) => one.environment !== null)?.environment ?? "live";
    const balances = await balancesOf(inside, merchantIds, { environment, deploymentId });
    const owner = { merchantId: merchantIds[0] ?? "", environment };
    const postings = withoutEmpty(opposites(posted, { owner, deploymentId }, balances));
    await takeBack(ports, inside, row, postings);
  }
}

/** Tells people: before it is written down that they were told. */
export function goneJob({ database, clock, alarm }: GonePorts): Job {
  const run = async () => {
    const rows = await database.run(listGoneExits, { rowsMax: toldMax });
    const page = { rows, rowsMax: toldMax, now: clock.now() };
    return doPage({ ...page, since: (row) => row.updated_at }, async (row) => {
      const { chain_id, tx_hash, settlement_id, deployment_id, amount_raw, way } = row;
      const of = settlement_id === null ? { tx_hash } : { settlement_id };
      const facts = { chain_id, ...of, deployment_id, amount_raw, way };
      alarm("suspense_money_gone", { suspense_exit_id: row.id, ...facts });
      return (await database.run(markGoneTold, { id: row.id, now: clock.now() })).length > 0;
    });
  };
  return { name: "tell-gone-suspense", everyMilliseconds, run };
}
