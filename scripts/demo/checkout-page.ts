// What a customer reads on the page of a payment: where to pay, and how much.

import { DemoFailure } from "./narration.ts";

export interface PageTerms {
  readonly address: `0x${string}`;
  /** whole units, as the page writes them */
  readonly amount: string;
}

/**
 * @param deploymentId what the customer chooses on the page
 * @param customer the address of the customer, where the server believes its proxy; ours when left out
 */
export async function readPage(
  pageUrl: string,
  deploymentId: string,
  customer?: string,
): Promise<PageTerms> {
  const from = customer === undefined ? {} : { "X-Forwarded-For": customer };
  const answer = await fetch(`${pageUrl}?pay=${deploymentId}`, {
    headers: { Accept: "text/html", ...from },
  });
  const text = await answer.text();
  const address = /id="address">(0x[0-9A-Fa-f]{40})</.exec(text)?.[1];
  const amount = /id="amount">([0-9.]+)</.exec(text)?.[1];
  if (address !== undefined && amount !== undefined) {
    return { address: `0x${address.slice(2)}`, amount };
  }
  throw new DemoFailure(`the page says neither where nor how much (${answer.status})`);
}

/** Exact, since the text is. */
export function rawAmount(amount: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
