// What ended unsent is sent anew when an operator says so: once each, with its own id and bytes, in the order of its
// resource, and nothing else is.

import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { attemptDelaysSeconds } from "../../service/webhooks/delivery-rules.ts";
import { finishDeliveries } from "../../service/webhooks/retention.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import { Outbox, secondMilliseconds } from "./outbox.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import {
  entriesOf,
  isWaiting,
  openMissed,
  resend,
  switchOff,
  switchOn,
  useUpAttempts,
} from "./missed.ts";
import { answering, openScripted } from "./scripted-sender.ts";

const dayMilliseconds = 24 * hourMilliseconds;

const idsOf = (receiver: Receiver) =>
  receiver.received.map(({ headers }) => String(headers["webhook-id"]));

/** Until nothing waits for its time. */
async function sendAll(outbox: Outbox): Promise<void> {
  for (
    let left = await outbox.deliveries();
    left.some(isWaiting);
    left = await outbox.deliveries()
  ) {
    await outbox.settle();
    outbox.clock.advance(secondMilliseconds);
  }
}

describe.each(engines)("on %s", (engine) => {
  test("a receiver that was down gets what it has missed once it is up, and nothing twice", async () => {
    let isUp = true;
    await using receiver = await startReceiver((response) =>
      isUp ? response.writeHead(204).end() : response.socket?.destroy(),
    );
    // The official library compares with the machine's clock, which it is when everything is sent again.
    const tried = attemptDelaysSeconds.reduce((sum, delay) => sum + delay + 1) * secondMilliseconds;
    const startMilliseconds = Date.now() - tried - 2 * hourMilliseconds;
    const database = await openDatabase(engine);
    const outbox = new Outbox({ database, startMilliseconds });
    const { id, secret } = await outbox.addEndpoint({ url: receiver.url });
    const delivered = await outbox.record({ resourceId: "pay_1" });
    await outbox.settle();

    isUp = false;
    const failed = [await outbox.record({ resourceId: "pay_1" }), await outbox.record()];
    await useUpAttempts(outbox);
    await switchOff(outbox, id);
    outbox.clock.advance(hourMilliseconds);
    const skipped = [
      await outbox.record({ resourceId: "pay_1", data: { name: "Größe 😀" } }),
      await outbox.record({ resourceId: "pay_1" }),
    ];
    const triedBefore = receiver.received.slice(1);
    expect(new Set(triedBefore.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set(failed),
    );

    isUp = true;
    outbox.clock.advance(hourMilliseconds);
    await switchOn(outbox, id);
    expect(await outbox.settle()).toBe(0);
    const before = receiver.received.length;
    expect(await resend(outbox, { endpointId: id })).toMatchObject({
      failed: 2,
      skipped: 2,
      delivered: 1,
      pending: 0,
      isCutShort: false,
    });
    await sendAll(outbox);
    const got = receiver.received.slice(before);
    const gotIds = got.map(({ headers }) => String(headers["webhook-id"]));
    expect(gotIds.toSorted()).toEqual([...failed, ...skipped].toSorted());
    expect(idsOf(receiver).filter((one) => one === delivered)).toHaveLength(1);
    expect(gotIds.filter((one) => one !== failed[1])).toEqual([failed[0], ...skipped]);
    for (const { body, headers } of got) {
      // The library takes headers of one value each, which these are.
      new Webhook(secret).verify(body, headers as Record<string, string>);
      const first = triedBefore.find((one) => one.headers["webhook-id"] === headers["webhook-id"]);
      expect(body).toBe(first?.body ?? body);
    }
    expect(got.find(({ body }) => body.includes("Größe 😀"))?.headers["webhook-id"]).toBe(
      skipped[0],
    );
    expect(await outbox.deliveries()).toMatchObject(
      Array.from({ length: 5 }, () => ({ status: "delivered", attempts: 1 })),
    );
    expect(await resend(outbox, { endpointId: id })).toMatchObject({
      failed: 0,
      skipped: 0,
      delivered: 5,
      lastDueAt: null,
    });
  });

  test("what another endpoint, another time or another event has is left alone", async () => {
    const { outbox, id, events } = await openMissed(engine, 4);
    const other = await outbox.addEndpoint();
    await switchOff(outbox, other.id);
    await outbox.record();
    const before = await outbox.deliveries();
    const second = before.find((one) => one.event_id === events[1])?.created_at;
    const fourth = before.find((one) => one.event_id === events[3])?.created_at;
    const wish = { endpointId: id, since: second, until: fourth };
    expect(await resend(outbox, wish, { isDryRun: true })).toMatchObject({ skipped: 2 });
    expect(await resend(outbox, wish)).toMatchObject({
      skipped: 2,
      since: second,
      until: fourth,
    });
    const changed = async () =>
      (await outbox.deliveries()).filter(isWaiting).map((one) => [one.endpoint_id, one.event_id]);
    // What was recorded while it was on is on its way.
    const [last] = (await outbox.deliveries()).slice(-1);
    const own = (await changed()).filter(([, event]) => event !== last?.event_id);
    expect(own).toEqual([
      [id, events[1]],
      [id, events[2]],
    ]);
    expect(await resend(outbox, { endpointId: id, eventId: events[0] })).toMatchObject({
      skipped: 1,
    });
    expect((await changed()).filter(([, event]) => event !== last?.event_id)).toHaveLength(3);
    await expect(resend(outbox, { endpointId: other.id, eventId: events[0] })).rejects.toThrow(
      /is switched off since .*, by the merchant\. .*\{"active":true\}/,
    );
    await switchOn(outbox, other.id);
    await expect(resend(outbox, { endpointId: other.id, eventId: events[0] })).rejects.toThrow(
      `${events[0]} was never recorded for ${other.id}.`,
    );
    await expect(resend(outbox, { endpointId: "whe_none" })).rejects.toThrow(
      "There is no endpoint whe_none.",
    );
  });

  test("what the endpoint has given up is sent, also before that is written down, and what was cancelled is not", async () => {
    const { outbox, sender } = await openScripted(engine);
    const { id } = await outbox.addEndpoint();
    await outbox.record();
    // Cancelled by a receiver that was gone, while nobody has written it down.
    await query(outbox.database)`update webhook_endpoints
      set generation = 2, cancelled_generation = 1 where id = ${id}`;
    outbox.clock.advance(1);
    await outbox.record();
    await outbox.dispatcher.claim(1);
    await switchOff(outbox, id);
    outbox.clock.advance(73 * hourMilliseconds);
    await switchOn(outbox, id, true);
    expect(await outbox.settle()).toBe(0);
    expect((await outbox.deliveries())[1]?.claim_token).not.toBeNull();
    expect(await resend(outbox, { endpointId: id })).toMatchObject({ failed: 1, cancelled: 1 });
    // Nobody has it any more, whose place it would take up.
    expect((await outbox.deliveries())[1]).toMatchObject({ claim_token: null, claim_slot: null });
    expect((await finishDeliveries(outbox).run()).done).toBe(1);
    expect(await outbox.settle()).toBe(1);
    expect(sender.sent).toHaveLength(1);
    expect((await outbox.deliveries()).map(({ status }) => status)).toEqual([
      "cancelled",
      "delivered",
    ]);
  });

  test("a second time, while the first ones are on their way, changes nothing", async () => {
    const { outbox, id } = await openMissed(engine, 3);
    await resend(outbox, { endpointId: id });
    const before = await outbox.deliveries();
    expect(await resend(outbox, { endpointId: id })).toMatchObject({ skipped: 0, pending: 3 });
    expect(await outbox.deliveries()).toEqual(before);
    expect(await entriesOf(outbox.database)).toHaveLength(2);
  });

  test("two operators at once send each once, in the order of the resource", async () => {
    const { outbox, id, events } = await openMissed(engine, 25);
    const reports = await Promise.all(
      [4, 7].map((rowsMax) => resend(outbox, { endpointId: id }, { rowsMax })),
    );
    expect(reports.map(({ skipped }) => skipped).reduce((one, other) => one + other)).toBe(25);
    expect(reports.map(({ skipped, pending }) => skipped + pending)).toEqual([25, 25]);
    const due = (await outbox.deliveries()).map((one) => Number(one.next_attempt_at));
    expect(due).toEqual(due.toSorted((one, other) => one - other));
    expect(new Set(due).size).toBe(25);
    const counted = (await entriesOf(outbox.database)).map(({ details }) =>
      Number(details["skipped"] ?? 0),
    );
    expect(counted.reduce((one, other) => one + other)).toBe(25);
    await sendAll(outbox);
    expect(outbox.attempted).toHaveLength(25);
    expect((await outbox.deliveries()).map((one) => one.event_id)).toEqual(events);
  });

  test("a dry run says the same, and leaves nothing", async () => {
    const { outbox, id } = await openMissed(engine, 7);
    const before = await outbox.deliveries();
    const tried = await resend(outbox, { endpointId: id }, { isDryRun: true, rowsMax: 3 });
    expect(await outbox.deliveries()).toEqual(before);
    expect(await entriesOf(outbox.database)).toEqual([]);
    expect(tried).toMatchObject({ skipped: 7 });
    expect(await resend(outbox, { endpointId: id }, { rowsMax: 3 })).toEqual(tried);
  });

  test("each has its ten attempts again, and no more than ten", async () => {
    const { outbox, id, sender } = await openMissed(engine, 1);
    sender.follow(answering(500));
    await resend(outbox, { endpointId: id });
    await useUpAttempts(outbox);
    const [failed] = await outbox.deliveries();
    expect(failed).toMatchObject({ status: "failed", attempts: attemptDelaysSeconds.length });
    await resend(outbox, { endpointId: id, eventId: failed?.event_id });
    expect(await outbox.deliveries()).toMatchObject([
      { status: "pending", attempts: 0, last_status: null, last_error: null, finished_at: null },
    ]);
    // Else it had failed for so long that it would be switched off.
    await switchOn(outbox, id);
    await useUpAttempts(outbox);
    expect(await outbox.deliveries()).toMatchObject([
      { status: "failed", attempts: attemptDelaysSeconds.length },
    ]);
    expect(outbox.attempted).toHaveLength(2 * attemptDelaysSeconds.length);
  });

  test("an endpoint that still fails is switched off by its rule, neither sooner nor later", async () => {
    const { outbox, id, sender, events } = await openMissed(engine, 1);
    sender.follow(answering(500));
    await outbox.record();
    await useUpAttempts(outbox);
    outbox.clock.advance(2 * dayMilliseconds);
    const since = (await outbox.endpoint(id)).failing_since;
    expect(outbox.clock.nowMilliseconds() - Number(since)).toBeGreaterThan(120 * hourMilliseconds);
    await expect(resend(outbox, { endpointId: id })).rejects.toThrow(
      `${id} fails since ${String(since?.toISOString())}: nothing has arrived since then, and what is new would wait ` +
        "behind all of this. Send one of them first, with --event EVENT_ID; when it has arrived, do this again.",
    );
    expect(await resend(outbox, { endpointId: id, eventId: events[0] })).toMatchObject({
      failingSince: since,
      skipped: 1,
    });
    expect((await outbox.endpoint(id)).failing_since).toEqual(since);
    for (const delay of attemptDelaysSeconds.slice(0, 6)) {
      outbox.clock.advance((delay + 1) * secondMilliseconds);
      await outbox.settle();
      expect(await outbox.endpoint(id)).toMatchObject({ active: true, failing_since: since });
    }
    outbox.clock.advance(11 * hourMilliseconds);
    await outbox.settle();
    expect(await outbox.endpoint(id)).toMatchObject({ active: false, inactive_reason: "failing" });
  });

  test("a period that is too old or empty is refused", async () => {
    const { outbox, id } = await openMissed(engine, 1);
    const ago = (days: number) => new Date(outbox.clock.nowMilliseconds() - days * dayMilliseconds);
    await expect(resend(outbox, { endpointId: id, since: ago(27) })).rejects.toThrow(
      `What was recorded before ${ago(26).toISOString()} cannot be sent anew`,
    );
    await expect(resend(outbox, { endpointId: id, since: ago(1), until: ago(1) })).rejects.toThrow(
      "The period ends before it begins.",
    );
    expect(await resend(outbox, { endpointId: id, since: ago(26) })).toMatchObject({ skipped: 1 });
  });

  test("an event that is too old, or outside of the period, is refused for that", async () => {
    const { outbox, id, events } = await openMissed(engine, 1);
    const [eventId] = events;
    const [only] = await outbox.deliveries();
    const at = only?.created_at.toISOString();
    const recorded = `${eventId} was recorded for ${id} at ${at}`;
    const wish = { endpointId: id, eventId };
    const before = { ...wish, until: only?.created_at };
    await expect(resend(outbox, before)).rejects.toThrow(`${recorded}, which is outside of`);
    await expect(resend(outbox, { ...wish, since: outbox.now })).rejects.toThrow(
      "The period ends before it begins.",
    );
    outbox.clock.advance(25 * dayMilliseconds);
    const since = new Date(outbox.clock.nowMilliseconds() - dayMilliseconds);
    await expect(resend(outbox, { ...wish, since })).rejects.toThrow(`${recorded}, which is out`);
    expect(await resend(outbox, wish, { isDryRun: true })).toMatchObject({ skipped: 1 });
    outbox.clock.advance(dayMilliseconds);
    await expect(resend(outbox, wish)).rejects.toThrow(
      `${recorded}, and cannot be sent anew after 26 days: its event may be deleted before all attempts would be ` +
        'made. Give it to the merchant as a file: docs/operations.md, "A receiver is down for days".',
    );
  });
});
