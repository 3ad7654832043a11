import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coverageOf, regularPart } from "../../service/payments/rules.ts";
import { stepsOf } from "../../service/payments/rules.ts";
import type { DepositFact } from "../../service/payments/rules.ts";
import { paymentEdge, paymentEdges } from "../../service/payments/states.ts";
import { quotesOf } from "./progress-quotes.ts";
import { paymentStatuses, type PaymentStatus } from "../../service/database/words.ts";

const expiresAt = new Date("2026-01-01T01:00:00.000Z");
const inTime = expiresAt;
const late = new Date(expiresAt.getTime() + 1);
const lastMoment = new Date(expiresAt.getTime() + 7 * 86_400_000);
const tooLate = new Date(lastMoment.getTime() + 1);

/** 25 USDC on two chains, or 0.01 ETH. */
const quotes = quotesOf({ usdc: "25000000", eth: "10000000000000000" });
const price = 25_000_000n;

function deposit(amountRaw: bigint, more: Partial<DepositFact> = {}): DepositFact {
  const standard = { deploymentId: "dep_usdc_base", blockTime: inTime, isBooked: false } as const;
  return { ...standard, state: "seen", amountRaw, ...more };
}

const final = { state: "final" } as const;
const gone = { state: "orphaned" } as const;
const booked = { state: "final", isBooked: true } as const;
const bookedGone = { state: "orphaned", isBooked: true } as const;

/** Each step by where it leads, and by its event where that is called otherwise. */
function pathOf(
  status: PaymentStatus,
  deposits: readonly DepositFact[],
  isTimeOver: boolean,
): string {
  const steps = stepsOf({ status, quotes, expiresAt, deposits, isTimeOver });
  return steps
    .map(({ to, event }) => (event === `payment.${to}` ? to : `${to} (${event})`))
    .join(", ");
}

/** What it is, what is known of its deposits, and the way that it goes. */
type Row = readonly [PaymentStatus, readonly DepositFact[], string];

describe("the table", () => {
  test("has exactly the published ways, each with its event", () => {
    const rows = paymentEdges.map(
      ({ from, trigger, to, event }) => `${from ?? "-"} | ${trigger} | ${to} | ${event}`,
    );
    expect(rows).toEqual([
      "- | created | pending | payment.created",
      "pending | cancelled | cancelled | payment.cancelled",
      "pending | part_seen | partially_paid | payment.partially_paid",
      "pending | price_seen | confirming | payment.confirming",
      "partially_paid | price_seen | confirming | payment.confirming",
      "partially_paid | deposit_gone | pending | payment.reorged",
      "confirming | deposit_gone | partially_paid | payment.reorged",
      "confirming | deposit_gone | pending | payment.reorged",
      "confirming | settlement_failed | partially_paid | x402.settlement_failed",
      "confirming | settlement_failed | pending | x402.settlement_failed",
      "confirming | price_final | paid | payment.paid",
      "confirming | surplus_final | overpaid | payment.overpaid",
      "pending | time_over | expired | payment.expired",
      "partially_paid | time_over | underpaid | payment.underpaid",
      "expired | late_price_final | paid_late | payment.paid_late",
      "underpaid | late_price_final | paid_late | payment.paid_late",
      "paid | final_deposit_gone | reversed | payment.reversed",
      "overpaid | final_deposit_gone | reversed | payment.reversed",
      "paid_late | final_deposit_gone | reversed | payment.reversed",
      "reversed | price_back | paid | payment.restored",
      "reversed | price_back | overpaid | payment.restored",
      "reversed | price_back | paid_late | payment.restored",
      "pending | authorized | authorized | x402.authorized",
      "partially_paid | authorized | authorized | x402.authorized",
      "authorized | used | paid | payment.paid",
      "authorized | released | expired | payment.expired",
      "authorized | settlement_failed | pending | x402.settlement_failed",
    ]);
  });

  test("every other way is refused", () => {
    const triggers = new Set(paymentEdges.map(({ trigger }) => trigger));
    let refused = 0;
    for (const from of [null, ...paymentStatuses]) {
      for (const to of paymentStatuses) {
        for (const trigger of triggers) {
          const known = paymentEdges.find(
            (one) => one.from === from && one.to === to && one.trigger === trigger,
          );
          if (known !== undefined) {
            expect(paymentEdge(from, trigger, to)).toBe(known);
          } else {
            expect(() => paymentEdge(from, trigger, to)).toThrow("a payment does not go from");
            refused++;
          }
        }
      }
    }
    const all = (paymentStatuses.length + 1) * paymentStatuses.length * triggers.size;
    expect(refused).toBe(all - paymentEdges.length);
  });
});

describe("the steps of a payment", () => {
  const facts =
    (isTimeOver: boolean) =>
    (_: string, ...row: Row) => {
      const [status, deposits, path] = row;
      expect(pathOf(status, deposits, isTimeOver)).toBe(path);
    };

  test.each<readonly [string, ...Row]>([
    ["nothing arrives", "pending", [], ""],
    ["a part is seen", "pending", [deposit(price / 2n)], "partially_paid"],
    ["all is seen", "pending", [deposit(price)], "confirming"],
    [
      "the rest is seen",
      "partially_paid",
      [deposit(price / 2n), deposit(price / 2n)],
      "confirming",
    ],
    ["all is final at first sight", "pending", [deposit(price, final)], "confirming, paid"],
    ["all of it is final", "confirming", [deposit(price, final)], "paid"],
    ["more is final", "confirming", [deposit(price * 2n, final)], "overpaid"],
    ["more is seen than is final", "confirming", [deposit(price, final), deposit(price)], "paid"],
    ["a part of it is final", "confirming", [deposit(price / 2n, final), deposit(price / 2n)], ""],
    ["all of it is gone", "confirming", [deposit(price, gone)], "pending (payment.reorged)"],
    [
      "some of it is gone",
      "confirming",
      [deposit(price, gone), deposit(price / 2n)],
      "partially_paid (payment.reorged)",
    ],
    [
      "the only part is gone",
      "partially_paid",
      [deposit(price / 2n, gone)],
      "pending (payment.reorged)",
    ],
    [
      "it was paid late, and the end is not sure yet",
      "pending",
      [deposit(price, { ...final, blockTime: late })],
      "",
    ],
    ["money comes after the cancellation", "cancelled", [deposit(price, final)], ""],
    ["the price is gone for good", "paid", [deposit(price, bookedGone)], "reversed"],
    [
      "the price of an overpaid one is gone",
      "overpaid",
      [deposit(price * 2n, bookedGone)],
      "reversed",
    ],
    [
      "only the surplus is gone",
      "overpaid",
      [deposit(price, booked), deposit(price, bookedGone)],
      "",
    ],
    ["it waits in another block", "paid", [deposit(price, { state: "seen", isBooked: true })], ""],
    ["what was reversed is seen again", "reversed", [deposit(price)], ""],
    [
      "what was reversed comes back",
      "reversed",
      [deposit(price, final)],
      "paid (payment.restored)",
    ],
    [
      "more than what was reversed comes back",
      "reversed",
      [deposit(price * 2n, final)],
      "overpaid (payment.restored)",
    ],
    [
      "what was reversed comes back late",
      "reversed",
      [deposit(price, { ...final, blockTime: late })],
      "paid_late (payment.restored)",
    ],
    ["half of what was reversed comes back", "reversed", [deposit(price / 2n, final)], ""],
    [
      "what was reversed comes back too late",
      "reversed",
      [deposit(price, { ...final, blockTime: tooLate })],
      "",
    ],
    ["dust is seen (threat 77)", "pending", [deposit(price / 100n - 1n)], ""],
    [
      "enough dust is seen",
      "pending",
      [deposit(price / 200n), deposit(price / 200n)],
      "partially_paid",
    ],
  ])("%s", facts(false));

  test.each<readonly [string, ...Row]>([
    ["time is over", "pending", [], "expired"],
    ["time is over for a part", "partially_paid", [deposit(price / 2n)], "underpaid"],
    ["time is over and it confirms", "confirming", [deposit(price)], ""],
    [
      "time is over and all is gone",
      "confirming",
      [deposit(price, gone)],
      "pending (payment.reorged), expired",
    ],
    [
      "time is over and some is gone",
      "confirming",
      [deposit(price, gone), deposit(price / 2n)],
      "partially_paid (payment.reorged), underpaid",
    ],
    [
      "it was paid in time, and we hear of it late",
      "pending",
      [deposit(price, final)],
      "confirming, paid",
    ],
    [
      "it was paid late",
      "pending",
      [deposit(price, { ...final, blockTime: late })],
      "expired, paid_late",
    ],
    [
      "the rest came late",
      "partially_paid",
      [deposit(price / 2n, booked), deposit(price / 2n, { ...final, blockTime: late })],
      "underpaid, paid_late",
    ],
    ["late money is seen", "expired", [deposit(price, { blockTime: late })], ""],
    [
      "late money is final",
      "expired",
      [deposit(price, { ...final, blockTime: lastMoment })],
      "paid_late",
    ],
    ["too late money is final", "expired", [deposit(price, { ...final, blockTime: tooLate })], ""],
    ["money comes beside an authorization", "authorized", [deposit(price, final)], ""],
    ["the price of a late one is gone", "paid_late", [deposit(price, bookedGone)], "reversed"],
    ["dust is final when time is over", "pending", [deposit(1n, final)], "expired"],
  ])("%s", facts(true));

  test("all facts lead somewhere, in steps that follow each other, and then nothing more happens", () => {
    const fact = fc.record({
      deploymentId: fc.constantFrom("dep_usdc_base", "dep_usdc_ethereum", "dep_eth_base", "other"),
      amountRaw: fc.oneof(fc.bigInt(1n, 3n * price), fc.bigInt(1n, 2n ** 256n - 1n)),
      blockTime: fc.constantFrom(inTime, late, lastMoment, tooLate),
      state: fc.constantFrom("seen", "final", "orphaned"),
      isBooked: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...paymentStatuses),
        fc.array(fact, { maxLength: 6 }),
        fc.boolean(),
        (status, deposits, isTimeOver) => {
          const facts = { status, quotes, expiresAt, deposits, isTimeOver };
          const steps = stepsOf(facts);
          let at = status;
          for (const step of steps) {
            expect(step.from).toBe(at);
            at = step.to;
          }
          expect(stepsOf({ ...facts, status: at })).toEqual([]);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("how much of the price is there", () => {
  const of = (raw: bigint) => coverageOf(quotes, [deposit(raw)]);

  test("what is less than people see is not asked for, and not too much", () => {
    const cent = 10_000n;
    expect(of(price - cent - 1n)).toBe("part");
    expect(of(price - cent)).toBe("price");
    expect(of(price + cent)).toBe("price");
    expect(of(price + cent + 1n)).toBe("surplus");
  });

  test("the tolerance is never more than a hundredth of the price", () => {
    // Two cents: one cent less would be half of it.
    const cheap = quotesOf({ usdc: "20000" });
    const of20 = (raw: bigint) => coverageOf(cheap, [deposit(raw)]);
    expect(of20(19_799n)).toBe("part");
    expect(of20(19_800n)).toBe("price");
    const tiny = quotesOf({ usdc: "1" });
    expect(coverageOf(tiny, [])).toBe("none");
    expect(coverageOf(tiny, [deposit(1n)])).toBe("price");
  });

  test("parts in several currencies with other decimals add up exactly", () => {
    const thirds = quotesOf({ usdc: "3000000", eth: "3000000000000000000" });
    const some = (usdc: bigint, eth: bigint) =>
      coverageOf(thirds, [deposit(usdc), deposit(eth, { deploymentId: "dep_eth_base" })]);
    // The tolerance of the two currencies is that of USDC: 10000 of 3000000.
    expect(some(1_000_000n, 2n * 10n ** 18n)).toBe("price");
    expect(some(1_000_000n, 2n * 10n ** 18n - 10n ** 16n)).toBe("price");
    expect(some(1_000_000n, 2n * 10n ** 18n - 10n ** 16n - 1n)).toBe("part");
    expect(some(1_000_000n, 2n * 10n ** 18n + 10n ** 16n)).toBe("price");
    expect(some(1_000_000n, 2n * 10n ** 18n + 10n ** 16n + 1n)).toBe("surplus");
  });

  test("what nobody asked for pays nothing", () => {
    expect(coverageOf(quotes, [deposit(price, { deploymentId: "dep_other" })])).toBe("none");
  });
});

describe("what of a deposit pays the price", () => {
  const part = (before: bigint, raw: bigint) =>
    regularPart(quotes, [deposit(before)], deposit(raw));

  test("what is missing, and no more", () => {
    expect(part(0n, price - 1n)).toBe(price - 1n);
    expect(part(0n, price + 1n)).toBe(price);
    expect(part(price - 1n, price)).toBe(1n);
    expect(part(price, 5n)).toBe(0n);
    expect(regularPart(quotes, [], deposit(5n, { deploymentId: "dep_other" }))).toBe(0n);
  });

  test("a part of a unit that is missing is a unit", () => {
    const odd = quotesOf({ usdc: "10", eth: "3" });
    // One third is paid; 6 and two thirds of the other currency are missing.
    const before = [deposit(1n, { deploymentId: "dep_eth_base" })];
    expect(regularPart(odd, before, deposit(100n))).toBe(7n);
  });

  test("whatever the parts and their order, the price is paid once and to the last unit", () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 20n),
        fc.bigInt(1n, 10n ** 20n),
        fc.array(fc.tuple(fc.boolean(), fc.bigInt(1n, 10n ** 19n)), { maxLength: 12 }),
        (usdc, eth, parts) => {
          const both = quotesOf({ usdc: `${usdc}`, eth: `${eth}` });
          const regular: DepositFact[] = [];
          let surplus = 0n;
          for (const [isEth, raw] of parts) {
            const one = deposit(raw, { deploymentId: isEth ? "dep_eth_base" : "dep_usdc_base" });
            const paysRaw = regularPart(both, regular, one);
            expect(paysRaw).toBeGreaterThanOrEqual(0n);
            expect(paysRaw).toBeLessThanOrEqual(raw);
            regular.push({ ...one, amountRaw: paysRaw });
            surplus += raw - paysRaw;
          }
          const sum = (id: string) =>
            regular.reduce((all, one) => all + (one.deploymentId === id ? one.amountRaw : 0n), 0n);
          // The fraction paid, over the common denominator.
          const paid = sum("dep_usdc_base") * eth + sum("dep_eth_base") * usdc;
          const whole = usdc * eth;
          // There is a surplus only when all is paid, and at most a unit pays more than is missing.
          if (surplus > 0n) expect(paid).toBeGreaterThanOrEqual(whole);
          expect(paid).toBeLessThan(whole + (usdc > eth ? usdc : eth));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
