// The catalog file: JSON, written by hand, checked as a whole. What it means stands beside the
// shipped one, adapters/catalog/. Every problem is reported at once, with its place.

import { readCapability, readContract } from "./file-capabilities.ts";
import {
  assetClasses,
  currencyStatuses,
  listingStatuses,
  type Currency,
  type Deployment,
} from "./model.ts";
import { mayKeepPart } from "./transfer-fee.ts";
import { chainFamilies, assetKinds, tokenStandards } from "../database/words.ts";
import { Place, type JsonProblem } from "./checked-json.ts";
import { OperatorError } from "../operator-error.ts";

/** How the file is written. It says nothing about the version of the catalog, which the database keeps. */
const format = 1;

/** Below the 20 kB of a webhook payload, with room for its envelope. */
const acceptanceBytesMax = 18_000;

/** The coins of EVM chains are counted in units of 10^-18. */
const evmCoinDecimals = 18;

/** Throws `OperatorError` with every problem; `name` says which file it was. */
export function parseCatalogFile(text: string, name: string): readonly Currency[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`${name} is not JSON: ${reason}`);
  }
  const { currencies, problems } = checkCatalogFile(value);
  if (problems.length === 0) return currencies;
  const lines = problems.map(({ pointer, message }) => `  ${pointer || "/"}  ${message}`);
  throw new OperatorError(`${name} cannot be used:\n${lines.join("\n")}`);
}

export function checkCatalogFile(value: unknown): {
  readonly currencies: readonly Currency[];
  readonly problems: readonly JsonProblem[];
} {
  const problems: JsonProblem[] = [];
  const file = new Place(value, "", problems);
  file.members(["format", "currencies"], ["$schema", "note"]);
  file.member("format").integer(format, format);
  const places = file.member("currencies").items();
  const currencies = places.map(readCurrency);
  refuseRepeated(places, "id", "this id is taken");
  const deployments = places.flatMap((place) => place.member("deployments").items());
  refuseRepeated(deployments, "id", "this id is taken");
  refuseRepeated(deployments, "asset_locator", "this asset is listed already");
  refuseMixedNetworks(deployments);
  refuseTooMuch(file, currencies);
  return { currencies, problems };
}

function readCurrency(place: Place): Currency {
  const required = ["id", "code", "symbol", "name", "asset_class", "is_usd_stablecoin"];
  place.members([...required, "accounting_decimals", "status", "deployments"], ["note"]);
  const deployments = place.member("deployments").items();
  refuseRepeated(deployments, "chain_id", "the currency is on this chain already");
  const currency = {
    id: place.member("id").text(/^cur_[A-Za-z0-9_]{1,60}$/u, `an id such as "cur_usdc"`),
    code: place.member("code").text(/^[A-Z0-9][A-Za-z0-9._-]{0,19}$/u, `a code such as "USDC"`),
    symbol: place.member("symbol").text(/^\S{1,20}$/u, `what stands beside amounts, such as "Ξ"`),
    name: place.member("name").text(/^\S(.{0,98}\S)?$/u, `a name such as "USD Coin"`),
    assetClass: place.member("asset_class").oneOf(assetClasses),
    isUsdStablecoin: place.member("is_usd_stablecoin").flag(),
    accountingDecimals: place.member("accounting_decimals").integer(0, 36),
    status: place.member("status").oneOf(currencyStatuses),
    deployments: deployments.map(readDeployment),
  };
  if (currency.isUsdStablecoin && currency.assetClass !== "stablecoin") {
    place.member("is_usd_stablecoin").refuse(`must be false unless asset_class is stablecoin`);
  }
  for (const [index, deployment] of currency.deployments.entries()) {
    if (currency.status !== "disabled" || !deployment.isDepositEnabled) continue;
    deployments[index]
      ?.member("deposit_enabled")
      .refuse("must be false, since the currency is disabled");
  }
  return currency;
}

function readDeployment(place: Place): Deployment {
  place.members(
    [
      "id",
      "chain_id",
      "chain_family",
      "is_test_network",
      "asset_kind",
      "asset_locator",
      "token_standard",
      "contract_address",
      "decimals",
      "listing_status",
      "deposit_enabled",
      "withdrawal_enabled",
      "capabilities",
    ],
    ["note"],
  );
  const identity = readIdentity(place);
  const capabilities = place.member("capabilities").items();
  const owner = {
    chainNumber: chainNumberOf(identity.chainId),
    contractAddress: identity.contractAddress === "" ? null : identity.contractAddress,
  };
  const deployment = {
    id: place.member("id").text(/^dep_[A-Za-z0-9_]{1,60}$/u, `an id such as "dep_usdc_base"`),
    ...identity,
    isTestNetwork: place.member("is_test_network").flag(),
    listingStatus: place.member("listing_status").oneOf(listingStatuses),
    isDepositEnabled: place.member("deposit_enabled").flag(),
    isWithdrawalEnabled: place.member("withdrawal_enabled").flag(),
    capabilities: capabilities.map((one) => readCapability(one, owner)),
  };
  refuseRepeatedCapabilities(capabilities);
  refuseFlags(place, deployment);
  return deployment;
}

type Identity = Pick<
  Deployment,
  | "chainId"
  | "chainFamily"
  | "assetKind"
  | "assetLocator"
  | "tokenStandard"
  | "contractAddress"
  | "decimals"
>;

/** Which asset it is. The same facts stand in several members, and all of them must agree. */
function readIdentity(place: Place): Identity {
  const chainId = place
    .member("chain_id")
    .text(/^eip155:[1-9][0-9]{0,31}$/u, `an EVM chain by its CAIP-2 name, such as "eip155:8453"`);
  const chainFamily = place.member("chain_family").oneOf(chainFamilies);
  // Our choice: this release watches EVM chains only, so nothing else can be listed.
  if (chainFamily !== "evm") place.member("chain_family").refuse("must be evm in this release");
  const [kindPlace, standardPlace] = [place.member("asset_kind"), place.member("token_standard")];
  const assetKind = kindPlace.oneOf(assetKinds);
  const tokenStandard = standardPlace.oneOf(tokenStandards);
  const decimals = place.member("decimals").integer(0, 77);
  const contract = place.member("contract_address");
  const locator = place.member("asset_locator");
  const assetLocator = locator.text(/^[^/\s]+\/[^/\s]+$/u, "a CAIP-19 asset");
  const common = { chainId, chainFamily, assetKind, assetLocator, tokenStandard, decimals };
  // Without the kind nothing can be said about what depends on it.
  if (assetKind !== kindPlace.value) return { ...common, contractAddress: null };
  const wantedStandard = assetKind === "native" ? "native" : "erc20";
  if (tokenStandard !== wantedStandard && !standardPlace.isMissing) {
    standardPlace.refuse(`must be ${wantedStandard} for a ${assetKind} asset of an EVM chain`);
  }
  if (assetKind === "native") {
    if (contract.value !== null && !contract.isMissing) {
      contract.refuse("must be null: a native coin has no contract");
    }
    if (decimals !== evmCoinDecimals) {
      place.member("decimals").refuse(`must be ${evmCoinDecimals} for the coin of an EVM chain`);
    }
    if (assetLocator !== "" && chainId !== "" && !isNativeLocator(assetLocator, chainId)) {
      locator.refuse(`must be the coin of the chain, such as "${chainId}/slip44:60"`);
    }
    return { ...common, contractAddress: null };
  }
  const contractAddress = readContract(contract);
  const wantedLocator = `${chainId}/erc20:${contractAddress}`;
  if (![chainId, contractAddress, assetLocator].includes("") && assetLocator !== wantedLocator) {
    locator.refuse(`must agree with chain_id and contract_address; write "${wantedLocator}"`);
  }
  return { ...common, contractAddress };
}

function isNativeLocator(locator: string, chainId: string): boolean {
  return locator.startsWith(`${chainId}/`) && /\/slip44:[0-9]{1,10}$/u.test(locator);
}

function chainNumberOf(chainId: string): bigint | null {
  return chainId === "" ? null : BigInt(chainId.slice("eip155:".length));
}

/** Delisting ends deposits first; delisted means that nothing is possible any more. */
function refuseFlags(place: Place, deployment: Deployment): void {
  const { listingStatus, isDepositEnabled, isWithdrawalEnabled, capabilities } = deployment;
  const isEnding = listingStatus === "delisting" || listingStatus === "delisted";
  if (isEnding && isDepositEnabled) {
    place.member("deposit_enabled").refuse(`must be false while it is ${listingStatus}`);
  }
  if (listingStatus === "delisting" && !isWithdrawalEnabled) {
    place
      .member("withdrawal_enabled")
      .refuse("must be true while it is delisting, so that balances can leave");
  }
  if (listingStatus === "delisted" && isWithdrawalEnabled) {
    place.member("withdrawal_enabled").refuse("must be false once it is delisted");
  }
  refuseFees(place, deployment);
  // Without it nobody could say when a deposit counts.
  const hasFinality = capabilities.some(
    ({ scope, key, status }) => scope === "deposit" && key === "finality" && status === "supported",
  );
  if (isDepositEnabled && !hasFinality) {
    place
      .member("deposit_enabled")
      .refuse("must be false without the capability finality, supported, in the scope deposit");
  }
}

/** What was authorized would not be what comes; and coin has nobody who could keep a part. */
function refuseFees(place: Place, deployment: Deployment): void {
  if (!mayKeepPart(deployment)) return;
  if (deployment.contractAddress === null) {
    place.member("capabilities").refuse("a native coin has no transfer_fee");
  }
  const isOffered = deployment.capabilities.some(
    ({ scope, status }) => scope === "x402" && status === "supported",
  );
  if (!isOffered) return;
  place
    .member("capabilities")
    .refuse("with transfer_fee nothing of the scope x402 can be supported; make one unsupported");
}

function refuseRepeated(places: readonly Place[], name: string, reason: string): void {
  const first = new Map<unknown, Place>();
  for (const place of places) {
    const member = place.member(name);
    if (typeof member.value !== "string") continue;
    const before = first.get(member.value);
    if (before === undefined) first.set(member.value, member);
    else member.refuse(`${reason}, see ${before.pointer}`);
  }
}

function refuseRepeatedCapabilities(places: readonly Place[]): void {
  const first = new Map<string, Place>();
  for (const place of places) {
    const name = JSON.stringify([place.member("scope").value, place.member("key").value]);
    const before = first.get(name);
    if (before === undefined) first.set(name, place);
    else place.refuse(`scope and key are taken, see ${before.pointer}`);
  }
}

/** A chain is a test network for all currencies or for none. */
function refuseMixedNetworks(places: readonly Place[]): void {
  const first = new Map<unknown, Place>();
  for (const place of places) {
    const chain = place.member("chain_id").value;
    const isTest = place.member("is_test_network");
    const before = first.get(chain);
    if (before === undefined) first.set(chain, isTest);
    else if (before.value !== isTest.value) {
      isTest.refuse(`must be the same for all of ${String(chain)}, see ${before.pointer}`);
    }
  }
}

/** An event about the acceptance of all of it must fit into one payload of at most 20 kB. */
function refuseTooMuch(file: Place, currencies: readonly Currency[]): void {
  const all = currencies.map(({ id, deployments }) => [
    id,
    { chain_ids: deployments.map(({ chainId }) => chainId) },
  ]);
  const bytes = Buffer.byteLength(JSON.stringify(all), "utf8");
  if (bytes <= acceptanceBytesMax) return;
  file
    .member("currencies")
    .refuse(
      `must take at most ${acceptanceBytesMax} bytes of ids and chain ids together, not ${bytes}`,
    );
}
