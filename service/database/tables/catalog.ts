// What can be paid with, and what merchants accept of it.

import type { Generated } from "kysely";
import type { Environment } from "../../owner.ts";
import type { Json } from "./json.ts";

export interface CatalogTable {
  readonly only_row: Generated<boolean>;
  readonly version: bigint;
  readonly applied_at: Date;
}

export interface CurrenciesTable {
  readonly id: string;
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
  readonly asset_class: "coin" | "stablecoin" | "token";
  readonly is_usd_stablecoin: boolean;
  readonly accounting_decimals: number;
  readonly status: "active" | "deprecated" | "disabled";
}

export interface DeploymentsTable {
  readonly id: string;
  readonly currency_id: string;
  readonly deployment_version: bigint;
  readonly chain_id: string;
  readonly chain_family: "evm" | "solana" | "bitcoin" | "tron";
  readonly is_test_network: boolean;
  readonly asset_kind: "native" | "token";
  readonly asset_locator: string;
  readonly token_standard: "native" | "erc20" | "spl" | "spl2022" | "trc20";
  readonly contract_address: string | null;
  readonly decimals: number;
  readonly listing_status: "preview" | "listed" | "delisting" | "delisted";
  readonly delisting_since: Date | null;
  readonly deposit_enabled: boolean;
  readonly withdrawal_enabled: boolean;
}

export interface CapabilitiesTable {
  readonly deployment_id: string;
  readonly scope: "deposit" | "withdrawal" | "x402" | "subscription";
  readonly key: string;
  readonly status: "supported" | "degraded" | "unsupported" | "unverified";
  readonly parameters: Json<Readonly<Record<string, unknown>>>;
  readonly evidence_version: bigint;
  readonly delivery: Json<Readonly<Record<string, unknown>> | null>;
}

export interface CurrencyAcceptancesTable {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly revision: bigint;
  readonly catalog_version: bigint;
  readonly updated_at: Date;
}

export interface AcceptedChainsTable {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly revision: bigint;
  readonly currency_id: string;
  readonly chain_id: string;
}

/** A view: the rows of the newest revision. */
export interface CurrencyAcceptanceView {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly currency_id: string;
  readonly chain_ids: readonly string[];
}

export interface CatalogTables {
  readonly catalog: CatalogTable;
  readonly currencies: CurrenciesTable;
  readonly deployments: DeploymentsTable;
  readonly capabilities: CapabilitiesTable;
  readonly currency_acceptances: CurrencyAcceptancesTable;
  readonly accepted_chains: AcceptedChainsTable;
  readonly currency_acceptance: CurrencyAcceptanceView;
}
