// A backlog that the planner has not heard of: whatever it believes, a claim stays far from its time-out, so that
// sending goes on.

import { expect, test } from "vitest";
import { encodeColumns } from "../../adapters/database/columns.ts";
import type { Database, Statement } from "../../service/ports/database.ts";
import { listDepositedAddresses, listSweepingAddresses } from "../../service/ledger/reserve.sql.ts";
import { claimDueDeliveries } from "../../service/webhooks/dispatcher.sql.ts";
import { recordAttempt } from "../../service/webhooks/outcomes.sql.ts";
import { useQuietServer } from "../database/quiet-server.ts";
import { back, plain } from "../database/looking.ts";
import { addMerchant, query } from "../support/service-parts.ts";
import { PageCounts } from "./buffers.ts";

const openQuiet = useQuietServer();
const now = new Date("2026-05-05T05:05:05.000Z");
const endpoints = 32;
const room = 32;

interface Deliveries {
  readonly first: number;
  readonly count: number;
  readonly isDue: boolean;
}

/** Of all endpoints, each of another payment: due, or delivered long ago. */
async function write(database: Database, { first, count, isDue }: Deliveries): Promise<void> {
  const last = first + count - 1;
  await query(database)`with numbers as (
      select number, 'mer_' || number % 2 as merchant, 'evt_' || number as event, 'pay_' || number as payment
      from generate_series(${first}::integer, ${last}::integer) as number
    ), events as (
      insert into events select event, merchant, 'live', 'payment.paid',
        ${now}::timestamptz - interval '1 hour', 'payment', payment, 1, '{}' from numbers
    )
    insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
      resource_type, resource_id, sequence, generation, status, next_attempt_at, created_at, finished_at)
    select 'dlv_' || number, merchant, 'live', 'whe_' || number % ${endpoints}::integer, event,
      'payment.paid', 'payment', payment, 1, 1,
      case when ${isDue}::boolean then 'pending' else 'delivered' end,
      case when ${isDue}::boolean then ${now}::timestamptz - number * interval '1 millisecond' end,
      ${now}::timestamptz - interval '1 hour',
      case when not ${isDue}::boolean then ${now}::timestamptz - interval '1 minute' end
    from numbers`;
}

async function costOf(
  database: Database,
  { name, text, list }: Statement<never, unknown>,
  values: object,
) {
  const counts = new PageCounts();
  await database.transaction(async (inside) => {
    await plain(inside, "savepoint before_looking");
    await counts.look(inside, { name, text, given: [...list(values as never)], names: [] });
    await back(inside);
  });
  const cost = counts.most(name);
  if (cost === undefined) throw new Error(`${name} was looked at`);
  return cost;
}

async function pagesOfClaim(database: Database): Promise<number> {
  const values = {
    now,
    token: "a worker's",
    expiresAt: new Date(now.getTime() + 60_000),
    room,
    perEndpointMax: 4,
    perMerchantMax: 64,
    endpointIds: Array.from({ length: endpoints }, (_, number) => `whe_${number}`),
  };
  const cost = await costOf(database, claimDueDeliveries, values);
  expect(cost.rows).toBe(room);
  return cost.total;
}

/** As many as were claimed, which somebody else has claimed anew meanwhile. */
async function pagesOfEnds(database: Database): Promise<number> {
  const many = recordAttempt.batch;
  if (many === undefined) throw new Error("attempts are written together");
  const sets = Array.from({ length: room }, (_, set) => ({
    deliveryId: `dlv_${100_001 + set}`,
    token: "a worker's",
    now,
    status: "delivered",
    isSuccess: true,
  }));
  return (await costOf(database, many, encodeColumns(many.columns, sets))).total;
}

/** Two merchants, and endpoints for both. */
async function addEndpoints(database: Database): Promise<void> {
  for (const id of ["mer_0", "mer_1"]) await addMerchant(database, id);
  await query(database)`insert into webhook_endpoints (id, merchant_id, environment, slot, url,
      event_types, secret_sealed, created_at, updated_at, idempotency_key, active, generation)
    select 'whe_' || number, 'mer_' || number % 2, 'live', number / 2 + 1,
      'https://shop.example/' || number, array['*'], 'x', ${now}::timestamptz, ${now}::timestamptz,
      'key ' || number, true, 1
    from generate_series(0, ${endpoints - 1}::integer) as number`;
}

test.each([
  ["no statistics at all", false],
  ["statistics that say that it is empty", true],
])("a new database with %s looks references up by their index", async (_, isAnalyzed) => {
  const database = await openQuiet();
  await addEndpoints(database);
  if (isAnalyzed) await query(database)`analyze`;
  // The plans of the checks are made with the first, and stay.
  for (let first = 1; first < 1_000; first += 100) {
    await write(database, { first, count: 100, isDue: true });
  }
  await query(database)`select pg_stat_force_next_flush()`;
  const scans = await query(
    database,
  )`select seq_tup_read as rows from pg_stat_user_tables where relname = 'events'`;
  // 500,500 where random pages are thought to be as dear as the server's own setting says.
  expect(scans).toEqual([{ rows: 0n }]);
});

test("20,000 due deliveries that no statistics know of are claimed, and what became of them is written", async () => {
  const database = await openQuiet();
  await addEndpoints(database);
  // As on a day without any trouble.
  for (let first = 1; first < 100_000; first += 20_000) {
    await write(database, { first, count: 20_000, isDue: false });
  }
  await query(database)`analyze`;
  await write(database, { first: 100_001, count: 20_000, isDue: true });
  const unknown = await pagesOfClaim(database);
  const unknownEnds = await pagesOfEnds(database);
  await query(database)`analyze`;
  const known = await pagesOfClaim(database);
  const knownEnds = await pagesOfEnds(database);
  // 1,294,468 where the pending ones are read for each candidate, which takes longer than the time-out.
  expect(Math.max(unknown, known)).toBeLessThan(10_000);
  expect(Math.max(unknownEnds, knownEnds)).toBeLessThan(1_000);
  process.stderr.write(`a claim looks at ${unknown} pages, and at ${known} with statistics\n`);
});

test("20,000 unswept addresses are no reason to look at more of them than are wanted", async () => {
  const database = await openQuiet();
  await addMerchant(database, "mer_0");
  // What these rows refer to says nothing here.
  await query(database)`alter table deposits drop constraint deposits_deployment_id_fkey`;
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    values ('pay_1', 'mer_0', 'live', '1', 'paid', '[{}]', '{eip155:1}', 'to_primary', 0, 'token',
      ${now}::timestamptz, ${now}::timestamptz + interval '1 hour', ${now}::timestamptz)`;
  await query(
    database,
  )`insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id,
      address, amount_raw, block_number, block_hash, block_time, status)
    select 'eip155:1', '0x1', number, 'dep_1', 'pay_1', '0x' || md5(number::text), 1, 1, '0xb',
      ${now}::timestamptz, 'seen'
    from generate_series(1, 20000) as number`;
  const values = { deploymentId: "dep_1", rowsMax: 101 };
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await query(database)`analyze`;
    const cost = await costOf(database, listDepositedAddresses, values);
    expect(cost.rows).toBe(101);
    expect(cost.total).toBeLessThan(250);
    expect((await costOf(database, listSweepingAddresses, values)).total).toBeLessThan(100);
  }
});
