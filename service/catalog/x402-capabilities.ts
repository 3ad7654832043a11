// By which schemes and methods of x402 a deployment can be paid, as the catalog says now.

import type { CatalogDeployment } from "./model.ts";
import { mayKeepPart } from "./transfer-fee.ts";
import type { TokenDomain } from "../ports/signer.ts";

export type X402Scheme = "exact" | "upto";

export interface X402Means {
  /** of the token's own signatures (EIP-3009); undefined: it has none, or nobody has looked */
  readonly eip3009: { readonly domain: TokenDomain; readonly evidenceVersion: bigint } | undefined;
  /** by scheme, the proxy that moves the money by Permit2 */
  readonly permit2: Readonly<Record<X402Scheme, Permit2Proxy | undefined>>;
}

interface Permit2Proxy {
  readonly address: string;
  readonly evidenceVersion: bigint;
}

/**
 * Our choice: only what is `supported` counts. Money moves by it with nobody looking, so what was not
 * looked at (`unverified`), or works in part (`degraded`), is not good enough. And nothing of a token
 * that may keep a part: what was authorized would not be what comes.
 */
export function x402MeansOf(deployment: Capabilities): X402Means {
  if (!mayKeepPart(deployment)) return statedX402MeansOf(deployment);
  return { eip3009: undefined, permit2: { exact: undefined, upto: undefined } };
}

/** By which somebody else may bring money: what the catalog says, whether it is offered or not. */
export function statedX402MeansOf(deployment: Capabilities): X402Means {
  const proxies = {
    exact: proxyOf(deployment, "permit2"),
    upto: proxyOf(deployment, "permit2_upto_proxy"),
  };
  const own = supported(deployment, "eip3009");
  const { domain_name: name, domain_version: version } = own?.parameters ?? {};
  if (own === undefined || typeof name !== "string" || typeof version !== "string") {
    return { eip3009: undefined, permit2: proxies };
  }
  const { evidenceVersion } = own;
  return { eip3009: { domain: { name, version }, evidenceVersion }, permit2: proxies };
}

/** Whether a scheme is possible there at all. Our choice: upto by EIP-3009 as well, with a refund. */
export function isSchemePossible(means: X402Means, scheme: X402Scheme): boolean {
  return means.eip3009 !== undefined || means.permit2[scheme] !== undefined;
}

const coinRaw = 10n ** 18n;

/** What so much coin of the chain is worth there, by what the operator says; undefined: nobody says it. */
export function worthOfCoin(deployment: Capabilities): ((coinsRaw: bigint) => bigint) | undefined {
  const said = statedRaw(deployment, "raw_per_coin");
  return said === undefined ? undefined : (coinsRaw) => (coinsRaw * said + coinRaw - 1n) / coinRaw;
}

/** The highest that any of its x402 capabilities says. */
export function statedRaw(
  { capabilities }: Capabilities,
  name: "least_raw" | "raw_per_coin",
): bigint | undefined {
  const said = capabilities
    .filter(({ scope }) => scope === "x402")
    .map(({ parameters }) => parameters[name])
    .flatMap((text) => (typeof text === "string" ? [BigInt(text)] : []));
  return said.length === 0 ? undefined : said.reduce((most, one) => (one > most ? one : most));
}

type Capabilities = Pick<CatalogDeployment, "capabilities">;

function supported({ capabilities }: Capabilities, key: string) {
  return capabilities.find(
    (one) => one.scope === "x402" && one.key === key && one.status === "supported",
  );
}

function proxyOf(
  deployment: Capabilities,
  key: "permit2" | "permit2_upto_proxy",
): Permit2Proxy | undefined {
  const found = supported(deployment, key);
  const address = found?.parameters["address"];
  if (found === undefined || typeof address !== "string") return undefined;
  return { address, evidenceVersion: found.evidenceVersion };
}
