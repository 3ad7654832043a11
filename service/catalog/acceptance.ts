// Which currencies a merchant accepts, and on which chains. Live and test keys have an acceptance
// each: a test run must not close a shop.

import {
  acceptanceProblems,
  resolveAcceptance,
  type AcceptedCurrency,
  type PartialCurrencies,
  type WantedCurrencies,
} from "./acceptance-rules.ts";
import type { CatalogReader } from "./catalog.ts";
import type { ServiceError } from "../errors.ts";
import { dataAbout, eventValues } from "../events/events.ts";
import { keyTaken, type Finish } from "../idempotency/idempotency.ts";
import type { Environment } from "../owner.ts";
import { readAcceptance, replaceAcceptance } from "./acceptance.sql.ts";
import type { RecordingPorts } from "../ports/recording.ts";

export interface CurrencyAcceptance {
  /** the state of the catalog that the chains were resolved with */
  readonly catalogVersion: bigint;
  /** by currency id */
  readonly currencies: readonly AcceptedCurrency[];
}

export interface ReplaceAcceptance {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly currencies: WantedCurrencies;
}

export interface AcceptancePorts extends RecordingPorts {
  readonly catalog: CatalogReader;
}

export class Acceptance {
  readonly #ports: AcceptancePorts;

  constructor(ports: AcceptancePorts) {
    this.#ports = ports;
  }

  /**
   * Replaces all of it; an empty map accepts nothing. Payments keep their quotes. `finish` stores
   * the answer in the statement that writes. Throws `currency_not_found`, `chain_not_accepted` and
   * `deposits_disabled`.
   *
   * A catalog that changes between reading and writing does no harm: the acceptance says which
   * version it was resolved with, and a payment looks at the catalog of its own time again.
   */
  async replace(
    { merchantId, environment, currencies: wanted }: ReplaceAcceptance,
    finish: Finish<CurrencyAcceptance>,
  ): Promise<CurrencyAcceptance> {
    const { database, clock, catalog: reader } = this.#ports;
    const catalog = await reader.current(environment);
    const currencies = resolveAcceptance(catalog, wanted);
    const acceptance = { catalogVersion: catalog.version, currencies };
    const pairs = currencies.flatMap(({ currencyId, chainIds }) =>
      chainIds.map((chainId) => [currencyId, chainId] as const),
    );
    const [written] = await database.run(replaceAcceptance, {
      ...finish(acceptance),
      ...eventValues(this.#ports, {
        merchantId,
        environment,
        type: "currency_acceptance.updated",
        resource: { type: "currency_acceptance", id: merchantId },
        data: dataAbout("currency_acceptance", publishedAcceptance(acceptance)),
      }),
      merchantId,
      environment,
      catalogVersion: catalog.version,
      now: clock.now(),
      currencyIds: pairs.map(([currencyId]) => currencyId),
      chainIds: pairs.map(([, chainId]) => chainId),
    });
    if (written === undefined) throw keyTaken();
    return acceptance;
  }

  /** What `replace` would refuse of those currencies that are known. Nothing is written. */
  async problemsOf(
    environment: Environment,
    wanted: PartialCurrencies,
  ): Promise<readonly ServiceError[]> {
    return acceptanceProblems(await this.#ports.catalog.current(environment), wanted);
  }

  /** What is accepted now, by currency id; a merchant that never said so accepts nothing. */
  async of(merchantId: string, environment: Environment): Promise<readonly AcceptedCurrency[]> {
    const rows = await this.#ports.database.run(readAcceptance, { merchantId, environment });
    return rows.map((row) => ({ currencyId: row.currency_id, chainIds: row.chain_ids }));
  }
}

/** In wire names: the service needs them too, for the data of events. */
export interface PublishedAcceptance {
  readonly catalog_version: number;
  readonly currencies: { readonly [currencyId: string]: { readonly chain_ids: string[] } };
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly currency_acceptance: PublishedAcceptance;
  }
}

/** The acceptance as merchants see it, in answers and in events alike. */
export function publishedAcceptance(acceptance: CurrencyAcceptance): PublishedAcceptance {
  return {
    catalog_version: Number(acceptance.catalogVersion),
    currencies: Object.fromEntries(
      acceptance.currencies.map(({ currencyId, chainIds }) => [
        currencyId,
        { chain_ids: [...chainIds] },
      ]),
    ),
  };
}
