// What a customer reads on the page of a payment: where to pay, how much, and how it stands.

import { reasonOf, ToolFailure } from "./failures.ts";

/** The page has answered, and does not ask for money there. */
export class PageFailure extends ToolFailure {
  readonly status: number;

  constructor(pageUrl: string, status: number) {
    super(`the page says neither where nor how much (${status}).
Does it still ask for money, and for USDC on the local chain? Look at ${pageUrl}`);
    this.status = status;
  }
}

export interface PageTerms {
  readonly address: `0x${string}`;
  /** whole units, as the page writes them */
  readonly amount: string;
}

/**
 * @param deploymentId what the customer chooses on the page
 * @param customer the address of the customer, where the server believes its proxy; ours when left out
 * @throws {PageFailure} it asks for nothing there
 * @throws {ToolFailure} it does not answer
 */
export async function readPage(
  pageUrl: string,
  deploymentId: string,
  customer?: string,
): Promise<PageTerms> {
  const from = customer === undefined ? {} : { "X-Forwarded-For": customer };
  const answer = await fetched(`${pageUrl}?pay=${deploymentId}`, { Accept: "text/html", ...from });
  const text = await answer.text();
  const address = /id="address">(0x[0-9A-Fa-f]{40})</.exec(text)?.[1];
  const amount = /id="amount">([0-9.]+)</.exec(text)?.[1];
  if (address !== undefined && amount !== undefined) {
    return { address: `0x${address.slice(2)}`, amount };
  }
  throw new PageFailure(pageUrl, answer.status);
}

export interface PageState {
  /** the same as long as the page looks the same */
  readonly id: string;
  /** of the payment */
  readonly status: string;
}

/** How the payment stands; undefined: not now, since the page answers 60 questions a minute. */
export async function readState(pageUrl: string): Promise<PageState | undefined> {
  const answer = await fetched(`${pageUrl}/status`, { Accept: "application/json" });
  if (answer.status === 429) return undefined;
  if (answer.ok) return (await answer.json()) as PageState;
  throw new ToolFailure(`${pageUrl}/status answers ${answer.status}: is it the page of a payment?`);
}

async function fetched(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    return await fetch(url, { headers });
  } catch (error) {
    throw new ToolFailure(
      `the page does not answer (${reasonOf(error)}): ${url}\nDoes the service run there?`,
    );
  }
}

/** Exact, since the text is. */
export function rawAmount(amount: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
