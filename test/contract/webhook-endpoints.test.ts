// The five operations on webhook endpoints: each documented status really produced, on both engines.

import { describe, expect } from "vitest";
import { errorOf, bodyOf } from "../support/contract-answers.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import type { Change } from "../support/contract-requests.ts";
import type { Merchant } from "../support/service.ts";
import { type Replayed, testWriting } from "./replays.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";
import { testRefusals } from "./refusals.ts";

let urls = 0;
const newUrl = (): string => `https://shop.example/hooks/${++urls}`;

function describeOperations(scene: Scene): void {
  const { service, asker, test } = scene;

  const register = async (merchant: Merchant, body: JsonObject = {}): Promise<JsonObject> => {
    const change = { body: { url: newUrl(), ...body } };
    const answer = await asker.ask(merchant, "registerWebhookEndpoint", change);
    expect(answer.status).toBe(201);
    return bodyOf(answer.body);
  };
  const newId = async (merchant: Merchant): Promise<string> =>
    textOf((await register(merchant))["id"]);
  const read = async (merchant: Merchant, id: string): Promise<JsonObject> => {
    const answer = await asker.ask(merchant, "getWebhookEndpoint", { path: { id } });
    expect(answer.status).toBe(200);
    return bodyOf(answer.body);
  };
  const countEvents = async (merchant: Merchant, type: string): Promise<number> =>
    service.countEvents(merchant.merchantId, type);

  const pathIds = [
    "getWebhookEndpoint",
    "updateWebhookEndpoint",
    "setWebhookEndpointStatus",
    "rotateWebhookEndpointSecret",
  ];
  const bodies: Readonly<Record<string, () => JsonObject>> = {
    updateWebhookEndpoint: () => ({ url: newUrl(), event_types: ["*"] }),
    setWebhookEndpointStatus: () => ({ active: false }),
  };

  test.each(pathIds)("%s does not find another merchant's endpoint", async (operationId) => {
    const [owner, stranger] = [await service.newMerchant(), await service.newMerchant()];
    const endpoint = await register(owner);
    const id = textOf(endpoint["id"]);
    const before = await read(owner, id);
    const body = bodies[operationId]?.();
    const answers = [id, "whe_00000000000000000000000000"].map((one) =>
      asker.ask(stranger, operationId, { path: { id: one }, body }),
    );
    const [foreign, missing] = await Promise.all(answers);
    if (foreign === undefined || missing === undefined) throw new Error("two were asked");
    expect([outcome(foreign), outcome(missing)]).toEqual([
      [404, "not_found"],
      [404, "not_found"],
    ]);
    expect(errorOf(foreign.body).message).toBe(errorOf(missing.body).message);
    expect(await read(owner, id)).toEqual(before);
  });

  describe("registerWebhookEndpoint", () => {
    const subject: Replayed = {
      operationId: "registerWebhookEndpoint",
      prepare: () => ({ body: { url: newUrl() } }),
      badBody: { body: { url: "http://127.0.0.1/" }, code: "webhook_url_not_allowed" },
      others: async (merchant) => [
        {
          name: "body",
          operationId: "registerWebhookEndpoint",
          change: { body: { url: newUrl() } },
        },
        {
          name: "operation",
          operationId: "rotateWebhookEndpointSecret",
          change: { path: { id: await newId(merchant) } },
        },
      ],
      countEffects: (merchant, { body }) =>
        service.count("select 1 from webhook_endpoints where merchant_id = $1 and url = $2", [
          merchant.merchantId,
          textOf(bodyOf(body)["url"]),
        ]),
    };
    testWriting(scene, subject);

    test("201 with a secret, a Location, and the events in the merchant's order", async () => {
      const merchant = await service.newMerchant();
      const url = newUrl();
      const types = ["payment.paid", "payment.created", "payment.paid"];
      const change = { body: { url, event_types: types } };
      const answer = await asker.ask(merchant, "registerWebhookEndpoint", change);
      expect(answer.status).toBe(201);
      const { id, secret, event_types: events } = bodyOf(answer.body);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(events).toEqual(["payment.paid", "payment.created"]);
      expect(answer.headers.get("Location")).toBe(`/v1/webhook-endpoints/${textOf(id)}`);
      expect(await read(merchant, textOf(id))).toMatchObject({
        id,
        url,
        event_types: events,
        active: true,
      });
    });

    test("201 with every event when none are named", async ({ merchant }) => {
      expect((await register(merchant))["event_types"]).toEqual(["*"]);
    });

    test.for<[string, string]>([
      ["http://shop.example/hooks", "webhook_url_not_allowed"],
      ["https://10.0.0.1/hooks", "webhook_url_not_allowed"],
      ["https://2130706433/hooks", "webhook_url_not_allowed"],
      ["https://[::1]/hooks", "webhook_url_not_allowed"],
      ["https://user:pass@shop.example/hooks", "webhook_url_not_allowed"],
      ["https://shop.example:22/hooks", "webhook_url_not_allowed"],
      ["https://shop.example/hooks#part", "webhook_url_not_allowed"],
    ])("400 for %s", async ([url, code], { merchant }) => {
      const answer = await asker.ask(merchant, "registerWebhookEndpoint", { body: { url } });
      expect(outcome(answer)).toEqual([400, code]);
    });

    test.for<readonly [string[]]>([[["payment.payed"]], [["*", "payment.paid"]]])(
      "400 for the events %j",
      async ([event_types], { merchant }) => {
        const body = { url: newUrl(), event_types };
        const answer = await asker.ask(merchant, "registerWebhookEndpoint", { body });
        expect(outcome(answer)).toEqual([400, "unknown_event_type"]);
      },
    );

    test("409 for a URL that is registered, and not for one of another merchant", async () => {
      const merchant = await service.newMerchant();
      const body = { url: newUrl() };
      const { id } = await register(merchant, body);
      const twice = await asker.ask(merchant, "registerWebhookEndpoint", { body });
      expect(outcome(twice)).toEqual([409, "endpoint_already_exists"]);
      expect(errorOf(twice.body).details).toMatchObject({ endpoint_id: id });
      await register(await service.newMerchant(), body);
    });

    test("409 for the 21st endpoint, however many are asked for at once", async ({ merchant }) => {
      const answers = await Promise.all(
        Array.from({ length: 24 }, () =>
          asker.ask(merchant, "registerWebhookEndpoint", { body: { url: newUrl() } }),
        ),
      );
      const refused = answers.filter(({ status }) => status !== 201).map(outcome);
      expect(refused).toEqual(Array.from({ length: 4 }, () => [409, "endpoint_limit_reached"]));
    });
  });

  describe("getWebhookEndpoint", () => {
    testRefusals(scene, {
      operationId: "getWebhookEndpoint",
      prepare: async (merchant) => ({ path: { id: await newId(merchant) } }),
    });

    test("200 without the secret", async ({ merchant }) => {
      const { id, secret } = await register(merchant);
      const answer = await asker.ask(merchant, "getWebhookEndpoint", { path: { id: textOf(id) } });
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain(textOf(secret));
      expect(Object.keys(bodyOf(answer.body)).toSorted()).toEqual([
        "active",
        "created_at",
        "event_types",
        "id",
        "url",
      ]);
    });
  });

  describe("updateWebhookEndpoint", () => {
    const update = async (merchant: Merchant): Promise<Change> => ({
      path: { id: await newId(merchant) },
      body: { url: newUrl(), event_types: ["payment.paid"] },
    });
    const subject: Replayed = {
      operationId: "updateWebhookEndpoint",
      prepare: update,
      badBody: { body: { url: newUrl(), event_types: [] }, code: "unknown_event_type" },
      others: async (merchant) => [
        {
          name: "path and body",
          operationId: "updateWebhookEndpoint",
          change: await update(merchant),
        },
        {
          name: "operation",
          operationId: "registerWebhookEndpoint",
          change: { body: { url: newUrl() } },
        },
      ],
      countEffects: (merchant) => countEvents(merchant, "webhook_endpoint.updated"),
    };
    testWriting(scene, subject);

    test("200 replaces both fields and keeps the rest", async ({ merchant }) => {
      const id = await newId(merchant);
      const before = await read(merchant, id);
      const body = { url: newUrl(), event_types: ["payment.expired"] };
      const answer = await asker.ask(merchant, "updateWebhookEndpoint", { path: { id }, body });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...before, ...body });
      expect(await read(merchant, id)).toEqual(answer.body);
    });

    test("400 for a URL that webhooks are not sent to, and nothing changes", async ({
      merchant,
    }) => {
      const id = await newId(merchant);
      const before = await read(merchant, id);
      const body = { url: "http://shop.example/hooks", event_types: ["*"] };
      const answer = await asker.ask(merchant, "updateWebhookEndpoint", { path: { id }, body });
      expect(outcome(answer)).toEqual([400, "webhook_url_not_allowed"]);
      expect(await read(merchant, id)).toEqual(before);
    });

    test("422 for the same body at another path with the same key", async ({ merchant }) => {
      const body = { url: newUrl(), event_types: ["*"] };
      const headers = { "Idempotency-Key": `same-${newUrl()}` };
      const ask = async (): Promise<readonly unknown[]> => {
        const change = { path: { id: await newId(merchant) }, body, headers };
        return outcome(await asker.ask(merchant, "updateWebhookEndpoint", change));
      };
      expect(await ask()).toEqual([200, undefined]);
      expect(await ask()).toEqual([422, "idempotency_key_reused"]);
    });

    test("409 for the URL of another endpoint, and its own is fine", async ({ merchant }) => {
      const [one, other] = [newUrl(), newUrl()];
      const { id: takenBy } = await register(merchant, { url: one });
      const { id } = await register(merchant, { url: other });
      const ask = async (url: string) => {
        const change = { path: { id: textOf(id) }, body: { url, event_types: ["*"] } };
        return asker.ask(merchant, "updateWebhookEndpoint", change);
      };
      const refused = await ask(one);
      expect(outcome(refused)).toEqual([409, "endpoint_already_exists"]);
      expect(errorOf(refused.body).details).toMatchObject({ endpoint_id: takenBy });
      expect(outcome(await ask(other))).toEqual([200, undefined]);
    });
  });

  describe("setWebhookEndpointStatus", () => {
    const switchOff = async (merchant: Merchant): Promise<Change> => ({
      path: { id: await newId(merchant) },
      body: { active: false },
    });
    const subject: Replayed = {
      operationId: "setWebhookEndpointStatus",
      prepare: switchOff,
      badBody: { body: { active: "no" }, code: "invalid_request" },
      others: async (merchant) => {
        const off = await switchOff(merchant);
        return [
          { name: "path", operationId: "setWebhookEndpointStatus", change: off },
          {
            name: "body",
            operationId: "setWebhookEndpointStatus",
            change: { ...off, body: { active: true } },
          },
        ];
      },
      countEffects: (merchant) => countEvents(merchant, "webhook_endpoint.disabled"),
    };
    testWriting(scene, subject);

    test("200 off, on, and the value it has already", async ({ merchant }) => {
      const id = await newId(merchant);
      const before = await read(merchant, id);
      for (const active of [true, false, false, true]) {
        const change = { path: { id }, body: { active } };
        const answer = await asker.ask(merchant, "setWebhookEndpointStatus", change);
        expect([answer.status, answer.body]).toEqual([200, { ...before, active }]);
        expect(await read(merchant, id)).toEqual(answer.body);
      }
      expect(await countEvents(merchant, "webhook_endpoint.disabled")).toBe(1);
      expect(await countEvents(merchant, "webhook_endpoint.updated")).toBe(1);
    });
  });

  describe("rotateWebhookEndpointSecret", () => {
    const subject: Replayed = {
      operationId: "rotateWebhookEndpointSecret",
      prepare: async (merchant) => ({ path: { id: await newId(merchant) } }),
      others: async (merchant) => {
        const path = { id: await newId(merchant) };
        return [
          { name: "path", operationId: "rotateWebhookEndpointSecret", change: { path } },
          {
            name: "operation",
            operationId: "setWebhookEndpointStatus",
            change: { path, body: { active: true } },
          },
        ];
      },
      countEffects: (merchant) => countEvents(merchant, "webhook_endpoint.secret_rotated"),
    };
    testWriting(scene, subject);

    test("200 with a secret that is new each time, and 400 for a body", async ({ merchant }) => {
      const { id, secret } = await register(merchant);
      const path = { id: textOf(id) };
      const secrets = [secret];
      for (const _ of [1, 2]) {
        const answer = await asker.ask(merchant, "rotateWebhookEndpointSecret", { path });
        expect(answer.status).toBe(200);
        secrets.push(bodyOf(answer.body)["secret"] ?? null);
      }
      expect(new Set(secrets).size).toBe(3);
      const change = { path, body: {} };
      const refused = await asker.ask(merchant, "rotateWebhookEndpointSecret", change);
      expect(outcome(refused)).toEqual([400, "invalid_request"]);
    });

    test("rotations at once with keys of their own all happen, one after the other", async () => {
      const merchant = await service.newMerchant();
      const path = { id: await newId(merchant) };
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          asker.ask(merchant, "rotateWebhookEndpointSecret", { path }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await countEvents(merchant, "webhook_endpoint.secret_rotated")).toBe(6);
    });
  });
}

describeOnEngines(describeOperations);
