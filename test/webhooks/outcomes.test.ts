// How attempts ended is written for many at once, and says what it would have said one after the other.

import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import type { Database } from "../../service/ports/database.ts";
import { recordAttempt } from "../../service/webhooks/outcomes.sql.ts";
import { type Engine, engines, openDatabase } from "../support/engines.ts";
import { addMerchant, query } from "../support/service-parts.ts";

const start = Date.parse("2026-05-05T05:05:05.000Z");
const at = (seconds: number): Date => new Date(start + seconds * 1_000);
const endpointCount = 3;

const attempt = fc.record({
  endpoint: fc.nat(endpointCount - 1),
  isSuccess: fc.boolean(),
  /** somebody else has it by now, or its endpoint has given it up */
  isMine: fc.constantFrom(true, true, true, true, false),
  isGivenUp: fc.constantFrom(false, false, false, false, true),
});
const world = fc.record({
  attempts: fc.array(attempt, { minLength: 2, maxLength: 12 }),
  failing: fc.array(fc.boolean(), { minLength: endpointCount, maxLength: endpointCount }),
});
type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

async function open(engine: Engine): Promise<Database> {
  const database = await openDatabase(engine);
  await addMerchant(database, "mer_0");
  await query(database)`insert into webhook_endpoints (id, merchant_id, environment, slot, url,
      event_types, active, generation, secret_sealed, created_at, updated_at, idempotency_key)
    select 'whe_' || number, 'mer_0', 'live', number + 1, 'https://x.example/' || number,
      array['*'], true, 2, 'x', ${at(-99)}::timestamptz, ${at(-99)}::timestamptz, number::text
    from generate_series(0, ${endpointCount - 1}::integer) as number`;
  return database;
}

async function write(database: Database, { attempts, failing }: World): Promise<void> {
  await query(database)`with gone as (delete from webhook_deliveries) delete from events`;
  const endpoints = JSON.stringify(failing.map((isFailing, number) => ({ number, isFailing })));
  await query(database)`update webhook_endpoints e
    set failing_since = case when "isFailing" then ${at(-50)}::timestamptz end
    from jsonb_to_recordset(${endpoints}::jsonb) as one (number integer, "isFailing" boolean)
    where e.id = 'whe_' || number`;
  const deliveries = JSON.stringify(attempts.map((one, number) => ({ ...one, number })));
  await query(database)`with given as (
      select * from jsonb_to_recordset(${deliveries}::jsonb) as given (
        number integer, endpoint integer, "isMine" boolean, "isGivenUp" boolean)
    ), events as (
      insert into events select 'evt_' || number, 'mer_0', 'live', 'payment.paid',
        ${at(-99)}::timestamptz, 'payment', 'pay_' || number, 1, '{}' from given
    )
    insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
      resource_type, resource_id, sequence, generation, status, next_attempt_at, claim_token,
      claim_expires_at, claim_slot, created_at)
    select 'dlv_' || number, 'mer_0', 'live', 'whe_' || endpoint, 'evt_' || number, 'payment.paid',
      'payment', 'pay_' || number, 1, case when "isGivenUp" then 1 else 2 end, 'pending',
      ${at(-9)}::timestamptz, case when "isMine" then 'mine' else 'another' end,
      ${at(9)}::timestamptz, number + 1, ${at(-99)}::timestamptz
    from given`;
}

function valuesOf({ attempts }: World) {
  return attempts.map(({ isSuccess }, number) => ({
    deliveryId: `dlv_${number}`,
    token: "mine",
    now: at(number),
    status: isSuccess ? ("delivered" as const) : ("pending" as const),
    nextAttemptAt: isSuccess ? null : at(60 + number),
    lastStatus: isSuccess ? 204 : null,
    lastError: isSuccess ? null : `it's "gone" ${number}`,
    isSuccess,
  }));
}

async function readAll(database: Database): Promise<readonly unknown[]> {
  const deliveries = sql<object>`select d.* from webhook_deliveries d order by id`;
  const endpoints = sql<object>`select id, failing_since from webhook_endpoints order by id`;
  return [await query(database, deliveries), await query(database, endpoints)];
}

describe.each(engines)("on %s", (engine) => {
  test("attempts that end together are written like one after the other", async () => {
    const database = await open(engine);
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const values = valuesOf(given);
        await write(database, given);
        const alone: unknown[] = [];
        for (const one of values) alone.push(await database.run(recordAttempt, one));
        const expected = await readAll(database);
        await write(database, given);
        const texts: string[] = [];
        const counted: Database = {
          ...database,
          run: (statement, one) => {
            texts.push(statement.name);
            return database.run(statement, one);
          },
        };
        const batching = withBatching(counted);
        const together = values.map((one) => batching.run(recordAttempt, one));
        expect(await Promise.all(together)).toStrictEqual(alone);
        expect(texts).toStrictEqual(["record_attempts"]);
        expect(await readAll(database)).toStrictEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
