// The prices of a payment, as they were agreed, and how a merchant's wish becomes them: against the
// catalog as its key sees it, and what it accepts. Everything is decided here, in memory.

import type { AcceptedCurrency } from "../catalog/acceptance-rules.ts";
import { canonicalAmount, rawAmountOf } from "../amounts.ts";
import type { QuotedCurrency } from "../database/tables/payments.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";
import { nearIds } from "../catalog/near-ids.ts";
import type { Catalog, CatalogCurrency, CatalogDeployment } from "../catalog/model.ts";
import { firstInPrecedence, refusalsOf, ServiceError } from "../errors.ts";

/** What a merchant asks for. */
export interface WantedQuote {
  readonly currencyId: string;
  /** decimal text */
  readonly amount: string;
  /** CAIP-2, none twice; null: all that are accepted */
  readonly chainIds: readonly string[] | null;
}

type QuotePlaces = Pick<WantedQuote, "currencyId" | "chainIds">;

/** An answer names no more of them. */
const idsMax = 64;

/** Where a payment of a merchant can be paid at all. */
export interface Market extends WatchedChains {
  /** as the merchant's key sees it */
  readonly catalog: Catalog;
  readonly accepted: readonly AcceptedCurrency[];
}

interface KnownQuote extends WantedQuote {
  readonly currency: CatalogCurrency;
}

/** A wish whose places are known, at least one; it has no price yet. */
export interface PlacedQuote extends KnownQuote {
  readonly deployments: readonly CatalogDeployment[];
}

/**
 * Throws, in this order: `currency_not_found`, `currency_not_accepted`, `chain_not_accepted`,
 * `deposits_disabled`; where several currencies have the same mistake, the first one is named.
 *
 * Our choice: a deprecated currency can be paid as long as its deposits are on. Whoever deprecates
 * it warns; whoever wants no more payments turns the deposits off, as the catalog demands of a
 * disabled one.
 */
export function placeQuotes(
  { catalog, accepted, watchedChainIds }: Market,
  wanted: readonly WantedQuote[],
): readonly PlacedQuote[] {
  const known = wanted.map((one) => knownQuote(catalog, one));
  const placed = known
    .map((one) => ({ one, chainIds: acceptedChains(accepted, one) }))
    .map(({ one, chainIds }) => acceptedPlaces(one, chainIds));
  return placed.map(openPlaces).map((one) => watchedPlaces(one, watchedChainIds));
}

/** A wish of which the amount, or the chains, are not known. */
export interface PartialQuote {
  readonly currencyId: string;
  readonly amount: string | undefined;
  readonly chainIds: WantedQuote["chainIds"] | undefined;
}

/** What `placeQuotes` and `priceQuotes` refuse first of each of them, as far as it is known. */
export function quoteProblems(
  market: Market,
  wanted: readonly PartialQuote[],
): readonly ServiceError[] {
  return refusalsOf(
    wanted.map(({ currencyId, amount, chainIds }) => () => {
      if (chainIds === undefined) {
        acceptedChains(market.accepted, knownQuote(market.catalog, { currencyId, chainIds: null }));
        return;
      }
      const placed = placeQuotes(market, [{ currencyId, amount: amount ?? "", chainIds }]);
      if (amount !== undefined) priceQuotes(placed);
    }),
  );
}

/** Throws `currency_not_accepted`. */
function acceptedChains(
  accepted: readonly AcceptedCurrency[],
  quote: QuotePlaces,
): readonly string[] {
  const found = accepted.find(({ currencyId }) => currencyId === quote.currencyId);
  if (found !== undefined) return found.chainIds;
  const text =
    "The merchant does not accept this currency. PUT /v1/currency-acceptance sets what it accepts.";
  throw refusal("currency_not_accepted", text, quote, {
    accepted_currency_ids: accepted.map(({ currencyId }) => currencyId).slice(0, idsMax),
  });
}

function knownQuote<Wanted extends QuotePlaces>(
  catalog: Catalog,
  wanted: Wanted,
): Wanted & { readonly currency: CatalogCurrency } {
  const currency = catalog.currencies.find(({ id }) => id === wanted.currencyId);
  if (currency !== undefined) return { ...wanted, currency };
  throw refusal("currency_not_found", "One of the currencies is not in the catalog.", wanted, {
    near_currency_ids: nearIds(
      wanted.currencyId,
      catalog.currencies.map(({ id }) => id),
    ),
  });
}

function acceptedPlaces(quote: KnownQuote, acceptedChainIds: readonly string[]): PlacedQuote {
  const { currency, chainIds } = quote;
  const accepted = currency.deployments.filter((one) => acceptedChainIds.includes(one.chainId));
  if (chainIds === null) return { ...quote, deployments: accepted };
  const missing = chainIds.findIndex((id) => !accepted.some(({ chainId }) => chainId === id));
  if (missing === -1) {
    const listed = accepted.filter(({ chainId }) => chainIds.includes(chainId));
    return { ...quote, deployments: listed };
  }
  const text = "The merchant does not accept this currency on one of the listed chains.";
  throw refusal("chain_not_accepted", text, quote, {
    index: missing,
    accepted_chain_ids: accepted.map(({ chainId }) => chainId),
  });
}

/** Listed chains must all take deposits; of all that are accepted, those that do are enough. */
function openPlaces(quote: PlacedQuote): PlacedQuote {
  const { chainIds } = quote;
  const open = quote.deployments.filter(({ isDepositEnabled }) => isDepositEnabled);
  const openIds = open.map(({ chainId }) => chainId);
  const closed = chainIds?.findIndex((id) => !openIds.includes(id)) ?? -1;
  if (closed === -1 && open.length > 0) return { ...quote, deployments: open };
  const text =
    closed === -1
      ? "Deposits are off on all chains that the merchant accepts for this currency."
      : "Deposits are off for one of the listed chains.";
  const more = { ...(closed === -1 ? {} : { index: closed }), open_chain_ids: openIds };
  throw refusal("deposits_disabled", text, quote, more);
}

/**
 * Nobody could pay where nobody watches. Our choice: as where deposits are off, a listed chain is
 * refused, and of all that are accepted those that are watched are enough.
 */
function watchedPlaces(quote: PlacedQuote, watched: ReadonlySet<string>): PlacedQuote {
  const { chainIds, currency } = quote;
  const isWatched = ({ chainId }: CatalogDeployment): boolean => watched.has(chainId);
  const open = quote.deployments.filter(isWatched);
  const openIds = open.map(({ chainId }) => chainId);
  const closed = chainIds?.findIndex((id) => !openIds.includes(id)) ?? -1;
  if (closed === -1 && open.length > 0) return { ...quote, deployments: open };
  const could = currency.deployments.filter((one) => one.isDepositEnabled && isWatched(one));
  const text =
    closed === -1
      ? "This server watches none of the chains that the merchant accepts for this currency. PUT /v1/currency-acceptance accepts one that it watches."
      : "This server does not watch one of the listed chains: leave it out.";
  throw refusal("deposits_disabled", text, quote, {
    ...(closed === -1 ? {} : { index: closed }),
    reason: "chain_not_watched",
    open_chain_ids: openIds,
    watched_chain_ids: could.map(({ chainId }) => chainId),
  });
}

/**
 * Throws `amount_precision`, `amount_too_small`, `amount_too_large`, in this order of all quotes. An
 * amount must be exact on every chosen deployment, so the smallest decimals decide.
 */
export function priceQuotes(placed: readonly PlacedQuote[]): readonly QuotedCurrency[] {
  const refused: ServiceError[] = [];
  const priced = placed.flatMap((one) => {
    try {
      return [priceQuote(one)];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refused.push(error);
      return [];
    }
  });
  const first = firstInPrecedence(refused);
  if (first !== undefined) throw first;
  return priced;
}

function priceQuote({ currencyId, amount, currency, deployments }: PlacedQuote): QuotedCurrency {
  const pointer = `${pointerOf(currencyId)}/amount`;
  const decimalsMin = Math.min(...deployments.map(({ decimals }) => decimals));
  rawAmountOf(amount, decimalsMin, pointer);
  const { code, symbol, name, accountingDecimals } = currency;
  return {
    currencyId,
    amount: canonicalAmount(amount),
    code,
    symbol,
    name,
    accountingDecimals,
    deployments: deployments.map((one) => ({
      deploymentId: one.id,
      chainId: one.chainId,
      chainFamily: one.chainFamily,
      decimals: one.decimals,
      rawAmount: rawAmountOf(amount, one.decimals, pointer).toString(),
      assetKind: one.assetKind,
      tokenStandard: one.tokenStandard,
      contractAddress: one.contractAddress,
    })),
  };
}

/** Facts for the caller, in wire names; `index` is the place of the chain in its list. */
interface RefusalMore {
  readonly index?: number;
  readonly accepted_chain_ids?: readonly string[];
  readonly open_chain_ids?: readonly string[];
  /** of the currency, whatever the merchant accepts */
  readonly watched_chain_ids?: readonly string[];
  readonly reason?: "chain_not_watched";
  readonly accepted_currency_ids?: readonly string[];
  readonly near_currency_ids?: readonly string[];
}

function refusal(
  code: "currency_not_found" | "currency_not_accepted" | "chain_not_accepted" | "deposits_disabled",
  message: string,
  ...[{ currencyId, chainIds }, { index, ...more } = {}]: readonly [QuotePlaces, RefusalMore?]
): ServiceError {
  const place = pointerOf(currencyId);
  const chain =
    index === undefined
      ? { pointer: place }
      : { pointer: `${place}/chain_ids/${index}`, chain_id: chainIds?.[index] };
  return new ServiceError(code, message, {
    details: { ...chain, currency_id: currencyId, ...more },
  });
}

/** JSON Pointer into the body of the request. */
function pointerOf(currencyId: string): string {
  return `/quotes/${currencyId.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
