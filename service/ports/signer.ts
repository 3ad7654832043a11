// What the keys that money moves with are asked for. They live in a process of their own
// (adapters/signer), which signs nothing but these actions and keeps limits of its own: whoever takes
// over the process that serves HTTP can ask, within those limits, and never has a key.

import type { Cell } from "../cell.ts";
import type { ChainFees, SignedTransfer } from "./chain.ts";

/**
 * Which of our accounts signs; each counts its own nonces.
 * - hot: withdrawals leave from it
 * - settlement: submits x402 authorizations, gets their money, gives back what was not used, and pays
 *   the gas of sweeps
 * - deposit: the address of a payment, by the index it was derived with
 */
export type SigningAccount =
  | { readonly role: "hot" }
  | { readonly role: "settlement" }
  | { readonly role: "deposit"; readonly index: bigint };

/** The message `TransferWithAuthorization` of EIP-3009. */
export interface Eip3009Authorization {
  readonly method: "eip3009";
  /** the token */
  readonly contractAddress: string;
  readonly from: string;
  readonly to: string;
  readonly amountRaw: bigint;
  /** unix seconds */
  readonly validAfter: bigint;
  /** unix seconds */
  readonly validBefore: bigint;
  /** 32 bytes as 0x and lower-case hex */
  readonly nonce: string;
}

/** The message `PermitWitnessTransferFrom` of Permit2, with the witness of the x402 proxies. */
export interface Permit2Authorization {
  readonly method: "permit2";
  /** the token */
  readonly contractAddress: string;
  readonly from: string;
  /** the proxy that may move the money: of the exact or of the upto scheme */
  readonly spender: string;
  readonly scheme: "exact" | "upto";
  /** the most that may be moved */
  readonly amountRaw: bigint;
  /** 32 bytes as 0x and lower-case hex */
  readonly nonce: string;
  /** unix seconds */
  readonly deadline: bigint;
  readonly to: string;
  /** unix seconds */
  readonly validAfter: bigint;
  /** the only account that may settle it; null: anybody may (exact) */
  readonly facilitator: string | null;
}

export type PaymentAuthorization = Eip3009Authorization | Permit2Authorization;

/** Of a token's EIP-712 domain, as the catalog knows it; Permit2 has a fixed one. */
export interface TokenDomain {
  readonly name: string;
  readonly version: string;
}

export interface SignedAuthorization {
  readonly authorization: PaymentAuthorization;
  /** of the token; not used for Permit2 */
  readonly domain: TokenDomain | null;
  /** 65 bytes in hex: r, s in its lower half, v as 27 or 28 */
  readonly signature: string;
}

/** What a transaction of ours does. Nothing else is ever signed. */
export type ChainAction =
  | {
      readonly kind: "transfer";
      readonly to: string;
      /** null: the chain's own coin */
      readonly contractAddress: string | null;
      readonly amountRaw: bigint;
    }
  /** x402: hands over what a payer has signed */
  | {
      readonly kind: "settle";
      readonly signed: SignedAuthorization;
      /** what is moved; of the scheme exact, and by EIP-3009, all of it */
      readonly amountRaw: bigint;
    }
  /**
   * Sweeps a token from the address of a payment without any coin there: the signer itself signs the
   * authorization of EIP-3009 with the key of that address.
   */
  | {
      readonly kind: "collect";
      readonly index: bigint;
      readonly domain: TokenDomain;
      readonly authorization: Eip3009Authorization;
    };

export interface ActionIntent {
  readonly account: SigningAccount;
  readonly nonce: bigint;
  readonly action: ChainAction;
  readonly gasUnitsMax: bigint;
  readonly fees: ChainFees;
}

/** What the signer says of itself. No key, and nothing that leads to one. */
export interface SignerAccounts {
  readonly hotAddress: string;
  readonly settlementAddress: string;
  /** BIP-32 extended public key that deposit addresses are derived from: address i is its child i */
  readonly depositPublicKey: string;
  /** whose money they have; undefined: there is one cell only */
  readonly cell?: Cell;
}

/** Those whose money goes to others; what leaves a deposit address goes to ourselves. */
export type PayingRole = "hot" | "settlement";

export interface ActionSigner {
  readonly accounts: SignerAccounts;
  /**
   * One above the highest nonce that it has ever signed for the account; 0: none, or the chain is one
   * that may begin anew. Throws `chain_unavailable` when nobody answers.
   */
  readonly nextNonce: (chainId: string, role: PayingRole) => Promise<bigint>;
  /**
   * Pure: the same intent gives the same bytes. Throws `SignerRefusal` when its own rules say no, and
   * `chain_unavailable` (a ServiceError) when nobody answers.
   */
  readonly signAction: (chainId: string, intent: ActionIntent) => Promise<SignedTransfer>;
}

/**
 * Remembers which deposit addresses may have been given out, where no backup of the database reaches:
 * after a restore the database alone would give the same ones to other payments.
 */
export interface IndexKeeper {
  /**
   * Claims indexes for whoever asks. Answers the first that was free before, and the claim holds only
   * if that is not above `first`; it is on the disk then. To ask twice is to be refused once. None
   * (`count` 0): only the answer. Throws `chain_unavailable` when nobody answers.
   */
  readonly claimIndexes: (first: bigint, count: bigint) => Promise<bigint>;
}

/** How far the signer's journal is, told so that somebody else remembers it, too. */
export interface JournalPosition {
  /** of all records that were ever written; it never goes back */
  readonly count: bigint;
  /** made from all of them */
  readonly head: string;
}

export interface JournalKeeper {
  /** Throws `chain_unavailable` when nobody answers. */
  readonly journalPosition: () => Promise<JournalPosition>;
}

/** How much of a limit of the signer was used in the last 24 hours. */
export interface LimitUse {
  /** gas: its cost; numbers: nonces signed for the first time; amount: what has left an account */
  readonly limit: "gas" | "numbers" | "amount";
  /** null: of all accounts together */
  readonly role: SigningAccount["role"] | null;
  /** lower case; null: the chain's own coin, or no asset is limited */
  readonly contractAddress: string | null;
  readonly usedRaw: bigint;
  /** above zero */
  readonly mostRaw: bigint;
}

export interface LimitKeeper {
  /**
   * Of a chain; none: nothing is limited there, or it is a signer of before that cannot say. Throws
   * `chain_unavailable` when nobody answers.
   */
  readonly limitUses: (chainId: string) => Promise<readonly LimitUse[]>;
}

/** The signer is there and does not want to: an account, a recipient or a limit. For people. */
export class SignerRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SignerRefusal";
  }
}

/** It has other accounts than the signer that the database belongs to; the message says what to do. */
export class ForeignSigner extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ForeignSigner";
  }
}

/** The nonce was signed for something else, or is so old that nobody remembers for what. */
export class NonceTaken extends SignerRefusal {}
