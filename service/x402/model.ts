// An authorization and what it answers, as a caller sends them, and as they are kept.

import { checksumAddress, hasEvmAddressForm } from "../evm-address.ts";
import type { X402SettlementsTable } from "../database/tables/x402.ts";
import type { Joint } from "../ports/database.ts";
import type {
  Eip3009Authorization,
  PaymentAuthorization,
  SignedAuthorization,
  TokenDomain,
} from "../ports/signer.ts";
import type { X402Scheme } from "../catalog/x402-capabilities.ts";

/** Texts are as the caller wrote them, and without U+0000. */
export interface SettleCommand {
  readonly paymentId: string;
  readonly payload: SettlePayload;
  readonly requirements: SettleRequirements;
  /** By whoever has the link of the payment, with no key: taken only as it is offered there. */
  readonly isByLink?: boolean;
}

export type SettlePayload =
  | (Omit<Eip3009Authorization, "contractAddress"> & { readonly signature: string })
  | {
      readonly method: "permit2";
      readonly signature: string;
      readonly token: string;
      readonly from: string;
      readonly to: string;
      readonly amountRaw: bigint;
      readonly validAfter: bigint;
      /** its deadline */
      readonly validBefore: bigint;
      readonly nonce: string;
      readonly spender: string;
      readonly facilitator: string | null;
    };

export interface SettleRequirements {
  readonly scheme: X402Scheme;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxAmountRaw: bigint;
  readonly nonce: string;
  readonly validBefore: bigint;
  /** hints; never used, but they have to agree */
  readonly extra: unknown;
}

/** An authorization that was checked. */
export interface CheckedAuthorization extends SignedAuthorization {
  readonly scheme: X402Scheme;
  readonly deploymentId: string;
  readonly chainId: string;
  /** of the capability that it was checked with */
  readonly evidenceVersion: bigint;
}

const word = 2n ** 256n;

/** 32 bytes as 0x and lower-case hex, from that or from a decimal number; undefined: it is neither. */
export function nonceWord(text: string): string | undefined {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
  if (!/^(0|[1-9][0-9]{0,77})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < word ? `0x${value.toString(16).padStart(64, "0")}` : undefined;
}

/** Undefined: it has not the form of one. */
export function addressOf(text: string): string | undefined {
  return hasEvmAddressForm(text) ? checksumAddress(text) : undefined;
}

/** However they are spelled. */
export function isSameAddress(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  return one.toLowerCase() === other.toLowerCase();
}

/** Half the order of secp256k1: the twin of a signature with s above it means the same. */
const lowestHighS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1n;

/**
 * 65 bytes in lower-case hex with v as 27 or 28. Undefined: s is in the upper half, or v is neither
 * that nor 0 or 1: off the chain some libraries take it, and every token refuses it (threat 39).
 */
export function normalisedSignature(text: string): string | undefined {
  const digits = text.slice(2).toLowerCase();
  if (!/^[0-9a-f]{130}$/.test(digits)) return undefined;
  const s = BigInt(`0x${digits.slice(64, 128)}`);
  if (s === 0n || s >= lowestHighS) return undefined;
  const v = Number.parseInt(digits.slice(128), 16);
  const recovery = v < 2 ? v + 27 : v;
  if (recovery !== 27 && recovery !== 28) return undefined;
  return `0x${digits.slice(0, 128)}${recovery.toString(16)}`;
}

/** The columns of a stored settlement that say what was signed. */
export type StoredAuthorization = Pick<
  X402SettlementsTable,
  | "scheme"
  | "method"
  | "asset"
  | "payer"
  | "nonce"
  | "pay_to"
  | "authorized_raw"
  | "valid_after"
  | "valid_before"
  | "spender"
  | "facilitator"
  | "domain_name"
  | "domain_version"
  | "signature"
>;

export function signedOf(row: StoredAuthorization): SignedAuthorization {
  return { authorization: authorizationOf(row), domain: domainOf(row), signature: row.signature };
}

function authorizationOf(row: StoredAuthorization): PaymentAuthorization {
  const common = {
    contractAddress: row.asset,
    from: row.payer,
    to: row.pay_to,
    amountRaw: BigInt(row.authorized_raw),
    validAfter: row.valid_after,
    nonce: row.nonce,
  };
  if (row.method === "eip3009" || row.spender === null) {
    return { ...common, method: "eip3009", validBefore: row.valid_before };
  }
  const { spender, scheme, facilitator } = row;
  const deadline = row.valid_before;
  return { ...common, method: "permit2", spender, scheme, deadline, facilitator };
}

function domainOf({ domain_name: name, domain_version: version }: StoredAuthorization) {
  const domain: TokenDomain | null = name === null || version === null ? null : { name, version };
  return domain;
}

/** What is written of settlements of one chain: those that come together are one transaction. */
export function settlementsTogether(chainId: string, paymentId: string): Joint {
  return { name: `x402 ${chainId}`, order: paymentId };
}
