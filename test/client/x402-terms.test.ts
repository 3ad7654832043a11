// The terms of a price, as `accepts` of the facilitator client reads them at a payment that it makes and cancels.

import { describe, expect, test } from "vitest";
import { asset, errorOf, network, payTo, scripted } from "./scripted-service.ts";

const price = { currency: "USDC", price: "0.05" } as const;

test("they are read once, without a key, and the payment is cancelled", async () => {
  const { facilitator, pages, payments, cancels } = scripted();
  expect(await facilitator.accepts(price)).toEqual([
    {
      scheme: "exact",
      network,
      payTo,
      price: { asset, amount: "50000", extra: { name: "USD Coin", version: "2" } },
      maxTimeoutSeconds: 300,
      extra: {},
    },
  ]);
  const [read] = pages;
  expect(pages).toHaveLength(1);
  expect(read?.request.redirect).toBe("manual");
  expect(Object.fromEntries(read?.request.headers ?? [])).toEqual({ accept: "application/json" });
  expect(read?.init.signal).toBeInstanceOf(AbortSignal);
  expect(payments).toMatchObject([{ body: { expires_in_secs: 300 } }]);
  expect(cancels).toEqual(["cancel-pay_1"]);
});

describe("maxTimeoutSeconds", () => {
  test.each([59, 604_801, 0, -300, 300.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "of %d is refused before anybody is asked",
    async (maxTimeoutSeconds) => {
      const { facilitator, reads, payments } = scripted();
      await expect(facilitator.accepts({ ...price, maxTimeoutSeconds })).rejects.toThrow(
        `maxTimeoutSeconds is ${maxTimeoutSeconds}: write a whole number from 60 to 604800.`,
      );
      expect([reads.count, payments]).toEqual([0, []]);
    },
  );

  test.each([
    [60, 300],
    [300, 300],
    [301, 301],
    [604_800, 604_800],
  ])("of %d is asked about by a payment of %d seconds, as it is sold", async (wish, seconds) => {
    const { facilitator, payments } = scripted();
    const [terms] = await facilitator.accepts({ ...price, maxTimeoutSeconds: wish });
    expect(terms?.maxTimeoutSeconds).toBe(wish);
    expect(payments).toMatchObject([{ body: { expires_in_secs: seconds } }]);
  });
});

describe("a page that cannot be read", () => {
  const elsewhere = { Location: "https://elsewhere.example/" };
  const broken = (): Response => {
    throw new DOMException("no answer in time", "TimeoutError");
  };
  const withHeader = (header: string) => (): Response =>
    new Response("{}", { status: 402, headers: { "PAYMENT-REQUIRED": header } });

  test.each([
    ["that does not answer", broken, "TimeoutError: no answer in time"],
    [
      "that leads elsewhere",
      () => new Response(null, { status: 302, headers: elsewhere }),
      "it answers 302, and not 402",
    ],
    ["of a server that is busy", () => new Response("", { status: 503 }), "it answers 503"],
    ["whose header is no JSON", withHeader("AAAA"), "SyntaxError"],
    ["whose header has no terms", withHeader("e30="), "TypeError"],
  ])("%s is said, and the payment is cancelled", async (_what, answer, message) => {
    const { facilitator, page, cancels } = scripted();
    page.answer = answer;
    await expect(facilitator.accepts(price)).rejects.toThrow(
      /^The terms cannot be read at the payment's checkout_url, "https:.*"/,
    );
    await expect(facilitator.accepts(price)).rejects.toThrow(message);
    expect(cancels).toEqual(["cancel-pay_1", "cancel-pay_1"]);
  });

  test("is what is said, also where the payment cannot be cancelled", async () => {
    const { facilitator, page } = scripted();
    page.answer = broken;
    page.cancelled = "broken";
    await expect(facilitator.accepts(price)).rejects.toThrow("TimeoutError: no answer in time");
  });
});

test.each([["broken"], [errorOf(409, "payment_not_cancellable")]] as const)(
  "a payment that cannot be cancelled does not keep the terms away: %j",
  async (cancelled) => {
    const { facilitator, page } = scripted();
    page.cancelled = cancelled;
    expect(await facilitator.accepts(price)).toHaveLength(1);
  },
);
