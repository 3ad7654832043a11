// What is known of the x402 side of a payment, and what its rules make of it.

import type { RefundBearer } from "../database/words.ts";
import type { X402Fact } from "./rules.ts";
import type { DepositAuthorization, PaymentRow, SettlementJson, UsageJson } from "./facts.sql.ts";

/** The authorization that counts: the one under way or settled; if there is none, the last that failed. */
export interface X402Settlement {
  readonly id: string;
  readonly scheme: SettlementJson["scheme"];
  readonly method: SettlementJson["method"];
  readonly status: SettlementJson["status"];
  readonly reason: string | null;
  readonly deploymentId: string;
  readonly chainId: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  readonly payTo: string;
  readonly authorizedRaw: bigint;
  /** null: it depends on the usage, which is not known yet */
  readonly amountRaw: bigint | null;
  readonly txHash: string | null;
  /** Nobody can report its usage any more. */
  readonly isClosed: boolean;
  /** which booking of its deposit was divided up by its usage; null: none */
  readonly chargedReference: string | null;
  /** who got what was not used then; null: nothing was divided up, or it was not written down yet */
  readonly chargedBearer: RefundBearer | null;
  /** what goes back to the payer; null: not known yet */
  readonly refundRaw: bigint | null;
  readonly isReleased: boolean;
}

export interface X402Usage {
  readonly usageId: string;
  readonly maxRaw: bigint;
  readonly actualRaw: bigint;
  /** lower-case hex */
  readonly evidenceHash: string;
}

export interface X402Record {
  readonly settlement: X402Settlement | undefined;
  readonly usage: X402Usage | undefined;
}

/**
 * What a deposit is to its payment. price: it pays for it; held: the whole of an upto authorization,
 * which the usage divides; charged: what was used of one; unmatched: it came by an authorization that
 * brought something else than it said, or too late.
 */
export type DepositPurpose = "price" | "held" | "charged" | "unmatched";

export function purposeOf(authorization: DepositAuthorization | null): DepositPurpose {
  // Who sends to the address of a payment pays it.
  if (authorization === null) return "price";
  const { scheme, method, status, reason } = authorization;
  if (reason === "x402_transfer_mismatch") return "unmatched";
  if (scheme === "exact") return "price";
  if (status === "failed") return "unmatched";
  return method === "permit2" ? "charged" : "held";
}

export function x402Of(row: Pick<PaymentRow, "settlement" | "usage">): X402Record {
  const { settlement, usage } = row;
  return {
    settlement: settlement === null ? undefined : settlementOf(settlement),
    usage: usage === null ? undefined : usageOf(usage),
  };
}

function settlementOf(json: SettlementJson): X402Settlement {
  return {
    id: json.id,
    scheme: json.scheme,
    method: json.method,
    status: json.status,
    reason: json.reason,
    deploymentId: json.deployment_id,
    chainId: json.chain_id,
    asset: json.asset,
    payer: json.payer,
    nonce: json.nonce,
    payTo: json.pay_to,
    authorizedRaw: BigInt(json.authorized_raw),
    amountRaw: json.amount_raw === null ? null : BigInt(json.amount_raw),
    txHash: json.tx_hash,
    isClosed: json.is_closed,
    chargedReference: json.charged_reference,
    chargedBearer: json.charged_bearer,
    refundRaw: json.refund_raw === null ? null : BigInt(json.refund_raw),
    isReleased: json.is_released,
  };
}

function usageOf(json: UsageJson): X402Usage {
  return {
    usageId: json.usage_id,
    maxRaw: BigInt(json.max_raw),
    actualRaw: BigInt(json.actual_raw),
    evidenceHash: json.evidence_hash,
  };
}

interface KnownDeposit {
  readonly settlementId: string | null;
  readonly state: "seen" | "final" | "orphaned";
  readonly purpose: DepositPurpose;
}

/** `isFailing`: an authorization has failed in this very transaction. */
export function x402FactOf(
  { settlement, usage }: X402Record,
  deposits: readonly KnownDeposit[],
  isFailing: boolean,
): X402Fact {
  if (settlement === undefined || settlement.status === "failed") {
    return { expected: [], upto: undefined, isFailing };
  }
  const own = deposits.filter(
    ({ settlementId, state }) => settlementId === settlement.id && state !== "orphaned",
  );
  if (settlement.scheme === "upto") {
    return { expected: [], upto: uptoOf(settlement, usage, own), isFailing };
  }
  const isShown = own.some(({ purpose }) => purpose === "price");
  const { deploymentId, authorizedRaw: amountRaw } = settlement;
  return { expected: isShown ? [] : [{ deploymentId, amountRaw }], upto: undefined, isFailing };
}

function uptoOf(
  { status, method, isClosed }: X402Settlement,
  usage: X402Usage | undefined,
  own: readonly KnownDeposit[],
): X402Fact["upto"] {
  if (status === "unused") return "released";
  if (!own.some(({ state }) => state === "final")) return "open";
  if (method === "permit2") return "used";
  if (usage !== undefined) return usage.actualRaw > 0n ? "used" : "released";
  return isClosed ? "released" : "open";
}

/** In wire names; what is not known yet is left out. */
export interface PublishedX402 {
  readonly scheme?: SettlementJson["scheme"];
  readonly network?: string;
  readonly currency_chain_id?: string;
  readonly asset?: string;
  readonly payer?: string;
  readonly pay_to?: string;
  readonly nonce?: string;
  readonly max_raw: string;
  /** empty: there is none */
  readonly tx_hash?: string;
  readonly reason?: string | null;
  readonly refund_raw?: string | null;
  readonly usage_id?: string;
  readonly actual_raw?: string;
  readonly evidence_hash?: string;
}

/** In wire names, for the data of events; bounded in size. */
export function publishedX402({ settlement, usage }: X402Record): PublishedX402 | undefined {
  if (settlement === undefined) return usage === undefined ? undefined : publishedUsage(usage);
  return {
    scheme: settlement.scheme,
    network: settlement.chainId,
    currency_chain_id: settlement.deploymentId,
    asset: settlement.asset,
    payer: settlement.payer,
    pay_to: settlement.payTo,
    nonce: settlement.nonce,
    max_raw: settlement.authorizedRaw.toString(),
    tx_hash: settlement.txHash ?? "",
    reason: settlement.reason,
    refund_raw: settlement.refundRaw?.toString() ?? null,
    ...(usage === undefined ? {} : publishedUsage(usage)),
  };
}

function publishedUsage({ usageId, maxRaw, actualRaw, evidenceHash }: X402Usage): PublishedX402 {
  return {
    max_raw: maxRaw.toString(),
    usage_id: usageId,
    actual_raw: actualRaw.toString(),
    evidence_hash: evidenceHash,
  };
}
