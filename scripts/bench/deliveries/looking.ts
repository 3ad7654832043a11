// What the database says of deliveries.

import { setTimeout as wait } from "node:timers/promises";
import { query } from "../measuring.ts";

export interface Deliveries {
  readonly delivered: number;
  readonly pending: number;
}

const isOfCrowd = `merchant_id in (
  select merchant_id from webhook_endpoints group by merchant_id having count(*) > 1)`;

/** Of those merchants that have many endpoints; since then. */
export async function countCrowd(url: string, since: Date): Promise<Deliveries> {
  const [row] = await query(
    url,
    `select count(*) filter (where status = 'delivered')::int as delivered,
        count(*) filter (where status = 'pending')::int as pending
      from webhook_deliveries where ${isOfCrowd} and created_at >= '${since.toISOString()}'`,
  );
  return row as unknown as Deliveries;
}

/** Milliseconds from being recorded until a receiver has answered, in order. */
export async function latencies(url: string, since: Date): Promise<readonly number[]> {
  const rows = await query(
    url,
    `select (extract(epoch from finished_at - created_at) * 1000)::float8 as took
      from webhook_deliveries
      where ${isOfCrowd} and status = 'delivered' and created_at >= '${since.toISOString()}'
      order by took`,
  );
  return rows.map(({ took }) => Number(took));
}

/** How many of the crowd's were delivered until then. */
export async function deliveredUntil(url: string, since: Date, until: Date): Promise<number> {
  const [row] = await query(
    url,
    `select count(*)::int as count from webhook_deliveries
      where ${isOfCrowd} and created_at >= '${since.toISOString()}'
        and status = 'delivered' and finished_at <= '${until.toISOString()}'`,
  );
  return Number(row?.["count"]);
}

const lookMilliseconds = 250;
const patienceMilliseconds = 600_000;

/** Waits until no more than so many are left. @returns when that was */
export async function waitUntilLeft(url: string, since: Date, left: number): Promise<Date> {
  const giveUpAt = Date.now() + patienceMilliseconds;
  for (;;) {
    // Counted no further than that: it is the database's time that is measured meanwhile.
    const [row] = await query(
      url,
      `select count(*)::int as count from (
        select 1 from webhook_deliveries
        where ${isOfCrowd} and status = 'pending' and created_at >= '${since.toISOString()}'
        limit ${left + 1}) as waiting`,
    );
    if (Number(row?.["count"]) <= left) return new Date();
    if (Date.now() > giveUpAt) throw new Error("there are deliveries that are still pending");
    await wait(lookMilliseconds);
  }
}
