// Threat 50: a merchant with the id of something that is not its own, which is another merchant's or
// made with a key of its other environment. Each operation answers as to an id that was never given.

import { describe, expect, test } from "vitest";
import { isObject, type JsonObject, operations, textOf } from "../support/contract-document.ts";
import {
  type ContractRequest,
  exampleOf,
  newKey,
  send,
  type Signer,
  validRequest,
} from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { type NamedThing, thingsNamedBy } from "../support/named-ids.ts";
import { withThings } from "../support/named-things.ts";
import { type Merchant, useService } from "../support/service.ts";

/** Kinds that are everybody's: another merchant is named where it gets a share. */
const everybodys = new Set(["mer"]);

/** Every place where a request names a thing of somebody's, by the examples of the document. */
const named = operations.flatMap((operation) =>
  thingsNamedBy(operation)
    .filter(({ kind }) => !everybodys.has(kind))
    .map((thing) => ({ operation, thing, title: `${operation.operationId} (${thing.in})` })),
);

/** Of these a live key sees no test networks, which is another matter. */
const inCatalog = /^cur_[a-z]+$/;

test("all that a path names is somebody's, but for what is in the catalog", () => {
  const paths = operations.flatMap(({ operationId, parameters }) =>
    parameters.filter((one) => one.in === "path").map((one) => ({ operationId, one })),
  );
  const others = paths.filter(({ one }) => !inCatalog.test(textOf(exampleOf(one))));
  expect(others.map(({ operationId }) => operationId)).toEqual(
    named.filter(({ thing }) => thing.in === "path").map(({ operation }) => operation.operationId),
  );
});

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

/** Each signed request leaves a nonce, so that it cannot be sent again. */
const logged = "nonces";

/** All that the merchants have. */
async function rowsOf(
  { query }: ReturnType<typeof useService>,
  ...merchants: readonly Merchant[]
): Promise<unknown> {
  const tables = await query(
    `select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'merchant_id' order by 1`,
    [],
  );
  const names = tables.map(({ name }) => String(name)).filter((name) => name !== logged);
  expect(names).toContain("payments");
  const ids = merchants.map(({ merchantId }) => merchantId);
  const sql = (name: string) =>
    `select t::text from ${name} t where merchant_id = any($1) order by 1`;
  return Promise.all(names.map((name) => query(sql(name), [ids])));
}

/** The request about another thing in that place, as a request of its own. */
function about(request: ContractRequest, { in: part, name }: NamedThing, id: string) {
  const headers = { ...request.headers, ...key() };
  if (part === "path") return { ...request, headers, path: { ...request.path, [name]: id } };
  const body = isObject(request.body) ? request.body : {};
  if (part === "body" && name in body)
    return { ...request, headers, body: { ...body, [name]: id } };
  throw new Error(`say here how ${part} /${name} is given another value`);
}

function idIn({ path, body }: ContractRequest, { in: part, name }: NamedThing): string {
  return textOf(part === "path" ? path[name] : isObject(body) ? body[name] : undefined);
}

/** Its payments are on the chain of these tests, a test network, which a live key does not see. */
const onTestNetwork = /^\/v1\/x402\//;

describe.each(engines)("on %s", (engine) => {
  const service = useService(engine, { hasChain: true });

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

  test.each(named)(
    "$title does not tell a foreign id from one that nobody has",
    async ({ operation, thing }) => {
      const canLive = !onTestNetwork.test(operation.path);
      const asked: (readonly [Merchant, ContractRequest])[] = [];
      for (const [stranger, owner] of await strangers()) {
        if (!canLive && owner.key.startsWith("mk_live_")) continue;
        const request = await withThings(owner, validRequest(operation), service);
        const id = idIn(request, thing);
        expect(id).toMatch(/^[a-z]{3}_[0-9A-Z]{26}$/);
        const before = await rowsOf(service, stranger, owner);
        const nobodys = `${id.slice(0, 4)}${"0".repeat(26)}`;
        const answers = [id, nobodys].map(async (one) =>
          seen(await send(stranger, about(request, thing, one))),
        );
        const [foreign, unknown] = await Promise.all(answers);
        const status = thing.in === "path" ? "404" : "(?:404|422)";
        expect(foreign?.[0]).toMatch(new RegExp(`^${status} \\{"code":"(?:[a-z_]+_)?not_found"`));
        expect(foreign).toEqual(unknown);
        expect(await rowsOf(service, stranger, owner)).toEqual(before);
        asked.push([owner, request]);
      }
      expect(asked.length).toBeGreaterThan(1);
      // It was the id that was refused: to its owner each of these requests is a good one.
      for (const [owner, request] of asked) {
        expect((await send(owner, request)).ok).toBe(true);
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
