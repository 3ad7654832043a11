// Which currencies and chains a merchant asks to accept, against the catalog: everything is decided
// here, in memory.

import { nearIds } from "./near-ids.ts";
import type { Catalog, CatalogCurrency, CatalogDeployment } from "./model.ts";
import { refusalsOf, ServiceError } from "../errors.ts";

/** By currency id; null: all chains of the currency. */
export type WantedCurrencies = ReadonlyMap<string, readonly string[] | null>;

export interface AcceptedCurrency {
  readonly currencyId: string;
  /** CAIP-2, at least one, sorted */
  readonly chainIds: readonly string[];
}

interface Wanted {
  readonly currency: CatalogCurrency;
  readonly chainIds: readonly string[] | null;
}

/**
 * By currency id. Throws, in this order: `currency_not_found`, `chain_not_accepted`,
 * `deposits_disabled`; where several currencies have the same mistake, the first by id is named.
 */
export function resolveAcceptance(
  catalog: Catalog,
  wanted: WantedCurrencies,
): readonly AcceptedCurrency[] {
  const known = new Map(catalog.currencies.map((currency) => [currency.id, currency]));
  const sorted = [...wanted].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const found = sorted.map(([currencyId, chainIds]): Wanted => {
    const currency = known.get(currencyId);
    if (currency !== undefined) return { currency, chainIds };
    throw new ServiceError("currency_not_found", "One of the currencies is not in the catalog.", {
      details: {
        ...placeOf(currencyId),
        near_currency_ids: nearIds(currencyId, [...known.keys()]),
      },
    });
  });
  const chosen = found.map((one) => ({ ...one, deployments: chooseDeployments(one) }));
  return chosen.map(({ currency, chainIds, deployments }) => {
    const closed = deployments.find(({ isDepositEnabled }) => !isDepositEnabled);
    if (closed !== undefined) {
      throw new ServiceError("deposits_disabled", "Deposits are off for one of the chains.", {
        details: {
          ...placeOf(currency.id, chainIds?.indexOf(closed.chainId)),
          chain_id: closed.chainId,
        },
      });
    }
    if (deployments.length === 0) {
      throw new ServiceError("deposits_disabled", "Deposits are off on all chains of a currency.", {
        details: placeOf(currency.id),
      });
    }
    return {
      currencyId: currency.id,
      chainIds: deployments.map(({ chainId }) => chainId).toSorted(),
    };
  });
}

/** With the chains left out, those with deposits enabled; otherwise exactly the listed ones. */
function chooseDeployments({ currency, chainIds }: Wanted): readonly CatalogDeployment[] {
  if (chainIds === null) {
    return currency.deployments.filter(({ isDepositEnabled }) => isDepositEnabled);
  }
  if (chainIds.length === 0) {
    const text = "An empty chain_ids accepts a currency on no chain. Leave the currency out.";
    throw new ServiceError("chain_not_accepted", text, { details: placeOf(currency.id) });
  }
  // Named twice is named once.
  return [...new Set(chainIds)].map((chainId) => {
    const deployment = currency.deployments.find((one) => one.chainId === chainId);
    if (deployment !== undefined) return deployment;
    throw new ServiceError("chain_not_accepted", "One of the chains does not carry its currency.", {
      details: { ...placeOf(currency.id, chainIds.indexOf(chainId)), chain_id: chainId },
    });
  });
}

/** Undefined: it is not known which chains. */
export type PartialCurrencies = ReadonlyMap<string, readonly string[] | null | undefined>;

/** As many as an answer has at most: a body may have thousands, and each is looked for. */
const problemsMax = 100;

/** What `resolveAcceptance` refuses first of each of them, as far as it is known. */
export function acceptanceProblems(
  catalog: Catalog,
  wanted: PartialCurrencies,
): readonly ServiceError[] {
  const problems: ServiceError[] = [];
  for (const [currencyId, chainIds] of wanted) {
    if (problems.length >= problemsMax) break;
    const resolve = () => resolveAcceptance(catalog, new Map([[currencyId, chainIds ?? null]]));
    const isKnown = chainIds !== undefined;
    const found = refusalsOf([resolve]);
    problems.push(...found.filter(({ code }) => isKnown || code === "currency_not_found"));
  }
  return problems;
}

/** The currency, or one of its chains, in the body of a request. */
function placeOf(currencyId: string, index?: number) {
  const place = `/currencies/${currencyId.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const pointer = index === undefined ? place : `${place}/chain_ids/${index}`;
  return { pointer, currency_id: currencyId };
}
