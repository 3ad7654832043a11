// What can be paid with in a simulation: three chains that differ in when they are sure, and
// currencies whose units differ from chain to chain.

import type { Currency, Deployment } from "../../service/catalog/model.ts";
import { coinOn, currencyOf } from "../catalog/fixtures.ts";
import { ScriptedOutgoingChain } from "../support/scripted-outgoing.ts";
import type { ScriptedChainOptions } from "../support/scripted-chain.ts";
import { addressOf } from "../support/scripted-signer.ts";

export interface ChainCharacter {
  readonly options: ScriptedChainOptions & { readonly chainId: string };
  readonly blockSeconds: number;
  /** a reorganisation up to here never takes away what is final */
  readonly safeDepth: number;
  readonly isTestNetwork: boolean;
}

const slow: ChainCharacter = {
  options: { chainId: "eip155:1", safeLag: 3n, finalizedLag: 6n },
  blockSeconds: 40,
  safeDepth: 3,
  isTestNetwork: false,
};
/** The only one that is reorganised deeper than its finality. */
export const deep: ChainCharacter = {
  options: { chainId: "eip155:8453" },
  blockSeconds: 6,
  safeDepth: 6,
  isTestNetwork: false,
};
const test: ChainCharacter = {
  options: { chainId: "eip155:84532", safeLag: 2n, finalizedLag: 4n },
  blockSeconds: 15,
  safeDepth: 4,
  isTestNetwork: true,
};

export const characters: readonly ChainCharacter[] = [slow, deep, test];

export interface Asset {
  readonly deployment: Deployment;
  readonly currencyId: string;
}

interface Finality {
  readonly rule: "safe" | "depth" | "finalized";
  readonly confirmations: number;
}

const finalities: ReadonlyMap<ChainCharacter, Finality> = new Map([
  [slow, { rule: "safe", confirmations: 3 }],
  [deep, { rule: "depth", confirmations: 7 }],
  [test, { rule: "finalized", confirmations: 2 }],
]);

/** Above this one waits longer: in whole units. */
const highValue = 400n;

function deploymentOn(character: ChainCharacter, name: string, decimals: number): Deployment {
  const { chainId } = character.options;
  const number = Number(chainId.split(":")[1]);
  const parameters = {
    ...finalities.get(character),
    high_value_raw: (highValue * 10n ** BigInt(decimals)).toString(),
  };
  const capability = { scope: "deposit", key: "finality", status: "supported" } as const;
  const capabilities = [{ ...capability, parameters, delivery: null }];
  const id = `dep_${name}_${number}`;
  const { isTestNetwork } = character;
  // Not by EIP-3009, or no sweep would need coins of its own.
  const signing = {
    scope: "x402",
    key: "permit2",
    status: "supported",
    parameters: { address: addressOf("x402 proxy") },
    delivery: null,
  } as const;
  if (name === "coin") return coinOn(number, { id, isTestNetwork, capabilities });
  const contractAddress = addressOf(`${name} on ${chainId}`);
  return coinOn(number, {
    id,
    isTestNetwork,
    capabilities: [...capabilities, signing],
    contractAddress,
    decimals,
    assetKind: "token",
    tokenStandard: "erc20",
    assetLocator: `${chainId}/erc20:${contractAddress}`,
  });
}

export const currencies: readonly Currency[] = [
  currencyOf("cur_coin", [
    deploymentOn(slow, "coin", 18),
    deploymentOn(deep, "coin", 18),
    deploymentOn(test, "coin", 18),
  ]),
  currencyOf(
    "cur_usd",
    [deploymentOn(slow, "usd", 6), deploymentOn(deep, "usd", 18), deploymentOn(test, "usd", 6)],
    { accountingDecimals: 2 },
  ),
  currencyOf("cur_eur", [deploymentOn(deep, "eur", 6)], { accountingDecimals: 2 }),
];

export const assets: readonly Asset[] = currencies.flatMap(({ id, deployments }) =>
  deployments.map((deployment) => ({ deployment, currencyId: id })),
);

export function assetOf(deploymentId: string): Asset {
  const found = assets.find(({ deployment }) => deployment.id === deploymentId);
  if (found === undefined) throw new Error(`there is no ${deploymentId}`);
  return found;
}

/** Above this one waits longer; in the units of the asset. */
export function highValueOf(asset: Asset): bigint {
  return highValue * wholeOf(asset);
}

export function finalityOn(chainId: string): Finality {
  const found = [...finalities].find(([{ options }]) => options.chainId === chainId);
  if (found === undefined) throw new Error(`there is no chain ${chainId}`);
  return found[1];
}

export function wholeOf({ deployment }: Asset): bigint {
  return 10n ** BigInt(deployment.decimals);
}

/** A chain with the account that is sent from, and what the world remembers of it. */
export interface SimulatedChain {
  readonly character: ChainCharacter;
  readonly chain: ScriptedOutgoingChain;
  /** of its newest block */
  blockMilliseconds: number;
  /** of the transactions of payers, the newest last */
  readonly depositHashes: string[];
  /** hashes of blocks that were once shown without what is in them */
  readonly hidden: Set<string>;
}

export function startChains(startMilliseconds: number): readonly SimulatedChain[] {
  return characters.map((character) => {
    const genesisTime = new Date(startMilliseconds);
    const chain = new ScriptedOutgoingChain({ ...character.options, genesisTime });
    return {
      character,
      chain,
      blockMilliseconds: startMilliseconds,
      depositHashes: [],
      hidden: new Set(),
    };
  });
}
