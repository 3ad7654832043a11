// Money at a settlement account that nobody knows the purpose of. The ledger owes it to whoever has sent
// it, as payer:unmatched, and somebody has to look. It is taken out of there again when a payment turns
// out to be what it was sent for, or when the chain takes it back.

import assert from "node:assert";
import type { AccountKind } from "../database/words.ts";
import { doPage } from "../jobs/batch.ts";
import type { Job } from "../jobs/jobs.ts";
import { ledgerValues } from "../ledger/ledger.ts";
import type { Posting } from "../ledger/model.ts";
import type { Database } from "../ports/database.ts";
import type { RecordingPorts, StampPorts } from "../ports/recording.ts";
import * as store from "./unmatched.sql.ts";
import type { DepositPlace } from "./unmatched.sql.ts";

const bookedMax = 50;
const everyMilliseconds = 5_000;

export type UnmatchedAlarm = "settlement_unmatched";

export interface UnmatchedPorts extends RecordingPorts {
  readonly alarm: (what: UnmatchedAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

export type UnmatchedRow = NonNullable<(typeof store.listUnmatched)["row"]>;

export function unmatchedJob(ports: UnmatchedPorts): Job {
  const { database, clock } = ports;
  return {
    name: "book-unmatched",
    everyMilliseconds,
    run: async () => {
      const rows = await database.run(store.listUnmatched, { rowsMax: bookedMax });
      const page = { rows, rowsMax: bookedMax, now: clock.now() };
      return doPage({ ...page, since: (row) => row.block_time }, (row) => book(ports, row));
    },
  };
}

async function book(ports: UnmatchedPorts, row: UnmatchedRow): Promise<boolean> {
  const { database, clock, alarm } = ports;
  const amountRaw = BigInt(row.amount_raw);
  const booked = await database.run(store.bookUnmatched, {
    ...placeOf(row),
    now: clock.now(),
    ...ledgerValues(ports, {
      kind: "unmatched_credited",
      reference: unmatchedReference(row, row.bookings + 1),
      occurredAt: row.block_time,
      postings: [
        posting("chain:settlement", amountRaw, row),
        posting("payer:unmatched", -amountRaw, row),
      ],
    }),
  });
  if (booked.length === 0) return false;
  alarm("settlement_unmatched", {
    chain_id: row.chain_id,
    address: row.address,
    tx_hash: row.tx_hash,
    log_index: row.log_index,
    deployment_id: row.deployment_id,
    sender: row.sender,
    amount_raw: row.amount_raw,
  });
  return true;
}

/** In the transaction that gives it to a payment, before. */
export async function takeUnmatched(
  ports: StampPorts,
  inside: Database,
  place: DepositPlace,
): Promise<void> {
  for (const row of await inside.run(store.lockUnmatched, place)) {
    const amountRaw = BigInt(row.amount_raw);
    await takeBack(ports, inside, row, [
      posting("payer:unmatched", amountRaw, row),
      posting("chain:settlement", -amountRaw, row),
    ]);
  }
}

/** Out of the books again, with all that was written of it since; the row is locked. */
export async function takeBack(
  ports: StampPorts,
  inside: Database,
  ...[row, postings]: readonly [UnmatchedRow, readonly Posting[]]
): Promise<void> {
  const rows = await inside.run(store.takeBackUnmatched, {
    ...placeOf(row),
    ...ledgerValues(ports, {
      kind: "unmatched_reversed",
      reference: unmatchedReference(row, row.bookings),
      occurredAt: ports.clock.now(),
      postings,
    }),
  });
  assert(rows.length === 1, "the deposit is locked");
}

function posting(account: AccountKind, amountRaw: bigint, row: UnmatchedRow): Posting {
  return { account, owner: null, amountRaw, deploymentId: row.deployment_id };
}

/** In the ledger, of each booking of the deposit. */
export function unmatchedReference(row: UnmatchedRow, booking: number): string {
  return `${row.chain_id}/${row.tx_hash}/${row.log_index}#${booking}`;
}

export function placeOf({
  chain_id: chainId,
  tx_hash: txHash,
  log_index: logIndex,
}: UnmatchedRow): DepositPlace {
  return { chainId, txHash, logIndex };
}
