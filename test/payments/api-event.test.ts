// The data of an event about a payment: whatever can be ordered fits into it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { rawAmountMax } from "../../service/amounts.ts";
import { eventDataBytesMax } from "../../service/events/events.ts";
import { paymentEventData, publishedPayment } from "../../service/payments/model.ts";
import type { QuotedCurrency } from "../../service/database/tables/payments.ts";
import type { Payment } from "../../service/payments/model.ts";

/** As large as catalog and contract let it be, with every character escaped. */
function quoteOf(index: number, deployments: number): QuotedCurrency {
  const bad = "\u0001";
  return {
    currencyId: `cur_${String(index).padStart(60, "0")}`,
    amount: `${rawAmountMax}`,
    code: "C".repeat(20),
    symbol: bad.repeat(20),
    name: bad.repeat(100),
    accountingDecimals: 36,
    deployments: Array.from({ length: deployments }, (_, place) => ({
      deploymentId: `dep_${index}_${String(place).padStart(55, "0")}`,
      chainId: `eip155:${"9".repeat(32)}`,
      chainFamily: "evm",
      decimals: 77,
      rawAmount: `${rawAmountMax}`,
      assetKind: "token",
      tokenStandard: "spl2022",
      contractAddress: `0x${"A".repeat(40)}`,
    })),
  };
}

function paymentOf(quotes: readonly QuotedCurrency[]): Payment {
  return {
    id: `pay_${"0".repeat(26)}`,
    merchantOrderNo: "\u0001".repeat(128),
    status: "partially_paid",
    quotes,
    expiresAt: new Date("2026-01-01T00:00:00Z"),
    userId: "\u0001".repeat(128),
    memo: null,
  };
}

const nothingYet = { tx_hash: null, confirmations: null, deposit: null };

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

test("the largest payment fits, and its answer has everything all the same", () => {
  const quotes = Array.from({ length: 64 }, (_, index) => quoteOf(index, 40));
  const payment = paymentOf(quotes);
  const data = paymentEventData(payment, { receivedRaw: new Map() });
  expect(bytesOf(data)).toBeLessThanOrEqual(eventDataBytesMax);
  expect(bytesOf(data)).toBeGreaterThan(eventDataBytesMax - 3000);
  const shown = Object.values(data.quotes).flatMap(({ deployments }) => deployments);
  expect(shown.length).toBeGreaterThan(10);
  expect(data.deployments_left_out).toBe(64 * 40 - shown.length);
  expect(Object.keys(publishedPayment(payment).quotes)).toHaveLength(64);
});

test("the longest memo leaves room for where money has come in", () => {
  const memo = "\u0001".repeat(2048);
  const payment = { ...paymentOf([quoteOf(0, 40)]), memo };
  const id = payment.quotes[0]?.deployments[39]?.deploymentId ?? "";
  const more = { ...nothingYet, x402: { max_raw: "1", reason: "x".repeat(1500) } };
  const data = paymentEventData(payment, { receivedRaw: new Map([[id, 7n]]), more });
  expect(bytesOf(data)).toBeLessThanOrEqual(eventDataBytesMax);
  expect(data.memo).toBe(memo);
  const shown = Object.values(data.quotes).flatMap(({ deployments }) => deployments);
  expect(shown).toContainEqual(expect.objectContaining({ currency_chain_id: id }));
});

test("what has received something is shown, wherever it stands", () => {
  const quotes = Array.from({ length: 64 }, (_, index) => quoteOf(index, 40));
  const id = quotes[63]?.deployments[39]?.deploymentId ?? "";
  const more = { ...nothingYet, tx_hash: `0x${"ab".repeat(32)}`, confirmations: 3 };
  const data = paymentEventData(paymentOf(quotes), { receivedRaw: new Map([[id, 7n]]), more });
  expect(bytesOf(data)).toBeLessThanOrEqual(eventDataBytesMax);
  const last = Object.values(data.quotes).at(-1);
  expect(last?.deployments).toMatchObject([
    { currency_chain_id: id, received_raw: "7", due_raw: `${rawAmountMax}` },
  ]);
  expect(data).toMatchObject(more);
});

test("whatever fits is there as a whole, and what does not is counted", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sizes, (list) => {
      const payment = paymentOf(list.map((deployments, index) => quoteOf(index, deployments)));
      const data = paymentEventData(payment, { receivedRaw: new Map() });
      expect(bytesOf(data)).toBeLessThanOrEqual(eventDataBytesMax);
      const shown = Object.values(data.quotes).map(({ deployments }) => deployments.length);
      const all = list.reduce((sum, count) => sum + count, 0);
      const left = data.deployments_left_out ?? 0;
      expect(shown.reduce((sum, count) => sum + count, 0) + left).toBe(all);
      expect(Math.min(...shown)).toBeGreaterThan(0);
    }),
  );
});
