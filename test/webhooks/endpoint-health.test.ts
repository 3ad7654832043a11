import { describe, expect, test } from "vitest";
import {
  disablingAttemptsMin,
  failingMaxMilliseconds,
  keptMilliseconds,
  resumableMilliseconds,
} from "../../service/webhooks/delivery-rules.ts";
import { Audit } from "../../service/audit/audit.ts";
import { deleteEvents, finishDeliveries } from "../../service/webhooks/retention.ts";
import { WebhookDeliveries } from "../../service/webhooks/deliveries.ts";
import { engines } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import type { Outbox } from "./outbox.ts";
import { answering, openScripted } from "./scripted-sender.ts";

async function openOutbox(engine: Engine) {
  const { outbox, sender } = await openScripted(engine);
  const { id } = await outbox.addEndpoint();
  return { outbox, sender, id };
}

/** Of the one event that there is, without deliveries. */
const copyEvents = (outbox: Outbox, count: number) =>
  query(outbox.database)`insert into events
    select id || number, merchant_id, environment, type, occurred_at, resource_type, resource_id,
      sequence + number, data
    from events, generate_series(1, ${count}::integer) as number`;

async function eventCount(outbox: Outbox): Promise<number> {
  return (await query(outbox.database)`select from events`).length;
}

const switchOff = (outbox: Outbox, id: string) =>
  query(outbox.database)`update webhook_endpoints
    set active = false, inactive_since = ${outbox.now}, inactive_reason = 'merchant'
    where id = ${id}`;

/** After 72 h the service counts its generation up. */
const switchOn = (outbox: Outbox, id: string, isLate = false) =>
  query(outbox.database)`update webhook_endpoints
    set active = true, inactive_since = null, inactive_reason = null,
      generation = generation + ${isLate ? 1 : 0}
    where id = ${id}`;

/** By the sweep. */
const givenUp = async (outbox: Outbox) => (await finishDeliveries(outbox).run()).done;

const statuses = async (outbox: Outbox) =>
  (await outbox.deliveries()).map(({ status, event_type }) => `${event_type} ${status}`);

describe.each(engines)("on %s", (engine) => {
  describe("an endpoint that answers 410", () => {
    test("is switched off, gets nothing more, and the others are told", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      for (let count = 0; count < 3; count++) await outbox.record();
      sender.follow(answering(410));
      expect(await outbox.round(1)).toBe(1);
      const endpoint = await outbox.endpoint(id);
      expect(endpoint).toMatchObject({
        active: false,
        inactive_reason: "gone",
        inactive_since: outbox.now,
        failing_since: null,
      });
      // The others are given up by the endpoint alone; the sweep writes it down.
      expect(await givenUp(outbox)).toBe(2);
      expect((await outbox.deliveries()).map(({ status }) => status)).toEqual(
        Array.from({ length: 3 }, () => "cancelled"),
      );
      expect(
        (await outbox.deliveries()).map(({ attempts }) => attempts).toSorted((a, b) => a - b),
      ).toEqual([0, 0, 1]);
      expect(await outbox.settle()).toBe(0);
      await outbox.record();
      expect(await statuses(outbox)).toContain("payment.paid skipped");
      expect(await outbox.settle()).toBe(0);
      expect(sender.sent).toHaveLength(1);
    });

    test("tells the merchant's other endpoints, not itself and not other merchants", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      await outbox.record();
      await outbox.addEndpoint();
      await outbox.addEndpoint({ merchantId: await outbox.addMerchant() });
      sender.follow(({ url }) => ({ kind: "answered", status: url.endsWith("/1") ? 410 : 200 }));
      await outbox.settle();
      const told = sender.sent.slice(1).map(({ url }) => url);
      expect(told).toEqual(["https://shop.example/2"]);
      expect(sender.payloads()[1]).toMatchObject({
        type: "webhook_endpoint.disabled",
        resource: { type: "webhook_endpoint", id },
        sequence: 1,
        data: {
          id,
          url: "https://shop.example/1",
          event_types: ["*"],
          active: false,
          created_at: outbox.now.toISOString(),
          reason: "gone",
        },
      });
      expect(JSON.stringify(sender.payloads())).not.toContain("whsec_");
    });

    test("gets nothing of before even when it is switched on again at once", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      for (let count = 0; count < 6; count++) await outbox.record({ resourceId: "pay_1" });
      const [one] = await outbox.dispatcher.claim(1);
      await outbox.record();
      const [under] = await outbox.dispatcher.claim(1);
      if (one === undefined || under === undefined) throw new Error("two are due");
      sender.follow(answering(410));
      await outbox.dispatcher.deliver(one);
      const before = await outbox.deliveries();
      await switchOn(outbox, id);
      sender.follow(answering(200));
      expect(await outbox.settle()).toBe(0);
      // New ones go out, though an old one of the same resource is still under way.
      const fresh = await outbox.record({ resourceId: under.row.resource_id });
      expect(await outbox.settle()).toBe(1);
      expect(sender.payloads().at(-1)?.id).toBe(fresh);
      const olds = async () =>
        (await outbox.deliveries()).filter(({ event_id }) => event_id !== fresh);
      // Nothing was touched in the meantime.
      expect(await olds()).toEqual(before);
      expect(await outbox.dispatcher.deliver(under)).toBe(false);
      const list = new WebhookDeliveries({ database: outbox.database, clock: outbox.clock });
      const owner = { merchantId: one.row.merchant_id, environment: "test" } as const;
      const shown = async () =>
        (await list.listNewest(owner)).map(({ status }) => status).toSorted();
      const expected = [...Array.from({ length: 7 }, () => "cancelled"), "delivered"];
      expect(await shown()).toEqual(expected);
      expect(await givenUp(outbox)).toBe(6);
      expect(await shown()).toEqual(expected);
      expect((await olds()).every(({ status }) => status === "cancelled")).toBe(true);
    });

    test("while another delivery is under way leaves that one cancelled, whatever it brings", async () => {
      const { outbox, sender } = await openOutbox(engine);
      await outbox.record();
      await outbox.record();
      const [one, other] = await outbox.dispatcher.claim(2);
      if (one === undefined || other === undefined) throw new Error("two are due");
      sender.follow(answering(410));
      expect(await outbox.dispatcher.deliver(one)).toBe(true);
      expect(await outbox.dispatcher.deliver(other)).toBe(false);
      expect(await givenUp(outbox)).toBe(1);
      expect(await statuses(outbox)).toEqual(["payment.paid cancelled", "payment.paid cancelled"]);
    });
  });

  describe("an endpoint that fails for 120 h", () => {
    /** An event every 10 h, and the retries of all before. */
    async function failFor(outbox: Outbox, milliseconds: number): Promise<void> {
      const stepMilliseconds = 10 * hourMilliseconds;
      for (let passed = 0; passed < milliseconds; passed += stepMilliseconds) {
        await outbox.record();
        await outbox.settle();
        outbox.clock.advance(stepMilliseconds);
      }
    }

    async function retryFor(outbox: Outbox, hours: number): Promise<void> {
      for (let passed = 0; passed < hours; passed += 2) {
        await outbox.settle();
        outbox.clock.advance(2 * hourMilliseconds);
      }
    }

    test("is switched off then, its deliveries wait, and the others are told", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      const healthy = await outbox.addEndpoint({ eventTypes: ["webhook_endpoint.disabled"] });
      sender.follow(({ url }) => ({ kind: "answered", status: url.endsWith("/1") ? 500 : 200 }));
      await failFor(outbox, failingMaxMilliseconds);
      expect((await outbox.endpoint(id)).active).toBe(true);
      await outbox.record();
      await outbox.settle();
      expect(await outbox.endpoint(id)).toMatchObject({
        active: false,
        inactive_reason: "failing",
      });
      expect((await outbox.endpoint(healthy.id)).active).toBe(true);
      const paused = (await outbox.deliveries()).filter(({ status }) => status === "pending");
      expect(paused.length).toBeGreaterThan(5);
      expect(paused.every(({ claim_token: token }) => token === null)).toBe(true);
      expect(sender.payloads().at(-1)).toMatchObject({
        type: "webhook_endpoint.disabled",
        data: { id, active: false, reason: "failing" },
      });
      const log = new Audit(outbox);
      expect(await log.list({ after: undefined, limit: 9 })).toMatchObject([
        {
          action: "webhook_endpoint.disabled",
          subject: { id },
          details: expect.stringContaining('"reason":"failing"') as string,
        },
      ]);
      outbox.clock.advance(hourMilliseconds * 24);
      expect(await outbox.settle()).toBe(0);
    });

    test("but not with one success in between", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      sender.follow(answering(500));
      await failFor(outbox, failingMaxMilliseconds / 2);
      sender.follow(answering(200));
      await outbox.settle();
      sender.follow(answering(500));
      await failFor(outbox, failingMaxMilliseconds);
      expect((await outbox.endpoint(id)).active).toBe(true);
    });

    test("nor with a success while the last attempt is under way", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      sender.follow(answering(500));
      await outbox.record();
      await retryFor(outbox, 90);
      await outbox.record();
      await outbox.record();
      await retryFor(outbox, 38);
      // Either of the two alone would switch it off now.
      const [one, other] = await outbox.dispatcher.claim(2);
      if (one === undefined || other === undefined) throw new Error("two are due");
      for (const { row } of [one, other]) {
        expect(row.attempts + 1).toBeGreaterThanOrEqual(disablingAttemptsMin);
      }
      sender.follow(answering(200));
      await outbox.dispatcher.deliver(one);
      sender.follow(answering(500));
      expect(await outbox.dispatcher.deliver(other)).toBe(true);
      expect(await outbox.endpoint(id)).toMatchObject({ active: true });
      expect(await statuses(outbox)).toContain("payment.paid delivered");
    });

    test("nor by one bad moment weeks after an event that was lost", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      sender.follow(answering(500));
      await outbox.record();
      await retryFor(outbox, 100);
      expect(await statuses(outbox)).toEqual(["payment.paid failed"]);
      outbox.clock.advance(21 * 24 * hourMilliseconds);
      await outbox.record();
      await retryFor(outbox, 20);
      expect(await outbox.endpoint(id)).toMatchObject({ active: true });
      await retryFor(outbox, 20);
      expect(await outbox.endpoint(id)).toMatchObject({ active: false });
    });
  });

  describe("while an endpoint is switched off", () => {
    test("nothing is sent; switched on again, what has waited is", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      const first = await outbox.record();
      await switchOff(outbox, id);
      await outbox.record();
      outbox.clock.advance(hourMilliseconds);
      expect(await outbox.settle()).toBe(0);
      expect((await statuses(outbox)).toSorted()).toEqual([
        "payment.paid pending",
        "payment.paid skipped",
      ]);
      await switchOn(outbox, id);
      expect(await outbox.settle()).toBe(1);
      expect(sender.payloads().map((payload) => payload.id)).toEqual([first]);
    });

    test.each([
      ["open", 0],
      ["claimed by a worker that is gone", 1],
    ])(
      "for 72 h and more, what was %s is not sent afterwards, what comes then is",
      async (_, room) => {
        const { outbox, sender, id } = await openOutbox(engine);
        await outbox.record({ resourceId: "pay_1" });
        expect(await outbox.dispatcher.claim(room)).toHaveLength(room);
        await switchOff(outbox, id);
        outbox.clock.advance(resumableMilliseconds);
        await switchOn(outbox, id, true);
        const fresh = await outbox.record({ resourceId: "pay_1" });
        expect(await outbox.settle()).toBe(1);
        expect(sender.payloads().map((payload) => payload.id)).toEqual([fresh]);
        expect(await givenUp(outbox)).toBe(1);
        expect((await statuses(outbox)).toSorted()).toEqual([
          "payment.paid delivered",
          "payment.paid failed",
        ]);
      },
    );

    test("an attempt that is under way is recorded, and not repeated", async () => {
      const { outbox, sender, id } = await openOutbox(engine);
      await outbox.record();
      const [claimed] = await outbox.dispatcher.claim(1);
      if (claimed === undefined) throw new Error("one is due");
      await switchOff(outbox, id);
      sender.follow(answering(500));
      expect(await outbox.dispatcher.deliver(claimed)).toBe(true);
      outbox.clock.advance(hourMilliseconds);
      expect(await outbox.settle()).toBe(0);
      expect(await outbox.deliveries()).toMatchObject([{ status: "pending", attempts: 1 }]);
    });

    test("deliveries wait for 72 h, then they have failed, even one that was claimed", async () => {
      const { outbox, id } = await openOutbox(engine);
      await outbox.record();
      await outbox.record();
      await outbox.dispatcher.claim(1);
      await switchOff(outbox, id);
      outbox.clock.advance(resumableMilliseconds - 1);
      expect(await givenUp(outbox)).toBe(0);
      outbox.clock.advance(1);
      expect(await givenUp(outbox)).toBe(2);
      expect(await outbox.deliveries()).toMatchObject(
        Array.from({ length: 2 }, () => ({
          status: "failed",
          attempts: 0,
          next_attempt_at: null,
          claim_token: null,
          finished_at: outbox.now,
        })),
      );
    });
  });

  describe("events and their deliveries", () => {
    test("are deleted after 30 days, but for those on their way", async () => {
      const { outbox, sender } = await openOutbox(engine);
      await outbox.record();
      await outbox.settle();
      sender.follow(answering(500));
      await outbox.record();
      await outbox.settle();
      outbox.clock.advance(keptMilliseconds);
      const job = deleteEvents(outbox);
      const run = { isMore: false, lagMilliseconds: 0 };
      expect(await job.run()).toEqual({ ...run, done: 0 });
      outbox.clock.advance(1);
      sender.follow(answering(200));
      await outbox.record();
      expect(await job.run()).toEqual({ ...run, done: 1, lagMilliseconds: 1 });
      await outbox.settle();
      expect(await job.run()).toEqual({ ...run, done: 1, lagMilliseconds: 1 });
      expect([await eventCount(outbox), (await outbox.deliveries()).length]).toEqual([1, 1]);
    });

    test("are deleted in batches, as many as it takes", async () => {
      const { outbox } = await openOutbox(engine);
      await outbox.record();
      await outbox.settle();
      await copyEvents(outbox, 1_100);
      outbox.clock.advance(keptMilliseconds + 1);
      const job = deleteEvents(outbox);
      const runs = [await job.run(), await job.run(), await job.run()];
      expect(runs.map(({ done, isMore }) => [done, isMore])).toEqual([
        [500, true],
        [500, true],
        [101, false],
      ]);
      expect(await eventCount(outbox)).toBe(0);
    });
  });
});
