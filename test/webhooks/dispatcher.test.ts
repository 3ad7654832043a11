import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { attemptDelaysSeconds } from "../../service/webhooks/delivery-rules.ts";
import { sealingContexts } from "../../service/secrets/sealing.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { hourMilliseconds, query } from "../support/service-parts.ts";
import { Outbox, secondMilliseconds } from "./outbox.ts";
import { answerWith, startReceiver } from "./receiver.ts";
import { answering, openScripted } from "./scripted-sender.ts";

const openOutbox = async (engine: Engine) => new Outbox({ database: await openDatabase(engine) });

interface PreviousSecret {
  readonly sealed: Uint8Array;
  readonly until: Date;
}

const setPreviousSecret = (outbox: Outbox, id: string, { sealed, until }: PreviousSecret) =>
  query(outbox.database)`update webhook_endpoints
    set previous_secret_sealed = ${sealed}, previous_secret_expires_at = ${until} where id = ${id}`;

const setSecret = (outbox: Outbox, id: string, sealed: Uint8Array) =>
  query(outbox.database)`update webhook_endpoints set secret_sealed = ${sealed} where id = ${id}`;

describe.each(engines)("on %s", (engine) => {
  describe("a receiver with the official library", () => {
    test("accepts a delivery, and finds the whole event in it", async () => {
      await using receiver = await startReceiver(answerWith(204));
      const outbox = await openOutbox(engine);
      const { secret } = await outbox.addEndpoint({ url: receiver.url });
      const data = { status: "paid", fee: { amount: "1.00" }, name: "Größe 😀" };
      const id = await outbox.record({ resourceId: "pay_1", data });
      expect(await outbox.settle()).toBe(1);

      const [received] = receiver.received;
      // The library takes headers of one value each, which these are.
      const headers = received?.headers as Record<string, string>;
      const event = new Webhook(secret).verify(received?.body ?? "", headers);
      const [delivery] = await outbox.deliveries();
      expect(event).toEqual({
        id,
        type: "payment.paid",
        timestamp: outbox.now.toISOString(),
        api_version: "v1",
        merchant_id: delivery?.merchant_id,
        sequence: 1,
        resource: { type: "payment", id: "pay_1" },
        data,
      });
      expect(Object.keys(headers).toSorted()).toEqual([
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "webhook-id",
        "webhook-signature",
        "webhook-timestamp",
      ]);
      expect(headers).toMatchObject({ "content-type": "application/json", "webhook-id": id });
      expect(delivery).toMatchObject({
        status: "delivered",
        attempts: 1,
        last_status: 204,
        last_error: null,
        next_attempt_at: null,
        claim_token: null,
        finished_at: outbox.now,
      });
    });

    test("gets the same bytes on every retry, signed anew for the time of the attempt", async () => {
      let status = 500;
      await using receiver = await startReceiver((response) => response.writeHead(status).end());
      const outbox = await openOutbox(engine);
      const { secret } = await outbox.addEndpoint({ url: receiver.url });
      await outbox.record();
      await outbox.settle();
      outbox.clock.advance(5 * secondMilliseconds);
      status = 200;
      await outbox.settle();
      const [first, second] = receiver.received;
      expect(receiver.received).toHaveLength(2);
      expect(second?.body).toBe(first?.body);
      expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
      const times = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
      expect(times[1]).toBe((times[0] ?? 0) + 5);
      for (const { body, headers } of receiver.received) {
        // As above.
        new Webhook(secret).verify(body, headers as Record<string, string>);
      }
    });

    test("accepts both secrets while the previous one signs along, then only the new one", async () => {
      await using receiver = await startReceiver(answerWith(200));
      const outbox = await openOutbox(engine);
      const { id, secret } = await outbox.addEndpoint({ url: receiver.url });
      const previous = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
      const until = new Date(outbox.clock.nowMilliseconds() + hourMilliseconds);
      const sealed = outbox.sealer.seal(previous, sealingContexts.webhookEndpoint(id));
      await setPreviousSecret(outbox, id, { sealed, until });
      await outbox.record();
      await outbox.settle();
      const [both] = receiver.received;
      for (const one of [secret, previous]) {
        // As above.
        new Webhook(one).verify(both?.body ?? "", both?.headers as Record<string, string>);
      }
      outbox.clock.advance(hourMilliseconds);
      await outbox.record();
      await outbox.settle();
      expect(receiver.received[1]?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    });
  });

  describe("a secret that cannot be opened", () => {
    const sealed = new Uint8Array(64).fill(1);

    test("is left out if it is the previous one", async () => {
      const { outbox, sender } = await openScripted(engine);
      const { id } = await outbox.addEndpoint();
      const until = new Date(outbox.clock.nowMilliseconds() + hourMilliseconds);
      await setPreviousSecret(outbox, id, { sealed, until });
      await outbox.record();
      expect(await outbox.settle()).toBe(1);
      expect(sender.sent[0]?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
      expect(await outbox.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
      expect(outbox.unreadableSecrets).toEqual([id]);
    });

    test("is a failed attempt if it is the current one, and is tried again as others are", async () => {
      const { outbox, sender } = await openScripted(engine);
      const { id } = await outbox.addEndpoint();
      const { secret_sealed: readable } = await outbox.endpoint(id);
      await setSecret(outbox, id, sealed);
      await outbox.record();
      expect(await outbox.settle()).toBe(1);
      expect(sender.sent).toEqual([]);
      expect(outbox.unreadableSecrets).toEqual([id]);
      const next = new Date(outbox.clock.nowMilliseconds() + 5 * secondMilliseconds);
      expect(await outbox.deliveries()).toMatchObject([
        {
          status: "pending",
          attempts: 1,
          last_error: "secret_unreadable",
          next_attempt_at: next,
          claim_token: null,
        },
      ]);
      await setSecret(outbox, id, readable);
      outbox.clock.advance(5 * secondMilliseconds);
      await outbox.settle();
      expect(await outbox.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
      expect(outbox.attempted).toEqual(["secret_unreadable", 200]);
    });
  });

  describe("an event", () => {
    test("goes to every endpoint that wants it, and to no other merchant's", async () => {
      const { outbox, sender } = await openScripted(engine);
      await outbox.addEndpoint();
      await outbox.addEndpoint({ eventTypes: ["payment.paid", "payment.expired"] });
      await outbox.addEndpoint({ eventTypes: ["payment.expired"] });
      await outbox.addEndpoint({ merchantId: await outbox.addMerchant() });
      await outbox.record();
      await outbox.settle();
      expect(sender.sent.map(({ url }) => url).toSorted()).toEqual([
        "https://shop.example/1",
        "https://shop.example/2",
      ]);
      expect(new Set(sender.sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    });

    test("goes to the URL that the endpoint has at the time of the attempt", async () => {
      const { outbox, sender } = await openScripted(engine, answering(500));
      const { id } = await outbox.addEndpoint();
      await outbox.record();
      await outbox.settle();
      await query(outbox.database)`update webhook_endpoints
        set url = 'https://new.shop.example/' where id = ${id}`;
      outbox.clock.advance(5 * secondMilliseconds);
      await outbox.settle();
      expect(sender.sent.map(({ url }) => url)).toEqual([
        "https://shop.example/1",
        "https://new.shop.example/",
      ]);
    });

    test.each([
      "http://shop.example/",
      "https://127.0.0.2/",
      "https://shop.example:6379/",
      "https://db.internal/",
    ])("is not sent to %s, even if an endpoint has that URL", async (url) => {
      const { outbox, sender } = await openScripted(engine);
      await outbox.addEndpoint({ url });
      await outbox.record();
      await outbox.settle();
      expect(sender.sent).toEqual([]);
      const failed = { status: "pending", attempts: 1, last_error: "url_not_allowed" };
      expect(await outbox.deliveries()).toMatchObject([failed]);
    });
  });

  describe("retries", () => {
    test("follow the published schedule, then the delivery has failed", async () => {
      const { outbox, sender } = await openScripted(engine, answering(500));
      const { id } = await outbox.addEndpoint();
      await outbox.record();
      const start = outbox.clock.nowMilliseconds();
      for (const [index, seconds] of attemptDelaysSeconds.entries()) {
        if (index > 0) {
          outbox.clock.advance(seconds * secondMilliseconds - 1);
          expect(await outbox.settle()).toBe(0);
          outbox.clock.advance(1);
        }
        expect(await outbox.settle()).toBe(1);
        expect(await outbox.deliveries()).toMatchObject([{ attempts: index + 1 }]);
      }
      expect(await outbox.deliveries()).toMatchObject([
        { status: "failed", attempts: 10, next_attempt_at: null, last_status: 500 },
      ]);
      expect((await outbox.endpoint(id)).failing_since?.getTime()).toBe(start);
      outbox.clock.advance(1_000 * hourMilliseconds);
      expect(await outbox.settle()).toBe(0);
      expect(sender.sent).toHaveLength(10);
    });

    test("wait as long as the receiver asks, up to twice the slot", async () => {
      const outbox = (await openScripted(engine, answering(503, 8))).outbox;
      await outbox.addEndpoint();
      await outbox.record();
      await outbox.settle();
      const [delivery] = await outbox.deliveries();
      const waited = (delivery?.next_attempt_at?.getTime() ?? 0) - outbox.clock.nowMilliseconds();
      expect(waited).toBe(8 * secondMilliseconds);
    });

    test("that succeed end the failing of the endpoint", async () => {
      const { outbox, sender } = await openScripted(engine, () => ({
        kind: "failed",
        reason: "refused",
      }));
      const { id } = await outbox.addEndpoint();
      await outbox.record();
      await outbox.settle();
      expect((await outbox.endpoint(id)).failing_since).toEqual(outbox.now);
      expect(await outbox.deliveries()).toMatchObject([
        { last_status: null, last_error: "refused" },
      ]);
      sender.follow(answering(200));
      outbox.clock.advance(5 * secondMilliseconds);
      await outbox.settle();
      expect((await outbox.endpoint(id)).failing_since).toBeNull();
      expect(await outbox.deliveries()).toMatchObject([{ status: "delivered", attempts: 2 }]);
    });
  });
});
