// Fees of a transaction that replaces one which waits too long.

import type { ChainFees } from "../ports/chain.ts";

/** Nodes want 10 % more of both, or keep the old one; three more against rounding of theirs. */
const raisePercent = 113n;

/** What is asked for now, or enough more than before, whichever is higher. */
export function raisedFees(before: ChainFees, now: ChainFees): ChainFees {
  return {
    maxFeePerGas: larger(raised(before.maxFeePerGas), now.maxFeePerGas),
    maxPriorityFeePerGas: larger(raised(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas),
  };
}

function raised(fee: bigint): bigint {
  return (fee * raisePercent + 99n) / 100n;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
