// A payment is made once, wherever the connection breaks while it is made: the client that merchants copy sends it again,
// and the service gives the answer of the first time.

import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { signingFetch } from "../../scripts/client/signing-fetch.ts";
import type { Attempt } from "../../scripts/client/signing-fetch.ts";
import { newShop, orderOf } from "../contract/payment-calls.ts";
import { useService } from "../support/service.ts";
import type { Merchant } from "../support/service.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";

const service = useService("PostgreSQL");
const seed = Number(process.env["SEED"] ?? 1);
/** Of so many merchants: one of them may create 120 payments in a minute. */
const lanes = 10;
const paymentsEach = 50;
let attempts = 0;

interface Lane {
  readonly merchant: Merchant;
  /** gives the id of the payment */
  readonly create: (key: string) => Promise<string>;
}

async function openLane(baseUrl: string, onAttempt: (attempt: Attempt) => void): Promise<Lane> {
  const merchant = await newShop(service);
  const call = signingFetch(merchant, {
    onAttempt,
    // A twentieth of the time: what is on its way in the service ends soon.
    wait: (milliseconds, signal) => setTimeout(milliseconds / 20, undefined, { signal }),
  });
  const create = async (key: string): Promise<string> => {
    const response = await call(`${baseUrl}/v1/payments`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(orderOf({ merchant_order_no: key })),
    });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { readonly id: string };
    return id;
  };
  return { merchant, create };
}

test("500 payments, each cut once, at bytes all over the exchange: 500 payments", async () => {
  const bytes = await lengthOfExchange();
  expect(bytes, `SEED=${seed}`).toBeGreaterThan(1_000);
  const all = lanes * paymentsEach;
  const ids = new Set<string>();
  const lane = async (number: number): Promise<void> => {
    await using proxy = await startCuttingProxy(new URL(service.url));
    const { merchant, create } = await openLane(proxy.url, () => (attempts += 1));
    for (let at = 0; at < paymentsEach; at += 1) {
      // Evenly over all bytes, and not over the same ones with each seed.
      const place = ((number * paymentsEach + at + (seed % 1_000) / 1_000) * (bytes - 1)) / all;
      proxy.cutAfter(1 + Math.floor(place));
      ids.add(await create(`order-${number}-${at}`));
    }
    expect(proxy.cuts()).toBe(paymentsEach);
    const [row] = await service.query(
      "select count(*)::int as count from payments where merchant_id = $1",
      [merchant.merchantId],
    );
    expect(row).toEqual({ count: paymentsEach });
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  expect(ids.size).toBe(500);
  expect(attempts).toBeGreaterThanOrEqual(1_000);
});

/** Of a creation that nobody cuts. */
async function lengthOfExchange(): Promise<number> {
  const proxy = await startCuttingProxy(new URL(service.url));
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const { create } = await openLane(proxy.url, () => undefined);
  proxy.cutAfter(Infinity);
  await create("order-0-0");
  return proxy.passed();
}
