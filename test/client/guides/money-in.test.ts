// The programs of the guides about money that comes in, and about going live, run as they stand there. Customers pay
// on the local chain.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPage } from "../../../scripts/client/tool/checkout-page.ts";
import { usd } from "../../../scripts/client/tool/test-usd.ts";
import { patienceMilliseconds } from "../../support/patience.ts";
import { type Child, endChildren } from "../../programs/child.ts";
import { deliver, freePort, type GuideShop, openGuideShop } from "./guide.ts";
import {
  eventually,
  type GuideMerchant,
  type GuideWorld,
  linesOf,
  shown,
  startGuideWorld,
} from "./guide-world.ts";

const guides = ["take-a-payment", "split-a-payment", "sell-an-api-by-x402", "going-live"];
const packages = ["hono", "@hono/node-server", "viem", "@x402/core", "@x402/evm", "@x402/fetch"];

let world: GuideWorld;
let shop: GuideShop;
let merchant: GuideMerchant;
beforeAll(async () => {
  shop = openGuideShop(guides, [...packages, "@x402/hono"]);
  world = await startGuideWorld();
  merchant = await world.newGuideMerchant();
});
afterAll(endChildren);

test("the programs are right by the types of the package", async () => {
  expect(await shop.mistakes).toEqual([]);
});

describe("take a payment", () => {
  let running: Child;
  let settings: Readonly<Record<string, string>>;
  let database: DatabaseSync;

  beforeAll(async () => {
    const PORT = await freePort();
    const SHOP_DB = join(shop.folder, "shop.db");
    settings = { ...merchant.settings, PORT, SHOP_DB };
    const WEBHOOK_URL = `http://127.0.0.1:${PORT}/webhooks`;
    const output = await shop.run("setup.ts", { ...settings, WEBHOOK_URL });
    const [ENDPOINT_ID, WEBHOOK_SECRET] = ["ENDPOINT_ID", "WEBHOOK_SECRET"].map((name) =>
      shown(output, name),
    );
    settings = {
      ...settings,
      ENDPOINT_ID: ENDPOINT_ID ?? "",
      WEBHOOK_SECRET: WEBHOOK_SECRET ?? "",
    };
    running = shop.start("shop.ts", settings);
    await running.waitFor(/^listening/m);
    database = new DatabaseSync(SHOP_DB, { timeout: patienceMilliseconds });
  });
  afterAll(() => database.close());

  async function buy(orderNo: string): Promise<string> {
    const url = `http://127.0.0.1:${settings["PORT"]}/buy/${orderNo}`;
    const answer = await fetch(url, { method: "POST", redirect: "manual" });
    expect(answer.status).toBe(303);
    return answer.headers.get("Location") ?? "";
  }

  const take = (event: { readonly id: string }) => deliver(settings, event);
  const orderOf = (orderNo: string) =>
    database.prepare("select * from orders where order_no = ?").get(orderNo);
  const becomes = (orderNo: string, status: string) =>
    eventually(() => expect(orderOf(orderNo)).toMatchObject({ status }));
  const shipped = () => linesOf(running.output(), "ship");

  test("an order opened twice and paid in two parts is one payment, shipped once", async () => {
    const page = await buy("A-1001");
    expect(await buy("A-1001")).toBe(page);
    await world.pay(page, "10");
    await becomes("A-1001", "partially_paid");
    expect(orderOf("A-1001")).toMatchObject({ shipped_at: null, checkout_url: page });
    await world.pay(page, "15");
    await becomes("A-1001", "paid");
    await running.waitFor(/^ship A-1001$/m);
    expect(shipped()).toEqual(["ship A-1001"]);
  });

  test("a link makes no order, and an order without a number is none", async () => {
    const url = `http://127.0.0.1:${settings["PORT"]}/buy/`;
    expect((await fetch(`${url}A-1000`)).status).toBe(405);
    expect((await fetch(url, { method: "POST" })).status).toBe(404);
    expect(orderOf("A-1000")).toBeUndefined();
  });

  test("an order whose answer was lost is asked for at the price that was kept", async () => {
    database.prepare("insert into orders (order_no, amount) values ('A-1006', '20.00')").run();
    const page = await buy("A-1006");
    database.prepare("update orders set checkout_url = null where order_no = 'A-1006'").run();
    expect(await buy("A-1006")).toBe(page);
    expect(await readPage(page, usd.deploymentId)).toMatchObject({ amount: "20" });
  });

  test("setup.ts run again says which endpoint there is", async () => {
    const WEBHOOK_URL = `http://127.0.0.1:${settings["PORT"]}/webhooks`;
    const output = await shop.run("setup.ts", { ...settings, WEBHOOK_URL });
    expect(output).toBe(`ENDPOINT_ID=${settings["ENDPOINT_ID"]}\n`);
  });

  test("the same event again, an older one and one of an unknown type change nothing", async () => {
    const before = orderOf("A-1001");
    const data = { merchant_order_no: "A-1001", status: "paid" };
    const paid = { id: "evt_1", type: "payment.paid", sequence: 50, data };
    const older = { ...paid, id: "evt_2", sequence: 2, data: { ...data, status: "expired" } };
    const unknown = { ...paid, id: "evt_3", type: "moon.full", sequence: 1, data: {} };
    for (const event of [paid, paid, older, unknown]) expect(await take(event)).toBe(204);
    expect(orderOf("A-1001")).toEqual({ ...before, sequence: 50 });
    expect(shipped()).toEqual(["ship A-1001"]);
  });

  test("too much is shipped, and a surplus that comes later is looked at", async () => {
    const address = await world.pay(await buy("A-1002"), "30");
    await becomes("A-1002", "overpaid");
    await running.waitFor(/^ship A-1002$/m);
    await world.send(address, "1");
    const text = await running.waitFor(/^look at A-1002 [^}]*is_unmatched: false/m);
    expect(linesOf(text, "ship").filter((line) => line.endsWith("A-1002"))).toHaveLength(1);
  });

  test("a part is expired as underpaid, and looked at when the rest comes late", async () => {
    database.prepare("insert into orders (order_no, amount) values ('A-1003', '25.00')").run();
    const { checkout_url: page } = await merchant.client.payments.createPayment({
      merchant_order_no: "A-1003",
      quotes: { [usd.currencyId]: { amount: "25.00" } },
      expires_in_secs: 8,
    });
    const address = await world.pay(page, "10");
    await becomes("A-1003", "partially_paid");
    await running.waitFor(/^look at A-1003 underpaid$/m);
    await world.send(address, "15");
    await running.waitFor(/^look at A-1003 paid_late$/m);
    expect(orderOf("A-1003")).toMatchObject({ status: "paid_late", shipped_at: null });
  });

  describe("as the service would tell it", () => {
    const told = (
      orderNo: string,
      [sequence, status, type = status]: readonly [number, string, string?],
    ) => ({
      id: `evt_${orderNo}_${sequence}`,
      type: `payment.${type}`,
      sequence,
      data: { merchant_order_no: orderNo, status },
    });
    const order = (orderNo: string) =>
      database.prepare("insert into orders (order_no, amount) values (?, '25.00')").run(orderNo);
    const linesAbout = (orderNo: string) =>
      running
        .output()
        .split("\n")
        .filter((line) => line.includes(orderNo));

    test.each([
      {
        name: "what is reversed is held back once, and goes on when it is restored",
        orderNo: "D-1",
        events: [
          [1, "paid"],
          [2, "reversed"],
          [3, "reversed", "deposit_after_close"],
          [4, "paid", "restored"],
        ],
        lines: ["ship D-1", "hold back D-1", "look at D-1 undefined", "go on D-1"],
      },
      {
        name: "what is reversed before it is known as paid is shipped when it is restored",
        orderNo: "D-2",
        events: [
          [2, "reversed"],
          [1, "paid"],
          [3, "overpaid", "restored"],
        ],
        lines: ["hold back D-2", "ship D-2"],
      },
      {
        name: "a surplus that is told of before payment.paid says that it is paid",
        orderNo: "D-3",
        events: [
          [2, "paid", "deposit_after_close"],
          [1, "paid"],
        ],
        lines: ["look at D-3 undefined", "ship D-3"],
      },
    ] as const)("$name", async ({ orderNo, events, lines }) => {
      order(orderNo);
      for (const event of events) {
        expect(await take(told(orderNo, event))).toBe(204);
      }
      await eventually(() => expect(linesAbout(orderNo)).toEqual(lines));
    });

    test("an order that is not known is told of", async () => {
      expect(await take(told("D-4", [1, "paid"]))).toBe(204);
      await eventually(() => expect(linesAbout("D-4")).toEqual(["unknown order D-4 payment.paid"]));
    });

    test("an event that cannot be kept is refused, and taken when it comes again", async () => {
      order("D-5");
      const fail =
        "create trigger fail before update on orders begin select raise(abort, 'full'); end";
      database.exec(fail);
      const errors = running.errors();
      expect(await take(told("D-5", [1, "paid"]))).toBe(500);
      await eventually(() => expect(running.errors().slice(errors.length)).toContain("full"));
      database.exec("drop trigger fail");
      expect(await take(told("D-5", [1, "paid"]))).toBe(204);
      await eventually(() => expect(linesAbout("D-5")).toEqual(["ship D-5"]));
    });
  });

  test("what comes after a cancellation is kept apart, and looked at", async () => {
    const page = await buy("A-1004");
    const address = await world.pay(page, "0.001");
    const { payment_id: id } = orderOf("A-1004") ?? {};
    await merchant.client.payments.cancelPayment({ id: String(id) });
    await becomes("A-1004", "cancelled");
    await world.send(address, "25");
    await running.waitFor(/^look at A-1004 [^}]*is_unmatched: true/m);
    expect(orderOf("A-1004")).toMatchObject({ status: "cancelled", shipped_at: null });
  });

  test("reconcile.ts finds what was paid while the shop was away", async () => {
    const page = await buy("A-1005");
    await becomes("A-1005", "pending");
    running.kill("SIGKILL");
    await running.ended;
    await world.pay(page, "25");
    await eventually(async () => {
      const answer = await fetch(page, { headers: { Accept: "application/json" } });
      expect(await answer.json()).toMatchObject({ status: "paid" });
    });
    // Long ago, before A-1004 was cancelled, and shipped: each of them would differ.
    database.exec("update orders set status = 'pending' where order_no in ('A-1001', 'A-1002')");
    database.exec("update orders set made_at = '2026-01-01 00:00:00' where order_no = 'A-1002'");
    // What differs for the first time may be on its way.
    expect(await shop.run("reconcile.ts", settings)).toBe("");
    const output = await shop.run("reconcile.ts", settings);
    expect(output.trim().split("\n").toSorted()).toEqual([
      "differs A-1001 pending paid",
      "differs A-1005 pending paid",
    ]);
  });

  test("preflight.ts says of a test key on this machine what is not live, and that all else is well", async () => {
    const child = shop.start("preflight.ts", settings);
    expect((await child.ended).code).toBe(1);
    expect(child.errors()).toBe("");
    const lines = child.output().trim().split("\n");
    expect(lines.filter((line) => line.startsWith("NOT WELL"))).toEqual([
      "NOT WELL the key is a live one",
      "NOT WELL the service is called by https",
      "NOT WELL it is called by https",
    ]);
    expect(lines.filter((line) => line.startsWith("well"))).toEqual([
      "well the clock is right",
      "well the webhook endpoint is on",
      "well no recent event was given up",
      `well payments can be made on ${usd.chainId}`,
      "well and be cancelled",
    ]);
  });
});

describe("split a payment", () => {
  const cases = [
    { sent: "100", policy: "to_primary", shares: [19_800_000n, 4_950_000n, 74_250_000n] },
    { sent: "110", policy: "to_primary", shares: [19_800_000n, 4_950_000n, 84_150_000n] },
    { sent: "110", policy: "pro_rata", shares: [21_780_000n, 5_445_000n, 81_675_000n] },
    { sent: "40", policy: "to_primary", shares: [7_920_000n, 1_980_000n, 29_700_000n] },
  ] as const;

  test.each(cases)("$sent by $policy is shared as the guide says", async (one) => {
    const [own, brand, courier] = [
      await world.newGuideMerchant(),
      await world.newGuideMerchant(),
      await world.newGuideMerchant(),
    ];
    const url = "http://127.0.0.1:1/webhooks";
    await brand.client.webhookEndpoints.registerWebhookEndpoint({ url });
    const settings = { ...own.settings, BRAND_ID: brand.id, COURIER_ID: courier.id };
    const output = await shop.run("split-order.ts", settings, ["B-2001", one.policy]);
    await world.pay(output.trim(), one.sent);
    const [brandRaw, courierRaw, ownRaw] = one.shares;
    await world.untilAvailable(brand.id, brandRaw);
    await world.untilAvailable(courier.id, courierRaw);
    await world.untilAvailable(own.id, ownRaw);
    const { deliveries } = await brand.client.webhookDeliveries.listWebhookDeliveries();
    expect(deliveries).toEqual([]);
  });

  test("a partner that is none stops the order, and nothing was made", async () => {
    const settings = { ...merchant.settings, BRAND_ID: "mer_none", COURIER_ID: merchant.id };
    const child = shop.start("split-order.ts", settings, ["B-2002"]);
    expect((await child.ended).code).toBe(1);
    expect(child.errors()).toBe("no such partner, or no consent: mer_none\n");
  });
});

test("the API of the x402 guide is sold to its buyer, and the sale is the merchant's", async () => {
  const seller = await world.newGuideMerchant();
  const api = shop.start("api.ts", { ...seller.settings, PORT: "0" });
  const port = /port: (\d+)/.exec(await api.waitFor(/port: \d+/))?.[1] ?? "";
  const API_URL = `http://127.0.0.1:${port}/report`;
  for (const method of ["GET", "HEAD"]) {
    expect((await fetch(API_URL, { method })).status).toBe(402);
  }
  const { privateKey } = world.payer.account.getHdKey();
  const BUYER_KEY = `0x${Buffer.from(privateKey ?? []).toString("hex")}`;
  const output = await shop.run("buyer.ts", { API_URL, BUYER_KEY, LOCAL_CHAIN: "1" });
  expect(output).toMatch(/^200 \{"report":"sunny"\}\ntransaction 0x[0-9a-f]{64}\n$/);
  await world.untilAvailable(seller.id, 49_500n);
  expect(api.errors()).toBe("");
});
