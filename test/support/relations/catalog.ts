// The catalog, and what a merchant accepts of it.

import { domainSeparator, type Hex } from "viem";
import { type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { checksumClaims, families, isTestNetwork } from "./assets.ts";
import {
  type Claim,
  holds,
  objectOf,
  objectsOf,
  ofSuccess,
  ofWish,
  type Relation,
  same,
  type Seen,
  textsOf,
  twice,
} from "./relation.ts";

const shown = ["listCurrencies", "getCurrency"];

export function currenciesOf({ operationId, body }: Seen): readonly JsonObject[] {
  return operationId === "getCurrency"
    ? [objectOf(body["currency"])]
    : objectsOf(body["currencies"]);
}

function eachCurrency(
  name: string,
  claims: (at: string, currency: JsonObject, seen: Seen) => readonly Claim[],
): Relation {
  return ofSuccess(shown, name, (seen) =>
    currenciesOf(seen).flatMap((one) => claims(`body (${textOf(one["id"])})`, one, seen)),
  );
}

function eachDeployment(
  name: string,
  claims: (at: string, deployment: JsonObject, seen: Seen) => readonly Claim[],
): Relation {
  return eachCurrency(name, (_, { deployments }, seen) =>
    objectsOf(deployments).flatMap((one) => claims(`body (${textOf(one["id"])})`, one, seen)),
  );
}

interface Locator {
  readonly chainId: string;
  readonly namespace: string;
  readonly reference: string;
}

/** The parts of an asset by CAIP-19. */
function locatorOf({ asset_locator: locator }: JsonObject): Locator {
  const [chainId = "", asset = ""] = textOf(locator).split("/");
  const [namespace = "", reference = ""] = asset.split(":");
  return { chainId, namespace, reference };
}

const listing: Readonly<Record<string, readonly [boolean, boolean]>> = {
  // whether deposits and withdrawals may be on
  preview: [true, true],
  listed: [true, true],
  delisting: [false, true],
  delisted: [false, false],
};

const deployments: readonly Relation[] = [
  eachDeployment("an asset is on the chain of its deployment", (at, one) => {
    const { chainId } = locatorOf(one);
    const [namespace = ""] = chainId.split(":");
    return [
      same(`${at}/asset_locator`, chainId, one["chain_id"]),
      same(`${at}/chain_family`, one["chain_family"], families[namespace]),
    ];
  }),
  eachDeployment("the locator of an asset says its standard", (at, one) => {
    const { namespace, reference } = locatorOf(one);
    const { token_standard: standard, asset_kind: kind } = one;
    const isCoin = namespace === "slip44";
    return [
      same(`${at}/asset_kind`, kind, isCoin ? "native" : "token"),
      ...(namespace === "token"
        ? []
        : [same(`${at}/token_standard`, standard, isCoin ? "native" : namespace)]),
      ...checksumClaims(`${at}/asset_locator`, isCoin ? "" : textOf(one["chain_id"]), reference),
    ];
  }),
  eachDeployment("what is no longer listed is switched off", (at, one) => {
    const status = textOf(one["listing_status"]);
    const [deposits, withdrawals] = listing[status] ?? [true, true];
    return [
      holds(
        `${at}/deposit_enabled`,
        deposits || one["deposit_enabled"] === false,
        `is true, and it is ${status}`,
      ),
      holds(
        `${at}/withdrawal_enabled`,
        withdrawals || one["withdrawal_enabled"] === false,
        `is true, and it is ${status}`,
      ),
    ];
  }),
  eachDeployment("a deployment has each capability once", (at, { capabilities }) => {
    const all = objectsOf(capabilities).map(({ scope, key }) => `${textOf(scope)} ${textOf(key)}`);
    const [again] = twice(all);
    return [holds(`${at}/capabilities`, again === undefined, `have ${again} twice`)];
  }),
  eachDeployment("a domain's separator is made of the domain", (at, one) => {
    const { chainId, reference } = locatorOf(one);
    return objectsOf(one["capabilities"]).flatMap(({ key, parameters }) => {
      const { domain_name, domain_version, domain_separator } = objectOf(parameters);
      if (domain_separator === undefined) return [];
      const domain = {
        name: textOf(domain_name),
        version: textOf(domain_version),
        chainId: Number(chainId.split(":")[1]),
        verifyingContract: reference as Hex, // by the pattern of the locator on such a chain
      };
      return [
        same(`${at}/capabilities/${textOf(key)}`, domain_separator, domainSeparator({ domain })),
      ];
    });
  }),
  eachDeployment("a contract takes part where one is named", (at, { capabilities }) =>
    objectsOf(capabilities).flatMap(({ key, delivery }) => {
      const { mode, contract_address } = objectOf(delivery);
      if (mode === undefined) return [];
      const isNamed = contract_address !== undefined;
      return [
        holds(
          `${at}/capabilities/${textOf(key)}`,
          isNamed === (mode === "contract"),
          `is by ${textOf(mode)}, and ${isNamed ? "a" : "no"} contract is named`,
        ),
      ];
    }),
  ),
  eachDeployment("a live key sees no test network", (at, { chain_id }, seen) =>
    seen.sent("X-Api-Key")?.startsWith("mk_live_") === true
      ? [
          holds(
            `${at}/chain_id`,
            !isTestNetwork(chain_id),
            `is ${textOf(chain_id)}, a test network`,
          ),
        ]
      : [],
  ),
];

const currencies: readonly Relation[] = [
  eachCurrency("only a stablecoin is worth a dollar", (at, one) => [
    holds(
      `${at}/is_usd_stablecoin`,
      one["is_usd_stablecoin"] === false || one["asset_class"] === "stablecoin",
      `is true, and it is a ${textOf(one["asset_class"])}`,
    ),
  ]),
  eachCurrency("a currency is in one place once", (at, one) => {
    const all = objectsOf(one["deployments"]);
    const [again] = [
      ...twice(all.map(({ id }) => textOf(id))),
      ...twice(all.map(({ asset_locator }) => textOf(asset_locator))),
    ];
    return [holds(`${at}/deployments`, again === undefined, `have ${again} twice`)];
  }),
];

const acceptance: readonly Relation[] = [
  ofWish("replaceCurrencyAcceptance", "accepted is what was asked for", ({ body, wish }) => {
    const [is, wanted] = [objectOf(body["currencies"]), objectOf(wish["currencies"])];
    return [
      same("body /currencies", Object.keys(is).toSorted(), Object.keys(wanted).toSorted()),
      ...Object.entries(is).flatMap(([id, one]) => {
        const chains = objectOf(wanted[id])["chain_ids"];
        if (chains === undefined) return [];
        const all = [...new Set(textsOf(chains))].toSorted();
        return [same(`body /currencies/${id}/chain_ids`, objectOf(one)["chain_ids"], all)];
      }),
    ];
  }),
  ofSuccess("replaceCurrencyAcceptance", "accepted chains are sorted", ({ body }) =>
    Object.entries(objectOf(body["currencies"])).map(([id, one]) => {
      const chains = textsOf(objectOf(one)["chain_ids"]);
      return same(`body /currencies/${id}/chain_ids`, [...chains], chains.toSorted());
    }),
  ),
];

export const catalogRelations: readonly Relation[] = [...currencies, ...deployments, ...acceptance];
