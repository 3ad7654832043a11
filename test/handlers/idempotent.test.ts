import { describe, expect, it } from "vitest";
import { RequestError } from "../../generated/runtime/runtime.ts";
import type { Caller } from "../../handlers/caller.ts";
import { buildWebhookDeliveryHandlers } from "../../handlers/webhook-deliveries.ts";
import { buildWebhookEndpointHandlers } from "../../handlers/webhook-endpoints.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { addMerchant, buildServiceParts } from "../support/service-parts.ts";

const url = "https://shop.example/hooks";
const caller: Caller = {
  requestId: "req_1",
  merchantId: "mer_1",
  keyId: "mk_live_1",
  environment: "live",
  scopes: new Set(),
  // As if each request had been admitted before the others were done: what they find out, they find
  // out when they write.
  earlier: undefined,
};

const headersWith = (key: string) => ({
  "X-Api-Key": "mk_live_1",
  "X-Signature": "0".repeat(64),
  "X-Timestamp": "1767225600",
  "X-Nonce": "n-8f14e45fceea167a5a36dedd4bea2543",
  "Idempotency-Key": key,
});

async function start(database: Database) {
  await addMerchant(database, "mer_1");
  const { endpoints, deliveries, idempotency } = buildServiceParts(database);
  return {
    ...buildWebhookEndpointHandlers({ webhookEndpoints: endpoints, idempotency }),
    ...buildWebhookDeliveryHandlers({ webhookDeliveries: deliveries }),
  };
}

const replayed = { "Idempotent-Replayed": "true" };

describe.each(engines)("the handlers of webhook endpoints on %s", (engine) => {
  it("answer in wire names, and the same to a replay, headers included", async () => {
    const database = await openDatabase(engine);
    const handlers = await start(database);
    const register = () =>
      handlers.registerWebhookEndpoint({ headers: headersWith("one"), body: { url } }, caller);
    const made = await register();
    if (made.status !== 201) throw new Error(`status ${made.status}`);
    const { id } = made.body;
    expect(made).toEqual({
      status: 201,
      headers: { Location: `/v1/webhook-endpoints/${id}` },
      body: { id, secret: expect.stringMatching(/^whsec_/) as unknown, event_types: ["*"] },
    });
    const again = await register();
    expect(again).toEqual({ ...made, headers: { ...made.headers, ...replayed } });
    // The very same text goes out: the order of members too.
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(made.body));

    const path = { id };
    const rotate = () =>
      handlers.rotateWebhookEndpointSecret({ path, headers: headersWith("two") }, caller);
    const rotated = await rotate();
    expect(rotated.status).toBe(200);
    expect(await rotate()).toEqual({ ...rotated, headers: replayed });

    const body = { url: `${url}/v2`, event_types: ["payment.paid"] };
    const update = () =>
      handlers.updateWebhookEndpoint({ path, headers: headersWith("three"), body }, caller);
    const updated = await update();
    expect(updated).toEqual({
      status: 200,
      body: { id, ...body, active: true, created_at: "2026-01-01T00:00:00.000Z" },
    });
    expect(await update()).toEqual({ ...updated, headers: replayed });

    const switchOff = () =>
      handlers.setWebhookEndpointStatus(
        { path, headers: headersWith("four"), body: { active: false } },
        caller,
      );
    const off = await switchOff();
    expect(off.body).toMatchObject({ active: false });
    expect(await switchOff()).toEqual({ ...off, headers: replayed });
    const read = await handlers.getWebhookEndpoint({ path, headers: headersWith("") }, caller);
    expect(read).toEqual({ status: 200, body: off.body });
    const list = await handlers.listWebhookDeliveries({ headers: headersWith("") }, caller);
    expect(list).toEqual({ status: 200, body: { deliveries: [] } });
  });

  it("take a key that was used in the other environment of the merchant (threat 85)", async () => {
    const database = await openDatabase(engine);
    const handlers = await start(database);
    const headers = headersWith("one");
    const made = await handlers.registerWebhookEndpoint({ headers, body: { url } }, caller);
    const tester: Caller = { ...caller, environment: "test" };
    const other = await handlers.registerWebhookEndpoint({ headers, body: { url } }, tester);
    expect([made.status, other.status]).toEqual([201, 201]);
    expect(other.body).not.toEqual(made.body);
    const again = await handlers.registerWebhookEndpoint({ headers, body: { url } }, tester);
    expect(again.body).toEqual(other.body);
  });

  it("refuse a key that was used on another endpoint, and another operation", async () => {
    const database = await openDatabase(engine);
    const handlers = await start(database);
    const headers = headersWith("one");
    const made = await handlers.registerWebhookEndpoint({ headers, body: { url } }, caller);
    if (made.status !== 201) throw new Error(`status ${made.status}`);
    const path = { id: made.body.id };
    const rotate = handlers.rotateWebhookEndpointSecret({ path, headers }, caller);
    await expect(rotate).rejects.toMatchObject({ code: "idempotency_key_reused" });
    const two = headersWith("two");
    await handlers.rotateWebhookEndpointSecret({ path, headers: two }, caller);
    const elsewhere = { path: { id: "whe_01KDVDNA0083XSSSS6YS3C4DWA" }, headers: two };
    const other = handlers.rotateWebhookEndpointSecret(elsewhere, caller);
    await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  it("refuse text that is no Unicode, and say where", async () => {
    const database = await openDatabase(engine);
    const handlers = await start(database);
    const body = { url, event_types: ["payment.paid", "\ud800"] };
    const attempt = Promise.resolve().then(() =>
      handlers.registerWebhookEndpoint({ headers: headersWith("one"), body }, caller),
    );
    await expect(attempt).rejects.toBeInstanceOf(RequestError);
    await expect(attempt).rejects.toMatchObject({
      status: 400,
      violations: [{ in: "body", pointer: "/event_types/1", rule: "unicode" }],
    });
  });
});
