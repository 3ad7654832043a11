// The statements of the catalog.

import { type RawBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { CatalogCapability, CatalogCurrency, CatalogDeployment, Delivery } from "./model.ts";
import { queries, statement } from "../database/statement.ts";
import type {
  CapabilitiesTable,
  CurrenciesTable,
  DeploymentsTable,
} from "../database/tables/catalog.ts";

const capabilitiesOfDeployment = jsonArrayFrom(
  queries
    .selectFrom("capabilities")
    .selectAll()
    .where(sql<boolean>`capabilities.deployment_id = deployments.id`)
    .orderBy(sql`scope collate "C"`)
    .orderBy(sql`key collate "C"`),
);

const deploymentsOfCurrency = jsonArrayFrom(
  queries
    .selectFrom("deployments")
    .selectAll()
    .select(capabilitiesOfDeployment.as("capabilities"))
    .where(sql<boolean>`deployments.currency_id = currencies.id`)
    // Our choice: main networks first; among them, by id.
    .orderBy("is_test_network")
    .orderBy(sql`id collate "C"`),
);

const wholeCatalog = jsonArrayFrom(
  queries
    .selectFrom("currencies")
    .selectAll()
    .select(deploymentsOfCurrency.as("deployments"))
    .orderBy(sql`code collate "C"`)
    .orderBy(sql`id collate "C"`),
);

/** What a statement reads of the catalog. */
export interface CatalogColumns {
  /** null: nothing was ever applied */
  readonly version: bigint | null;
  /** which state of the catalog it is: `CatalogLook.known` of the next look */
  readonly catalog: string | null;
  /** null when it is the state that the caller has already */
  readonly currencies: readonly CurrencyRow[] | null;
}

/**
 * All there is, for the `select` of a statement with the table `catalog`, unless it is known. The time stands beside
 * the version, since a database that was restored counts on from an older one.
 */
export function catalogUnless(known: string | RawBuilder<unknown>) {
  const stamp = sql<string | null>`
    catalog.version || ' ' || extract(epoch from catalog.applied_at)`;
  // The driver has parsed the JSON; its rows are those of the tables below.
  const content = wholeCatalog.$castTo<readonly CurrencyRow[]>();
  return [
    sql<bigint | null>`catalog.version`.as("version"),
    stamp.as("catalog"),
    sql<readonly CurrencyRow[] | null>`
      case when ${stamp} = ${known}::text then null else ${content} end`.as("currencies"),
  ] as const;
}

/**
 * The version, and everything there is at that version. One statement sees one state of the
 * database, so the two belong together. No row: nothing was ever applied.
 */
export const readCatalog = statement<{ readonly known: string }>("read_catalog")(catalogOf);

/** For whoever only wants to see it. */
export const readCatalogToShow = statement<{ readonly known: string }>("read_catalog_to_show", {
  mayBeStale: true,
})(catalogOf);

function catalogOf({ known }: { readonly known: string }) {
  return queries.selectFrom("catalog").select(catalogUnless(known));
}

/** Holds the catalog until the end of the transaction: of two appliers the second one waits here. */
export const lockCatalog = statement<{ readonly now: Date }>("lock_catalog")((p) =>
  queries
    .insertInto("catalog")
    .values({ version: 0n, applied_at: p.now })
    .onConflict((conflict) =>
      // Writes what is there: the row is locked, and nothing changes.
      conflict.column("only_row").doUpdateSet({ version: sql`catalog.version` }),
    )
    .returning("version"),
);

export const setCatalogVersion = statement<{ readonly version: bigint; readonly now: Date }>(
  "set_catalog_version",
)((p) => queries.updateTable("catalog").set({ version: p.version, applied_at: p.now }));

export const putCurrency = statement<CurrenciesTable>("put_currency")((p) => {
  const changing = {
    code: p.code,
    symbol: p.symbol,
    name: p.name,
    asset_class: p.asset_class,
    is_usd_stablecoin: p.is_usd_stablecoin,
    accounting_decimals: p.accounting_decimals,
    status: p.status,
  };
  return queries
    .insertInto("currencies")
    .values({ id: p.id, ...changing })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changing));
});

/** What a deployment is can only be inserted; the rules refuse a change of it before. */
export const putDeployment = statement<DeploymentsTable>("put_deployment")((p) => {
  const changing = {
    deployment_version: p.deployment_version,
    is_test_network: p.is_test_network,
    listing_status: p.listing_status,
    delisting_since: p.delisting_since,
    deposit_enabled: p.deposit_enabled,
    withdrawal_enabled: p.withdrawal_enabled,
  };
  return queries
    .insertInto("deployments")
    .values({
      id: p.id,
      currency_id: p.currency_id,
      chain_id: p.chain_id,
      chain_family: p.chain_family,
      asset_kind: p.asset_kind,
      asset_locator: p.asset_locator,
      token_standard: p.token_standard,
      contract_address: p.contract_address,
      decimals: p.decimals,
      ...changing,
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changing));
});

export interface CapabilityValues {
  readonly deployment_id: string;
  readonly scope: CapabilitiesTable["scope"];
  readonly key: string;
  readonly status: CapabilitiesTable["status"];
  /** JSON text */
  readonly parameters: string;
  readonly evidence_version: bigint;
  /** JSON text */
  readonly delivery: string | null;
}

export const putCapability = statement<CapabilityValues>("put_capability")((p) => {
  const changing = {
    status: p.status,
    parameters: p.parameters,
    evidence_version: p.evidence_version,
    delivery: p.delivery,
  };
  return queries
    .insertInto("capabilities")
    .values({ deployment_id: p.deployment_id, scope: p.scope, key: p.key, ...changing })
    .onConflict((conflict) =>
      conflict.columns(["deployment_id", "scope", "key"]).doUpdateSet(changing),
    );
});

// Rows inside JSON: what is a bigint or a Date elsewhere is a number or text there.

interface CapabilityRow {
  readonly scope: CapabilitiesTable["scope"];
  readonly key: CatalogCapability["key"];
  readonly status: CapabilitiesTable["status"];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly evidence_version: number;
  readonly delivery: DeliveryRow | null;
}

interface DeliveryRow {
  readonly mode: Delivery["mode"];
  readonly contract_address?: string;
}

interface DeploymentRow extends Omit<DeploymentsTable, "deployment_version" | "delisting_since"> {
  readonly deployment_version: number;
  readonly delisting_since: string | null;
  readonly capabilities: readonly CapabilityRow[];
}

export interface CurrencyRow extends CurrenciesTable {
  readonly deployments: readonly DeploymentRow[];
}

export function currencyOf(row: CurrencyRow): CatalogCurrency {
  return {
    id: row.id,
    code: row.code,
    symbol: row.symbol,
    name: row.name,
    assetClass: row.asset_class,
    isUsdStablecoin: row.is_usd_stablecoin,
    accountingDecimals: row.accounting_decimals,
    status: row.status,
    deployments: row.deployments.map(deploymentOf),
  };
}

function deploymentOf(row: DeploymentRow): CatalogDeployment {
  return {
    id: row.id,
    deploymentVersion: BigInt(row.deployment_version),
    chainId: row.chain_id,
    chainFamily: row.chain_family,
    isTestNetwork: row.is_test_network,
    assetKind: row.asset_kind,
    assetLocator: row.asset_locator,
    tokenStandard: row.token_standard,
    contractAddress: row.contract_address,
    decimals: row.decimals,
    listingStatus: row.listing_status,
    delistingSince: row.delisting_since === null ? null : new Date(row.delisting_since),
    isDepositEnabled: row.deposit_enabled,
    isWithdrawalEnabled: row.withdrawal_enabled,
    capabilities: row.capabilities.map(capabilityOf),
  };
}

function capabilityOf(row: CapabilityRow): CatalogCapability {
  return {
    scope: row.scope,
    key: row.key,
    status: row.status,
    parameters: row.parameters,
    evidenceVersion: BigInt(row.evidence_version),
    delivery: row.delivery === null ? null : deliveryOf(row.delivery),
  };
}

/** As it is stored. */
export function deliveryRowOf({ mode, contractAddress }: Delivery): DeliveryRow {
  return contractAddress === undefined ? { mode } : { mode, contract_address: contractAddress };
}

function deliveryOf({ mode, contract_address: contractAddress }: DeliveryRow): Delivery {
  return contractAddress === undefined ? { mode } : { mode, contractAddress };
}

export const findDeploymentDecimals = statement<{ readonly id: string }>(
  "find_deployment_decimals",
)((p) => queries.selectFrom("deployments").select(["id", "decimals"]).where("id", "=", p.id));
