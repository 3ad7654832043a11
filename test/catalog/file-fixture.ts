// A catalog file as parsed JSON, and ways to damage it.

import { finality } from "./fixtures.ts";

export type Json = Record<string, unknown>;

export const separator = "0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f";
export const usdcOnBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

/** USDC on Base and ether on Ethereum; a new one each time, since the tests change it. */
export function soundFile(): { format: unknown; currencies: Json[] } {
  const eip3009 = {
    scope: "x402",
    key: "eip3009",
    status: "unverified",
    parameters: { domain_name: "USD Coin", domain_version: "2", domain_separator: separator },
    delivery: { mode: "native" },
  };
  const permit2 = {
    scope: "x402",
    key: "permit2",
    status: "unverified",
    parameters: { address: "0x402085c248EeA27D92E8b30b2C58ed07f9E20001" },
    delivery: {
      mode: "contract",
      contract_address: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
    },
  };
  const common = {
    chain_family: "evm",
    is_test_network: false,
    listing_status: "listed",
    deposit_enabled: true,
    withdrawal_enabled: true,
  };
  return {
    format: 1,
    currencies: [
      {
        id: "cur_usdc",
        code: "USDC",
        symbol: "USDC",
        name: "USD Coin",
        asset_class: "stablecoin",
        is_usd_stablecoin: true,
        accounting_decimals: 2,
        status: "active",
        deployments: [
          {
            ...common,
            id: "dep_usdc_base",
            chain_id: "eip155:8453",
            asset_kind: "token",
            asset_locator: `eip155:8453/erc20:${usdcOnBase}`,
            token_standard: "erc20",
            contract_address: usdcOnBase,
            decimals: 6,
            capabilities: [finality, eip3009, permit2],
          },
        ],
      },
      {
        id: "cur_eth",
        code: "ETH",
        symbol: "Ξ",
        name: "Ether",
        asset_class: "coin",
        is_usd_stablecoin: false,
        accounting_decimals: 8,
        status: "active",
        deployments: [
          {
            ...common,
            id: "dep_eth_ethereum",
            chain_id: "eip155:1",
            asset_kind: "native",
            asset_locator: "eip155:1/slip44:60",
            token_standard: "native",
            contract_address: null,
            decimals: 18,
            capabilities: [finality],
          },
        ],
      },
    ],
  };
}

/** A copy by way of JSON, where no two places share an object: the file with the value at the pointer replaced; `undefined` takes it out. */
export function edited(changes: Readonly<Record<string, unknown>>): unknown {
  const file: unknown = JSON.parse(JSON.stringify(soundFile()));
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.slice(1).split("/");
    const last = names.pop() ?? "";
    // Walks along members that `soundFile` has.
    let at = file as Json;
    for (const name of names) at = at[name] as Json;
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return file;
}
