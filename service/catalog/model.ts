// What can be paid with: currencies, where they are deployed, and what each deployment can do.

import type { AssetKind, ChainFamily, TokenStandard } from "../database/words.ts";
import type { Environment } from "../owner.ts";

export const assetClasses = ["coin", "stablecoin", "token"] as const;
export const currencyStatuses = ["active", "deprecated", "disabled"] as const;

export const listingStatuses = ["preview", "listed", "delisting", "delisted"] as const;
export const capabilityScopes = ["deposit", "withdrawal", "x402", "subscription"] as const;
export const capabilityKeys = [
  "finality",
  "eip3009",
  "permit2",
  "permit2_upto_proxy",
  "eip2612",
  "erc681_uri",
  "transfer_fee",
  "blocklist",
  "pausable",
] as const;
export const capabilityStatuses = ["supported", "degraded", "unsupported", "unverified"] as const;
export const deliveryModes = ["native", "relayed", "contract"] as const;

export type CapabilityKey = (typeof capabilityKeys)[number];

/** How a capability is exercised: by the asset itself, by a relayer, or by another contract. */
export interface Delivery {
  readonly mode: (typeof deliveryModes)[number];
  readonly contractAddress?: string;
}

export interface Capability {
  readonly scope: (typeof capabilityScopes)[number];
  readonly key: CapabilityKey;
  readonly status: (typeof capabilityStatuses)[number];
  /** depends on the key; in wire names, since it is shown as it is */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** null where delivery means nothing */
  readonly delivery: Delivery | null;
}

export interface Deployment {
  readonly id: string;
  /** CAIP-2 */
  readonly chainId: string;
  readonly chainFamily: ChainFamily;
  readonly isTestNetwork: boolean;
  readonly assetKind: AssetKind;
  /** CAIP-19 */
  readonly assetLocator: string;
  readonly tokenStandard: TokenStandard;
  /** null for the chain's own coin */
  readonly contractAddress: string | null;
  readonly decimals: number;
  readonly listingStatus: (typeof listingStatuses)[number];
  readonly isDepositEnabled: boolean;
  readonly isWithdrawalEnabled: boolean;
  readonly capabilities: readonly Capability[];
}

export interface Currency {
  readonly id: string;
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
  readonly assetClass: (typeof assetClasses)[number];
  readonly isUsdStablecoin: boolean;
  /** for display and reports only */
  readonly accountingDecimals: number;
  readonly status: (typeof currencyStatuses)[number];
  readonly deployments: readonly Deployment[];
}

/** In the catalog every part that can change carries the version of its last change. */
export interface CatalogCapability extends Capability {
  readonly evidenceVersion: bigint;
}

export interface CatalogDeployment extends Omit<Deployment, "capabilities"> {
  readonly deploymentVersion: bigint;
  /** when deposits ended for good; null unless it is delisting or delisted */
  readonly delistingSince: Date | null;
  readonly capabilities: readonly CatalogCapability[];
}

export interface CatalogCurrency extends Omit<Currency, "deployments"> {
  readonly deployments: readonly CatalogDeployment[];
}

/** All of it at one version. */
export interface Catalog {
  /** 0: nothing was ever applied */
  readonly version: bigint;
  /** by code, then id, in code point order */
  readonly currencies: readonly CatalogCurrency[];
}

/**
 * The catalog as a key sees it. Our choice: a live key sees no test networks, since their coins are
 * worth nothing and must never pay a real order; a test key sees everything.
 */
export function catalogFor(environment: Environment, catalog: Catalog): Catalog {
  if (environment === "test") return catalog;
  const currencies = catalog.currencies.map((currency) => ({
    ...currency,
    deployments: currency.deployments.filter(({ isTestNetwork }) => !isTestNetwork),
  }));
  return { version: catalog.version, currencies };
}
