// A live and a test key of one merchant, on both engines: what the one makes, the other neither
// sees nor changes, and each hears its own events only.

import { describe, expect, test } from "vitest";
import { scopes } from "../../service/merchants/scopes.ts";
import type { Environment } from "../../service/owner.ts";
import { type Answer, readAnswer } from "../support/contract-answers.ts";
import { isObject, type JsonObject, listAt, textOf } from "../support/contract-document.ts";
import { type Change, send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { type Merchant, useService } from "../support/service.ts";
import { addSubscription, createSchedule } from "../support/schedule-resources.ts";
import { orderOf, standard } from "./payment-calls.ts";
import { outcome } from "./scene.ts";

const url = "https://shop.example/hooks";

async function ask(merchant: Merchant, operationId: string, change: Change = {}): Promise<Answer> {
  const operation = operationBy(operationId);
  return readAnswer(await send(merchant, validRequest(operation, change)), operation);
}

function bodyOf({ body }: Answer): JsonObject {
  return isObject(body) ? body : {};
}

describe.each(engines)("on %s", (engine) => {
  const service = useService(engine);

  const bothKeys = async (): Promise<Readonly<Record<Environment, Merchant>>> => {
    const merchant = await service.newMerchant();
    return { test: merchant, live: await service.newKey(merchant, { environment: "live" }) };
  };
  const register = async (merchant: Merchant): Promise<string> => {
    const answer = await ask(merchant, "registerWebhookEndpoint", { body: { url } });
    expect(answer.status).toBe(201);
    return textOf(bodyOf(answer)["id"]);
  };
  const accept = async (merchant: Merchant): Promise<void> => {
    const change = { body: { currencies: {} } };
    expect((await ask(merchant, "replaceCurrencyAcceptance", change)).status).toBe(200);
  };
  const deliveries = async (merchant: Merchant): Promise<readonly JsonObject[]> =>
    listAt(bodyOf(await ask(merchant, "listWebhookDeliveries")), "deliveries").filter(isObject);

  const operations: readonly (readonly [string, Change])[] = [
    ["getWebhookEndpoint", {}],
    ["updateWebhookEndpoint", { body: { url: `${url}/stolen`, event_types: ["*"] } }],
    ["setWebhookEndpointStatus", { body: { active: false } }],
    ["rotateWebhookEndpointSecret", {}],
  ];

  test.each(operations)("404 of %s with a key of the other environment", async (id, change) => {
    const keys = await bothKeys();
    const ids = { live: await register(keys.live), test: await register(keys.test) };
    for (const [own, other] of [
      ["live", "test"],
      ["test", "live"],
    ] as const) {
      const path = { id: ids[own] };
      const before = await ask(keys[own], "getWebhookEndpoint", { path });
      const refused = await ask(keys[other], id, { ...change, path });
      expect([own, ...outcome(refused)]).toEqual([own, 404, "not_found"]);
      expect((await ask(keys[own], "getWebhookEndpoint", { path })).body).toEqual(before.body);
      expect((await ask(keys[own], id, { ...change, path })).status).toBe(200);
    }
  });

  const newPayment = async (merchant: Merchant): Promise<string> => {
    const accepting = { body: { currencies: standard } };
    expect((await ask(merchant, "replaceCurrencyAcceptance", accepting)).status).toBe(200);
    const made = await ask(merchant, "createPayment", { body: orderOf() });
    expect(made.status).toBe(201);
    return textOf(bodyOf(made)["id"]);
  };

  /** What money comes or leaves by. @returns the operation that ends it, and its id */
  const endings: readonly (readonly [
    string,
    (merchant: Merchant) => Promise<Readonly<Record<string, string>>>,
  ])[] = [
    ["cancelPayment", async (merchant) => ({ id: await newPayment(merchant) })],
    [
      "pausePayoutSchedule",
      async (merchant) => ({ id: (await createSchedule(service.query, merchant)).id }),
    ],
    [
      "cancelSubscription",
      async (merchant) => ({ id: await addSubscription(service.query, merchant.key) }),
    ],
  ];

  test.each(endings)("404 of %s with a key of the other environment", async (id, make) => {
    const merchant = await service.newMerchant();
    // No live key may do both.
    const allowed = scopes.filter((scope) => scope !== "withdraw_addresses:write");
    const wish = { environment: "live", scopes: allowed, cidrs: ["127.0.0.0/8"] } as const;
    const keys = { test: merchant, live: await service.newKey(merchant, wish) };
    const path = await make(keys.live);
    expect(outcome(await ask(keys.test, id, { path }))).toEqual([404, "not_found"]);
    expect((await ask(keys.live, id, { path })).status).toBe(200);
  });

  test.each([
    ["registerWebhookEndpoint", { body: { url } }],
    ["replaceCurrencyAcceptance", { body: { currencies: {} } }],
    ["rotateWebhookEndpointSecret", {}],
  ] as const)(
    "%s: what a test key used as Idempotency-Key is free for a live key",
    async (id, change) => {
      const keys = await bothKeys();
      const needsEndpoint = id === "rotateWebhookEndpointSecret";
      const headers = { "Idempotency-Key": `squatted-${id}` };
      for (const environment of ["test", "live"] as const) {
        const merchant = keys[environment];
        const path = needsEndpoint ? { path: { id: await register(merchant) } } : {};
        const first = await ask(merchant, id, { ...change, ...path, headers });
        expect(first.status).toBeLessThan(300);
        expect(first.headers.has("Idempotent-Replayed")).toBe(false);
        const again = await ask(merchant, id, { ...change, ...path, headers });
        expect(again.headers.get("Idempotent-Replayed")).toBe("true");
        expect(again.body).toEqual(first.body);
      }
    },
  );

  test("each key lists the deliveries of its own events, whose numbers are its own", async () => {
    const keys = await bothKeys();
    await register(keys.live);
    await register(keys.test);
    await accept(keys.live);
    expect(await deliveries(keys.live)).toHaveLength(1);
    expect(await deliveries(keys.test)).toEqual([]);
    await accept(keys.test);
    await accept(keys.test);
    expect(await deliveries(keys.live)).toHaveLength(1);
    expect(await deliveries(keys.test)).toHaveLength(2);
    const rows = await service.query(
      `select environment, sequence::integer from events where merchant_id = $1
        order by environment, sequence`,
      [keys.live.merchantId],
    );
    expect(rows).toEqual([
      { environment: "live", sequence: 1 },
      { environment: "test", sequence: 1 },
      { environment: "test", sequence: 2 },
    ]);
  });
});
