// The handlers of the operations tagged "currencies".

import { constantBody } from "../generated/runtime/constant-body.ts";
import type * as types from "../generated/types.ts";
import { BoundedCache } from "../service/bounded-cache.ts";
import type { CatalogPage } from "../service/catalog/catalog.ts";
import type {
  Catalog,
  CatalogCapability,
  CatalogCurrency,
  CatalogDeployment,
} from "../service/catalog/model.ts";
import type { Environment } from "../service/owner.ts";
import type { AllHandlers } from "./caller.ts";
import type { Services } from "./services.ts";
import { nextPage } from "./next-page.ts";

type CurrencyHandlers = Pick<AllHandlers, "listCurrencies" | "getCurrency">;

export function buildCurrencyHandlers({ catalog }: Pick<Services, "catalog">): CurrencyHandlers {
  return {
    /** GET /v1/currencies */
    listCurrencies: async ({ query, headers }, { merchantId, environment }) => {
      const { limit, cursor } = query;
      const page = await catalog.list({ merchantId, environment, limit, cursor });
      const entityTag = entityTagOf(page.catalog.version, environment);
      if (isCurrent(headers["If-None-Match"], entityTag)) {
        return { status: 304, headers: { ETag: entityTag } };
      }
      return {
        status: 200,
        headers: { ETag: entityTag, ...nextPage("/v1/currencies", { limit }, page.nextCursor) },
        body: pageOnWire(page),
      };
    },

    /** GET /v1/currencies/{id} */
    getCurrency: async ({ path, headers }, { environment }) => {
      const { catalogVersion, currency } = await catalog.get(path.id, environment);
      const entityTag = entityTagOf(catalogVersion, environment);
      if (isCurrent(headers["If-None-Match"], entityTag)) {
        return { status: 304, headers: { ETag: entityTag } };
      }
      return {
        status: 200,
        headers: { ETag: entityTag },
        body: { catalog_version: Number(catalogVersion), currency: currencyOnWire(currency) },
      };
    },
  };
}

interface Page {
  readonly catalog_version: number;
  readonly currencies: types.Currency[];
}

/** Of a state of the catalog: those that were asked for last. A page of 100 takes some 350 kB as it is sent. */
const pagesMax = 16;

const pagesOf = new WeakMap<Catalog, BoundedCache<string, Page>>();

/** Made once, and sent to everybody who asks for the same. */
function pageOnWire({ catalog, currencies }: CatalogPage): Page {
  const pages = pagesOf.get(catalog) ?? new BoundedCache(pagesMax);
  pagesOf.set(catalog, pages);
  // They follow one another in the catalog.
  const key = `${currencies.length} ${currencies[0]?.id ?? ""}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const page = constantBody<Page>({
    catalog_version: Number(catalog.version),
    currencies: currencies.map(currencyOnWire),
  });
  pages.set(key, page);
  return page;
}

/**
 * One tag for all pages: each page is a resource of its own, and tags are compared within one. Under
 * one address live and test keys see different networks, so each has tags of its own.
 */
function entityTagOf(catalogVersion: bigint, environment: Environment): string {
  return `"${catalogVersion}-${environment}"`;
}

/**
 * RFC 9110 section 13.1.2: a list of tags, or `*` for any; weak comparison, so `W/` does not matter.
 * What is no tag matches nothing, and the whole answer is sent.
 */
function isCurrent(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim());
  return tags.some((tag) => tag === "*" || tag.replace(/^W\//u, "") === entityTag);
}

function currencyOnWire(currency: CatalogCurrency): types.Currency {
  return {
    id: currency.id,
    code: currency.code,
    symbol: currency.symbol,
    name: currency.name,
    asset_class: currency.assetClass,
    is_usd_stablecoin: currency.isUsdStablecoin,
    accounting_decimals: currency.accountingDecimals,
    status: currency.status,
    deployments: currency.deployments.map(deploymentOnWire),
  };
}

function deploymentOnWire(deployment: CatalogDeployment): types.Deployment {
  return {
    id: deployment.id,
    deployment_version: Number(deployment.deploymentVersion),
    chain_id: deployment.chainId,
    chain_family: deployment.chainFamily,
    asset_kind: deployment.assetKind,
    asset_locator: deployment.assetLocator,
    token_standard: deployment.tokenStandard,
    decimals: deployment.decimals,
    listing_status: deployment.listingStatus,
    deposit_enabled: deployment.isDepositEnabled,
    withdrawal_enabled: deployment.isWithdrawalEnabled,
    capabilities: deployment.capabilities.map(capabilityOnWire),
  };
}

function capabilityOnWire(capability: CatalogCapability): types.Capability {
  const { delivery } = capability;
  return {
    scope: capability.scope,
    key: capability.key,
    status: capability.status,
    parameters: { ...capability.parameters },
    evidence_version: Number(capability.evidenceVersion),
    delivery:
      delivery === null
        ? null
        : {
            mode: delivery.mode,
            ...(delivery.contractAddress === undefined
              ? {}
              : { contract_address: delivery.contractAddress }),
          },
  };
}
