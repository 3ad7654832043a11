// Names of networks for people. The catalog knows chains by their CAIP-2 ids only.

const names: ReadonlyMap<string, string> = new Map([
  ["eip155:1", "Ethereum"],
  ["eip155:10", "OP Mainnet"],
  ["eip155:56", "BNB Smart Chain"],
  ["eip155:100", "Gnosis"],
  ["eip155:137", "Polygon"],
  ["eip155:8453", "Base"],
  ["eip155:42161", "Arbitrum One"],
  ["eip155:43114", "Avalanche C-Chain"],
  ["eip155:11155111", "Sepolia test network"],
  ["eip155:11155420", "OP Sepolia test network"],
  ["eip155:421614", "Arbitrum Sepolia test network"],
  ["eip155:80002", "Polygon Amoy test network"],
  ["eip155:84532", "Base Sepolia test network"],
  ["eip155:31337", "Local test network"],
]);

/** A chain without a name here is called by its id: that is never wrong. */
export function chainNameOf(chainId: string): string {
  return names.get(chainId) ?? chainId;
}
