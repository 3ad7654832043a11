// What the policy file says, read: limits by chain, asset and role of the account.

import type { SigningAccount } from "../../service/ports/signer.ts";

export type AccountRole = SigningAccount["role"];

/** In the smallest unit; null: unlimited, which somebody has said in so many words. */
export interface AmountLimit {
  readonly perTransactionRaw: bigint | null;
  /** in any 24 hours */
  readonly perDayRaw: bigint | null;
}

export interface AssetLimit extends AmountLimit {
  readonly role: AccountRole;
  /** null: the chain's own coin */
  readonly contractAddress: string | null;
  /** also for coin and tokens that have no entry, each counted by itself; then the address is null */
  readonly isForOthers: boolean;
}

export interface ChainPolicy {
  /** where sweeps may go, beside the hot account; null: nowhere else */
  readonly treasuryAddress: string | null;
  readonly gas: AmountLimit;
  /**
   * The chain may begin anew, as a local one does: then a number that was signed before may be used
   * for something else.
   */
  readonly mayRestart: boolean;
  /** of each account that pays others: signed for the first time in any 24 hours */
  readonly numbersPerDay: bigint;
  readonly limits: readonly AssetLimit[];
}
