// What a catalog file would change, without changing anything: new rows, changed fields, the versions
// that rise, and what is refused because payments of the past refer to it.

import { canonicalJson } from "../canonical-json.ts";
import type {
  Catalog,
  CatalogCapability,
  CatalogCurrency,
  CatalogDeployment,
  Capability,
  Currency,
  Deployment,
} from "./model.ts";
import { dayMilliseconds } from "../ports/clock.ts";

/** A new row, or a changed field of one. */
export interface CatalogDifference {
  readonly what: "new" | "changed";
  /** of a currency or of a deployment */
  readonly id: string;
  /** such as `deposit/finality`; null: it is the row itself */
  readonly capability: string | null;
  /** by its name in the file; of what is new the one that says most */
  readonly field: string;
  /** as JSON has it; null: it is new */
  readonly was: unknown;
  readonly is: unknown;
}

/** For people, such as `~ dep_usdc_base  deposit_enabled  true -> false`. */
export function lineOf({ what, id, capability, field, was, is }: CatalogDifference): string {
  const row = capability === null ? id : `${id}  ${capability}`;
  if (what === "new") return `+ ${row}  ${String(is)}`;
  return `~ ${row}  ${changeText({ field, was, is })}`;
}

export interface CatalogChanges {
  /** one for each new row and each changed field */
  readonly differences: readonly CatalogDifference[];
  /** why the file cannot be applied; then nothing below counts */
  readonly refusals: readonly string[];
  readonly currencies: readonly Currency[];
  readonly deployments: readonly ChangedDeployment[];
  readonly capabilities: readonly ChangedCapability[];
}

export interface ChangedDeployment {
  readonly currencyId: string;
  readonly deployment: CatalogDeployment;
}

export interface ChangedCapability {
  readonly deploymentId: string;
  readonly capability: CatalogCapability;
}

/** How long withdrawals stay possible once deposits have ended for good. */
const delistingDays = 30;

type Fields<Row> = readonly (readonly [name: string, of: (row: Row) => unknown])[];

const currencyFields: Fields<Currency | CatalogCurrency> = [
  ["code", (one) => one.code],
  ["symbol", (one) => one.symbol],
  ["name", (one) => one.name],
  ["asset_class", (one) => one.assetClass],
  ["is_usd_stablecoin", (one) => one.isUsdStablecoin],
  ["accounting_decimals", (one) => one.accountingDecimals],
  ["status", (one) => one.status],
];

/** What a deployment is. Amounts were quoted and booked in it, so another one needs another id. */
const identityFields: Fields<Deployment | CatalogDeployment> = [
  ["chain_id", (one) => one.chainId],
  ["chain_family", (one) => one.chainFamily],
  ["asset_kind", (one) => one.assetKind],
  ["asset_locator", (one) => one.assetLocator],
  ["token_standard", (one) => one.tokenStandard],
  ["contract_address", (one) => one.contractAddress],
  ["decimals", (one) => one.decimals],
];

const deploymentFields: Fields<Deployment | CatalogDeployment> = [
  ["is_test_network", (one) => one.isTestNetwork],
  ["listing_status", (one) => one.listingStatus],
  ["deposit_enabled", (one) => one.isDepositEnabled],
  ["withdrawal_enabled", (one) => one.isWithdrawalEnabled],
];

const capabilityFields: Fields<Capability> = [
  ["status", (one) => one.status],
  ["parameters", (one) => one.parameters],
  ["delivery.mode", (one) => one.delivery?.mode ?? null],
  ["delivery.contract_address", (one) => one.delivery?.contractAddress ?? null],
];

const nextListings: Readonly<
  Record<Deployment["listingStatus"], readonly Deployment["listingStatus"][]>
> = {
  preview: ["listed", "delisting"],
  listed: ["delisting"],
  delisting: ["delisted", "listed"],
  delisted: ["listed"],
};

interface Collected {
  readonly differences: CatalogDifference[];
  readonly refusals: string[];
  readonly currencies: Currency[];
  readonly deployments: ChangedDeployment[];
  readonly capabilities: ChangedCapability[];
}

export function compareCatalog(
  current: Catalog,
  wanted: readonly Currency[],
  now: Date,
): CatalogChanges {
  const into: Collected = {
    differences: [],
    refusals: [],
    currencies: [],
    deployments: [],
    capabilities: [],
  };
  refuseMissing(current, wanted, into);
  const known = new Map(current.currencies.map((currency) => [currency.id, currency]));
  for (const currency of wanted) {
    compareCurrency(known.get(currency.id), currency, into);
    const deployments = new Map(known.get(currency.id)?.deployments.map((one) => [one.id, one]));
    for (const deployment of currency.deployments) {
      const before = deployments.get(deployment.id);
      const changed = compareDeployment(before, deployment, { now, into });
      if (changed !== null) into.deployments.push({ currencyId: currency.id, deployment: changed });
    }
  }
  return into;
}

/**
 * Nothing is ever removed: payments, withdrawals and ledger entries refer to every row. A deployment
 * that moved to another currency is missing from its own one.
 */
function refuseMissing(current: Catalog, wanted: readonly Currency[], into: Collected): void {
  const wantedById = new Map(wanted.map((currency) => [currency.id, currency]));
  for (const currency of current.currencies) {
    const there = wantedById.get(currency.id);
    if (there === undefined) {
      into.refusals.push(
        `${currency.id} is in the catalog and not in the file. Payments refer to it: keep it, with "status": "disabled".`,
      );
      continue;
    }
    const deployments = new Map(there.deployments.map((deployment) => [deployment.id, deployment]));
    for (const deployment of currency.deployments) {
      const kept = deployments.get(deployment.id);
      if (kept === undefined) {
        into.refusals.push(
          `${deployment.id} is in the catalog under ${currency.id} and not there in the file. Payments refer to it: keep it, with "listing_status": "delisting" and later "delisted".`,
        );
        continue;
      }
      const capabilities = new Set(kept.capabilities.map(nameOf));
      for (const capability of deployment.capabilities) {
        if (capabilities.has(nameOf(capability))) continue;
        into.refusals.push(
          `${deployment.id} has the capability ${nameOf(capability)} in the catalog and not in the file. Its evidence_version must never fall: keep it, with "status": "unsupported".`,
        );
      }
    }
  }
}

function compareCurrency(
  before: CatalogCurrency | undefined,
  currency: Currency,
  into: Collected,
): void {
  const { id, code } = currency;
  if (before === undefined) into.differences.push(newRow({ id, field: "code", is: code }));
  const changed = before === undefined ? [] : changedFields(currencyFields, before, currency);
  into.differences.push(...changed.map(changedIn(id)));
  if (before === undefined || changed.length > 0) into.currencies.push(currency);
}

/** The deployment with its new version, or null when nothing about it changed. */
function compareDeployment(
  before: CatalogDeployment | undefined,
  deployment: Deployment,
  { now, into }: { readonly now: Date; readonly into: Collected },
): CatalogDeployment | null {
  const id = deployment.id;
  const ofCapabilities: CatalogDifference[] = [];
  const known = new Map(before?.capabilities.map((one) => [nameOf(one), one]));
  const capabilities = deployment.capabilities.map((capability) => {
    const compared = compareCapability(known.get(nameOf(capability)), capability);
    if (compared.differences.length > 0) {
      into.capabilities.push({ deploymentId: id, capability: compared.capability });
    }
    ofCapabilities.push(...compared.differences.map((one) => ({ ...one, id })));
    return compared.capability;
  });
  if (before === undefined) {
    const row = newRow({ id, field: "chain_id", is: deployment.chainId });
    into.differences.push(row, ...ofCapabilities);
    const delistingSince = isDelisting(deployment) ? now : null;
    return { ...deployment, capabilities, deploymentVersion: 1n, delistingSince };
  }
  for (const change of changedFields(identityFields, before, deployment)) {
    into.refusals.push(
      `${id}  ${changeText(change)}: what a deployment is cannot change, since amounts were booked in it. Delist it and list the other one under a new id.`,
    );
  }
  refuseListing(before, deployment, { now, into });
  const changed = [
    ...changedFields(deploymentFields, before, deployment).map(changedIn(id)),
    ...ofCapabilities,
  ];
  into.differences.push(...changed);
  if (changed.length === 0) return null;
  return {
    ...deployment,
    capabilities,
    deploymentVersion: before.deploymentVersion + 1n,
    delistingSince: isDelisting(deployment) ? (before.delistingSince ?? now) : null,
  };
}

/** Deposits end first, withdrawals go on for at least 30 days. */
function refuseListing(
  before: CatalogDeployment,
  deployment: Deployment,
  { now, into }: { readonly now: Date; readonly into: Collected },
): void {
  const [from, to] = [before.listingStatus, deployment.listingStatus];
  if (from === to) return;
  const allowed = nextListings[from];
  if (!allowed.includes(to)) {
    into.refusals.push(
      `${deployment.id}  listing_status  ${from} -> ${to}: after ${from} comes ${allowed.join(" or ")}.`,
    );
    return;
  }
  if (to !== "delisted" || before.delistingSince === null) return;
  const end = new Date(before.delistingSince.getTime() + delistingDays * dayMilliseconds);
  if (now >= end) return;
  into.refusals.push(
    `${deployment.id}  listing_status  ${from} -> ${to}: withdrawals stay possible for ${delistingDays} days, until ${end.toISOString()}.`,
  );
}

type OfCapability = Omit<CatalogDifference, "id">;

function compareCapability(
  before: CatalogCapability | undefined,
  capability: Capability,
): { readonly differences: readonly OfCapability[]; readonly capability: CatalogCapability } {
  const name = nameOf(capability);
  if (before === undefined) {
    const { status: is } = capability;
    return {
      differences: [{ what: "new", capability: name, field: "status", was: null, is }],
      capability: { ...capability, evidenceVersion: 1n },
    };
  }
  const changed = changedFields(capabilityFields, before, capability);
  const evidenceVersion = before.evidenceVersion + (changed.length > 0 ? 1n : 0n);
  return {
    differences: changed.map((one) => ({ what: "changed", capability: name, ...one })),
    capability: { ...capability, evidenceVersion },
  };
}

type ChangedField = Pick<CatalogDifference, "field" | "was" | "is">;

function changedFields<Row>(fields: Fields<Row>, before: Row, after: Row): readonly ChangedField[] {
  return fields.flatMap(([field, of]) => {
    const [was, is] = [of(before), of(after)];
    // Canonical, since the database does not keep the order of members.
    return canonicalJson(was) === canonicalJson(is) ? [] : [{ field, was, is }];
  });
}

function changeText({ field, was, is }: ChangedField): string {
  return `${field}  ${canonicalJson(was)} -> ${canonicalJson(is)}`;
}

const newRow = (row: Pick<CatalogDifference, "id" | "field" | "is">): CatalogDifference => {
  return { what: "new", capability: null, was: null, ...row };
};

const changedIn =
  (id: string) =>
  (changed: ChangedField): CatalogDifference => {
    return { what: "changed", id, capability: null, ...changed };
  };

function isDelisting({ listingStatus }: Deployment): boolean {
  return listingStatus === "delisting" || listingStatus === "delisted";
}

function nameOf({ scope, key }: Pick<Capability, "scope" | "key">): string {
  return `${scope}/${key}`;
}
