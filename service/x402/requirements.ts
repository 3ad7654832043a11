// What x402 asks of whoever pays a payment: one offer for each quoted deployment and scheme, and
// the bodies in which the two versions of the protocol say so.

import { keccak_256 as keccak256 } from "@noble/hashes/sha3.js";
import type { CatalogReader } from "../catalog/catalog.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import type { TokenDomain } from "../ports/signer.ts";
import { missingRaw } from "../payments/rules.ts";
import type { DepositFact } from "../payments/rules.ts";
import { x402MeansOf } from "../catalog/x402-capabilities.ts";
import type { QuotedCurrency, QuotedDeployment } from "../database/tables/payments.ts";
import type { X402Means, X402Scheme } from "../catalog/x402-capabilities.ts";
import type { LeastAmounts } from "./gas-cost.ts";
import { shortNetworkName } from "./networks.ts";
import { storeNonces } from "./nonces.sql.ts";

/** An authorization may outlive its payment by that. */
export const validAfterExpirySeconds = 600;
/** Of that, what is left for clocks that differ. */
const clocksApartSeconds = 300;
/** Nobody has to be given longer to sign and send. */
const timeoutSecondsMax = 3600;
const nonceTag = "crypto-payment-service x402 nonce 1";

export interface X402Offer {
  readonly deploymentId: string;
  readonly chainId: string;
  readonly scheme: X402Scheme;
  readonly method: "eip3009" | "permit2";
  /** the token */
  readonly asset: string;
  readonly payTo: string;
  readonly maxAmountRaw: bigint;
  /** the whole price there */
  readonly dueRaw: bigint;
  /** 32 bytes as 0x and hex; of this payment and deployment, so nobody pays it twice by accident */
  readonly nonce: string;
  /** the latest end of an authorization, in unix seconds */
  readonly validBefore: bigint;
  /** how long a payer has from now on */
  readonly timeoutSeconds: number;
  /** of the token; null for Permit2 */
  readonly domain: TokenDomain | null;
}

export interface RequiredPayment {
  readonly id: string;
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
 * In the order of the quotes, `exact` first; none: x402 cannot pay it. The nonces are stored before
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
  { catalog, clock, settlementAddresses, least }: RequirementsPorts,
  payment: RequiredPayment,
): Promise<readonly X402Offer[]> {
  const known = new Map((await catalog.allDeployments()).map((one) => [one.id, one] as const));
  const quoted = payment.quotes.flatMap(({ deployments }) => deployments);
  const validBefore = latestValidBefore(payment.expiresAt);
  const leftSeconds = Number(validBefore) - Math.ceil(clock.nowMilliseconds() / 1000);
  const timeoutSeconds = Math.min(leftSeconds - clocksApartSeconds, timeoutSecondsMax);
  if (timeoutSeconds <= 0) return [];
  const offers: X402Offer[] = [];
  for (const one of quoted) {
    const payTo = settlementAddresses.get(one.chainId);
    const deployment = known.get(one.deploymentId);
    if (payTo === undefined || deployment === undefined) continue;
    const nonce = nonceOf(payment.id, one.deploymentId);
    const more = { payTo, nonce, validBefore, timeoutSeconds };
    const here = offersAt(one, missingRaw(payment, one), x402MeansOf(deployment));
    if (here.length === 0) continue;
    // What would cost about as much as it brings is not asked for; it can be sent to the address.
    const leastRaw = await least.offeredRaw(deployment);
    const worth = here.filter(({ maxAmountRaw }) => maxAmountRaw >= leastRaw);
    offers.push(...worth.map((offer) => ({ ...offer, ...more })));
  }
  return offers;
}

type Place = Omit<X402Offer, "payTo" | "nonce" | "validBefore" | "timeoutSeconds">;

function offersAt(
  quoted: QuotedDeployment,
  maxAmountRaw: bigint,
  means: X402Means,
): readonly Place[] {
  const { deploymentId, chainId, contractAddress: asset } = quoted;
  if (asset === null || maxAmountRaw === 0n) return [];
  const dueRaw = BigInt(quoted.rawAmount);
  const place = { deploymentId, chainId, asset, dueRaw, maxAmountRaw };
  const offers: Place[] = [];
  if (means.eip3009 !== undefined) {
    const { domain } = means.eip3009;
    offers.push({ ...place, scheme: "exact", method: "eip3009", domain });
  } else if (means.permit2.exact !== undefined) {
    offers.push({ ...place, scheme: "exact", method: "permit2", domain: null });
  }
  // Official clients sign `upto` by Permit2 only.
  if (means.permit2.upto !== undefined) {
    const upto = { scheme: "upto", method: "permit2", domain: null } as const;
    offers.push({ ...place, ...upto, maxAmountRaw: dueRaw });
  }
  return offers;
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
