// How payments are written: one read and one statement for each, many at once as one, and whatever
// happens at the same moment.

import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { Cursors } from "../../service/cursor.ts";
import { ServiceError } from "../../service/errors.ts";
import { fingerprintOf } from "../../service/idempotency/idempotency.ts";
import type { StoredAnswer } from "../../service/idempotency/idempotency.ts";
import type { PaymentOrder } from "../../service/payments/order.ts";
import { Payments } from "../../service/payments/payments.ts";
import type { Database } from "../../service/ports/database.ts";
import { smallCatalog } from "../catalog/fixtures.ts";
import { countingDatabase } from "../support/counting-database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { addMerchant, buildServiceParts, liveOwner, query } from "../support/service-parts.ts";
import { plainOrder } from "./orders.ts";

let orders = 0;

function orderOf(change: Partial<PaymentOrder> = {}): PaymentOrder {
  return {
    merchantOrderNo: `A-${++orders}`,
    quotes: [{ currencyId: "cur_eth", amount: "0.04", chainIds: null }],
    ...plainOrder,
    ...change,
  };
}

async function shopOn(database: Database) {
  const parts = buildServiceParts(database);
  await new CatalogWriter(parts).apply(smallCatalog, { isDryRun: false });
  for (const id of ["mer_1", "mer_2", "mer_3"]) await addMerchant(database, id);
  await query(database)`insert into split_consents (partner_id, creator_id, granted_at)
    select id, 'mer_1', created_at from merchants where id <> 'mer_1'`;
  await query(database)`with one as (
    insert into currency_acceptances (merchant_id, environment, revision, catalog_version, updated_at)
    select id, 'live', 1, 1, now() from merchants returning merchant_id)
  insert into accepted_chains (merchant_id, environment, revision, currency_id, chain_id)
  select merchant_id, 'live', 1, 'cur_eth', chain_id from one, unnest(array['eip155:1', 'eip155:10']) chain_id`;
  return { parts, ...callsOn(database, parts) };
}

function callsOn(database: Database, parts: ReturnType<typeof buildServiceParts>) {
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const ports = { ...parts, database, catalog, publicUrl: () => "https://pay.example" };
  const payments = new Payments(ports);
  /** As a request with an idempotency key does it. */
  const once = async (
    work: (finish: (result: { readonly id: string }) => ReturnType<Finish>) => Promise<void>,
    { merchantId = "mer_1", key = randomBytes(8).toString("hex") } = {},
  ): Promise<string> => {
    const environment = "live" as const;
    const operationId = "test";
    const fingerprint = fingerprintOf({ operationId, environment, path: {}, body: null });
    const request = { merchantId, environment, key, operationId, fingerprint };
    const options = { isSecret: false, earlier: undefined };
    const { answer } = await parts.idempotency.run(request, options, async (fence) => {
      let stored: StoredAnswer = { status: 500, body: "" };
      await work((result) => {
        stored = { status: 201, body: result.id };
        return fence.finish(stored);
      });
      return stored;
    });
    return answer.body;
  };
  type Finish = Parameters<Parameters<typeof parts.idempotency.run>[2]>[0]["finish"];
  return {
    payments,
    create: (order = orderOf(), wish: { merchantId?: string; key?: string } = {}) => {
      const owner = liveOwner(wish.merchantId ?? "mer_1");
      return once((finish) => payments.create(owner, order, finish), wish);
    },
    cancel: (id: string) => once((finish) => payments.cancel(liveOwner("mer_1"), id, finish)),
  };
}

/** Everything that was written about a payment, but for what is random. */
function writtenAbout(database: Database, id: string) {
  return query(database)<{ row: object }>`
    select jsonb_build_object(
      'payment', to_jsonb(p) - 'id' - 'checkout_token' - 'merchant_order_no' - 'idempotency_key',
      'splits', (select jsonb_agg(to_jsonb(s) - 'payment_id' order by position)
        from payment_splits s where payment_id = p.id),
      'counter', (select jsonb_agg(to_jsonb(c) - 'resource_id') from event_sequences c
        where resource_id = p.id),
      'event', (select jsonb_agg(to_jsonb(e) - 'id' - 'resource_id' - 'data') from events e
        where resource_id = p.id),
      'data', (select data::jsonb - 'id' - 'merchant_order_no' from events
        where resource_id = p.id),
      'deliveries', (select jsonb_agg(to_jsonb(d) - 'id' - 'event_id' - 'resource_id' -
          'resource_key' order by endpoint_id) from webhook_deliveries d where resource_id = p.id),
      'key', (select to_jsonb(k) - 'key' - 'body' from idempotency_keys k
        where (k.merchant_id, k.environment, k.key)
          = (p.merchant_id, p.environment, p.idempotency_key))) as row
    from payments p where id = ${id}`.then(([found]) => found?.row);
}

const rich = {
  splits: [
    { merchantId: "mer_2", bps: 100 },
    { merchantId: "mer_3", bps: 9900 },
  ],
  overpayPolicy: "pro_rata",
  memo: `a "memo" with \\u0000, \n and ü☃`,
  userId: "u",
  redirectUrl: "https://shop.example/",
} as const;

async function addEndpoints(database: Database): Promise<void> {
  await query(
    database,
  )`insert into webhook_endpoints (id, merchant_id, environment, slot, url, event_types, active,
      inactive_reason, inactive_since, secret_sealed, created_at, updated_at, idempotency_key)
    select 'whe_' || n, 'mer_1', case n when 4 then 'test' else 'live' end, n,
      'https://shop.example/' || n,
      array[case n when 3 then 'payment.paid' when 1 then '*' else 'payment.created' end],
      n <> 2, case n when 2 then 'merchant' end, case n when 2 then now() end,
      '\\x00', now(), now(), 'key-' || n
    from generate_series(1, 4) n`;
}

const codeOf = (error: unknown): string =>
  error instanceof ServiceError ? error.code : String(error);

describe.each(engines)("on %s", (engine) => {
  const open = (): Promise<OpenedDatabase> => openDatabase(engine);

  test("a payment is one read and one statement, however often; the catalog comes once", async () => {
    const { names, database } = countingDatabase(await open());
    const { create } = await shopOn(database);
    for (let round = 0; round < 2; round++) {
      names.length = 0;
      await create(orderOf(rich));
      expect(names).toEqual(["read_payment_terms", "create_payment"]);
    }
  });

  test("payments at once are one statement, and each is written as one alone", async () => {
    const { names, database: counted } = countingDatabase(await open());
    const database = withBatching(counted);
    const { create, parts } = await shopOn(database);
    await addEndpoints(database);
    const alone = await create(orderOf(rich));
    const plain = await create(orderOf());
    names.length = 0;
    const together = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(orderOf(index % 2 === 0 ? rich : {}))),
    );
    const writes = names.filter((name) => name.startsWith("create_"));
    expect(writes).toContain("create_payments");
    // One that comes first of all is written alone, and perhaps the second.
    expect(writes.length).toBeLessThan(6);
    expect(new Set(together).size).toBe(20);
    const expected = [await writtenAbout(database, alone), await writtenAbout(database, plain)];
    expect(expected[0]).toMatchObject({ counter: [{ last: 1 }], event: [{ sequence: 1 }] });
    expect(expected[0]).toHaveProperty("deliveries.length", 2);
    for (const [index, id] of together.entries()) {
      expect(await writtenAbout(database, id)).toEqual(expected[index % 2]);
    }
    expect(parts.clock.now()).toEqual(new Date("2026-01-01T00:00:00.000Z"));
  });

  test("in a crowd, a key or an order number that was taken disturbs nobody else", async () => {
    const opened = await open();
    const one = await shopOn(withBatching(opened));
    // Another process on the same database, which knows nothing of what runs in the first one.
    const other = callsOn(withBatching(opened), buildServiceParts(opened));
    for (let round = 0; round < 5; round++) {
      const keys = Array.from({ length: 6 }, (_, index) => `key-${round}-${index}`);
      const twice = orderOf();
      const asked = [one, other].flatMap(({ create }) => [
        ...keys.map((key) => create(orderOf(), { key })),
        create(twice, { key: randomBytes(8).toString("hex") }),
        create(orderOf(), { merchantId: "mer_2", key: `key-${round}-0` }),
      ]);
      const results = await Promise.allSettled(asked);
      const texts = results.map((result) =>
        result.status === "fulfilled" ? result.value : codeOf(result.reason),
      );
      const [first, second] = [texts.slice(0, 6), texts.slice(8, 14)];
      // The same request of two processes: one effect, and the same answer for both.
      expect(second).toEqual(first);
      expect(new Set(first).size).toBe(6);
      expect(texts.filter((text) => text === "order_already_exists")).toHaveLength(1);
      expect(texts.filter((text) => text.startsWith("pay_"))).toHaveLength(15);
      expect(texts[7]).toBe(texts[15]);
    }
    const rows = await query(opened)`
    select p.id, c.last from payments p
    left join event_sequences c on c.resource_id = p.id
    left join idempotency_keys k on (k.merchant_id, k.environment, k.key)
      = (p.merchant_id, p.environment, p.idempotency_key)
    where k.body = p.id`;
    expect(rows).toHaveLength(5 * 8);
    expect(await query(opened)`select 1 from payments`).toHaveLength(5 * 8);
    expect(await query(opened)`select 1 from events`).toHaveLength(5 * 8);
  });

  test("the biller's payment is one like any other, in its transaction or not at all", async () => {
    const database = await open();
    const { payments, create } = await shopOn(database);
    await addEndpoints(database);
    const owner = liveOwner("mer_1");
    const bill = (order: PaymentOrder, end: () => void) =>
      database.transaction(async (inside) => {
        const payment = await payments.createInTransaction(inside, owner, order);
        end();
        return payment;
      });
    const undone = bill(orderOf(), () => {
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    expect(await query(database)`select 1 from payments`).toEqual([]);
    expect(await query(database)`select 1 from events`).toEqual([]);
    const order = orderOf(rich);
    const { id, checkoutUrl } = await bill(order, () => undefined);
    expect(checkoutUrl).toMatch(/^https:\/\/pay\.example\/checkout\/[\w-]{22}$/);
    const alone = await create(orderOf(rich));
    const expected = { ...(await writtenAbout(database, alone)), key: null };
    expect(await writtenAbout(database, id)).toEqual(expected);
    await expect(bill(order, () => undefined)).rejects.toMatchObject({
      code: "order_already_exists",
      details: { payment_id: id },
    });
    const wrong = orderOf({ quotes: [{ currencyId: "cur_pol", amount: "1", chainIds: null }] });
    const refused = { code: "currency_not_accepted" };
    await expect(bill(wrong, () => undefined)).rejects.toMatchObject(refused);
  });

  test("cancelling or paying: whoever is first, the other one sees it", async () => {
    const database = await open();
    const { create, cancel } = await shopOn(database);
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const id = await create();
      const pay = () =>
        query(database)`update payments set status = 'confirming', version = version + 1
          where id = ${id} and status = 'pending' and version = 1 returning id`;
      const both = round % 2 === 0 ? [cancel(id), pay()] : [pay(), cancel(id)];
      const settled = await Promise.allSettled(both);
      const codes = settled.flatMap((one) =>
        one.status === "rejected" ? [codeOf(one.reason)] : [],
      );
      const [row] = await query(database)<{
        status: string;
        events: number;
      }>`select status, version::int,
        (select count(*)::int from events where resource_id = ${id}) as events
        from payments where id = ${id}`;
      const isCancelled = codes.length === 0;
      if (!isCancelled) expect(codes).toEqual(["payment_not_cancellable"]);
      expect(row).toEqual({
        status: isCancelled ? "cancelled" : "confirming",
        version: 2,
        events: isCancelled ? 2 : 1,
      });
      outcomes.add(row?.status ?? "");
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test("a payment that changes all the time is given up, not fought for", async () => {
    const opened = await open();
    const { create, parts } = await shopOn(opened);
    const id = await create();
    let reads = 0;
    const restless: Database = {
      ...opened,
      run: async (statement, values) => {
        const rows = await opened.run(statement, values);
        if (statement.name === "find_payment") {
          reads++;
          await query(opened)`update payments set version = version + 1 where id = ${id}`;
        }
        return rows;
      },
    };
    const { cancel } = callsOn(restless, parts);
    await expect(cancel(id)).rejects.toMatchObject({ code: "service_unavailable" });
    expect(reads).toBe(10);
    expect(await query(opened)`select 1 from events where resource_id = ${id}`).toHaveLength(1);
  });
});
