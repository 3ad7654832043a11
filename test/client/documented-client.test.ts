// The shop in docs/client.md, run as it stands there beside the package.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantPayments } from "../../scripts/client/merchant-payments.ts";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import { newShop } from "../contract/payment-calls.ts";
import { endChildren, makeFolder, projectRoot, startChild } from "../programs/child.ts";
import { useService } from "../support/service.ts";
import { installClient } from "./packed-client.ts";

const service = useService("PostgreSQL");
const folder = makeFolder();
const page = readFileSync(join(projectRoot, "docs", "client.md"), "utf8");
const secret = `whsec_${Buffer.from("a secret of 32 bytes, or nearly so").toString("base64")}`;

beforeAll(() => {
  for (const [, name = "", text] of page.matchAll(/<!-- file: (\S+) -->\n+```\w+\n(.*?)\n```/gs)) {
    writeFileSync(join(folder, name), `${text}\n`);
  }
  installClient(folder);
});
afterAll(endChildren);

test("an order is one payment, however often the program runs", async () => {
  const shop = await newShop(service);
  const run = async (): Promise<string> => {
    const child = startChild([join(folder, "order.ts")], {
      PAY_URL: service.url,
      MERCHANT_API_KEY: shop.key,
      MERCHANT_API_SECRET: shop.secret,
    });
    const { code } = await child.ended;
    expect({ code, errors: child.errors() }).toEqual({ code: 0, errors: "" });
    return child.output();
  };
  const first = await run();
  expect(first).toMatch(/^pay_\w+ https?:\/\/\S+\n$/);
  expect(await run()).toBe(first);
});

describe("the receiver", () => {
  const body = JSON.stringify({
    id: "evt_1",
    type: "payment.paid",
    data: { merchant_order_no: "A-1001" },
  });

  test("ships once, and refuses what is not signed", async () => {
    const child = startChild([join(folder, "receiver.ts")], { WEBHOOK_SECRET: secret, PORT: "0" });
    const line = await child.waitFor(/port: \d+/);
    const url = `http://127.0.0.1:${/port: (\d+)/.exec(line)?.[1] ?? ""}/`;
    const now = new Date();
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
    };
    const deliver = async (text: string): Promise<number> =>
      (await fetch(url, { method: "POST", headers, body: text })).status;
    expect(await deliver(body)).toBe(204);
    expect(await deliver(body)).toBe(204);
    expect(await deliver(body.replace("A-1001", "A-1002"))).toBe(400);
    expect((await fetch(url, { method: "POST", body })).status).toBe(400);
    expect(child.output().match(/^paid .*$/gm)).toEqual(["paid A-1001"]);
  });
});

test("the pages of a list are all of it, each entry once", async () => {
  const { key, secret } = await newShop(service);
  const { currencies } = merchantPayments({ url: service.url, key, secret });
  const sizes: number[] = [];
  for await (const page of currencies.listCurrencies.pages({ limit: 2 })) {
    sizes.push(page.currencies.length);
  }
  const ids: string[] = [];
  for await (const { id } of currencies.listCurrencies.items({ limit: 2 })) ids.push(id);
  const { currencies: all } = await currencies.listCurrencies({ limit: 100 });
  expect(sizes.length).toBeGreaterThan(1);
  expect(ids).toEqual(all.map(({ id }) => id));
});

test.each([-3_600, 3_600])("a clock that is %i s off does for the whole service", async (off) => {
  const shop = await newShop(service);
  const statuses: (number | undefined)[] = [];
  const call = signingFetch(shop, {
    nowMilliseconds: () => Date.now() + off * 1000,
    onAttempt: ({ status }) => void statuses.push(status),
  });
  for (const limit of [1, 2]) {
    const response = await call(`${service.url}/v1/currencies?limit=${limit}`);
    expect(response.status).toBe(200);
  }
  expect(statuses).toEqual([401, 200, 200]);
});
