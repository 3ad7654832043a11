// Small things that the judges of a drill are asked about.

import type { Paid } from "../../scripts/cluster/load.ts";
import type { Shown } from "../../scripts/drill/restore/customers.ts";
import type { Stray, Transfer } from "../../scripts/drill/restore/finding.ts";

export function shown(paymentId: string, address: string): Shown {
  return { paymentId, address };
}

export function transfer(txHash: string, amountRaw: bigint): Transfer {
  return { txHash, from: "0xhot", to: "0xvault", amountRaw };
}

/** With the number of its payment in its address. */
export function paid(paymentId: string, txHash: string): Paid {
  return { paymentId, txHash, amountRaw: 5n, address: `0xa${paymentId.slice(-1)}` };
}

export function booked(txHash: string, paymentId: string, times = 1) {
  return new Map([[txHash, { paymentId, times }]]);
}

export function stray(txHash: string, address: string): Stray {
  return { txHash, address, index: 7n, amountRaw: 5n };
}
