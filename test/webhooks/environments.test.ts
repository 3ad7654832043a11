// Live and test at the moment of sending: who hears of what, and which hosts may be called.

import { describe, expect, test } from "vitest";
import { buildWebhookSender } from "../../adapters/webhooks/sender.ts";
import { clockOf } from "../support/clock.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { Outbox } from "./outbox.ts";
import { answerWith, startReceiver } from "./receiver.ts";
import { answering, openScripted } from "./scripted-sender.ts";

describe.each(engines)("on %s", (engine) => {
  test.each(["live", "test"] as const)(
    "an endpoint of %s that is gone is told to endpoints of its environment",
    async (environment) => {
      const { outbox } = await openScripted(engine, answering(410));
      const other = environment === "live" ? "test" : "live";
      const gone = await outbox.addEndpoint({ environment, eventTypes: ["payment.paid"] });
      const eventTypes = ["webhook_endpoint.disabled"];
      const witness = await outbox.addEndpoint({ environment, eventTypes });
      await outbox.addEndpoint({ environment: other, eventTypes });
      await outbox.record({ environment });
      expect(await outbox.round()).toBe(1);
      expect(await outbox.endpoint(gone.id)).toMatchObject({ inactive_reason: "gone" });
      const told = (await outbox.deliveries()).filter(
        ({ event_type: type }) => type === "webhook_endpoint.disabled",
      );
      expect(told).toMatchObject([{ endpoint_id: witness.id, environment }]);
    },
  );

  test("a listed host is called for test endpoints only, whatever was saved before", async () => {
    await using receiver = await startReceiver(answerWith(200));
    const outbox = new Outbox({ database: await openDatabase(engine) });
    for (const environment of ["live", "test"] as const) {
      await outbox.addEndpoint({ environment, url: receiver.url });
      await outbox.record({ environment });
    }
    expect(await outbox.round()).toBe(2);
    expect(receiver.received).toHaveLength(1);
    const deliveries = await outbox.deliveries();
    const outcomes = deliveries.map((one) => [one.environment, one.status, one.last_error]);
    // Recorded at the same moment: their order is that of their ids, which is no order.
    expect(new Set(outcomes)).toEqual(
      new Set([
        ["live", "pending", "url_not_allowed"],
        ["test", "delivered", null],
      ]),
    );
  });

  test("the payload has no member more than the published ones", async () => {
    const { outbox, sender } = await openScripted(engine, answering(200));
    await outbox.addEndpoint({ environment: "live" });
    await outbox.record({ environment: "live" });
    await outbox.round();
    expect(sender.sent).toMatchObject([{ isTest: false }]);
    expect(Object.keys(sender.payloads()[0] ?? {})).toEqual([
      "id",
      "type",
      "timestamp",
      "api_version",
      "merchant_id",
      "sequence",
      "resource",
      "data",
    ]);
  });
});

test("the sender looks at the address of a listed name for a live endpoint, as the internet has it", async () => {
  await using receiver = await startReceiver(answerWith(200));
  const asked: boolean[] = [];
  const sender = buildWebhookSender({
    blockedRanges: [],
    clock: clockOf(() => 0),
    allowedHttpHosts: new Set(["receiver.shop.example"]),
    resolve: (_, isListed) => {
      asked.push(isListed);
      return Promise.resolve(["127.0.0.1"]);
    },
  });
  const url = `http://receiver.shop.example:${receiver.port}/`;
  const request = { endpointId: "whe_1", url, headers: {}, body: new Uint8Array() };
  expect(await sender.send({ ...request, isTest: false })).toEqual({
    kind: "failed",
    reason: "address_not_allowed",
  });
  expect(receiver.connections()).toBe(0);
  expect(await sender.send({ ...request, isTest: true })).toEqual({
    kind: "answered",
    status: 200,
  });
  expect(asked).toEqual([false, true]);
});
