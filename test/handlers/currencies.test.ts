// What the catalog operations answer is what the catalog says, each field by itself: no two of them are
// alike here, so none can stand in another one's place.

import { describe, expect, test } from "vitest";
import type { Caller } from "../../handlers/caller.ts";
import { buildCurrencyHandlers } from "../../handlers/currencies.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import type { Currency } from "../../service/catalog/model.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { Cursors } from "../../service/cursor.ts";
import { coinOn, finality, tokenOn } from "../catalog/fixtures.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { TestClock } from "../support/service-parts.ts";

const caller: Caller = {
  requestId: "req_1",
  merchantId: "mer_1",
  keyId: "mk_test_1",
  environment: "test",
  scopes: new Set(),
  earlier: undefined,
};
const headers = {
  "X-Api-Key": "mk_test_1",
  "X-Signature": "0".repeat(64),
  "X-Timestamp": "1767225600",
  "X-Nonce": "n-8f14e45fceea167a5a36dedd4bea2543",
};

const contractAddress = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const proxy = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const permit2 = {
  scope: "x402",
  key: "permit2",
  status: "degraded",
  parameters: { address: proxy },
} as const;

const token: Currency = {
  id: "cur_gold",
  code: "GLD",
  symbol: "g",
  name: "A gram of gold",
  assetClass: "token",
  isUsdStablecoin: false,
  accountingDecimals: 4,
  status: "deprecated",
  deployments: [
    tokenOn(1, contractAddress, {
      id: "dep_gold_ethereum",
      decimals: 9,
      isDepositEnabled: false,
      capabilities: [
        finality,
        { ...permit2, delivery: { mode: "contract", contractAddress: proxy } },
      ],
    }),
    coinOn(10, { id: "dep_gold_optimism", decimals: 17, isWithdrawalEnabled: false }),
  ],
};
const dollar: Currency = {
  ...token,
  id: "cur_dollar",
  code: "USDX",
  symbol: "$",
  name: "A dollar",
  assetClass: "stablecoin",
  isUsdStablecoin: true,
  accountingDecimals: 2,
  status: "active",
  deployments: [
    tokenOn(137, contractAddress, { id: "dep_dollar_polygon", listingStatus: "preview" }),
  ],
};

const answeredFinality = {
  scope: "deposit",
  key: "finality",
  status: "supported",
  parameters: { confirmations: 12, rule: "safe", high_value_raw: "10000000000" },
  evidence_version: 1,
  delivery: null,
};
const answered = [
  {
    id: "cur_gold",
    code: "GLD",
    symbol: "g",
    name: "A gram of gold",
    asset_class: "token",
    is_usd_stablecoin: false,
    accounting_decimals: 4,
    status: "deprecated",
    deployments: [
      {
        id: "dep_gold_ethereum",
        deployment_version: 1,
        chain_id: "eip155:1",
        chain_family: "evm",
        asset_kind: "token",
        asset_locator: `eip155:1/erc20:${contractAddress}`,
        token_standard: "erc20",
        decimals: 9,
        listing_status: "listed",
        deposit_enabled: false,
        withdrawal_enabled: true,
        capabilities: [
          answeredFinality,
          {
            ...permit2,
            evidence_version: 1,
            delivery: { mode: "contract", contract_address: proxy },
          },
        ],
      },
      {
        id: "dep_gold_optimism",
        deployment_version: 2,
        chain_id: "eip155:10",
        chain_family: "evm",
        asset_kind: "native",
        asset_locator: "eip155:10/slip44:60",
        token_standard: "native",
        decimals: 17,
        listing_status: "listed",
        deposit_enabled: true,
        withdrawal_enabled: false,
        capabilities: [
          {
            ...answeredFinality,
            parameters: { ...answeredFinality.parameters, confirmations: 30 },
            evidence_version: 2,
          },
        ],
      },
    ],
  },
  {
    id: "cur_dollar",
    code: "USDX",
    symbol: "$",
    name: "A dollar",
    asset_class: "stablecoin",
    is_usd_stablecoin: true,
    accounting_decimals: 2,
    status: "active",
    deployments: [
      {
        id: "dep_dollar_polygon",
        deployment_version: 1,
        chain_id: "eip155:137",
        chain_family: "evm",
        asset_kind: "token",
        asset_locator: `eip155:137/erc20:${contractAddress}`,
        token_standard: "erc20",
        decimals: 6,
        listing_status: "preview",
        deposit_enabled: true,
        withdrawal_enabled: true,
        capabilities: [answeredFinality],
      },
    ],
  },
];

describe.each(engines)("on %s", (engine) => {
  test("each field of a currency, its deployments and capabilities is answered as it is", async () => {
    const database = await openDatabase(engine);
    const writer = new CatalogWriter({ database, clock: new TestClock() });
    await writer.apply([dollar, token], { isDryRun: false });
    // One deployment and one capability change, so that versions differ, too.
    const [first, second] = token.deployments;
    if (first === undefined || second === undefined) throw new Error("there are two");
    const parameters = { ...finality.parameters, confirmations: 30 };
    const changed = { ...second, capabilities: [{ ...finality, parameters }] };
    const file = [dollar, { ...token, deployments: [first, changed] }];
    await writer.apply(file, { isDryRun: false });
    const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
    const { getCurrency, listCurrencies } = buildCurrencyHandlers({ catalog });
    const all = await listCurrencies({ headers, query: { limit: 100 } }, caller);
    expect(all).toEqual({
      status: 200,
      headers: { ETag: '"2-test"' },
      body: { catalog_version: 2, currencies: answered },
    });
    for (const currency of answered) {
      const one = await getCurrency({ headers, path: { id: currency.id } }, caller);
      expect(one).toEqual({
        status: 200,
        headers: { ETag: '"2-test"' },
        body: { catalog_version: 2, currency },
      });
    }
  });

  test("a page is made once, for as long as the catalog is the same", async () => {
    const database = await openDatabase(engine);
    const writer = new CatalogWriter({ database, clock: new TestClock() });
    await writer.apply([dollar, token], { isDryRun: false });
    const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
    const { listCurrencies } = buildCurrencyHandlers({ catalog });
    const bodyOf = async (query: { limit: number; cursor?: string }) => {
      const answer = await listCurrencies({ headers, query }, caller);
      if (answer.status !== 200) throw new Error(`it answered with ${answer.status}`);
      return { body: answer.body, cursor: /cursor=([^&>]+)/.exec(answer.headers.Link ?? "")?.[1] };
    };
    const all = await bodyOf({ limit: 100 });
    expect((await bodyOf({ limit: 50 })).body).toBe(all.body);
    const { body: first, cursor = "" } = await bodyOf({ limit: 1 });
    const { body: second } = await bodyOf({ limit: 1, cursor });
    expect([first, second].map(({ currencies }) => currencies.map(({ id }) => id))).toEqual([
      ["cur_gold"],
      ["cur_dollar"],
    ]);
    expect((await bodyOf({ limit: 1 })).body).toBe(first);
    await writer.apply([{ ...dollar, symbol: "D" }, token], { isDryRun: false });
    const changed = await bodyOf({ limit: 100 });
    expect(changed.body.catalog_version).toBe(2);
    expect(changed.body.currencies.map(({ symbol }) => symbol)).toEqual(["g", "D"]);
    expect(all.body.currencies.map(({ symbol }) => symbol)).toEqual(["g", "$"]);
  });
});
