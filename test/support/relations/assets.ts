// An asset on a chain: its kind, its standard, its contract and its chain say one thing.

import { getAddress, isAddress } from "viem";
import { type Json, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { type Claim, holds, same } from "./relation.ts";

/** Chains whose money is worth nothing (CAIP-2). */
const testNetworks: ReadonlySet<string> = new Set([
  "eip155:97",
  "eip155:11155111",
  "eip155:84532",
  "eip155:421614",
  "eip155:80002",
  "eip155:11155420",
  "eip155:43113",
]);

export function isTestNetwork(chainId: Json | undefined): boolean {
  return testNetworks.has(textOf(chainId));
}

/** A coin has no contract, and a token has one. */
export function kindClaims(at: string, asset: JsonObject, contract: Json): readonly Claim[] {
  const { asset_kind: kind = null, token_standard: standard = null } = asset;
  const isCoin = kind === "native";
  return [
    holds(
      `${at}/token_standard`,
      (standard === "native") === isCoin,
      `is ${textOf(standard)}, and the asset is of kind ${textOf(kind)}`,
    ),
    holds(
      `${at}/contract_address`,
      (contract === null) === isCoin,
      `is ${textOf(contract)}, and the asset is of kind ${textOf(kind)}`,
    ),
  ];
}

/** An address of an EVM chain is written with its checksum (EIP-55). */
export function checksumClaims(place: string, chainId: string, address: Json): readonly Claim[] {
  if (!chainId.startsWith("eip155:") || typeof address !== "string") return [];
  const isRight = isAddress(address, { strict: false });
  return [same(place, address, isRight ? getAddress(address) : null)];
}

export const families: Readonly<Record<string, string>> = {
  eip155: "evm",
  solana: "solana",
  bip122: "bitcoin",
  tron: "tron",
};
