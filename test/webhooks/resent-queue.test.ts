// What is sent anew is in nobody's way, and nothing of it is lost to time: it is due one after the other, and its
// event stays until it has ended.

import { describe, expect, test } from "vitest";
import { forgettingJobs } from "../../adapters/assembly/jobs.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import { Monitoring } from "../../service/monitoring/monitoring.ts";
import { problemsOf } from "../../service/monitoring/problems.ts";
import { WebhookDeliveries } from "../../service/webhooks/deliveries.ts";
import {
  attemptDelaysSeconds,
  jitterShare,
  keptMilliseconds,
  resendableMilliseconds,
  resendGapMilliseconds,
} from "../../service/webhooks/delivery-rules.ts";
import { deleteEvents } from "../../service/webhooks/retention.ts";
import { engines } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import { watchedChainIds } from "../support/watched-chains.ts";
import { openMissed, resend, switchOff, switchOn } from "./missed.ts";
import { type Outbox, secondMilliseconds } from "./outbox.ts";
import { answering } from "./scripted-sender.ts";

const dayMilliseconds = 24 * hourMilliseconds;

async function looked(outbox: Outbox) {
  const { database, clock } = outbox;
  const jobs = new Jobs({ database, clock }, forgettingJobs({ database, clock }));
  const state = await new Monitoring({
    database,
    clock,
    jobs,
    settling: [],
    watchedChainIds,
  }).read();
  const problems = problemsOf(state, clock.nowMilliseconds()).map(({ what }) => what);
  return { overdue: state.deliveries.overdueMilliseconds, problems };
}

/** The only one that there is, as often as this, each of a payment of its own. */
const copyMissed = (outbox: Outbox, count: number) =>
  query(outbox.database)`
    with copied as (
      insert into events
      select id || number, merchant_id, environment, type, occurred_at + number * interval '1 ms', resource_type,
        resource_id || number, sequence, data
      from events, generate_series(2, ${count}::integer) as number
      returning *)
    insert into webhook_deliveries (id, merchant_id, environment, endpoint_id, event_id, event_type, resource_type,
      resource_id, sequence, status, created_at, finished_at)
    select replace(copied.id, 'evt_', 'dlv_'), copied.merchant_id, copied.environment, e.id, copied.id, copied.type,
      copied.resource_type, copied.resource_id, copied.sequence, 'skipped', copied.occurred_at, copied.occurred_at
    from copied, webhook_endpoints e`;

const eventCount = async (outbox: Outbox) =>
  (await query(outbox.database)`select from events`).length;

describe.each(engines)("on %s", (engine) => {
  test("a thousand and more are due ten in a second, and what happens meanwhile does not wait for them", async () => {
    const { outbox, sender, id } = await openMissed(engine, 1);
    await copyMissed(outbox, 2_500);
    outbox.clock.advance(hourMilliseconds);
    const report = await resend(outbox, { endpointId: id });
    expect(report).toMatchObject({ skipped: 2_500 });
    const start = outbox.clock.nowMilliseconds();
    expect(Number(report.lastDueAt)).toBe(start + 2_499 * resendGapMilliseconds);
    outbox.clock.advance(5 * secondMilliseconds);
    const other = await outbox.addMerchant();
    await outbox.addEndpoint({ merchantId: other });
    const fresh = [await outbox.record(), await outbox.record({ merchantId: other })];
    await outbox.settle();
    expect(sender.payloads().map((one) => one.id)).toEqual(expect.arrayContaining(fresh));
    expect(sender.sent).toHaveLength(51 + fresh.length);
    outbox.clock.advance(4 * 60 * secondMilliseconds);
    await outbox.settle();
    expect(await looked(outbox)).toMatchObject({ overdue: 0 });
    outbox.clock.advance(hourMilliseconds);
    await outbox.settle();
    expect(sender.sent).toHaveLength(2_500 + fresh.length);
  });

  test("what is old is overdue for nobody, and merchants see it as one that was just recorded", async () => {
    const { outbox, sender, id } = await openMissed(engine, 3);
    outbox.clock.advance(20 * dayMilliseconds);
    sender.follow(answering(500));
    await resend(outbox, { endpointId: id });
    const { problems, overdue } = await looked(outbox);
    expect(overdue).toBe(0);
    expect(problems).not.toContain("webhooks_overdue");
    const [{ merchant_id: merchantId } = { merchant_id: "" }] = await outbox.deliveries();
    const owner = { merchantId, environment: "test" } as const;
    const listed = async () =>
      (await new WebhookDeliveries(outbox).listNewest(owner)).map(({ status, attempts }) => [
        status,
        attempts,
      ]);
    expect(await listed()).toEqual(Array.from({ length: 3 }, () => ["pending", 0]));
    outbox.clock.advance(secondMilliseconds);
    await outbox.settle();
    expect(await listed()).toEqual(Array.from({ length: 3 }, () => ["pending", 1]));
  });

  test("an event is not deleted while it waits, and ends within its time", async () => {
    const attempts = attemptDelaysSeconds.reduce((sum, delay) => sum + delay);
    const longest = attempts * (1 + jitterShare) * secondMilliseconds;
    expect(keptMilliseconds - resendableMilliseconds).toBeGreaterThan(longest);
    const { outbox, id } = await openMissed(engine, 2);
    outbox.clock.advance(25 * dayMilliseconds);
    const [first] = await outbox.deliveries();
    await resend(outbox, { endpointId: id, eventId: first?.event_id });
    await switchOff(outbox, id);
    outbox.clock.advance(6 * dayMilliseconds);
    expect((await deleteEvents(outbox).run()).done).toBe(1);
    expect(await eventCount(outbox)).toBe(1);
    await switchOn(outbox, id);
    expect(await outbox.settle()).toBe(1);
    expect((await deleteEvents(outbox).run()).done).toBe(1);
    expect(await eventCount(outbox)).toBe(0);
  });

  test("the other half of the merchant is left alone", async () => {
    const { outbox, id } = await openMissed(engine, 2);
    const live = await outbox.addEndpoint({ environment: "live" });
    await switchOff(outbox, live.id);
    await outbox.record({ environment: "live" });
    await switchOn(outbox, live.id);
    outbox.clock.advance(1);
    expect(await resend(outbox, { endpointId: live.id })).toMatchObject({
      environment: "live",
      skipped: 1,
    });
    const ended = (await outbox.deliveries()).filter(({ status }) => status === "skipped");
    expect(ended.map((one) => one.endpoint_id)).toEqual([id, id]);
  });
});
