// What commands print that book something in the ledger by hand.

import type { HandBooked } from "../../service/ledger/by-hand.ts";
import { table } from "./tables.ts";
import { flag } from "./words.ts";

export const preview = flag("shows what would be booked, and writes nothing");

/** Debits above zero, credits below. */
export function handBookedText(what: string, { transactionId, postings }: HandBooked): string {
  const rows = postings.map(({ account, deploymentId, merchantId, environment, raw, amount }) => [
    account,
    deploymentId,
    merchantId === null ? "-" : `${merchantId} ${environment}`,
    raw.toString(),
    amount,
  ]);
  const said =
    transactionId === undefined
      ? "Preview: nothing was written.\n"
      : `${what.padEnd(11)} ${transactionId}\n`;
  return said + table([["ACCOUNT", "DEPLOYMENT", "OF", "RAW", "AMOUNT"], ...rows]);
}
