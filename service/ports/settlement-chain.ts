// What the x402 rules need of a chain, beside `Chain`, whose words on answers that cannot be
// had or trusted hold here too.

import type { Chain, ChainReceipt } from "./chain.ts";
import type { ChainAction, PaymentAuthorization, SignedAuthorization } from "./signer.ts";

export interface AuthorizationState {
  /** what the payer has of the token */
  readonly balanceRaw: bigint;
  /** what the payer lets Permit2 move; null: not asked for (EIP-3009) */
  readonly allowanceRaw: bigint | null;
  /** Its nonce is used, by whomever and for whatever, or cancelled. */
  readonly isUsed: boolean;
}

export type Estimate =
  /** what it would take now; more in the next block */
  | { readonly isPossible: true; readonly gasUnits: bigint }
  /** for the log, without control characters */
  | { readonly isPossible: false; readonly text: string };

/** Where the nonce of an authorization was used. */
export type AuthorizationUse =
  | { readonly kind: "settled"; readonly txHash: string }
  | { readonly kind: "cancelled"; readonly txHash: string };

/** A receipt, and what it says of an authorization. */
export interface SettlementReceipt extends ChainReceipt {
  /**
   * The authorization was used in this very transaction: its token said so (EIP-3009), or the proxy
   * was called with it (Permit2, which has no log of its own), or it is used, and what it moves was
   * moved here by somebody's contract.
   */
  readonly isAuthorizationUsed: boolean;
  /** place of the transfer that it made; null: the transaction does not say which */
  readonly transferLog: number | null;
}

/** An authorization that a transaction has used. */
export interface UsedAuthorization {
  readonly contractAddress: string;
  readonly from: string;
  /** 32 bytes as 0x and lower-case hex */
  readonly nonce: string;
  /** place of the transfer that it made; null: the transaction does not say which */
  readonly transferLog: number | null;
}

/** That moves money by Permit2. */
export interface X402Proxy {
  readonly scheme: "exact" | "upto";
  readonly address: string;
}

export interface SettlementChain extends Chain {
  /**
   * Who has signed it, worked out here, without asking anybody. Undefined: nobody, or in a form that
   * a token would not take (s in its upper half).
   */
  readonly signerOf: (signed: SignedAuthorization) => string | undefined;
  readonly authorizationState: (authorization: PaymentAuthorization) => Promise<AuthorizationState>;
  /** Runs it on the newest state without sending it. */
  readonly estimate: (from: string, action: ChainAction) => Promise<Estimate>;
  /** Looked for from the block on; undefined: its nonce is not used on the branch that counts now. */
  readonly useOf: (
    authorization: PaymentAuthorization,
    fromBlock: bigint,
  ) => Promise<AuthorizationUse | undefined>;
  /**
   * Those that a transaction has used, as far as it says so itself: what a contract hands to a proxy
   * of Permit2 is not seen. Undefined: not mined on the branch that counts now.
   */
  readonly usesIn: (
    txHash: string,
    proxies: readonly X402Proxy[],
  ) => Promise<readonly UsedAuthorization[] | undefined>;
  /** Undefined: not mined on the branch that counts now. */
  readonly settlementReceipt: (
    txHash: string,
    authorization: PaymentAuthorization,
  ) => Promise<SettlementReceipt | undefined>;
}
