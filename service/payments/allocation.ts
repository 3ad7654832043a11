// Who gets what of a deposit: the platform's fee, the shares of other merchants, and the rest for the
// one that the payment belongs to. Every unit goes to somebody, and no unit to two (threat 35).
//
// Everything is reckoned on all that a payment has received in a deployment so far, and what was
// given before is subtracted: paid in ten parts it gives what it gives at once.

import assert from "node:assert";

const bpsPerWhole = 10_000n;

export interface AllocationTerms {
  readonly feeBps: number;
  readonly overpayPolicy: "pro_rata" | "to_primary";
  /** never the creator, and no merchant twice */
  readonly splits: readonly { readonly merchantId: string; readonly bps: number }[];
}

/** In the smallest units of one deployment. */
export interface Received {
  /** what pays the price */
  readonly regularRaw: bigint;
  /** what is too much */
  readonly surplusRaw: bigint;
}

export interface Allocation {
  readonly feeRaw: bigint;
  /** by merchant */
  readonly sharesRaw: ReadonlyMap<string, bigint>;
}

/** Of one deposit. */
export interface DepositAllocation extends Allocation {
  /** all the rest, with what rounding leaves over */
  readonly creatorRaw: bigint;
}

/**
 * Our choice: a deposit takes from nobody. It can happen that the shares together grow by some units
 * more than what a small deposit brings, since the rounding of each tips over with the same unit; what
 * is missing then (less than a unit for each share) comes with the next deposit, and until then
 * the creator has it.
 *
 * @param before what the payment received in this deployment before, and what was given of it
 */
export function allocate(
  terms: AllocationTerms,
  before: Received & Allocation,
  deposit: Received,
): DepositAllocation {
  const target = targetOf(terms, {
    regularRaw: before.regularRaw + deposit.regularRaw,
    surplusRaw: before.surplusRaw + deposit.surplusRaw,
  });
  let leftRaw = deposit.regularRaw + deposit.surplusRaw;
  const take = (wholeRaw: bigint, givenRaw: bigint): bigint => {
    const wanted = wholeRaw > givenRaw ? wholeRaw - givenRaw : 0n;
    const taken = wanted < leftRaw ? wanted : leftRaw;
    leftRaw -= taken;
    return taken;
  };
  const feeRaw = take(target.feeRaw, before.feeRaw);
  const sharesRaw = new Map<string, bigint>();
  for (const [merchantId, wholeRaw] of target.sharesRaw) {
    sharesRaw.set(merchantId, take(wholeRaw, before.sharesRaw.get(merchantId) ?? 0n));
  }
  return { feeRaw, sharesRaw, creatorRaw: leftRaw };
}

/** Of everything together. */
function targetOf(terms: AllocationTerms, { regularRaw, surplusRaw }: Received): Allocation {
  const { feeBps, overpayPolicy, splits } = terms;
  const bpsTotal = splits.reduce((sum, { bps }) => sum + bps, 0);
  assert(bpsTotal <= Number(bpsPerWhole), "the splits of a payment are at most all of it");
  const totalRaw = regularRaw + surplusRaw;
  // to_primary: the surplus is the creator's alone, less the fee on it.
  const sharedRaw = overpayPolicy === "pro_rata" ? totalRaw : regularRaw;
  const baseRaw = sharedRaw - partOf(sharedRaw, feeBps);
  return {
    feeRaw: partOf(totalRaw, feeBps),
    sharesRaw: new Map(splits.map(({ merchantId, bps }) => [merchantId, partOf(baseRaw, bps)])),
  };
}

/** Rounded down. */
function partOf(amountRaw: bigint, bps: number): bigint {
  return (amountRaw * BigInt(bps)) / bpsPerWhole;
}
