// What is counted of events is what was written of them, whatever was undone, done again or cut off: played, with
// everything that goes wrong going wrong, and compared with the table.

import { sql } from "kysely";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { listener, tellingCommitted } from "../../adapters/metrics/committed.ts";
import { DepositMetrics } from "../../adapters/metrics/deposits.ts";
import { eventOf } from "../../adapters/metrics/events.ts";
import { openDatabase } from "../support/engines.ts";
import { simulate } from "../simulation/simulation.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { safely } from "./failing-log.ts";
import { samplesOf } from "./exposition.ts";

const countTypes = statement<object>("count_types_of_a_test")(() =>
  queries
    .selectFrom("events")
    .select((row) => ["type", row.fn.countAll<bigint>().as("count")])
    .groupBy("type"),
);

const sumBookings = statement<object>("sum_bookings_of_a_test")(
  () => sql<{ deployment_id: string; bookings: number; reversals: number }>`
    select deployment_id, count(*)::integer as bookings,
      (select count(*)::integer from ledger_transactions t
        where kind = 'deposit_reversed' and exists (
          select from ledger_postings p
          where p.transaction_id = t.id and p.deployment_id = d.deployment_id)
          -- what a person gives to its payment is taken out and booked again
          and not exists (select from deposits given where given.accepted_at = t.occurred_at
            and starts_with(reference, concat(chain_id, '/', tx_hash, '/', log_index, '#')))
      ) as reversals
    from deposits d where bookings > 0 group by deployment_id order by deployment_id`,
);

test("of a life, every event is counted once, and every deposit that is booked or taken back", async () => {
  const database = await openDatabase("PostgreSQL");
  const counts = new Map<string, number>();
  const count = (type: string): void => void counts.set(type, (counts.get(type) ?? 0) + 1);
  const registry = new Registry();
  const listeners = [listener(eventOf, count), new DepositMetrics(registry, safely).listener];
  await simulate(
    { ...database, ...tellingCommitted(database, listeners) },
    { seed: 1, steps: 600 },
  );
  const rows = await database.run(countTypes, {});
  const written = rows.map((row) => [row.type, Number(row.count)] as const);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(written));
  // What never happens proves nothing.
  expect(counts.size).toBeGreaterThan(20);
  const samples = samplesOf(await registry.metrics());
  const booked = await database.run(sumBookings, {});
  const counted = booked.map(({ deployment_id }) => {
    const of = `{deployment_id="${deployment_id}"}`;
    const bookings = samples.get(`pay_deposits_booked_total${of}`);
    const reversals = samples.get(`pay_deposits_reversed_total${of}`) ?? 0;
    return { deployment_id, bookings, reversals };
  });
  const timed = Array.from(samples).filter(([name]) => {
    return name.startsWith("pay_deposit_final_seconds_count{");
  });
  const total = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0);
  expect(total(timed.map(([, one]) => one))).toBe(total(booked.map((row) => row.bookings)));
  expect(counted).toEqual(booked);
  expect(booked.some(({ reversals }) => reversals > 0)).toBe(true);
});
