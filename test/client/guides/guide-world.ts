// A server with a chain for the guides: merchants with keys, somebody who pays, and the books.

import { expect, vi } from "vitest";
import { type Client, merchantPayments } from "../../../scripts/client/merchant-payments.ts";
import { usd } from "../../../scripts/client/tool/test-usd.ts";
import { rawAmount, readPage } from "../../../scripts/client/tool/checkout-page.ts";
import type { Wallet } from "../../../scripts/demo/wallet.ts";
import { scopes } from "../../../service/merchants/scopes.ts";
import { patienceMilliseconds } from "../../support/patience.ts";
import { type Selling, startSelling } from "../selling.ts";

export interface GuideMerchant {
  readonly id: string;
  /** what the programs of a guide read */
  readonly settings: Readonly<Record<string, string>>;
  readonly client: Client;
}

export interface GuideWorld extends Selling {
  /** with a key that can do everything; accepts USDC on the local chain */
  readonly newGuideMerchant: () => Promise<GuideMerchant>;
  readonly payer: Wallet;
  /** @param amount in whole units, such as "10" @returns the address of the payment */
  readonly pay: (pageUrl: string, amount: string) => Promise<`0x${string}`>;
  /** without a look at the page, which may be over */
  readonly send: (address: `0x${string}`, amount: string) => Promise<unknown>;
}

const payerMoneyRaw = 10_000_000_000n;

export async function startGuideWorld(): Promise<GuideWorld> {
  const selling = await startSelling({
    WEBHOOK_HTTP_HOSTS: "127.0.0.1",
    WITHDRAW_ADDRESS_COOLING_SECONDS: "0",
  });
  const payer = await selling.newWallet(payerMoneyRaw);
  const send: GuideWorld["send"] = (address, amount) =>
    payer.sendToken(usd.address, address, rawAmount(amount, usd.decimals));
  return {
    ...selling,
    payer,
    send,
    newGuideMerchant: async () => {
      const { id, key, secret } = await selling.newMerchant(scopes.join(","));
      const client = merchantPayments({ url: selling.url, key, secret });
      const currencies = { [usd.currencyId]: { chain_ids: [usd.chainId] } };
      await client.currencyAcceptance.replaceCurrencyAcceptance({ currencies });
      const settings = {
        PAY_URL: selling.url,
        MERCHANT_API_KEY: key,
        MERCHANT_API_SECRET: secret,
        CHAIN_ID: usd.chainId,
      };
      return { id, settings, client };
    },
    pay: async (pageUrl, amount) => {
      const { address } = await readPage(pageUrl, usd.deploymentId);
      await send(address, amount);
      return address;
    },
  };
}

/** Looks until it is so. */
export function eventually(look: () => unknown): Promise<unknown> {
  return vi.waitFor(look, { timeout: patienceMilliseconds, interval: 100 });
}

/** The lines that a program has printed and that begin with a word. */
export function linesOf(output: string, word: string): readonly string[] {
  return output.split("\n").filter((line) => line.startsWith(`${word} `));
}

/** What a program has printed as NAME=value. */
export function shown(output: string, name: string): string {
  const [, value = ""] = new RegExp(`^${name}=(.+)$`, "m").exec(output) ?? [];
  expect(value).not.toBe("");
  return value;
}
