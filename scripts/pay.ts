// Pays a payment on the local chain, for whoever has no wallet there:
//
//   npm run pay -- CHECKOUT_URL --rpc http://127.0.0.1:PORT [--amount 4.00]

import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { usd } from "./demo/cast.ts";
import { rawAmount, readPage } from "./demo/checkout-page.ts";
import { DemoFailure } from "./demo/narration.ts";
import { Wallet } from "./demo/wallet.ts";

const help = `Pays a payment with test USDC of the local chain that npm start made.

  npm run pay -- CHECKOUT_URL --rpc URL [--amount AMOUNT]

  CHECKOUT_URL   what POST /v1/payments answered as checkout_url
  --rpc URL      where the local chain listens; npm start says so
  --amount       in whole units, such as 4.00; all that remains if left out
  --help
`;

/** It owns the test token of the local chain, and makes as much of it as is needed. */
const ownerIndex = 9;
const seenSecondsMax = 30;
/** The page answers 60 requests a minute. */
const askMilliseconds = 1_500;

try {
  await run();
} catch (error) {
  // fetch and the chain say in one line what is wrong; a stack would not help whoever pays.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rpc: { type: "string" }, amount: { type: "string" }, help: { type: "boolean" } },
  });
  const [pageUrl, ...more] = positionals;
  if (values.help === true) return void process.stdout.write(help);
  if (pageUrl === undefined || values.rpc === undefined || more.length > 0) {
    throw new DemoFailure(help);
  }
  const { address, amount } = await readPage(pageUrl, usd.deploymentId);
  const paid = values.amount ?? amount;
  if (!/^[0-9]+(?:\.[0-9]{1,6})?$/.test(paid)) throw new DemoFailure(`${paid} is no amount`);
  const amountRaw = rawAmount(paid, usd.decimals);
  if (amountRaw === 0n) throw new DemoFailure("an amount of nothing pays nothing");
  const owner = new Wallet(values.rpc, usd.chainNumber, ownerIndex);
  const token = usd.address;
  await owner.mint(token, owner.address, amountRaw);
  const hash = await owner.sendToken(token, address, amountRaw);
  process.stdout.write(`Paid ${paid} test USDC to ${address}: ${hash}\n`);
  await waitUntilSeen(pageUrl, amount);
}

/** Whoever pays again at once would otherwise be told the amount of before. */
async function waitUntilSeen(pageUrl: string, amountBefore: string): Promise<void> {
  const limit = AbortSignal.timeout(seenSecondsMax * 1000);
  while (!limit.aborted) {
    await pause(askMilliseconds);
    // A page that asks for nothing more has seen all of it.
    const terms = await readPage(pageUrl, usd.deploymentId).catch(() => undefined);
    if (terms?.amount !== amountBefore) return;
  }
  throw new DemoFailure(`the page has not noticed it within ${seenSecondsMax} s`);
}
