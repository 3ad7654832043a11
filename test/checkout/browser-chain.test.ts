// A real browser, a real chain: somebody reads the address off the page, pays it there, and the page
// turns paid before their eyes.

import { HDKey } from "@scure/bip32";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDepositAddresses } from "../../adapters/evm/deposit-addresses.ts";
import { openEvmChain } from "../../adapters/evm/chain.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { coinOn, currencyOf, finalAfter, tokenOn } from "../catalog/fixtures.ts";
import { makeDatabase } from "../support/engines.ts";
import { startTestChain } from "../support/local-chain.ts";
import type { TestChain } from "../support/local-chain.ts";
import { startBrowser } from "./browser.ts";
import type { TestBrowser } from "./browser.ts";
import { startCheckout } from "./checkout-server.ts";
import type { CheckoutServer } from "./checkout-server.ts";

const confirmations = 2;
const capabilities = [finalAfter(confirmations)];

let local: TestChain;
let made: Awaited<ReturnType<typeof makeDatabase>>;
let server: CheckoutServer;
let browser: TestBrowser;

beforeAll(async () => {
  local = await startTestChain();
  made = await makeDatabase("PostgreSQL");
  const { chainId, url, usdAddress } = local;
  const log = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const chain = await openEvmChain({ chainId, urls: [url], clock: systemClock, log });
  // The public half alone, as the process has it that serves the page.
  const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(9)).derive("m/44'/60'/0'");
  const token = tokenOn(31_337, usdAddress, { id: "dep_usdc_local", capabilities });
  server = await startCheckout({
    database: made.database,
    chains: [chain],
    source: openDepositAddresses(key.publicExtendedKey),
    catalog: [
      currencyOf("cur_usdc", [token], { accountingDecimals: 2 }),
      currencyOf("cur_eth", [coinOn(31_337, { id: "dep_eth_local", capabilities })]),
    ],
    isClockReal: true,
  });
  await server.watch();
  browser = await startBrowser();
  // where there is no browser yet it is installed
});

afterAll(async () => {
  await browser.close();
  await server.close();
  await made.remove();
  await local.close();
});

const payer = () => local.accounts[0].address;

test.each([
  ["a token", "cur_usdc", "12.5", 12_500_000n],
  ["the chain's own coin", "cur_eth", "0.02", 20_000_000_000_000_000n],
])(
  "pays %s to the address on the page, and sees it turn paid",
  async (...[, currencyId, amount, raw]) => {
    const payment = await server.newPayment({ quotes: [{ currencyId, amount, chainIds: null }] });
    const opened = await browser.open(payment.url);
    const { page } = opened;
    await page.evaluate("globalThis.isSamePage = true");
    const to = await page.locator("#address").innerText();
    const [shown, unit] = [page.locator("#amount"), page.locator(".unit")];
    expect(await shown.innerText()).toBe(amount);
    expect(await unit.innerText()).toBe(currencyId.slice("cur_".length).toUpperCase());
    const uri = (await page.locator("#wallet").getAttribute("href")) ?? "";
    // What a wallet reads is what it has to send: the very bytes decide.
    const contractAddress = /^ethereum:(0x\w{40})@31337\/transfer/.exec(uri)?.[1] ?? null;
    const amountRaw = BigInt(/(?:uint256|value)=(\d+)/.exec(uri)?.[1] ?? 0);
    expect(amountRaw).toBe(raw);
    await local.mint(payer(), 100_000_000n);
    await local.transfer({ from: payer(), to, amountRaw, contractAddress });
    await local.mine();
    await server.watch();
    await page.getByRole("heading", { name: "Payment received, being confirmed" }).waitFor();
    expect(await page.locator('[data-region="deposits"]').innerText()).toContain(
      `1 of ${confirmations} confirmations`,
    );
    await local.mine(confirmations);
    await server.watch();
    await page.getByRole("heading", { name: "Paid" }).waitFor();
    expect(await local.balanceOf(to, contractAddress)).toBe(raw);
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
    await browser.screenshot(page, `paid-on-chain-${currencyId}`);
    expect(opened.faults).toEqual([]);
  },
);
