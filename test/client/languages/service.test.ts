// The shops of the page about other languages, run as they stand there: against the service, and by what it sends.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newShop, orderOf } from "../../contract/payment-calls.ts";
import { endChildren, makeFolder } from "../../programs/child.ts";
import { openDatabase } from "../../support/engines.ts";
import { query } from "../../support/service-parts.ts";
import { useService } from "../../support/service.ts";
import { Outbox } from "../../webhooks/outbox.ts";
import { startCuttingProxy } from "../cutting-proxy.ts";
import { describeLanguages, openShop, type Outcome, type Shop } from "./language.ts";

const service = useService("PostgreSQL");
afterAll(endChildren);

/** Of the exchange, where its connection is cut: in the request, and in the answer. */
const places = [0.3, 0.5, 0.7, 0.8, 0.9, 0.97, 1];

interface Change {
  readonly by?: string;
  readonly at?: Date;
  readonly body?: string;
  readonly data?: object | undefined;
}

/** The status that a receiver answers to an event. */
async function deliver(url: string, change: Change & { readonly by: string }): Promise<unknown> {
  const { by, at = new Date(), data = { merchant_order_no: "A-2" } } = change;
  const body = JSON.stringify({ id: "evt_1", type: "payment.paid", data });
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("evt_1", at, body),
  };
  return (await fetch(url, { method: "POST", headers, body: change.body ?? body })).status;
}

/** Of all pages of a list of currencies, in their order. */
function currenciesIn(outcome: Outcome | undefined): readonly object[] {
  // As the contract has them, which the service is held to elsewhere.
  const pages = outcome?.["ok"] as readonly { readonly currencies: readonly object[] }[];
  return pages.flatMap(({ currencies }) => currencies);
}

describeLanguages("its shop", (language) => {
  let shop: Shop;
  beforeAll(() => {
    shop = openShop(language);
  });

  /** What the program that creates a payment prints for a new merchant. */
  const create = async (url: string, merchant: Awaited<ReturnType<typeof newShop>>) => {
    const child = shop.start("create_payment", {
      PAY_URL: url,
      MERCHANT_API_KEY: merchant.key,
      MERCHANT_API_SECRET: merchant.secret,
    });
    const { code } = await child.ended;
    expect({ code, errors: child.errors() }).toEqual({ code: 0, errors: "" });
    return child.output();
  };

  const payments = (merchantId: string): Promise<number> =>
    service.count("select 1 from payments where merchant_id = $1", [merchantId]);

  test("an order is one payment, however often the program runs", async () => {
    const merchant = await newShop(service);
    const first = await create(service.url, merchant);
    expect(first).toMatch(/^pay_\w+ https?:\/\/\S+\n$/);
    expect(await create(service.url, merchant)).toBe(first);
    expect(await payments(merchant.merchantId)).toBe(1);
  });

  test("a refusal ends the program, and says why", async () => {
    const { key } = await newShop(service);
    const child = shop.start("create_payment", {
      PAY_URL: service.url,
      MERCHANT_API_KEY: key,
      MERCHANT_API_SECRET: "sk_test_of_somebody_else",
    });
    expect((await child.ended).code).toBe(1);
    expect(child.errors()).toMatch(/refused.*authentication_failed.*\n$/);
  });

  test("without an answer it is not called refused, and tells the key", async () => {
    const merchant = await newShop(service);
    const child = shop.start("create_payment", {
      PAY_URL: "http://127.0.0.1:1",
      MERCHANT_API_KEY: merchant.key,
      MERCHANT_API_SECRET: merchant.secret,
    });
    expect((await child.ended).code).toBe(1);
    expect(child.errors()).toMatch(/may have happened, ask again with order-A-1001: no_answer/);
  });

  test("it is one wherever the connection breaks", async () => {
    const proxy = await startCuttingProxy(new URL(service.url));
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    proxy.cutAfter(Infinity);
    await create(proxy.url, await newShop(service));
    const bytes = proxy.passed();
    for (const [at, place] of places.entries()) {
      const merchant = await newShop(service);
      proxy.cutAfter(Math.floor(place * bytes) - 2);
      expect(await create(proxy.url, merchant)).toMatch(/^pay_/);
      expect(proxy.cuts()).toBe(at + 1);
      expect(await payments(merchant.merchantId)).toBe(1);
    }
  });

  test("calls without a body, with a query, and with what is refused", async () => {
    const merchant = await newShop(service);
    const [id = ""] = (await create(service.url, merchant)).split(" ");
    const { key, secret } = merchant;
    const call = { op: "call", url: service.url, key, secret, timeout: 60, method: "POST" };
    const memo = String.raw`é 😀 \ <&>/`;
    const outcomes = await shop.ask([
      { ...call, target: `/v1/payments/${id}/cancel` },
      { ...call, method: "GET", target: "/v1/currencies?limit=%31" },
      { ...call, target: "/v1/payments", body: { merchant_order_no: "é+1" } },
      { ...call, secret: "sk_test_of_somebody_else", target: "/v1/payments", body: {} },
      { ...call, target: "/v1/payments", body: orderOf({ memo }) },
    ]);
    expect(outcomes).toMatchObject([
      { ok: { id, status: "cancelled" } },
      { ok: { currencies: [{}] } },
      { error: "payment", status: 400, code: "invalid_request" },
      { error: "payment", status: 401, code: "authentication_failed" },
      { ok: { status: "pending" } },
    ]);
    for (const { error, requestId, details } of outcomes) {
      if (error === undefined) continue;
      expect(requestId).toMatch(/^req_/);
      expect(details).toMatchObject({ request_id: requestId });
    }
    const [row] = await service.query(
      "select memo from payments where merchant_id = $1 and memo is not null",
      [merchant.merchantId],
    );
    expect(row).toEqual({ memo });
  });

  test("a list is whole, however few a page has", async () => {
    const { key, secret } = await newShop(service);
    const call = { op: "pages", url: service.url, key, secret, timeout: 60, method: "GET" };
    const [all, single] = await shop.ask([
      { ...call, target: "/v1/currencies?limit=100" },
      { ...call, target: "/v1/currencies?limit=1" },
    ]);
    const known = currenciesIn(all);
    expect(known.length).toBeGreaterThan(1);
    expect(all?.["ok"]).toHaveLength(1);
    expect(single?.["ok"]).toHaveLength(known.length);
    expect(currenciesIn(single)).toEqual(known);
  });

  test("what the service sends is received, and what was not sent by it is not", async () => {
    const outbox = new Outbox({ database: await openDatabase("PGlite") });
    const older = `whsec_${Buffer.from("another secret, before a rotation").toString("base64")}`;
    // The endpoint has its secret before the receiver has its port.
    const { id, secret } = await outbox.addEndpoint();
    const receiver = shop.start("receive_webhooks", {
      WEBHOOK_SECRETS: `${older} ${secret}`,
      PORT: "0",
    });
    const [, url = ""] =
      /(http:\/\/127\.0\.0\.1:\d+)/.exec(await receiver.waitFor(/:\d+\b.*\n/)) ?? [];
    await query(
      outbox.database,
    )`update webhook_endpoints set url = ${`${url}/hooks`} where id = ${id}`;
    await outbox.record({ data: { merchant_order_no: "A-é" } });
    await outbox.round();
    expect(outbox.attempted).toEqual([204]);

    const post = (change: Change) => deliver(url, { by: secret, ...change });
    expect(await post({ by: `whsec_${Buffer.from("nobody's").toString("base64")}` })).toBe(400);
    expect(await post({ at: new Date(Date.now() - 310_000) })).toBe(400);
    expect(await post({ body: '{"id":"evt_1","type":"payment.paid"}' })).toBe(400);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
    expect(await post({})).toBe(204);
    expect(await post({ by: older })).toBe(204);
    await receiver.waitFor(/A-2/);
    expect(receiver.output().match(/^paid .*$/gm)).toEqual(["paid A-é", "paid A-2"]);
  });

  const receiverOf = async (HANDLED_FOLDER: string) => {
    const by = `whsec_${Buffer.from("a secret of an endpoint").toString("base64")}`;
    const receiver = shop.start("receive_webhooks", {
      WEBHOOK_SECRETS: by,
      PORT: "0",
      HANDLED_FOLDER,
    });
    const said = await receiver.waitFor(/:\d+\b.*\n/);
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    const paid = () => receiver.output().match(/^paid .*$/gm);
    return { paid, post: (data?: object) => deliver(url, { by, data }) };
  };

  test("what comes several times at once is handled once", async () => {
    const { post, paid } = await receiverOf(makeFolder());
    const statuses = await Promise.all(Array.from({ length: 20 }, () => post()));
    expect(new Set(statuses)).toEqual(new Set([204]));
    await expect.poll(paid).toEqual(["paid A-2"]);
  });

  test("what could not be handled is no success, and is handled when it comes again", async () => {
    const folder = join(makeFolder(), "missing");
    const { post, paid } = await receiverOf(folder);
    // The one keeps its marks in a folder; the others stumble over the event.
    const isKept = language.name === "PHP";
    const status = await post(isKept ? undefined : []).catch(() => "no answer");
    expect(status).toBe(language.name === "Python" ? "no answer" : 500);
    expect(paid()).toBeNull();
    mkdirSync(folder);
    expect(await post()).toBe(204);
    await expect.poll(paid).toEqual(["paid A-2"]);
  });
});
