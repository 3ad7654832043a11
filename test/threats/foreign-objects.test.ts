// Threat 50: a merchant with the id of something that is not its own, which is another merchant's or
// made with a key of its other environment. Each operation answers as to an id that was never given.

import { describe, expect, test } from "vitest";
import { isObject, type JsonObject, operations, textOf } from "../support/contract-document.ts";
import { newKey, send, type Signer, validRequest } from "../support/contract-requests.ts";
import { operationBy, withResources } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { type Merchant, useService } from "../support/service.ts";
import { withMoney } from "../support/withdrawal-resources.ts";

// What x402 settles needs a chain: see test/contract/x402-usage.test.ts.

/** Everybody's; a live key sees no test networks, which is another matter. */
const ownedByNobody = new Set(["getCurrency"]);

const byId = operations.filter(
  ({ operationId, path }) => path.includes("{id}") && !ownedByNobody.has(operationId),
);

async function registerEndpoint(owner: Signer, headers = key()): Promise<JsonObject> {
  const body = { url: "https://shop.example/hooks" };
  const request = validRequest(operationBy("registerWebhookEndpoint"), { body, headers });
  const response = await send(owner, request);
  expect(response.status).toBe(201);
  const made: unknown = await response.json();
  // The contract's tests look at it closely.
  return made as JsonObject;
}

function key(): Readonly<Record<string, string>> {
  return { "Idempotency-Key": newKey() };
}

/** All that a caller can see of an answer, but for what is never the same twice. */
async function seen(response: Response): Promise<readonly string[]> {
  const id = response.headers.get("X-Request-Id") ?? "";
  expect(id).not.toBe("");
  const headers = Array.from(response.headers, ([name, value]) => `${name}: ${value}`);
  const steady = headers.filter((line) => !/^(?:date|ratelimit)/.test(line));
  const text = `${response.status} ${await response.text()}`;
  return [text, ...steady].map((line) => line.replaceAll(id, "req_"));
}

const tables = [
  "webhook_endpoints",
  "payments",
  "withdrawals",
  "payout_schedules",
  "subscriptions",
];

async function rowsOf(service: ReturnType<typeof useService>): Promise<unknown> {
  const rows = tables.map((name) => service.query(`select t::text from ${name} t order by 1`, []));
  return await Promise.all(rows);
}

describe.each(engines)("on %s", (engine) => {
  const service = useService(engine);

  /** A live key that may move money is bound to addresses, and adds none to send it to. */
  const liveKey = (merchant: Merchant): Promise<Merchant> =>
    service.newKey(merchant, {
      environment: "live",
      scopes: service.everyScope.filter((scope) => scope !== "withdraw_addresses:write"),
      cidrs: ["127.0.0.1/32"],
    });

  /** Who asks, and whose it is: nobody is an owner twice. */
  const strangers = async (): Promise<readonly (readonly [Merchant, Merchant])[]> => {
    const [one, other] = [await service.newMerchant(), await service.newMerchant()];
    const [live, third] = [await liveKey(one), await service.newMerchant()];
    return [
      [other, one],
      [await liveKey(other), other],
      [one, live],
      [live, third],
    ];
  };

  test.each(byId)(
    "$operationId does not tell a foreign id from one that nobody has",
    async (operation) => {
      const canLive = !operation.path.startsWith("/v1/withdrawals/");
      for (const [stranger, owner] of await strangers()) {
        if (!canLive && owner.key.startsWith("mk_live_")) continue;
        const request = await withResources(
          owner,
          await withMoney(owner, validRequest(operation), service.query),
        );
        const id = textOf(request.path["id"]);
        const before = await rowsOf(service);
        const nobodys = `${id.slice(0, 4)}${"0".repeat(26)}`;
        const answers = [id, nobodys].map(async (one) =>
          seen(await send(stranger, validRequest(operation, { path: { id: one } }))),
        );
        const [foreign, unknown] = await Promise.all(answers);
        expect(foreign?.[0]).toMatch(/^404 \{"code":"not_found"/);
        expect(foreign).toEqual(unknown);
        expect(await rowsOf(service)).toEqual(before);
        expect((await send(owner, request)).status).toBe(200);
      }
    },
  );

  test("a list holds nothing of anybody else's", async () => {
    for (const [stranger, owner] of await strangers()) {
      await registerEndpoint(owner);
      const accept = operationBy("replaceCurrencyAcceptance");
      const event = await send(owner, validRequest(accept, { body: { currencies: {} } }));
      expect(event.status).toBe(200);
      const list = operationBy("listWebhookDeliveries");
      const [theirs, own] = await Promise.all(
        [stranger, owner].map(async (one) => (await send(one, validRequest(list))).json()),
      );
      expect(theirs).toEqual({ deliveries: [] });
      expect(isObject(own) ? own["deliveries"] : own).toHaveLength(1);
      await service.query("delete from webhook_deliveries", []);
      await service.query("delete from webhook_endpoints", []);
    }
  });

  test("the Idempotency-Key of another merchant replays nothing", async () => {
    const [one, other] = [await service.newMerchant(), await service.newMerchant()];
    const headers = key();
    const made = [await registerEndpoint(one, headers), await registerEndpoint(other, headers)];
    expect(made[0]?.["id"]).not.toBe(made[1]?.["id"]);
    expect(made[0]?.["secret"]).not.toBe(made[1]?.["secret"]);
  });

  test.each(["merchant_id", "environment"])(
    "the database refuses a delivery with the %s of another event or endpoint",
    async (column) => {
      const merchant = await service.newMerchant();
      const live = await service.newKey(merchant, { environment: "live" });
      const stranger = column === "environment" ? live : await service.newMerchant();
      const accept = validRequest(operationBy("replaceCurrencyAcceptance"), {
        body: { currencies: {} },
      });
      const made: string[] = [];
      for (const owner of [merchant, stranger]) {
        made.push(textOf((await registerEndpoint(owner))["id"]));
        expect((await send(owner, { ...accept, headers: key() })).status).toBe(200);
      }
      // What was delivered to the one, as if it were the other's: by the endpoint, by the event.
      const steal = (what: string): Promise<unknown> =>
        service.query(
          `update webhook_deliveries d set ${what} from webhook_deliveries o
            where d.endpoint_id = $1 and o.endpoint_id = $2`,
          made,
        );
      await expect(steal("endpoint_id = o.endpoint_id")).rejects.toThrow(/foreign key/);
      await expect(steal("event_id = o.event_id")).rejects.toThrow(/foreign key/);
      await expect(steal(`${column} = o.${column}`)).rejects.toThrow(/foreign key/);
    },
  );
});
