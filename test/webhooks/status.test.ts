import { describe, expect, it } from "vitest";
import type { Database } from "../../service/ports/database.ts";
import { finishDeliveries } from "../../service/webhooks/retention.ts";
import { buildEndpointCalls } from "../support/endpoint-calls.ts";
import { type Engine, engines, openDatabase } from "../support/engines.ts";
import { addMerchant, hourMilliseconds, liveOwner, query } from "../support/service-parts.ts";

const url = "https://shop.example/hooks";

async function start(engine: Engine) {
  const database = await openDatabase(engine);
  await addMerchant(database, "mer_1");
  return { database, ...buildEndpointCalls(database) };
}

/** One that is scheduled for later, one that is due, and one that is done. */
async function addDeliveries(database: Database, endpointId: string) {
  await query(database)`with event as (
    insert into events
    select 'evt_' || n, 'mer_1', 'live', 'payment.paid', now(), 'payment', 'pay_' || n, 1, '{}'
    from generate_series(1, 3) as n returning id, resource_id)
  insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
    resource_type, resource_id, sequence, status, next_attempt_at, created_at, finished_at)
  select 'dlv_' || substr(id, 5), 'mer_1', 'live', ${endpointId}, id, 'payment.paid', 'payment',
    resource_id, 1,
    case when id = 'evt_3' then 'delivered' else 'pending' end,
    case id when 'evt_1' then now() when 'evt_2' then now() + interval '5 hours' end,
    now(), case when id = 'evt_3' then now() end
  from event`;
}

function deliveries(database: Database, endpointId: string) {
  return query(database)<{
    id: string;
    status: string;
    next_attempt_at: Date | null;
    finished_at: Date | null;
  }>`
    select id, status, next_attempt_at, finished_at
    from webhook_deliveries where endpoint_id = ${endpointId} and id in ('dlv_1', 'dlv_2')
    order by id`;
}

function eventsOf(database: Database) {
  return query(database)<{ type: string; active: boolean; heard_by: readonly string[] }>`
    select type, (data::jsonb -> 'active')::boolean as active,
      array(select endpoint_id || ' ' || status from webhook_deliveries d
        where d.event_id = e.id) as heard_by
    from events e where resource_type = 'webhook_endpoint' order by resource_id, sequence`;
}

describe.each(engines)("switching a webhook endpoint on %s", (engine) => {
  it("off lets its open deliveries wait, and the others hear of it", async () => {
    const { database, register, setStatus, parts } = await start(engine);
    const { id } = await register({ url });
    const other = await register({ url: `${url}/other` });
    await addDeliveries(database, id);
    const before = await deliveries(database, id);
    expect(before.map(({ status }) => status)).toEqual(["pending", "pending"]);
    expect(await setStatus(id, false)).toMatchObject({ id, active: false });
    expect(await parts.endpoints.get(liveOwner("mer_1"), id)).toMatchObject({
      active: false,
      inactiveSince: parts.clock.now(),
    });
    expect(await deliveries(database, id)).toEqual(before);
    expect(await eventsOf(database)).toEqual([
      { type: "webhook_endpoint.disabled", active: false, heard_by: [`${other.id} pending`] },
    ]);
  });

  it.each([
    ["resumes them within 72 hours", 72 * hourMilliseconds - 1, "pending"],
    ["gives them up later", 72 * hourMilliseconds, "failed"],
  ] as const)("on %s", async (_, offMilliseconds, status) => {
    const { database, register, setStatus, parts } = await start(engine);
    const { id } = await register({ url });
    await addDeliveries(database, id);
    const before = await deliveries(database, id);
    const shown = async () =>
      (await parts.deliveries.listNewest(liveOwner("mer_1")))
        .filter((one) => one.status !== "delivered")
        .map((one) => one.status);
    await setStatus(id, false);
    parts.clock.advance(offMilliseconds);
    expect(await shown()).toEqual([status, status]);
    expect(await setStatus(id, true)).toMatchObject({ id, active: true });
    // However many there are, none is touched; the list says at once what the sweep writes later.
    expect(await deliveries(database, id)).toEqual(before);
    expect(await shown()).toEqual([status, status]);
    await finishDeliveries({ database, clock: parts.clock }).run();
    const finished = { status: "failed", next_attempt_at: null, finished_at: parts.clock.now() };
    expect(await deliveries(database, id)).toEqual(
      status === "pending" ? before : before.map((one) => ({ ...one, ...finished })),
    );
    expect(await shown()).toEqual([status, status]);
    expect(await parts.endpoints.get(liveOwner("mer_1"), id)).toMatchObject({
      active: true,
      inactiveSince: null,
    });
    expect((await eventsOf(database)).map(({ type }) => type)).toEqual([
      "webhook_endpoint.disabled",
      "webhook_endpoint.updated",
    ]);
  });

  it("to what it is already changes nothing, and is no event", async () => {
    const { database, register, setStatus, parts } = await start(engine);
    const { id } = await register({ url });
    expect(await setStatus(id, true)).toMatchObject({ active: true });
    await setStatus(id, false);
    const since = parts.clock.now();
    parts.clock.advance(hourMilliseconds);
    expect(await setStatus(id, false)).toMatchObject({ active: false });
    expect(await parts.endpoints.get(liveOwner("mer_1"), id)).toMatchObject({
      inactiveSince: since,
    });
    expect(await eventsOf(database)).toHaveLength(1);
  });

  it("back and forth at once ends in the state that was written last, with every event", async () => {
    const { database, register, setStatus, parts } = await start(engine);
    const { id } = await register({ url });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => setStatus(id, index % 2 === 1)),
    );
    expect(answers.map(({ active }) => active)).toEqual(
      Array.from({ length: 8 }, (_, index) => index % 2 === 1),
    );
    const recorded = await eventsOf(database);
    // Each event is a change: off and on take turns, beginning with off.
    expect(recorded.map(({ active }) => active)).toEqual(
      recorded.map((_, index) => index % 2 === 1),
    );
    const { active } = await parts.endpoints.get(liveOwner("mer_1"), id);
    expect(active).toBe(recorded.at(-1)?.active);
  });

  it("off while it is replaced loses neither change", async () => {
    const { database, register, setStatus, update, parts } = await start(engine);
    const { id } = await register({ url });
    await Promise.all([
      setStatus(id, false),
      update(id, { url: `${url}/v2`, eventTypes: ["payment.paid"] }),
    ]);
    expect(await parts.endpoints.get(liveOwner("mer_1"), id)).toMatchObject({
      active: false,
      url: `${url}/v2`,
      eventTypes: ["payment.paid"],
    });
    expect(await eventsOf(database)).toHaveLength(2);
  });
});

describe.each(engines)("the list of deliveries on %s", (engine) => {
  it("has the newest 100 of the last 30 days, of this merchant only", async () => {
    const { database, register, parts } = await start(engine);
    await addMerchant(database, "mer_2");
    expect(await parts.deliveries.listNewest(liveOwner("mer_1"))).toEqual([]);
    const { id } = await register({ url });
    // One for each of the last 150 hours, and one that is 30 days old.
    const now = parts.clock.now();
    await query(database)`with event as (
      insert into events
      select 'evt_' || n, 'mer_1', 'live', 'payment.paid', ${now}::timestamptz, 'payment', 'pay_' || n, 1, '{}'
      from generate_series(1, 151) as n returning id)
    insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type,
      resource_type, resource_id, sequence, status, attempts, created_at, finished_at)
    select 'dlv_' || lpad(substr(id, 5), 3, '0'), 'mer_1', 'live', ${id}, id, 'payment.paid', 'payment', id,
      1, 'delivered', 2,
      ${now}::timestamptz - case when id = 'evt_151' then interval '720 hours'
        else substr(id, 5)::integer / 2 * interval '1 hour' end,
      ${now}::timestamptz
    from event`;
    const list = await parts.deliveries.listNewest(liveOwner("mer_1"));
    expect(list).toHaveLength(100);
    expect(list[0]).toEqual({
      id: "dlv_001",
      eventType: "payment.paid",
      status: "delivered",
      attempts: 2,
      createdAt: now,
    });
    const order = list.map(({ createdAt, id }) => `${createdAt.toISOString()} ${id}`);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(await parts.deliveries.listNewest(liveOwner("mer_2"))).toEqual([]);
    await query(database)`delete from webhook_deliveries where id <> 'dlv_151'`;
    expect(await parts.deliveries.listNewest(liveOwner("mer_1"))).toEqual([]);
  });
});
