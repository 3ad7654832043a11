// What an operator sees of the whole, compared with what plain queries say of the same tables.

import { expect } from "vitest";
import { Jobs } from "../../service/jobs/jobs.ts";
import { Monitoring } from "../../service/monitoring/monitoring.ts";
import type { MonitoringPorts } from "../../service/monitoring/monitoring.ts";
import type { Database } from "../../service/ports/database.ts";
import { watchedChainIds } from "../support/watched-chains.ts";
import { chainId } from "../withdrawals/scene.ts";

const shopAccount = "0x2222222222222222222222222222222222222222";

type Row = Readonly<Record<string, unknown>>;

/** The empty name: not kept as a prepared statement. */
export function asking(database: Database) {
  return (text: string): Promise<readonly Row[]> =>
    database.run<unknown, Row>({ name: "", text, list: () => [] }, undefined);
}

const openPayments = `
  select environment, status, case when jsonb_array_length(quotes) = 1
      then jsonb_path_query_first(quotes, '$[0].currencyId') #>> '{}' end as currency, count(*)::integer as count
  from payments
  where status not in ('paid', 'overpaid', 'paid_late', 'underpaid', 'expired', 'cancelled', 'reversed')
  group by environment, status, currency`;
const endpointsOff = `
  select inactive_reason as reason, count(*)::integer as count from webhook_endpoints
  where inactive_reason is not null group by reason`;
const openWithdrawals = `
  select environment, status, held, count(*)::integer as count, min(created_at) as oldest from (
    select *, case when approved_at is null and status = 'pending' then held_because end as held
    from withdrawals) w
  where status not in ('confirmed', 'failed', 'cancelled', 'rejected')
  group by environment, status, held`;
const openOutgoing = `
  select chain_id, purpose, status, count(*)::integer as count, min(created_at) as oldest
  from outgoing_transactions where status not in ('succeeded', 'reverted', 'replaced', 'withdrawn')
  group by chain_id, purpose, status`;
const pendingDeliveries = `
  select count(*)::integer as count,
    min(next_attempt_at) filter (where e.active and e.generation = d.generation) as due
  from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
  where d.status = 'pending'`;
const attention = `
  select (select count(*)::integer from deposits where unmatched_raw > 0 and bookings > reversals
      and suspense_exit_id is null) as items,
    (select min(block_time) from deposits where unmatched_raw > 0 and bookings > reversals
      and suspense_exit_id is null) as since,
    (select count(*)::integer from payment_troubles) as troubles,
    (select count(*)::integer from account_differences where told_raw is not null) as accounts,
    (select coalesce(array_agg(chain_id order by chain_id), '{}') from withdrawal_stops) as stopped,
    (select coalesce(array_agg(deployment_id order by deployment_id), '{}')
      from deployment_freezes) as frozen`;

const texts = (rows: readonly object[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted();

/** Throws where they differ; notes what was met. */
export async function compare(database: Database, nowMilliseconds: number, met: Set<string>) {
  const cursors = await asking(database)("select chain_id, block_number from chain_cursors");
  const watched = new Set(cursors.map((one) => String(one["chain_id"])));
  const watching = { watchedChainIds: watched };
  const state = await monitoringOf(database, nowMilliseconds, watching).read();
  const ask = asking(database);
  const since = (time: unknown): number =>
    time instanceof Date ? Math.max(0, nowMilliseconds - time.getTime()) : 0;
  const payments = (await ask(openPayments)).map(({ environment, status, currency, count }) => {
    return { environment, status, count, currencyId: currency };
  });
  expect(texts(state.payments)).toEqual(texts(payments));
  expect(texts(state.endpointsOff)).toEqual(texts(await ask(endpointsOff)));
  const withdrawals = (await ask(openWithdrawals)).map(({ held, oldest, ...row }) => {
    const { environment, status, count } = row;
    const oldestMilliseconds = since(oldest);
    return { environment, status, heldBecause: held, count, oldestMilliseconds };
  });
  expect(texts(state.withdrawals)).toEqual(texts(withdrawals));
  const outgoing = (await ask(openOutgoing)).map(({ chain_id: chainId, oldest, ...row }) => {
    const { purpose, status, count } = row;
    return { chainId, purpose, status, count, oldestMilliseconds: since(oldest) };
  });
  expect(texts(state.outgoing)).toEqual(texts(outgoing));
  const [pending] = await ask(pendingDeliveries);
  expect(state.deliveries).toEqual({
    pending: pending?.["count"],
    overdueMilliseconds: since(pending?.["due"]),
  });
  const [row] = await ask(attention);
  expect(state.attention).toEqual({
    suspense: { count: row?.["items"], oldestMilliseconds: since(row?.["since"]) },
    paymentTroubles: row?.["troubles"],
    accountDifferences: row?.["accounts"],
    isLedgerDifferent: false,
    stoppedChainIds: row?.["stopped"],
    frozenDeploymentIds: row?.["frozen"],
  });
  const chains = state.chains.map(({ chainId: chain_id, blockNumber: block_number }) => {
    return { chain_id, block_number: block_number.toString() };
  });
  expect(texts(chains)).toEqual(
    texts(cursors.map((one) => ({ ...one, block_number: String(one["block_number"]) }))),
  );
  for (const { status, heldBecause } of state.withdrawals) met.add(`${status} ${heldBecause}`);
  for (const { status } of state.payments) met.add(`payment ${status}`);
  for (const { purpose } of state.outgoing) met.add(`outgoing ${purpose}`);
  if (state.deliveries.pending > 0) met.add("deliveries");
  if (state.deliveries.overdueMilliseconds > 0) met.add("overdue");
  if (state.attention.suspense.count > 0) met.add("suspense");
  if (state.attention.stoppedChainIds.length > 0) met.add("stopped");
}

export function monitoringOf(
  database: Database,
  nowMilliseconds: number,
  change: Partial<MonitoringPorts> = {},
): Monitoring {
  const clock = { now: () => new Date(nowMilliseconds), nowMilliseconds: () => nowMilliseconds };
  const jobs = new Jobs({ database, clock }, []);
  const settling = [{ chainId, account: shopAccount }];
  return new Monitoring({ database, clock, jobs, settling, watchedChainIds, ...change });
}
