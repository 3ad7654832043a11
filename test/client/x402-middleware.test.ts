// APIs that the official middleware sells, unchanged, with the service as its facilitator, bought by the official
// client on a real chain: money, splits and the ledger are there, and nothing is given away.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Attempt } from "../../scripts/client/signing-fetch.ts";
import { x402Payments } from "../../scripts/client/x402-facilitator.ts";
import { usd } from "../../scripts/client/tool/test-usd.ts";
import type { Wallet } from "../../scripts/demo/wallet.ts";
import { installClient } from "./packed-client.ts";
import { endChildren, makeFolder, projectRoot, startChild } from "../programs/child.ts";
import { type Selling, type SellingShop, startSelling } from "./selling.ts";
import { type Accepts, type Api, buyer, expressApi, honoApi, toldOf } from "./selling-api.ts";

const price = { currency: "USDC", price: "0.05" } as const;
const priceRaw = 50_000n;
const coinsRaw = 1_000_000n;
const sunny = { report: "sunny" };
const usedReason = "invalid_exact_evm_nonce_already_used";
const poorReason = "invalid_exact_evm_insufficient_balance";

let selling: Selling;
let shop: SellingShop;
let rich: Wallet;
let poor: Wallet;
beforeAll(async () => {
  selling = await startSelling();
  shop = await selling.newShop();
  rich = await selling.newWallet(coinsRaw);
  poor = await selling.newWallet(0n);
});
afterAll(endChildren);

const open: Api[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

interface Wish {
  readonly start?: typeof honoApi;
  readonly paymentFlow?: "upfront";
  readonly change?: (accepts: Accepts) => Accepts;
}

/** In a process of its own, as far as the service can see. */
async function sell({ start = honoApi, change = (same) => same, ...wish }: Wish = {}) {
  const payments = shop.payments();
  const api = await start(payments, change(await payments.accepts({ ...price, ...wish })));
  open.push(api);
  return api;
}

const balance = (wallet: Wallet): Promise<bigint> => wallet.balance(usd.address);

async function answered(answer: Response) {
  const { success, errorReason } = toldOf(answer);
  return { status: answer.status, body: await answer.json(), success, errorReason };
}

const sold = { status: 200, body: sunny, success: true, errorReason: undefined };
const refused = { status: 402, body: {}, success: false };

describe.each([
  ["@x402/hono", honoApi],
  ["@x402/express", expressApi],
] as const)("%s", (_name, start) => {
  test("who pays gets the resource, and the ledger has the money and the split", async () => {
    shop = await selling.newShop();
    const api = await sell({ start });
    const before = await balance(rich);
    const unpaid = await fetch(api.url);
    expect([unpaid.status, await unpaid.json(), api.runs()]).toEqual([402, {}, 0]);
    // Frameworks hand it to the handler of GET.
    const head = await fetch(api.url, { method: "HEAD" });
    expect([head.status, api.runs()]).toEqual([402, 0]);

    const paid = await buyer(rich.account).buy(api.url);
    expect(toldOf(paid)).toMatchObject({
      network: usd.chainId,
      payer: rich.address,
      amount: priceRaw.toString(),
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
      extra: { payment_id: expect.stringMatching(/^pay_/) as string },
    });
    expect(await answered(paid)).toEqual(sold);
    expect([await balance(rich), api.runs()]).toEqual([before - priceRaw, 1]);
    // Of 50,000 the fee is 1 %, and a fifth of the rest is the partner's.
    await selling.untilAvailable(shop.shopId, 39_600n);
    await selling.untilAvailable(shop.partnerId, 9_900n);
  });

  test("who has no money gets nothing", async () => {
    const api = await sell({ start });
    const answer = await buyer(poor.account).buy(api.url);
    expect(await answered(answer)).toEqual({ ...refused, errorReason: poorReason });
    expect(api.runs()).toBe(1);
  });

  test("before the money is there, `upfront` does not even run the handler", async () => {
    const api = await sell({ start, paymentFlow: "upfront" });
    const answer = await buyer(poor.account).buy(api.url);
    expect(await answered(answer)).toEqual({ ...refused, errorReason: poorReason });
    expect(api.runs()).toBe(0);
    const before = await balance(rich);
    expect(await answered(await buyer(rich.account).buy(api.url))).toEqual(sold);
    expect(await balance(rich)).toBe(before - priceRaw);
  });

  test.each([
    ["that comes after it is not asked for", {}, 0n],
    ["that came before it is gone", { paymentFlow: "upfront" } as const, priceRaw],
  ])("where the handler fails, money %s", async (_what, flow, chargedRaw) => {
    const api = await sell({ start, ...flow });
    const before = await balance(rich);
    const answer = await buyer(rich.account).buy(`${api.url}?fail`);
    expect([answer.status, await balance(rich)]).toEqual([500, before - chargedRaw]);
  });

  test("who pays once is served once", async () => {
    const api = await sell({ start });
    const before = await balance(rich);
    const headers = await buyer(rich.account).sign(api.url);
    expect(await answered(await fetch(api.url, { headers }))).toEqual(sold);
    const again = await fetch(api.url, { headers });
    expect([again.status, await again.json(), api.runs()]).toEqual([402, {}, 1]);
    expect(await balance(rich)).toBe(before - priceRaw);
  });
});

test("a token is paid by Permit2 as well", async () => {
  const byPermit2 = { assetTransferMethod: "permit2" };
  const api = await sell({
    change: (accepts) =>
      accepts.map((one) => ({ ...one, price: { ...one.price, extra: byPermit2 } })),
  });
  await rich.allowPermit2(usd.address);
  const before = await balance(rich);
  const headers = await buyer(rich.account).sign(api.url);
  expect(await answered(await fetch(api.url, { headers }))).toEqual(sold);
  expect((await fetch(api.url, { headers })).status).toBe(402);
  expect(await balance(rich)).toBe(before - priceRaw);
});

test("of one authorization, at once and in two processes, one request is served", async () => {
  const [here, there] = [await sell(), await sell()];
  const before = await balance(rich);
  const headers = await buyer(rich.account).sign(here.url);
  const answers = await Promise.all(
    [here, there, here, there].map(({ url }) => fetch(url, { headers })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(3);
  expect(await balance(rich)).toBe(before - priceRaw);
  // A process that has just started knows nothing of it, but the service does.
  const later = await fetch((await sell()).url, { headers });
  expect(await answered(later)).toEqual({ ...refused, errorReason: usedReason });
  expect(await balance(rich)).toBe(before - priceRaw);
});

test("what was refused for want of money may come again", async () => {
  const api = await sell();
  const wallet = await selling.newWallet(0n);
  const headers = await buyer(wallet.account).sign(api.url);
  const first = await answered(await fetch(api.url, { headers }));
  expect(first).toEqual({ ...refused, errorReason: poorReason });
  await selling.mint(wallet, priceRaw);
  expect(await answered(await fetch(api.url, { headers }))).toEqual(sold);
  expect(await balance(wallet)).toBe(0n);
});

test.each([
  [{ currency: "DOGE" }, /^The catalog has no DOGE that x402 can pay with/],
  [{ price: "0.0000001" }, /refuses a price of 0\.0000001 USDC: 422 amount_precision/],
  [{ price: "0.001" }, /^0\.001 USDC cannot be paid by x402: it costs more gas than it brings/],
  [{ networks: ["eip155:1"] }, /refuses a price of 0\.05 USDC: 422 chain_not_accepted/],
])("what %o is wrong is said at the start", async (wrong, message) => {
  await expect(shop.payments().accepts({ ...price, ...wrong })).rejects.toThrow(message);
});

test("a split with nobody is said at the start", async () => {
  const { url } = selling;
  const splits = [{ merchantId: "mer_01KDVDNA00B9Y73MY63FCH26W1", bps: 2000 }];
  const payments = x402Payments({ url, ...shop.credentials, splits });
  await expect(payments.accepts(price)).rejects.toThrow("422 split_merchant_not_found");
});

test("the terms are those of a payment that is cancelled at once", async () => {
  const asked: string[] = [];
  const onAttempt = ({ method, url, status }: Attempt): void => {
    asked.push(`${method} ${new URL(url).pathname} ${status ?? ""}`);
  };
  await shop.payments({ onAttempt }).accepts(price);
  expect(asked).toEqual([
    "GET /v1/currencies 200",
    "POST /v1/payments 201",
    expect.stringMatching(/^POST \/v1\/payments\/pay_\w+\/cancel 200$/),
  ]);
});

test("the program of docs/client.md sells", async () => {
  const folder = makeFolder();
  const page = readFileSync(join(projectRoot, "docs", "client.md"), "utf8");
  const [, text = ""] = /<!-- file: report.ts -->\n+```ts\n(.*?)\n```/s.exec(page) ?? [];
  writeFileSync(join(folder, "report.ts"), text);
  installClient(folder, [
    "hono",
    "@hono/node-server",
    "viem",
    "@x402/core",
    "@x402/evm",
    "@x402/hono",
  ]);
  const { shopId, partnerId, credentials } = await selling.newShop();
  const child = startChild([join(folder, "report.ts")], {
    PAY_URL: selling.url,
    MERCHANT_API_KEY: credentials.key,
    MERCHANT_API_SECRET: credentials.secret,
    PARTNER_ID: partnerId,
  });
  const port = /port: (\d+)/.exec(await child.waitFor(/port: \d+/))?.[1] ?? "";
  const answer = await buyer(rich.account).buy(`http://127.0.0.1:${port}/report`);
  expect(await answered(answer)).toEqual(sold);
  await selling.untilAvailable(shopId, 39_600n);
  await selling.untilAvailable(partnerId, 9_900n);
  expect(child.errors()).toBe("");
});

test("while the service is away nothing is given, and nothing is charged", async () => {
  const api = await sell();
  const headers = await buyer(rich.account).sign(api.url);
  selling.server.kill("SIGKILL");
  await selling.server.ended;
  const answer = await fetch(api.url, { headers });
  expect(toldOf(answer).errorMessage).toContain("Nothing was charged by this request.");
  const errorReason = "unexpected_settle_error";
  expect(await answered(answer)).toEqual({ ...refused, errorReason });
});
