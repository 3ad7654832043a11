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
   * was called with it (Permit2, which has no log of its own).
   */
  readonly isAuthorizationUsed: boolean;
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
  /** Undefined: not mined on the branch that counts now. */
  readonly settlementReceipt: (
    txHash: string,
    authorization: PaymentAuthorization,
  ) => Promise<SettlementReceipt | undefined>;
}
