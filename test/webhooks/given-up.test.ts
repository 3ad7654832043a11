// What endpoints have given up, of any small table: what merchants are shown of it at once is what the sweep
// writes down later, and that is what the rules say, reckoned here a second time.

import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { claimDueDeliveries } from "../../service/webhooks/dispatcher.sql.ts";
import { deleteEvents, finishDeliveries } from "../../service/webhooks/retention.ts";
import { WebhookDeliveries } from "../../service/webhooks/deliveries.ts";
import type { Database } from "../../service/ports/database.ts";
import { type Engine, engines, openDatabase } from "../support/engines.ts";
import { addMerchant, query, TestClock } from "../support/service-parts.ts";
import { putRow } from "../support/table-steps.ts";

const hourMilliseconds = 3_600_000;
/** An endpoint that is switched on later gets nothing of before. */
const resumableMilliseconds = 72 * hourMilliseconds;
/** So long merchants see what was delivered. */
const keptMilliseconds = 30 * 24 * hourMilliseconds;
const start = Date.parse("2026-05-05T05:05:05.000Z");
const at = (milliseconds: number): Date => new Date(start + milliseconds);

interface Endpoint {
  readonly generation: number;
  readonly cancelled_generation: number;
  /** after the moment from which on it resumes nothing; null: it is on */
  readonly offSince: number | null;
}

interface Delivery {
  readonly endpoint: number;
  readonly generation: number;
  readonly status: string;
  readonly isClaimed: boolean;
}

const endpoint = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.nat(2), fc.constantFrom(null, null, -1, 0, 1))
  .map(([generation, cancelled, offSince]): Endpoint => {
    return { generation, cancelled_generation: Math.min(cancelled, generation - 1), offSince };
  });
const delivery = fc.record({
  endpoint: fc.nat(2),
  generation: fc.integer({ min: 1, max: 3 }),
  status: fc.constantFrom("pending", "pending", "pending", "delivered", "skipped"),
  isClaimed: fc.boolean(),
});
const world = fc.record({
  endpoints: fc.array(endpoint, { minLength: 3, maxLength: 3 }),
  deliveries: fc.array(delivery, { maxLength: 12 }),
  rowsMax: fc.integer({ min: 1, max: 5 }),
});

/** What has become of it, whoever has written that down. */
function endOf({ status, ...one }: Delivery, { generation, ...of }: Endpoint): string {
  if (status !== "pending") return status;
  if (one.generation <= of.cancelled_generation) return "cancelled";
  const isLate = of.offSince !== null && of.offSince <= 0;
  return one.generation < generation || isLate ? "failed" : "pending";
}

async function open(engine: Engine) {
  const database = await openDatabase(engine);
  for (const id of ["mer_1", "mer_2"]) await addMerchant(database, id);
  return { database, clock: new TestClock(start) };
}

function putEndpoint(database: Database, index: number, one: Endpoint): Promise<void> {
  const { generation, cancelled_generation, offSince } = one;
  return putRow(database, "webhook_endpoints", {
    id: `whe_${index}`,
    merchant_id: "mer_1",
    environment: "live",
    slot: index + 1,
    url: `https://x.example/${index}`,
    event_types: ["*"],
    active: offSince === null,
    inactive_reason: offSince === null ? null : "merchant",
    inactive_since: offSince === null ? null : at(offSince - resumableMilliseconds),
    generation,
    cancelled_generation,
    secret_sealed: "\\x00",
    created_at: at(0),
    updated_at: at(0),
    idempotency_key: String(index),
  });
}

interface Recorded extends Delivery {
  readonly merchant?: string;
  readonly environment?: string;
  readonly happenedAt?: Date;
}

async function putDelivery(database: Database, index: number, one: Recorded): Promise<void> {
  const { status, isClaimed, generation, merchant = "mer_1", environment = "live" } = one;
  const happenedAt = one.happenedAt ?? at(-1000);
  const resource = { resource_type: "payment", resource_id: `pay_${index}`, sequence: 1 };
  const owner = { merchant_id: merchant, environment };
  const event = { id: `evt_${index}`, ...owner, type: "payment.paid", occurred_at: happenedAt };
  await putRow(database, "events", { ...event, ...resource, data: "{}" });
  const isOpen = status === "pending";
  const claim = { claim_token: "t", claim_expires_at: at(1), claim_slot: index + 1 };
  await query(
    database,
    sql`insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
        resource_type, resource_id, sequence, generation, status, attempts, next_attempt_at, claim_token,
        claim_expires_at, claim_slot, created_at, finished_at)
      values (${`dlv_${index}`}, ${merchant}, ${environment}, ${`whe_${one.endpoint}`}, ${event.id},
        'payment.paid', 'payment', ${resource.resource_id}, 1, ${generation}, ${status}, 0,
        ${isOpen ? at(5) : null}, ${isOpen && isClaimed ? claim.claim_token : null},
        ${isOpen && isClaimed ? claim.claim_expires_at : null},
        ${isOpen && isClaimed ? claim.claim_slot : null}, ${happenedAt}, ${isOpen ? null : at(-9)})`,
  );
}

function statusesOf(database: Database) {
  return query(
    database,
    sql<{ id: string; status: string; row: Record<string, unknown> }>`
      select id, status, to_jsonb(d) as row from webhook_deliveries d`,
  );
}

const clear = (database: Database) =>
  query(
    database,
  )`with deliveries as (delete from webhook_deliveries), endpoints as (delete from webhook_endpoints)
    delete from events`;

describe.each(engines)("on %s", (engine) => {
  test("what has been given up is shown as that, and written down in batches, and nothing else is touched", async () => {
    const ports = await open(engine);
    const { database, clock } = ports;
    const list = new WebhookDeliveries(ports);
    await fc.assert(
      fc.asyncProperty(world, async ({ endpoints, deliveries, rowsMax }) => {
        await clear(database);
        const expected = new Map<string, string>();
        for (const [index, one] of endpoints.entries()) await putEndpoint(database, index, one);
        for (const [index, one] of deliveries.entries()) {
          const of = endpoints[one.endpoint];
          if (of === undefined || one.generation > of.generation) continue;
          await putDelivery(database, index, one);
          expected.set(`dlv_${index}`, endOf(one, of));
        }
        const shown = await list.listNewest({ merchantId: "mer_1", environment: "live" });
        expect(new Map(shown.map(({ id, status }) => [id, status]))).toEqual(expected);
        const before = await statusesOf(database);
        const open = before.filter(({ id, status }) => expected.get(id) !== status);
        const job = finishDeliveries({ database, clock, rowsMax });
        for (let left = open.length; ; left -= rowsMax) {
          const done = Math.max(0, Math.min(left, rowsMax));
          expect(await job.run()).toEqual({ done, isMore: done === rowsMax });
          if (done < rowsMax) break;
        }
        const after = await statusesOf(database);
        expect(new Map(after.map(({ id, status }) => [id, status]))).toEqual(expected);
        const changed = {
          next_attempt_at: null,
          claim_token: null,
          claim_expires_at: null,
          claim_slot: null,
        };
        for (const { id, status, row } of before) {
          const now = after.find((one) => one.id === id)?.row;
          const finished = {
            ...row,
            ...changed,
            status: expected.get(id),
            finished_at: now?.["finished_at"],
          };
          expect(now).toEqual(expected.get(id) === status ? row : finished);
          if (expected.get(id) !== status)
            expect(now?.["finished_at"]).toContain("2026-05-05T05:05:05");
        }
      }),
      { numRuns: 40 },
    );
  });

  test("old events are deleted with their deliveries, the oldest first, and what is on its way stays", async () => {
    const { database, clock } = await open(engine);
    await putEndpoint(database, 0, { generation: 1, cancelled_generation: 0, offSince: null });
    const of = { endpoint: 0, generation: 1, status: "delivered", isClaimed: false };
    const old = (more: number): Date => at(more - keptMilliseconds);
    await putDelivery(database, 0, { ...of, happenedAt: old(-1) });
    await putDelivery(database, 1, { ...of, happenedAt: old(-3) });
    await putDelivery(database, 2, { ...of, happenedAt: old(-2) });
    await putDelivery(database, 3, { ...of, happenedAt: old(-5), status: "pending" });
    await putDelivery(database, 4, { ...of, happenedAt: old(0) });
    const ids = async () => (await statusesOf(database)).map(({ id }) => id).toSorted();
    const events = async () =>
      (await query(database)<{ id: string }>`select id from events order by id`).map(
        ({ id }) => id,
      );
    const job = deleteEvents({ database, clock, rowsMax: 2 });
    expect(await job.run()).toEqual({ done: 2, isMore: true, lagMilliseconds: 5 });
    expect(await ids()).toEqual(["dlv_0", "dlv_3", "dlv_4"]);
    expect(await events()).toEqual(["evt_0", "evt_3", "evt_4"]);
    expect(await job.run()).toEqual({ done: 1, isMore: false, lagMilliseconds: 5 });
    expect(await ids()).toEqual(["dlv_3", "dlv_4"]);
    expect(await events()).toEqual(["evt_3", "evt_4"]);
  });

  test("shown are the newest first, of this merchant and this environment, of the last 30 days", async () => {
    const ports = await open(engine);
    const { database } = ports;
    const usual = { generation: 1, cancelled_generation: 0, offSince: null };
    await putEndpoint(database, 0, usual);
    const of = { endpoint: 0, generation: 1, status: "delivered", isClaimed: false };
    await putDelivery(database, 0, { ...of, happenedAt: at(1 - keptMilliseconds) });
    await putDelivery(database, 1, { ...of, happenedAt: at(-keptMilliseconds) });
    await putDelivery(database, 2, { ...of, happenedAt: at(-5) });
    await putDelivery(database, 3, { ...of, happenedAt: at(-5) });
    await putDelivery(database, 4, { ...of, happenedAt: at(-9) });
    const list = new WebhookDeliveries(ports);
    const shown = await list.listNewest({ merchantId: "mer_1", environment: "live" });
    expect(shown.map(({ id }) => id)).toEqual(["dlv_3", "dlv_2", "dlv_4", "dlv_0"]);
    expect(shown[0]).toMatchObject({ eventType: "payment.paid", attempts: 0, createdAt: at(-5) });
    expect(await list.listNewest({ merchantId: "mer_1", environment: "test" })).toEqual([]);
    expect(await list.listNewest({ merchantId: "mer_2", environment: "live" })).toEqual([]);
  });
});

describe("on PostgreSQL, what somebody else is busy with", () => {
  /** While another connection holds a row. */
  const whileLocked = async (
    database: Database,
    row: ReturnType<typeof sql>,
    work: () => Promise<void>,
  ): Promise<void> => {
    await database.transaction(async (inside) => {
      await query(inside, sql`${row} for update`);
      await work();
    });
  };

  test("is given up later, and the rest at once", async () => {
    const { database, clock } = await open("PostgreSQL");
    await putEndpoint(database, 0, { generation: 2, cancelled_generation: 0, offSince: null });
    const of = { endpoint: 0, generation: 1, status: "pending", isClaimed: false };
    for (const index of [0, 1]) await putDelivery(database, index, of);
    const job = finishDeliveries({ database, clock });
    await whileLocked(
      database,
      sql`select from webhook_deliveries where id = 'dlv_0'`,
      async () => {
        expect((await job.run()).done).toBe(1);
      },
    );
    expect((await job.run()).done).toBe(1);
  });

  test("is deleted later, and the rest at once", async () => {
    const { database, clock } = await open("PostgreSQL");
    await putEndpoint(database, 0, { generation: 1, cancelled_generation: 0, offSince: null });
    const happenedAt = at(-1 - keptMilliseconds);
    const of = { endpoint: 0, generation: 1, status: "delivered", isClaimed: false, happenedAt };
    for (const index of [0, 1]) await putDelivery(database, index, of);
    const job = deleteEvents({ database, clock });
    await whileLocked(database, sql`select from events where id = 'evt_0'`, async () => {
      expect((await job.run()).done).toBe(1);
    });
    expect((await job.run()).done).toBe(1);
  });

  test("is claimed by nobody else, who does not wait for it", async () => {
    const { database } = await open("PostgreSQL");
    for (const index of [0, 1]) {
      await putEndpoint(database, index, {
        generation: 1,
        cancelled_generation: 0,
        offSince: null,
      });
      const of = { endpoint: index, generation: 1, status: "pending", isClaimed: false };
      await putDelivery(database, index, of);
    }
    const endpointIds = ["whe_0", "whe_1"];
    const limits = { room: 9, perEndpointMax: 4, perMerchantMax: 9, endpointIds };
    const values = { now: at(9), token: "t", expiresAt: at(99), ...limits };
    await whileLocked(
      database,
      sql`select from webhook_deliveries where id = 'dlv_0'`,
      async () => {
        const taken = await database.run(claimDueDeliveries, values);
        expect(taken.map(({ id }) => id)).toEqual(["dlv_1"]);
      },
    );
    const taken = await database.run(claimDueDeliveries, { ...values, token: "another" });
    expect(taken.map(({ id }) => id)).toEqual(["dlv_0"]);
  });
});
