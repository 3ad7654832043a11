// Pays a payment on the local chain, for whoever has no wallet there.

import { setTimeout as pause } from "node:timers/promises";
import { isNotNow, PageFailure, rawAmount, readPage } from "./checkout-page.ts";
import { type Command, type Given, webUrl } from "./command.ts";
import { ToolFailure, UsageError } from "./failures.ts";
import { LocalChain } from "./local-chain.ts";
import { usd } from "./test-usd.ts";

const help = (
  program: string,
): string => `Pays a payment with test USDC of the local chain that npm start made.

  ${program} CHECKOUT_URL --rpc URL [--amount AMOUNT]

  CHECKOUT_URL   what POST /v1/payments answered as checkout_url
  --rpc URL      where the local chain listens; npm start says so
  --amount       in whole units, such as 4.00; all that remains if left out
  --json         one JSON object a line, and nothing else on standard output
  --help`;

const seenSecondsMax = 30;
/** The page answers 60 requests a minute. */
const askMilliseconds = 1_500;

export const pay: Command = {
  help,
  options: { rpc: { type: "string" }, amount: { type: "string" } },
  run: async (given, output) => {
    const [page, ...more] = given.words;
    if (page === undefined || more.length > 0) {
      throw new UsageError("say what to pay: CHECKOUT_URL, as POST /v1/payments answered it");
    }
    const pageUrl = webUrl("CHECKOUT_URL", page);
    const rpcUrl = rpcOf(given);
    const wished = amountOf(given);
    const chain = await LocalChain.open(rpcUrl);
    const { address, amount } = await readPage(pageUrl, usd.deploymentId);
    const paid = wished ?? amount;
    const hash = await chain.pay(address, rawAmount(paid, usd.decimals));
    const record = { kind: "transaction", hash, amount: paid, address };
    output.result(`Paid ${paid} test USDC to ${address}: ${hash}`, record);
    await waitUntilSeen(pageUrl, amount);
  },
};

/** @throws {UsageError} it is not said */
export function rpcOf(given: Given): string {
  const url = given.text("rpc");
  if (url === undefined) {
    throw new UsageError("say where the local chain listens: --rpc URL, as npm start shows it");
  }
  return webUrl("--rpc", url);
}

/** Whole units of USDC; undefined: not said. @throws {UsageError} it is none */
export function amountOf(given: Given): string | undefined {
  const amount = given.text("amount");
  if (amount === undefined) return undefined;
  if (!/^[0-9]{1,15}(?:\.[0-9]{1,6})?$/.test(amount)) {
    throw new UsageError(
      `${amount} is no amount: write whole units such as 4.00, six decimals at most`,
    );
  }
  if (rawAmount(amount, usd.decimals) === 0n) {
    throw new UsageError("an amount of nothing pays nothing");
  }
  return amount;
}

/** Whoever pays again at once would otherwise be told the amount of before. */
async function waitUntilSeen(pageUrl: string, amountBefore: string): Promise<void> {
  const giveUpAt = performance.now() + seenSecondsMax * 1000;
  while (performance.now() < giveUpAt) {
    await pause(askMilliseconds);
    if ((await amountNow(pageUrl, amountBefore)) !== amountBefore) return;
  }
  throw new ToolFailure(
    `the page has not noticed it within ${seenSecondsMax} s. Is this the chain that the service watches?`,
  );
}

/**
 * What remains to be paid.
 *
 * @param known what it is while the page does not say
 * @returns undefined: it asks for nothing more, so it has seen all of it
 */
async function amountNow(pageUrl: string, known: string): Promise<string | undefined> {
  try {
    return (await readPage(pageUrl, usd.deploymentId)).amount;
  } catch (error) {
    if (isNotNow(error)) return known;
    if (error instanceof PageFailure && error.status === 200) return undefined;
    throw error;
  }
}
