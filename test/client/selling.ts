// The service as a process, with a chain of its own; shops there, each with a partner; and wallets.

import { verifyTypedData } from "viem";
import { expect, vi } from "vitest";
import { askServer } from "../../adapters/operator/socket.ts";
import type { Credentials } from "../../scripts/client/canonical.ts";
import { signingFetch, type SigningOptions } from "../../scripts/client/signing-fetch.ts";
import { type X402Payments, x402Payments } from "../../scripts/client/x402-facilitator.ts";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import { Wallet } from "../../scripts/demo/wallet.ts";
import { makeDataDirectory, type ServerChild, startServerChild } from "../programs/child.ts";
import { newKey } from "../support/contract-requests.ts";
import { patienceMilliseconds } from "../support/patience.ts";

/** All that the API of a shop needs. */
const sellingScopes = "currencies:read,payments:write,x402:settle";
/** Of the accounts that have coins of the chain: who can make test tokens, and the first whose wallet is free. */
const ownerIndex = 9;
const firstIndex = 3;

export interface SellingShop {
  readonly shopId: string;
  readonly partnerId: string;
  readonly credentials: Credentials;
  /** Another process of the shop would have another one of its own. */
  readonly payments: (signing?: SigningOptions) => X402Payments;
}

export interface Selling {
  readonly server: ServerChild;
  readonly url: string;
  /** a fifth of what it sells is its partner's */
  readonly newShop: () => Promise<SellingShop>;
  /** at most six */
  readonly newWallet: (amountRaw: bigint) => Promise<Wallet>;
  /** An operator's command. @returns its output */
  readonly admin: Admin;
  /** with a key */
  readonly newMerchant: (scopes: string) => Promise<{ readonly id: string } & Credentials>;
  readonly mint: (to: Wallet, amountRaw: bigint) => Promise<unknown>;
  /** Resolves when a merchant has so much by the ledger, raw. */
  readonly untilAvailable: (merchantId: string, amountRaw: bigint) => Promise<void>;
}

/** @param settings of the server, beside what it needs */
export async function startSelling(
  settings: Readonly<Record<string, string>> = {},
): Promise<Selling> {
  const dataDirectory = await makeDataDirectory();
  const place = { DATA_DIR: dataDirectory, LOCAL_CHAIN: "on" };
  const server = await startServerChild({ ...settings, ...place });
  const said = await server.waitFor(/"rpc_url":"[^"]+"/);
  const rpcUrl = /"rpc_url":"([^"]+)"/.exec(said)?.[1] ?? "";
  const url = `http://127.0.0.1:${server.port}`;
  const admin: Admin = async (...words) => {
    const answer = await askServer(dataDirectory, { words });
    if (answer?.exitCode === 0) return answer.output;
    throw new Error(`admin ${words.join(" ")}: ${answer?.errors ?? "nobody answers"}`);
  };
  const owner = new Wallet(rpcUrl, usd.chainNumber, ownerIndex);
  const mint: Selling["mint"] = (to, amountRaw) => owner.mint(usd.address, to.address, amountRaw);
  let next = firstIndex;
  return {
    server,
    url,
    admin,
    mint,
    newMerchant: async (scopes) => {
      const id = await newMerchant(admin, "Shop");
      return { id, ...(await newCredentials(admin, id, scopes)) };
    },
    newShop: () => newShop(admin, url),
    newWallet: async (amountRaw) => {
      if (next === ownerIndex) throw new Error("there are no more wallets with coins");
      const wallet = new Wallet(rpcUrl, usd.chainNumber, next++);
      if (amountRaw > 0n) await mint(wallet, amountRaw);
      return wallet;
    },
    untilAvailable: (merchantId, amountRaw) =>
      vi.waitFor(
        async () => {
          const told = await admin("ledger", "balances", "--merchant", merchantId);
          const [, raw = "0"] = /merchant:available +(\d+)/.exec(told) ?? [];
          expect(raw).toBe(amountRaw.toString());
        },
        { timeout: patienceMilliseconds, interval: 100 },
      ),
  };
}

type Admin = (...words: readonly string[]) => Promise<string>;

async function newMerchant(admin: Admin, name: string): Promise<string> {
  return /mer_\w+/.exec(await admin("merchant", "create", "--name", name))?.[0] ?? "";
}

async function newCredentials(
  admin: Admin,
  merchantId: string,
  scopes: string,
): Promise<Credentials> {
  const issued = await admin("key", "create", "--merchant", merchantId, "--scopes", scopes);
  const [key = "", secret = ""] = issued.match(/[ms]k_test_[\w-]+/g) ?? [];
  return { key, secret };
}

async function newShop(admin: Admin, url: string): Promise<SellingShop> {
  const [shopId, partnerId] = [
    await newMerchant(admin, "Shop"),
    await newMerchant(admin, "Partner"),
  ];
  await accept(url, await newCredentials(admin, shopId, "currencies:write"));
  const credentials = await newCredentials(admin, shopId, sellingScopes);
  const splits = [{ merchantId: partnerId, bps: 2000 }];
  const parts = { url, ...credentials, splits, verifyTypedData };
  const payments: SellingShop["payments"] = (signing = {}) => x402Payments({ ...parts, signing });
  return { shopId, partnerId, credentials, payments };
}

async function accept(url: string, credentials: Credentials): Promise<void> {
  const answer = await signingFetch(credentials)(`${url}/v1/currency-acceptance`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", "Idempotency-Key": newKey() },
    body: JSON.stringify({ currencies: { [usd.currencyId]: { chain_ids: [usd.chainId] } } }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
}
