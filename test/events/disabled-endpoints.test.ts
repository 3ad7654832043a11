import { describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import { engines } from "../support/engines.ts";
import { answering } from "../webhooks/scripted-sender.ts";
import { openScripted } from "../webhooks/scripted-sender.ts";

describe.each(engines)("on %s", (engine) => {
  test("an endpoint that answers 410 stands in the log once, however often it says so", async () => {
    const { outbox, sender } = await openScripted(engine);
    const { id } = await outbox.addEndpoint();
    await outbox.record();
    await outbox.record();
    sender.follow(answering(410));
    const claimed = await outbox.dispatcher.claim(2);
    await Promise.all(claimed.map((one) => outbox.dispatcher.deliver(one)));
    const { merchant_id: merchantId, inactive_since: occurredAt } = await outbox.endpoint(id);
    const audit = new Audit(outbox);
    expect(await audit.list({ after: undefined, limit: 9 })).toEqual([
      {
        sequence: 1n,
        occurredAt,
        actor: "system",
        action: "webhook_endpoint.disabled",
        merchantId,
        environment: "test",
        subject: { type: "webhook_endpoint", id },
        details: '{"last_error":null,"last_status":410,"reason":"gone"}',
      },
    ]);
    expect((await audit.verify()).problems).toEqual([]);
  });

  test("an attempt that only fails leaves nothing there", async () => {
    const { outbox, sender } = await openScripted(engine);
    await outbox.addEndpoint();
    await outbox.record();
    sender.follow(answering(500));
    await outbox.round();
    expect((await new Audit(outbox).verify()).count).toBe(0n);
  });
});
