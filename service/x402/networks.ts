// How x402 names chains: version 2 by CAIP-2, version 1 by short names of its own.

/** The names that the official client of version 1 knows. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ["ethereum", "eip155:1"],
  ["sepolia", "eip155:11155111"],
  ["abstract", "eip155:2741"],
  ["abstract-testnet", "eip155:11124"],
  ["base-sepolia", "eip155:84532"],
  ["base", "eip155:8453"],
  ["avalanche-fuji", "eip155:43113"],
  ["avalanche", "eip155:43114"],
  ["iotex", "eip155:4689"],
  ["sei", "eip155:1329"],
  ["sei-testnet", "eip155:1328"],
  ["polygon", "eip155:137"],
  ["polygon-amoy", "eip155:80002"],
  ["peaq", "eip155:3338"],
  ["story", "eip155:1514"],
  ["educhain", "eip155:41923"],
  ["skale-base-sepolia", "eip155:324705682"],
  ["megaeth", "eip155:4326"],
  ["monad", "eip155:143"],
  ["stable", "eip155:988"],
  ["stable-testnet", "eip155:2201"],
  ["celo", "eip155:42220"],
  ["flare", "eip155:14"],
]);

const shortNameOf: ReadonlyMap<string, string> = new Map(
  Array.from(shortNames, ([name, chainId]) => [chainId, name]),
);

/** CAIP-2; what is no short name is taken for CAIP-2 already. */
export function chainIdOfNetwork(network: string): string {
  return shortNames.get(network) ?? network;
}

/** Undefined: version 1 has no name for it, so its clients cannot pay there. */
export function shortNetworkName(chainId: string): string | undefined {
  return shortNameOf.get(chainId);
}
