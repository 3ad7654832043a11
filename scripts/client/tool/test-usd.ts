// The token of the local chain.

export const usd = {
  currencyId: "cur_usdc",
  deploymentId: "dep_usdc_local",
  /** the token of the local chain, see adapters/local-chain/catalog.json */
  address: "0x700b6A60ce7EaaEA56F065753d8dcB9653dbAD35",
  decimals: 6,
  chainId: "eip155:31337",
  chainNumber: 31_337,
} as const;

/** The chain's own coin. */
export const coin = {
  currencyId: "cur_eth",
  deploymentId: "dep_eth_local",
  decimals: 18,
} as const;
