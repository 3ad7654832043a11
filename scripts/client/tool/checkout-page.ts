// What a customer reads on the page of a payment: where to pay, how much, and how it stands.

import { reasonOf, ToolFailure } from "./failures.ts";
import { inline } from "./printable.ts";

const answerMillisecondsMax = 10_000;

/** The page has answered, and does not ask for money there. */
export class PageFailure extends ToolFailure {
  readonly status: number;

  constructor(pageUrl: string, status: number) {
    super(
      status === 429
        ? `the page was asked too often: it answers 60 questions a minute. Wait for one, and try again: ${inline(pageUrl)}`
        : `the page says neither where nor how much (${status}).
Does it still ask for money, and for USDC on the local chain? Look at ${inline(pageUrl)}`,
    );
    this.status = status;
  }
}

/** Nobody has answered. */
class PageAway extends ToolFailure {}

/** Whether it says nothing of the payment, and may say so later: asked too often, restarted, away. */
export function isNotNow(error: unknown): boolean {
  if (error instanceof PageFailure) return error.status === 429 || error.status >= 500;
  return error instanceof PageAway;
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

/**
 * How the payment stands.
 *
 * @throws {ToolFailure} it says nothing of it; `isNotNow`: not now
 */
export async function readState(pageUrl: string): Promise<PageState> {
  const answer = await fetched(`${pageUrl}/status`, { Accept: "application/json" });
  if (answer.status === 429 || answer.status >= 500) throw new PageFailure(pageUrl, answer.status);
  if (answer.ok) return (await answer.json()) as PageState;
  throw new ToolFailure(
    `${inline(pageUrl)}/status answers ${answer.status}: is it the page of a payment?`,
  );
}

async function fetched(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(answerMillisecondsMax);
    return await fetch(url, { headers, signal });
  } catch (error) {
    throw new PageAway(
      `the page does not answer (${reasonOf(error)}): ${inline(url)}\nDoes the service run there?`,
    );
  }
}

/** Exact, since the text is. */
export function rawAmount(amount: string, decimals: number): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
