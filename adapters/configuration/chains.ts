// The part of the configuration that is about chains.

import { checksumAddress, hasEvmAddressForm } from "../../service/evm-address.ts";
import type { Reader } from "./reader.ts";

export interface ChainConfiguration {
  /** by CAIP-2, at least one address of a node each; they may hold secrets of their own */
  readonly rpcUrls: ReadonlyMap<string, readonly string[]>;
  /** undefined: on where nothing of it can be mistaken for the real thing, see `isLocalChainOn` */
  readonly localChain: "on" | "off" | undefined;
  /** where a signer listens that was started apart; undefined: it is a child of this process */
  readonly signerSocket: string | undefined;
  /** the limits of the signer where it is a child of this process; undefined: test networks only */
  readonly signerPolicy: string | undefined;
  /** where swept money goes that the hot account does not need; undefined: all stays there */
  readonly treasuryAddress: string | undefined;
  /** after that what an x402 payer has authorized, and nobody has reported usage of, goes back */
  readonly x402ReleaseSeconds: number;
  /** a withdrawal that would take more units of gas is refused */
  readonly withdrawalGasUnitsMax: bigint;
}

const rpcForm = /^(eip155:[1-9][0-9]{0,31})=(https?:\/\/[^\s]+)$/;

export function readChains(read: Reader): ChainConfiguration {
  const rpcUrls = new Map<string, string[]>();
  const entries = read.list("EVM_RPC_URLS", {
    fits: (text) => URL.canParse(rpcForm.exec(text)?.[2] ?? ""),
    instead: "chain=URL pairs with commas between them, such as eip155:8453=https://node.example",
    isSecret: true,
  });
  for (const entry of entries) {
    const [, chainId = "", url = ""] = rpcForm.exec(entry) ?? [];
    rpcUrls.set(chainId, [...(rpcUrls.get(chainId) ?? []), url]);
  }
  const localChain = read.optional("LOCAL_CHAIN", {
    fits: (text) => text === "on" || text === "off",
    instead: "on or off",
  });
  return {
    rpcUrls,
    localChain: localChain === "on" || localChain === "off" ? localChain : undefined,
    signerSocket: read.optional("SIGNER_SOCKET", {
      fits: (text) => !text.includes("\0"),
      instead: "the path of the socket on which npm run signer listens",
    }),
    signerPolicy: read.optional("SIGNER_POLICY", {
      fits: (text) => !text.includes("\0"),
      instead: "the path of a file with the limits of the signer",
    }),
    treasuryAddress: read.optional("TREASURY_ADDRESS", {
      fits: (text) => hasEvmAddressForm(text) && checksumAddress(text) === text,
      instead: "an address of an EVM chain, with the checksum of EIP-55",
    }),
    x402ReleaseSeconds: Number(
      read.text("X402_RELEASE_SECONDS", "86400", {
        fits: (text) => /^[1-9][0-9]{0,6}$/.test(text),
        instead: "a number of seconds from 1 to 9999999, such as 86400 for a day",
      }),
    ),
    withdrawalGasUnitsMax: BigInt(
      read.text("WITHDRAWAL_GAS_UNITS_MAX", "250000", {
        fits: (text) => /^[1-9][0-9]{4,6}$/.test(text) && Number(text) <= 3_000_000,
        instead: "a number of units of gas from 10000 to 3000000, such as 250000",
      }),
    ),
  };
}

interface ChainsAndDatabase {
  readonly chains: ChainConfiguration;
  readonly environment: string;
  readonly databaseUrl: string | undefined;
}

/** A chain of one's own belongs to experiments: never beside real ones, nor where servers share. */
export function isLocalChainOn(configuration: ChainsAndDatabase): boolean {
  const { chains, environment, databaseUrl } = configuration;
  if (chains.localChain !== undefined) return chains.localChain === "on";
  return environment === "development" && databaseUrl === undefined && chains.rpcUrls.size === 0;
}

/** With none, neither a chain nor a signer is asked for anything. */
export function hasChains(configuration: ChainsAndDatabase): boolean {
  return isLocalChainOn(configuration) || configuration.chains.rpcUrls.size > 0;
}

/** What one variable demands of another. */
export function chainMistakes(configuration: {
  readonly chains: ChainConfiguration;
  readonly environment: string;
}): readonly string[] {
  const { chains, environment } = configuration;
  if (environment !== "production") return [];
  const mistakes: string[] = [];
  if (chains.localChain === "on") {
    mistakes.push("LOCAL_CHAIN is not for production, anybody can make its coins; leave it out");
  }
  if (chains.rpcUrls.size > 0 && chains.signerSocket === undefined) {
    const way = "run npm run signer as a user of its own, and name its socket";
    mistakes.push(`SIGNER_SOCKET is missing; in production keys are not kept by this user, ${way}`);
  }
  return mistakes;
}
