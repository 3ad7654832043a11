// What x402 asks of whoever has the link of a payment: one offer for each quoted deployment, and the
// bodies in which the two versions of the protocol say so.

import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import type { CatalogReader } from "../catalog/catalog.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { Owner } from "../owner.ts";
import type { TokenDomain } from "../ports/signer.ts";
import { missingRaw } from "../payments/rules.ts";
import type { DepositFact } from "../payments/rules.ts";
import { x402MeansOf } from "../catalog/x402-capabilities.ts";
import type { QuotedCurrency } from "../database/tables/payments.ts";
import type { X402Means, X402Scheme } from "../catalog/x402-capabilities.ts";
import type { LeastAmounts } from "./gas-cost.ts";
import { shortNetworkName } from "./networks.ts";
import { storeNonces } from "./nonces.sql.ts";
import { readUsage } from "./settling.sql.ts";

/** An authorization may outlive its payment by that. */
export const validAfterExpirySeconds = 600;
/** Of that, what is left for clocks that differ. */
const clocksApartSeconds = 300;
/** Nobody has to be given longer to sign and send. */
const timeoutSecondsMax = 3600;
const nonceTag = "crypto-payment-service x402 nonce 1";

/** By what a payment is paid through its link. A merchant with a key may use whatever the catalog says. */
interface LinkWay {
  readonly scheme: X402Scheme;
  readonly method: "eip3009" | "permit2";
  /** of the token; null for Permit2 */
  readonly domain: TokenDomain | null;
}

/** The usage that the merchant has reported. */
interface ReportedUsage {
  readonly actual_raw: string;
}

/** Where a payment is paid through its link. */
export interface LinkPlace extends LinkWay {
  readonly chainId: string;
  /** the token */
  readonly asset: string;
  readonly payTo: string;
}

export interface X402Offer extends LinkPlace {
  readonly deploymentId: string;
  readonly maxAmountRaw: bigint;
  /** the whole price there */
  readonly dueRaw: bigint;
  /** 32 bytes as 0x and hex; of this payment and deployment, so nobody pays it twice by accident */
  readonly nonce: string;
  /** the latest end of an authorization, in unix seconds */
  readonly validBefore: bigint;
  /** how long a payer has from now on */
  readonly timeoutSeconds: number;
}

export interface RequiredPayment {
  readonly id: string;
  readonly owner: Owner;
  readonly quotes: readonly QuotedCurrency[];
  readonly expiresAt: Date;
  /** Of the price, what is missing is asked for. */
  readonly deposits: readonly DepositFact[];
}

export interface RequirementsPorts {
  readonly database: Database;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
  readonly clock: Clock;
  /** our settlement account on each chain that is connected */
  readonly settlementAddresses: ReadonlyMap<string, string>;
  readonly least: Pick<LeastAmounts, "offeredRaw">;
}

/**
 * In the order of the quotes; none: x402 cannot pay it. The nonces are stored before
 * they are told: what is signed with one of them finds its payment, whoever hands it in.
 */
export async function x402OffersOf(
  ports: RequirementsPorts,
  payment: RequiredPayment,
): Promise<readonly X402Offer[]> {
  const offers = await offersNow(ports, payment);
  const nonces = offers.map(({ nonce, deploymentId, dueRaw }) => ({
    nonce,
    payer: "",
    payment_id: payment.id,
    deployment_id: deploymentId,
    due_raw: dueRaw.toString(),
  }));
  if (offers.length > 0) await ports.database.run(storeNonces, { nonces: JSON.stringify(nonces) });
  return offers;
}

async function offersNow(
  ports: RequirementsPorts,
  payment: RequiredPayment,
): Promise<readonly X402Offer[]> {
  const { clock, least } = ports;
  const validBefore = latestValidBefore(payment.expiresAt);
  const leftSeconds = Number(validBefore) - Math.ceil(clock.nowMilliseconds() / 1000);
  const timeoutSeconds = Math.min(leftSeconds - clocksApartSeconds, timeoutSecondsMax);
  if (timeoutSeconds <= 0) return [];
  const offers: X402Offer[] = [];
  for (const { deployment, quoted, place } of await quotedPlaces(ports, payment)) {
    const missing = missingRaw(payment, quoted);
    if (missing === 0n) continue;
    const { deploymentId } = quoted;
    const dueRaw = BigInt(quoted.rawAmount);
    // Of up to the price the usage is charged, whatever came beside.
    const maxAmountRaw = place.scheme === "upto" ? dueRaw : missing;
    // What would cost about as much as it brings is not asked for; it can be sent to the address.
    if (maxAmountRaw < (await least.offeredRaw(deployment))) continue;
    const nonce = nonceOf(payment.id, deploymentId);
    offers.push({
      ...place,
      deploymentId,
      dueRaw,
      maxAmountRaw,
      nonce,
      validBefore,
      timeoutSeconds,
    });
  }
  return offers;
}

/** Where it could be paid, whatever is missing of it: what was paid there before is looked for there. */
export async function linkPlacesOf(
  ports: PlacePorts,
  payment: RequiredPayment,
): Promise<readonly LinkPlace[]> {
  return (await quotedPlaces(ports, payment)).map(({ place }) => place);
}

type PlacePorts = Pick<RequirementsPorts, "database" | "catalog" | "settlementAddresses">;

async function quotedPlaces(
  { database, catalog, settlementAddresses }: PlacePorts,
  payment: RequiredPayment,
) {
  const known = new Map((await catalog.allDeployments()).map((one) => [one.id, one] as const));
  const [usage] = await database.run(readUsage, { ...payment.owner, paymentId: payment.id });
  const everywhere = payment.quotes.flatMap(({ deployments }) => deployments);
  return everywhere.flatMap((quoted) => {
    const { deploymentId, chainId, contractAddress: asset } = quoted;
    const payTo = settlementAddresses.get(chainId);
    const deployment = known.get(deploymentId);
    if (payTo === undefined || deployment === undefined || asset === null) return [];
    // What was used is of one deployment.
    if (usage !== undefined && usage.deployment_id !== deploymentId) return [];
    const way = linkWayOf(x402MeansOf(deployment), usage);
    if (way === undefined) return [];
    const place: LinkPlace = { ...way, chainId, asset, payTo };
    return [{ deployment, quoted, place }];
  });
}

/**
 * Undefined: none. Our choice: whoever has the link pays exactly. By `upto` a stranger would make the
 * payment wait for a usage that nobody is going to report (threat 102). That it is `upto` is the
 * merchant's word, and the word is the usage: reported first, it is charged at once, by Permit2 as
 * official clients sign it. Where nothing was used nothing is asked for.
 */
export function linkWayOf(means: X402Means, usage: ReportedUsage | undefined): LinkWay | undefined {
  const { eip3009, permit2 } = means;
  if (usage !== undefined) {
    if (permit2.upto === undefined || BigInt(usage.actual_raw) === 0n) return undefined;
    return { scheme: "upto", method: "permit2", domain: null };
  }
  if (eip3009 !== undefined) {
    return { scheme: "exact", method: "eip3009", domain: eip3009.domain };
  }
  if (permit2.exact === undefined) return undefined;
  return { scheme: "exact", method: "permit2", domain: null };
}

/** In unix seconds. */
export function latestValidBefore(expiresAt: Date): bigint {
  return BigInt(Math.floor(expiresAt.getTime() / 1000) + validAfterExpirySeconds);
}

/** The nonce that we ask for: whoever signs it twice for one payment is charged once. */
export function nonceOf(paymentId: string, deploymentId: string): string {
  const text = `${nonceTag}\n${paymentId}\n${deploymentId}`;
  return `0x${Buffer.from(keccak256(Buffer.from(text, "utf8"))).toString("hex")}`;
}

const paymentRequired = "Payment is required.";

/** What is paid for, in the words of x402. */
export interface X402Resource {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
}

/** What is said of an offer beside what the protocol has members for. */
function extraOf(offer: X402Offer): Readonly<Record<string, unknown>> {
  const { domain, scheme, method, nonce, validBefore, payTo } = offer;
  return {
    ...(domain === null ? {} : { name: domain.name, version: domain.version }),
    assetTransferMethod: method,
    ...(scheme === "upto" ? { facilitatorAddress: payTo } : {}),
    nonce,
    validBefore: validBefore.toString(),
  };
}

/** The body of a 402 in version 1; chains that it has no name for are left out. */
export function x402BodyV1(
  offers: readonly X402Offer[],
  resource: X402Resource,
  error = paymentRequired,
) {
  const { url, description, mimeType } = resource;
  return {
    x402Version: 1,
    error,
    accepts: offers.flatMap((offer) => {
      const network = shortNetworkName(offer.chainId);
      // Version 1 has the scheme exact by EIP-3009 only.
      if (network === undefined || offer.scheme !== "exact" || offer.method !== "eip3009") {
        return [];
      }
      return {
        scheme: offer.scheme,
        network,
        maxAmountRequired: offer.maxAmountRaw.toString(),
        resource: url,
        description,
        mimeType,
        payTo: offer.payTo,
        maxTimeoutSeconds: offer.timeoutSeconds,
        asset: offer.asset,
        extra: extraOf(offer),
      };
    }),
  };
}

/** What version 2 has in its header `PAYMENT-REQUIRED`, before base64. */
export function x402BodyV2(
  offers: readonly X402Offer[],
  resource: X402Resource,
  error = paymentRequired,
) {
  return {
    x402Version: 2,
    error,
    resource,
    accepts: offers.map((offer) => ({
      scheme: offer.scheme,
      network: offer.chainId,
      amount: offer.maxAmountRaw.toString(),
      asset: offer.asset,
      payTo: offer.payTo,
      maxTimeoutSeconds: offer.timeoutSeconds,
      extra: extraOf(offer),
    })),
  };
}
