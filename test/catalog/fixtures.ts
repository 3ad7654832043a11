// A small catalog, and ways to change it.

import type { Currency, Deployment } from "../../service/catalog/model.ts";

export const finality = {
  scope: "deposit",
  key: "finality",
  status: "supported",
  parameters: { confirmations: 12, rule: "safe", high_value_raw: "10000000000" },
  delivery: null,
} as const;

/** Whatever the amount, it is final after so many blocks. */
export function finalAfter(confirmations: number, high_value_raw = "1000000000000000000000") {
  return { ...finality, parameters: { confirmations, rule: "depth", high_value_raw } } as const;
}

/** A coin on the chain with this number. */
export function coinOn(
  chainNumber: number,
  change: Partial<Deployment> & Pick<Deployment, "id">,
): Deployment {
  const chainId = `eip155:${chainNumber}`;
  return {
    chainId,
    chainFamily: "evm",
    isTestNetwork: false,
    assetKind: "native",
    assetLocator: `${chainId}/slip44:60`,
    tokenStandard: "native",
    contractAddress: null,
    decimals: 18,
    listingStatus: "listed",
    isDepositEnabled: true,
    isWithdrawalEnabled: true,
    capabilities: [finality],
    ...change,
  };
}

/** A token of six digits. */
export function tokenOn(
  chainNumber: number,
  contractAddress: string,
  change: Partial<Deployment> & Pick<Deployment, "id">,
): Deployment {
  return coinOn(chainNumber, {
    assetKind: "token",
    tokenStandard: "erc20",
    assetLocator: `eip155:${chainNumber}/erc20:${contractAddress}`,
    contractAddress,
    decimals: 6,
    ...change,
  });
}

export function currencyOf(
  id: string,
  deployments: readonly Deployment[],
  change: Partial<Currency> = {},
): Currency {
  return {
    id,
    code: id.slice("cur_".length).toUpperCase(),
    symbol: "¤",
    name: `Coin ${id}`,
    assetClass: "coin",
    isUsdStablecoin: false,
    accountingDecimals: 8,
    status: "active",
    deployments,
    ...change,
  };
}

/** The catalog with one deployment changed. */
export function withDeployment(
  currencies: readonly Currency[],
  id: string,
  change: Partial<Deployment>,
): readonly Currency[] {
  return currencies.map((currency) => ({
    ...currency,
    deployments: currency.deployments.map((one) => (one.id === id ? { ...one, ...change } : one)),
  }));
}

export const smallCatalog: readonly Currency[] = [
  currencyOf("cur_eth", [
    coinOn(1, { id: "dep_eth_ethereum" }),
    coinOn(10, { id: "dep_eth_optimism" }),
    coinOn(8453, { id: "dep_eth_base", isDepositEnabled: false }),
    coinOn(84532, { id: "dep_eth_base_sepolia", isTestNetwork: true }),
  ]),
  currencyOf("cur_pol", [coinOn(137, { id: "dep_pol_polygon" })]),
  currencyOf("cur_off", [coinOn(56, { id: "dep_off", isDepositEnabled: false })]),
];
