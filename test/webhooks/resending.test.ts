// What ended unsent is sent anew when an operator says so: once each, with its own id and bytes, in the order of its
// resource, and nothing else is.

import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import type { Database } from "../../service/ports/database.ts";
import {
  attemptDelaysSeconds,
  resendGapMilliseconds,
} from "../../service/webhooks/delivery-rules.ts";
import { finishDeliveries } from "../../service/webhooks/retention.ts";
import { WebhookResending } from "../../service/webhooks/resending.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import { Outbox, secondMilliseconds } from "./outbox.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { openMissed, resend, switchOff, switchOn, useUpAttempts } from "./missed.ts";
import { answering, openScripted } from "./scripted-sender.ts";

const dayMilliseconds = 24 * hourMilliseconds;

const idsOf = (receiver: Receiver) =>
  receiver.received.map(({ headers }) => String(headers["webhook-id"]));

const entriesOf = async (database: Database) =>
  (await new Audit({ database }).list({ after: 0n, limit: 100 })).map((entry) => ({
    ...entry,
    details: JSON.parse(entry.details) as Record<string, unknown>,
  }));

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

const isWaiting = ({ status }: { readonly status: string }): boolean => status === "pending";

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
      `${events[0]} was not recorded for ${other.id} in this period.`,
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
    expect(await entriesOf(outbox.database)).toHaveLength(1);
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
      Number(details["skipped"]),
    );
    expect(counted.reduce((one, other) => one + other)).toBe(25);
    await sendAll(outbox);
    expect(outbox.attempted).toHaveLength(25);
    expect((await outbox.deliveries()).map((one) => one.event_id)).toEqual(events);
  });

  test("a run that ends halfway has done whole pages, and the next one goes on behind them", async () => {
    const { outbox, id } = await openMissed(engine, 10);
    let count = 0;
    const dying: Database = {
      run: outbox.database.run,
      transaction: async (work) => {
        count += 1;
        return await outbox.database.transaction(async (inside) => {
          const result = await work(inside);
          if (count === 3) throw new Error("the process is killed");
          return result;
        });
      },
    };
    const killed = new WebhookResending({ database: dying, clock: outbox.clock });
    const wish = { endpointId: id, since: undefined, until: undefined, eventId: undefined };
    await expect(killed.resend(wish, { isDryRun: false, rowsMax: 3 })).rejects.toThrow(/is killed/);
    const left = await outbox.deliveries();
    expect(left.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => "pending"),
      ...Array.from({ length: 4 }, () => "skipped"),
    ]);
    expect(await resend(outbox, { endpointId: id }, { rowsMax: 3 })).toMatchObject({
      skipped: 4,
      pending: 6,
    });
    const due = (await outbox.deliveries()).map((one) => Number(one.next_attempt_at));
    expect(due).toEqual(due.map((_, at) => Number(due[0]) + at * resendGapMilliseconds));
    const entries = await entriesOf(outbox.database);
    expect(entries.map(({ details }) => details["skipped"])).toEqual([3, 3, 3, 1]);
    expect(entries[0]).toMatchObject({
      actor: "operator",
      action: "webhook_deliveries.resent",
      environment: "test",
      subject: { type: "webhook_endpoint", id },
      details: { event_id: null, failed: 0 },
    });
  });

  test("an endpoint that is switched off meanwhile gets no more", async () => {
    const { outbox, id } = await openMissed(engine, 5);
    let count = 0;
    const interrupted: Database = {
      run: outbox.database.run,
      transaction: async (work) => {
        count += 1;
        if (count === 2) await switchOff(outbox, id);
        return await outbox.database.transaction(work);
      },
    };
    const resending = new WebhookResending({ database: interrupted, clock: outbox.clock });
    const wish = { endpointId: id, since: undefined, until: undefined, eventId: undefined };
    const report = await resending.resend(wish, { isDryRun: false, rowsMax: 2 });
    expect(report).toMatchObject({ skipped: 2, isCutShort: true });
    expect((await outbox.deliveries()).filter(isWaiting)).toHaveLength(2);
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
    await resend(outbox, { endpointId: id });
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
    const { outbox, id, sender } = await openMissed(engine, 1);
    sender.follow(answering(500));
    await outbox.record();
    await useUpAttempts(outbox);
    outbox.clock.advance(2 * dayMilliseconds);
    const since = (await outbox.endpoint(id)).failing_since;
    expect(outbox.clock.nowMilliseconds() - Number(since)).toBeGreaterThan(120 * hourMilliseconds);
    expect(await resend(outbox, { endpointId: id })).toMatchObject({ failed: 1, skipped: 1 });
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
});
