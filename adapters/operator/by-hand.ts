// What commands show that book something in the ledger by hand.

import type { HandBooked } from "../../service/ledger/by-hand.ts";
import { fields, listing, made, type Part, shown } from "./results.ts";

/** Debits above zero, credits below. */
export function handBookedParts(
  what: string,
  { transactionId, postings }: HandBooked,
): readonly Part[] {
  return [fields([[what, "transaction_id", made(transactionId)]]), postingsPart(postings)];
}

export function postingsPart(postings: HandBooked["postings"]): Part {
  return listing("postings", postings, [
    ["ACCOUNT", "account", ({ account }) => account],
    ["DEPLOYMENT", "deployment_id", ({ deploymentId }) => deploymentId],
    ["OF", "owner", ({ merchantId, environment }) => ownerCell(merchantId, environment)],
    ["RAW", "amount_raw", ({ raw }) => raw],
    ["AMOUNT", "amount", ({ amount }) => amount],
  ]);
}

/** Both are there, or it is nobody's. */
export function ownerCell(merchantId: string | null, environment: string | null) {
  if (merchantId === null) return null;
  const text = [merchantId, environment].filter((word) => word !== null).join(" ");
  return shown({ merchant_id: merchantId, environment }, text);
}
