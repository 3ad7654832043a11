import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocate } from "../../service/payments/allocation.ts";
import type { AllocationTerms, Received } from "../../service/payments/allocation.ts";

interface Totals {
  feeRaw: bigint;
  sharesRaw: Map<string, bigint>;
  creatorRaw: bigint;
}

/** As a payment books its deposits one after the other. */
function allocateAll(terms: AllocationTerms, deposits: readonly Received[]): Totals {
  const before = { regularRaw: 0n, surplusRaw: 0n };
  const totals: Totals = { feeRaw: 0n, sharesRaw: new Map(), creatorRaw: 0n };
  for (const deposit of deposits) {
    const one = allocate(terms, { ...before, ...totals }, deposit);
    const amounts = [one.feeRaw, one.creatorRaw, ...one.sharesRaw.values()];
    // Nothing is lost, nothing is made, and nobody pays (threat 35).
    expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(
      deposit.regularRaw + deposit.surplusRaw,
    );
    for (const amount of amounts) expect(amount).toBeGreaterThanOrEqual(0n);
    before.regularRaw += deposit.regularRaw;
    before.surplusRaw += deposit.surplusRaw;
    totals.feeRaw += one.feeRaw;
    totals.creatorRaw += one.creatorRaw;
    for (const [id, share] of one.sharesRaw) {
      totals.sharesRaw.set(id, (totals.sharesRaw.get(id) ?? 0n) + share);
    }
  }
  return totals;
}

const regular = (regularRaw: bigint): Received => ({ regularRaw, surplusRaw: 0n });

function terms(bps: readonly number[], more: Partial<AllocationTerms> = {}): AllocationTerms {
  const splits = bps.map((one, index) => ({ merchantId: `mer_${index}`, bps: one }));
  return { feeBps: 100, overpayPolicy: "to_primary", splits, ...more };
}

describe("who gets what", () => {
  test("the fee, then the shares of the rest, each rounded down, and all else to the creator", () => {
    const { feeRaw, sharesRaw, creatorRaw } = allocateAll(terms([3333, 1]), [regular(10_001n)]);
    expect(feeRaw).toBe(100n);
    // of 9901
    expect([...sharesRaw.values()]).toEqual([3300n, 0n]);
    expect(creatorRaw).toBe(6601n);
  });

  test("the surplus is the creator's, or shared like the price; the fee is taken of all of it", () => {
    const deposit = { regularRaw: 10_000n, surplusRaw: 5_000n };
    const primary = allocateAll(terms([5000]), [deposit]);
    expect([primary.feeRaw, ...primary.sharesRaw.values(), primary.creatorRaw]).toEqual([
      150n,
      4950n,
      9900n,
    ]);
    const shared = allocateAll(terms([5000], { overpayPolicy: "pro_rata" }), [deposit]);
    expect([shared.feeRaw, ...shared.sharesRaw.values(), shared.creatorRaw]).toEqual([
      150n,
      7425n,
      7425n,
    ]);
  });

  test("paid unit by unit, the fee is what it is at once", () => {
    const units = Array.from({ length: 250 }, () => regular(1n));
    expect(allocateAll(terms([]), units)).toEqual(allocateAll(terms([]), [regular(250n)]));
  });

  test("where all shares grow with one unit, what is missing comes with the next", () => {
    const halves = terms([5000, 5000], { feeBps: 0 });
    const first = allocateAll(halves, [regular(1n)]);
    expect([...first.sharesRaw.values(), first.creatorRaw]).toEqual([0n, 0n, 1n]);
    const two = allocateAll(halves, [regular(1n), regular(1n)]);
    expect([...two.sharesRaw.values(), two.creatorRaw]).toEqual([1n, 0n, 1n]);
    const more = allocateAll(halves, [regular(1n), regular(1n), regular(4n)]);
    expect([...more.sharesRaw.values(), more.creatorRaw]).toEqual([3n, 2n, 1n]);
  });

  test("splits of more than everything are refused", () => {
    expect(() => allocateAll(terms([9000, 1001]), [regular(1n)])).toThrow("at most all");
  });
});

const anyTerms = fc
  .record({
    feeBps: fc.integer({ min: 0, max: 10_000 }),
    overpayPolicy: fc.constantFrom("pro_rata" as const, "to_primary" as const),
    weights: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 32 }),
    sum: fc.integer({ min: 32, max: 10_000 }),
  })
  .map(({ weights, sum, ...more }) => {
    const whole = weights.reduce((all, one) => all + one, 0);
    return terms(
      weights.map((one) => Math.max(1, Math.floor((one * (sum - 32)) / whole))),
      more,
    );
  });
const anyRaw = fc.oneof(
  fc.bigInt(0n, 40n),
  fc.bigInt(0n, 10n ** 9n),
  fc.bigInt(0n, 2n ** 256n - 1n),
);
const anyDeposits = fc.array(fc.record({ regularRaw: anyRaw, surplusRaw: anyRaw }), {
  minLength: 1,
  maxLength: 10,
});

describe("for any terms and any deposits", () => {
  test("every unit goes to one of them, and the parts agree with the whole", () => {
    fc.assert(
      fc.property(anyTerms, anyDeposits, (some, deposits) => {
        const inParts = allocateAll(some, deposits);
        const whole = {
          regularRaw: deposits.reduce((sum, one) => sum + one.regularRaw, 0n),
          surplusRaw: deposits.reduce((sum, one) => sum + one.surplusRaw, 0n),
        };
        const atOnce = allocateAll(some, [whole]);
        expect(inParts.feeRaw).toBe(atOnce.feeRaw);
        // Nobody gets more than a share, and all together lack less than a unit each.
        let missing = 0n;
        for (const [id, share] of atOnce.sharesRaw) {
          const given = inParts.sharesRaw.get(id) ?? 0n;
          expect(given).toBeLessThanOrEqual(share);
          missing += share - given;
        }
        expect(missing).toBeLessThanOrEqual(BigInt(some.splits.length));
        expect(inParts.creatorRaw).toBe(atOnce.creatorRaw + missing);
      }),
      { numRuns: 3000 },
    );
  });
});
