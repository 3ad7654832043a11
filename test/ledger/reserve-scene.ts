// The check of the reserve, where a test says what the chains hold.

import { sql } from "kysely";
import type { Database } from "../../service/ports/database.ts";
import { reserveCheckJob } from "../../service/ledger/reserve.ts";
import type { HeldDeployment, ReservePorts } from "../../service/ledger/reserve.ts";
import { openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { buildLedger, usdc } from "./fixture.ts";

export async function openReserve(engine: Engine) {
  const ledger = await buildLedger(await openDatabase(engine));
  const { database, clock } = ledger;
  const said: string[] = [];
  const held = new Map<string, bigint | Error>();
  const askedOnly = new Map<string, readonly string[]>();
  const inFlight = new Map<string, bigint>();
  let reads = 0;
  const ports: ReservePorts = {
    database,
    clock,
    holdings: ({ id }: HeldDeployment) => {
      reads += 1;
      const holding = held.get(id);
      if (holding instanceof Error) return Promise.reject(holding);
      if (holding === undefined) return Promise.resolve(undefined);
      const asked = askedOnly.get(id);
      return Promise.resolve({ raw: holding, ...(asked === undefined ? {} : { asked }) });
    },
    inFlightRaw: (id) => Promise.resolve(inFlight.get(id) ?? 0n),
    onGap: ({ deploymentId, heldRaw, inFlightRaw, owedRaw }, isNew) =>
      said.push(`${deploymentId} ${heldRaw} + ${inFlightRaw} < ${owedRaw}${isNew ? " new" : ""}`),
    onUnknown: ({ id }) => said.push(`${id} unknown`),
  };
  const check = async (change: Partial<ReservePorts> = {}) => {
    said.length = 0;
    const run = await reserveCheckJob({ ...ports, ...change }).run();
    return { ...run, said: [...said] };
  };
  return { ...ledger, held, askedOnly, inFlight, check, ports, said, reads: () => reads };
}

/** Its deposits may be anything. */
export async function addPayment(database: Database): Promise<void> {
  await query(
    database,
    sql.raw<object>(`
      insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
        chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
      values ('pay_1', 'mer_alice', 'live', '1', 'paid', '[{}]', '{eip155:1}', 'to_primary', 0,
        'token', now(), now() + interval '1 h', now())`),
  );
}

/** Final deposits of one payment, each with its address, its amount and how often it is booked. */
export async function addDeposits(
  database: Database,
  deposits: readonly (readonly [string, number, number])[],
): Promise<void> {
  const rows = deposits.map(
    ([address, raw, bookings], at) => `(${at}, '${address}', ${raw}, ${bookings})`,
  );
  await addPayment(database);
  await query(
    database,
    sql.raw<object>(`
      insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
        amount_raw, block_number, block_hash, block_time, status, bookings, regular_raw, surplus_raw,
        unmatched_raw, booked_at)
      select 'eip155:1', '0x1', number, '${usdc}', 'pay_1', address, raw, 1, '0xb', now(), 'final',
        bookings, case when bookings > 0 then raw end, case when bookings > 0 then 0 end,
        case when bookings > 0 then 0 end,
        case when bookings > 0 then now() end
      from (values ${rows.join(", ")}) as one (number, address, raw, bookings)`),
  );
}

/** One deployment was looked at, and nothing was said. */
export const quiet = { done: 1, isMore: false, said: [] };
