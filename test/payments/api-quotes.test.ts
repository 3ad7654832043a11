// What a wish becomes: prices that are exact in every place, or a refusal that helps.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountOf, canonicalAmount, rawAmountMax } from "../../service/amounts.ts";
import type { CatalogCurrency, Currency } from "../../service/catalog/model.ts";
import { ServiceError, serviceErrorCodes } from "../../service/errors.ts";
import { decidePayment } from "../../service/payments/order.ts";
import type { PaymentOrder, PaymentTerms } from "../../service/payments/order.ts";
import { placeQuotes, priceQuotes } from "../../service/payments/quotes.ts";
import { parseRedirectUrl } from "../../service/payments/redirect-url.ts";
import { coinOn, currencyOf } from "../catalog/fixtures.ts";
import { plainOrder } from "./orders.ts";

const watchedChainIds = new Set(["eip155:1", "eip155:2", "eip155:3"]);

function inCatalog(currency: Currency): CatalogCurrency {
  return {
    ...currency,
    deployments: currency.deployments.map((one) => ({
      ...one,
      deploymentVersion: 1n,
      delistingSince: null,
      capabilities: [],
    })),
  };
}

function catalogOf(...currencies: readonly Currency[]) {
  return { version: 1n, currencies: currencies.map(inCatalog) };
}

const digits = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength }).map((list) => list.join(""));

/** A decimal text that the contract takes. */
const amounts = fc
  .tuple(
    digits(40).map((text) => text.replace(/^0+/, "") || "0"),
    digits(30),
  )
  .map(([whole, fraction]) => (fraction === "" ? whole : `${whole}.${fraction}`));

const places = fc.uniqueArray(
  fc.record({
    chain: fc.integer({ min: 1, max: 9 }),
    decimals: fc.integer({ min: 0, max: 36 }),
    isDepositEnabled: fc.boolean(),
    isAccepted: fc.boolean(),
    isWatched: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6, selector: ({ chain }) => chain },
);

test("an amount times nothing is lost: raw units are the amount exactly, in each open place", () => {
  fc.assert(
    fc.property(places, amounts, fc.boolean(), (given, amount, isListed) => {
      const deployments = given.map(({ chain, decimals, isDepositEnabled }) =>
        coinOn(chain, { id: `dep_${chain}`, decimals, isDepositEnabled }),
      );
      const accepted = given.filter(({ isAccepted }) => isAccepted);
      const open = accepted.filter((one) => one.isDepositEnabled && one.isWatched);
      const chainIds = accepted.map(({ chain }) => `eip155:${chain}`);
      const market = {
        catalog: catalogOf(currencyOf("cur_a", deployments)),
        accepted: [{ currencyId: "cur_a", chainIds }],
        watchedChainIds: new Set(
          given.filter((one) => one.isWatched).map(({ chain }) => `eip155:${chain}`),
        ),
      };
      const wanted = [{ currencyId: "cur_a", amount, chainIds: isListed ? chainIds : null }];
      const fraction = canonicalAmount(amount).split(".")[1] ?? "";
      const decimalsMin = Math.min(...open.map(({ decimals }) => decimals));
      const chosen = isListed ? accepted : open;
      const isPossible = open.length > 0 && chosen.length === open.length;
      try {
        const [quote] = priceQuotes(placeQuotes(market, wanted));
        expect(isPossible && fraction.length <= decimalsMin).toBe(true);
        expect(quote?.amount).toBe(canonicalAmount(amount));
        expect(quote?.deployments.map(({ chainId }) => chainId).toSorted()).toEqual(
          open.map(({ chain }) => `eip155:${chain}`).toSorted(),
        );
        for (const { rawAmount, decimals } of quote?.deployments ?? []) {
          expect(amountOf(BigInt(rawAmount), decimals)).toBe(canonicalAmount(amount));
          expect(BigInt(rawAmount) > 0n && BigInt(rawAmount) <= rawAmountMax).toBe(true);
        }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const reason = {
          deposits_disabled: !isPossible,
          amount_precision: isPossible && fraction.length > decimalsMin,
          amount_too_small: isPossible && /^[0.]*$/.test(amount),
          amount_too_large: isPossible && canonicalAmount(amount).split(".")[0] !== "0",
        }[error.code as string];
        expect([error.code, reason]).toEqual([error.code, true]);
      }
    }),
  );
});

test.each([
  [rawAmountMax, undefined],
  [rawAmountMax + 1n, "amount_too_large"],
  [9007199254740993n, undefined],
  [1n, undefined],
  [0n, "amount_too_small"],
])("%d units: %s (threats 36, 37)", (raw, code) => {
  const market = {
    catalog: catalogOf(currencyOf("cur_a", [coinOn(1, { id: "dep_1", decimals: 18 })])),
    accepted: [{ currencyId: "cur_a", chainIds: ["eip155:1"] }],
    watchedChainIds,
  };
  const wanted = [{ currencyId: "cur_a", amount: amountOf(raw, 18), chainIds: null }];
  const price = () => priceQuotes(placeQuotes(market, wanted))[0]?.deployments[0]?.rawAmount;
  if (code === undefined) expect(price()).toBe(raw.toString());
  else expect(price).toThrow(expect.objectContaining({ code }) as Error);
});

describe("of several mistakes", () => {
  const terms: PaymentTerms = {
    owner: { merchantId: "mer_1", environment: "test" },
    now: new Date("2026-01-01T00:00:00Z"),
    catalog: catalogOf(
      currencyOf("cur_a", [
        coinOn(1, { id: "dep_a1", decimals: 6 }),
        coinOn(2, { id: "dep_a2", decimals: 2 }),
        coinOn(3, { id: "dep_a3", isDepositEnabled: false }),
      ]),
      currencyOf("cur_b", [coinOn(1, { id: "dep_b" })]),
    ),
    accepted: [{ currencyId: "cur_a", chainIds: ["eip155:1", "eip155:2", "eip155:3"] }],
    activeMerchantIds: new Set(["mer_1", "mer_2"]),
    feeBps: 100,
    existingPaymentId: "pay_1",
    watchedChainIds,
  };
  const quote = (
    currencyId: string,
    amount: string,
    chainIds: readonly string[] | null = null,
  ) => ({
    currencyId,
    amount,
    chainIds,
  });
  const share = (merchantId: string, bps = 6000) => ({ merchantId, bps });
  const good: PaymentOrder = {
    merchantOrderNo: "A-1",
    quotes: [quote("cur_a", "1")],
    ...plainOrder,
  };

  /** In the order of precedence: each adds a mistake that comes before all the ones below. */
  const mistakes: readonly (readonly [string, Partial<PaymentOrder>])[] = [
    ["currency_not_found", { quotes: [quote("cur_a", "0"), quote("cur_no", "1")] }],
    ["currency_not_accepted", { quotes: [quote("cur_a", "0", ["eip155:9"]), quote("cur_b", "1")] }],
    ["chain_not_accepted", { quotes: [quote("cur_a", "0", ["eip155:3", "eip155:9"])] }],
    ["deposits_disabled", { quotes: [quote("cur_a", "0", ["eip155:3"])] }],
    ["split_merchant_not_found", { splits: [share("mer_1"), share("mer_2"), share("mer_3")] }],
    ["split_merchant_duplicate", { splits: [share("mer_1"), share("mer_2"), share("mer_2")] }],
    ["split_self", { splits: [share("mer_2"), share("mer_1")] }],
    ["splits_exceed_total", { splits: [share("mer_2", 10_001)] }],
    ["expires_in_out_of_range", { expiresInSeconds: 604_801 }],
    ["amount_precision", { quotes: [quote("cur_a", "0"), quote("cur_a", "0.001")] }],
    ["amount_too_small", { quotes: [quote("cur_a", "9".repeat(78)), quote("cur_a", "0")] }],
    ["amount_too_large", { quotes: [quote("cur_a", "9".repeat(78))] }],
    ["order_already_exists", {}],
  ];

  test("the table has the order of service/errors.ts", () => {
    const codes: readonly string[] = serviceErrorCodes;
    const found = mistakes.map(([code]) => codes.indexOf(code));
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(found).not.toContain(-1);
  });

  test.each(mistakes.map(([code], index) => [code, index] as const))(
    "%s comes before all that follow",
    (code, index) => {
      const following = mistakes.slice(index).toReversed();
      const order = Object.assign(
        {},
        good,
        ...following.map(([, change]) => change),
      ) as PaymentOrder;
      const decide = () => decidePayment(terms, order, () => "pay_2");
      expect(decide).toThrow(expect.objectContaining({ code }) as Error);
    },
  );

  test("a payment lives from a second to 604800 seconds", () => {
    const free = { ...terms, existingPaymentId: null };
    const lifeOf = (expiresInSeconds: number | null): number => {
      const decided = decidePayment(free, { ...good, expiresInSeconds }, () => "pay_2");
      const { expiresAt } = decided.payment;
      return (expiresAt.getTime() - terms.now.getTime()) / 1_000;
    };
    expect([null, 1, 604_800].map(lifeOf)).toEqual([1_800, 1, 604_800]);
    const refused = expect.objectContaining({ code: "expires_in_out_of_range" }) as Error;
    for (const seconds of [0, 604_801]) expect(() => lifeOf(seconds)).toThrow(refused);
  });

  test("one listed chain without deposits refuses it, whatever the others take", () => {
    const free = { ...terms, existingPaymentId: null };
    const quotes = [quote("cur_a", "1", ["eip155:1", "eip155:3"])];
    expect(() => decidePayment(free, { ...good, quotes }, () => "pay_2")).toThrow(
      expect.objectContaining({ code: "deposits_disabled" }) as Error,
    );
  });

  test("the smallest decimals of the chosen places decide, and only of those", () => {
    const free = { ...terms, existingPaymentId: null };
    const decide = (chainIds: readonly string[] | null) =>
      decidePayment(free, { ...good, quotes: [quote("cur_a", "0.001", chainIds)] }, () => "pay_2");
    expect(() => decide(null)).toThrow(
      expect.objectContaining({
        code: "amount_precision",
        details: { pointer: "/quotes/cur_a/amount", decimals: 2 },
      }) as Error,
    );
    const { payment, createdAt } = decide(["eip155:1"]);
    expect(payment.quotes[0]?.deployments).toMatchObject([{ rawAmount: "1000", decimals: 6 }]);
    expect(payment.expiresAt.getTime() - createdAt.getTime()).toBe(1_800_000);
  });
});

test.each([
  ["https://shop.example", { href: "https://shop.example/" }],
  ["HTTPS://Shop.Example/ä", { href: "https://shop.example/%C3%A4" }],
  ["https://shop.example/?to=https://a@b", { href: "https://shop.example/?to=https://a@b" }],
  ["//shop.example", { problem: "must be a URL" }],
  ["https:/shop.example", { problem: "must begin with https://" }],
  ["https://u@shop.example", { problem: "must be without user information" }],
])("redirect to %s (threat 74)", (url, parsed) => {
  expect(parseRedirectUrl(url)).toEqual(parsed);
});

test("a redirect that its escapes make too long is refused", () => {
  const url = `https://shop.example/${"ä".repeat(1000)}`;
  expect(parseRedirectUrl(url)).toHaveProperty("problem");
});
