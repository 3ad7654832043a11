// Brings the catalog to what a catalog file says, and raises the versions of what changed.

import { auditValues } from "../audit/audit.ts";
import { compareCatalog, lineOf } from "./changes.ts";
import type { CatalogChanges, CatalogDifference } from "./changes.ts";
import type { Catalog, CatalogCapability, CatalogDeployment, Currency } from "./model.ts";
import { OperatorError } from "../operator-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { recordAudit } from "../audit/audit.sql.ts";
import {
  currencyOf,
  deliveryRowOf,
  lockCatalog,
  putCapability,
  putCurrency,
  putDeployment,
  readCatalog,
  setCatalogVersion,
} from "./catalog.sql.ts";

export interface CatalogApplied {
  readonly versionBefore: bigint;
  /** equal to the one before when nothing changed; on a dry run, what it would become */
  readonly versionAfter: bigint;
  /** one for each new row and changed field */
  readonly differences: readonly CatalogDifference[];
}

/** No catalog has it, so reading with it always brings the content. */
const nothingKnown = "";

export class CatalogWriter {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(ports: { readonly database: Database; readonly clock: Clock }) {
    this.#database = ports.database;
    this.#clock = ports.clock;
  }

  /**
   * All of it or nothing. Throws `OperatorError` naming everything that must not happen. A second
   * call with the same currencies changes nothing; two calls at once come one after the other.
   */
  async apply(
    currencies: readonly Currency[],
    { isDryRun }: { readonly isDryRun: boolean },
  ): Promise<CatalogApplied> {
    if (isDryRun) return await this.#compareAndWrite(this.#database, currencies, () => undefined);
    return await this.#database.transaction(async (database) => {
      const now = this.#clock.now();
      await database.run(lockCatalog, { now });
      return await this.#write(database, currencies, { now, actor: "operator" });
    });
  }

  /** The same on a database that never had one, by the service itself. Undefined: it has one. */
  async applyFirst(currencies: readonly Currency[]): Promise<bigint | undefined> {
    if ((await readAll(this.#database)).version !== 0n) return undefined;
    return await this.#database.transaction(async (database) => {
      const now = this.#clock.now();
      await database.run(lockCatalog, { now });
      // Another process may have been faster, or the operator.
      if ((await readAll(database)).version !== 0n) return undefined;
      const applied = await this.#write(database, currencies, { now, actor: "system" });
      return applied.versionAfter;
    });
  }

  #write(
    database: Database,
    currencies: readonly Currency[],
    { now, actor }: { readonly now: Date; readonly actor: "operator" | "system" },
  ): Promise<CatalogApplied> {
    return this.#compareAndWrite(database, currencies, async (changes, version) => {
      await write(database, changes);
      await database.run(setCatalogVersion, { version, now });
      await database.run(recordAudit, appliedEntry(changes, version, { now, actor }));
    });
  }

  async #compareAndWrite(
    database: Database,
    currencies: readonly Currency[],
    write: (changes: CatalogChanges, version: bigint) => Promise<void> | undefined,
  ): Promise<CatalogApplied> {
    const current = await readAll(database);
    const changes = compareCatalog(current, currencies, this.#clock.now());
    if (changes.refusals.length > 0) {
      throw new OperatorError(
        `The catalog stays as it is:\n${changes.refusals.map((line) => `  ${line}`).join("\n")}`,
      );
    }
    const versionBefore = current.version;
    const versionAfter = changes.differences.length > 0 ? versionBefore + 1n : versionBefore;
    if (versionAfter !== versionBefore) await write(changes, versionAfter);
    return { versionBefore, versionAfter, differences: changes.differences };
  }
}

/** The first catalog has hundreds of lines; an entry must not grow with it. */
const lineBytesMax = 32_768;

function appliedEntry(
  { differences }: CatalogChanges,
  version: bigint,
  { now, actor }: { readonly now: Date; readonly actor: "operator" | "system" },
): AuditValues {
  const lines = differences.map(lineOf);
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(JSON.stringify(line));
    if (bytes > lineBytesMax) break;
    kept.push(line);
  }
  return auditValues({
    occurredAt: now,
    actor,
    action: "catalog.applied",
    subject: { type: "catalog", id: "catalog" },
    details: {
      version_before: String(version - 1n),
      version_after: String(version),
      lines: kept,
      lines_left_out: lines.length - kept.length,
    },
  });
}

async function readAll(database: Database): Promise<Catalog> {
  const [row] = await database.run(readCatalog, { known: nothingKnown });
  return { version: row?.version ?? 0n, currencies: (row?.currencies ?? []).map(currencyOf) };
}

/** Parents before children. An operator's command is not hot, so each row is its own statement. */
async function write(database: Database, changes: CatalogChanges): Promise<void> {
  for (const currency of changes.currencies) {
    await database.run(putCurrency, {
      id: currency.id,
      code: currency.code,
      symbol: currency.symbol,
      name: currency.name,
      asset_class: currency.assetClass,
      is_usd_stablecoin: currency.isUsdStablecoin,
      accounting_decimals: currency.accountingDecimals,
      status: currency.status,
    });
  }
  for (const { currencyId, deployment } of changes.deployments) {
    await writeDeployment(database, currencyId, deployment);
  }
  for (const { deploymentId, capability } of changes.capabilities) {
    await writeCapability(database, deploymentId, capability);
  }
}

async function writeDeployment(
  database: Database,
  currencyId: string,
  deployment: CatalogDeployment,
): Promise<void> {
  await database.run(putDeployment, {
    id: deployment.id,
    currency_id: currencyId,
    deployment_version: deployment.deploymentVersion,
    chain_id: deployment.chainId,
    chain_family: deployment.chainFamily,
    is_test_network: deployment.isTestNetwork,
    asset_kind: deployment.assetKind,
    asset_locator: deployment.assetLocator,
    token_standard: deployment.tokenStandard,
    contract_address: deployment.contractAddress,
    decimals: deployment.decimals,
    listing_status: deployment.listingStatus,
    delisting_since: deployment.delistingSince,
    deposit_enabled: deployment.isDepositEnabled,
    withdrawal_enabled: deployment.isWithdrawalEnabled,
  });
}

async function writeCapability(
  database: Database,
  deploymentId: string,
  capability: CatalogCapability,
): Promise<void> {
  const { scope, key, status, parameters, evidenceVersion, delivery } = capability;
  await database.run(putCapability, {
    deployment_id: deploymentId,
    scope,
    key,
    status,
    parameters: JSON.stringify(parameters),
    evidence_version: evidenceVersion,
    delivery: delivery === null ? null : JSON.stringify(deliveryRowOf(delivery)),
  });
}
