// What a call of the client throws, and what it tells of the request that was sent: the key to ask again with.

import { describe, expect, test } from "vitest";
import {
  merchantPayments,
  NoResponseError,
  ResponseError,
  UnexpectedResponseError,
} from "../../scripts/client/merchant-payments.ts";
import { vectorKey as key, vectorSecret as secret } from "./vectors.ts";

const order = { merchant_order_no: "A-1001", quotes: { cur_usdc: { amount: "25.00" } } };

/** A shop whose requests end in one way, and the keys that they were sent with. */
function shopWhere(ending: () => Promise<Response>) {
  const keys: (string | null)[] = [];
  const fetch = (request: Request): Promise<Response> => {
    keys.push(request.headers.get("Idempotency-Key"));
    return ending();
  };
  const wait = () => Promise.resolve();
  const { payments } = merchantPayments({ url: "https://pay.example", key, secret, fetch, wait });
  return { payments, keys };
}

const refused = { code: "order_already_exists", message: "There is one.", details: {} };

describe("an error carries the Idempotency-Key of all its attempts", () => {
  test.each([
    {
      what: "no answer",
      ending: () => Promise.reject(new TypeError("reset")),
      kind: NoResponseError,
      attempts: 3,
    },
    {
      what: "a proxy's answer",
      ending: () => Promise.resolve(new Response("<html>", { status: 502 })),
      kind: UnexpectedResponseError,
      attempts: 3,
    },
    {
      what: "a refusal",
      ending: () => Promise.resolve(Response.json(refused, { status: 409 })),
      kind: ResponseError,
      attempts: 1,
    },
  ])("$what", async ({ ending, kind, attempts }) => {
    const { payments, keys } = shopWhere(ending);
    const drawn: unknown = await payments.createPayment(order).catch((error: unknown) => error);
    expect(drawn).toBeInstanceOf(kind);
    expect(keys).toHaveLength(attempts);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(keys)).toEqual(new Set([(drawn as NoResponseError).idempotencyKey]));
    const given = payments.createPayment(order, { idempotencyKey: "order-A-1001" });
    await expect(given).rejects.toMatchObject({ idempotencyKey: "order-A-1001" });
  });
});

test("no answer says why, and that it may have been done", async () => {
  const { payments } = shopWhere(() => Promise.reject(new TypeError("reset")));
  const thrown = payments.createPayment(order);
  await expect(thrown).rejects.toThrow(
    "no answer came (reset); it may have been done all the same",
  );
  await expect(thrown).rejects.toMatchObject({ cause: new TypeError("reset") });
});

test("whoever gives up gets the own reason", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  const { payments } = shopWhere(() => {
    controller.abort(reason);
    return Promise.reject(new TypeError("reset"));
  });
  const options = { signal: controller.signal };
  await expect(payments.createPayment(order, options)).rejects.toBe(reason);
});

test("isError knows the errors of its own operation", async () => {
  const { payments } = shopWhere(() => Promise.resolve(Response.json(refused, { status: 409 })));
  const error: unknown = await payments.createPayment(order).catch((one: unknown) => one);
  expect(payments.createPayment.isError(error)).toBe(true);
  expect(payments.cancelPayment.isError(error)).toBe(false);
  expect(error).toMatchObject({ code: "order_already_exists", status: 409 });
});
