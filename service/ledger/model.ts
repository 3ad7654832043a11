// The accounts of the ledger, and what a transaction of it is.

import assert from "node:assert";
import type { AccountKind } from "../database/words.ts";
import type { Owner } from "../owner.ts";

/** Accounts that a debit adds to: assets and expenses. A credit adds to all others. */
export const debitKinds: ReadonlySet<AccountKind> = new Set([
  "chain:hot",
  "chain:deposit_addresses",
  "chain:gas",
  "chain:settlement",
  "chain:treasury",
  "merchant:debt",
  "platform:gas",
]);

/**
 * Accounts that may be below zero for a while: money is swept and spent in an order of its own. The
 * same list stands in adapters/database/migrations/0005_ledger.sql.
 */
export const kindsBelowZero: ReadonlySet<AccountKind> = new Set([
  "chain:hot",
  "chain:deposit_addresses",
  "chain:gas",
  "chain:settlement",
  "chain:treasury",
  "platform:fees",
]);

export interface Posting {
  readonly account: AccountKind;
  readonly deploymentId: string;
  /** whose account it is; null: the platform's own */
  readonly owner: Owner | null;
  /** smallest units of the deployment; debit above zero, credit below, never zero */
  readonly amountRaw: bigint;
}

export interface LedgerTransaction {
  /** what happened, such as `withdrawal_reserved` */
  readonly kind: string;
  /** what it happened to; there is one transaction for each kind and reference, ever */
  readonly reference: string;
  readonly occurredAt: Date;
  readonly postings: readonly Posting[];
}

/** There are postings, none is empty, and they sum to zero for each deployment; anything else is a fault of ours. */
export function assertBalanced({ kind, reference, postings }: LedgerTransaction): void {
  assert(postings.length > 0, `${kind} ${reference} has no postings`);
  const sums = new Map<string, bigint>();
  for (const { deploymentId, amountRaw } of postings) {
    assert(amountRaw !== 0n, `${kind} ${reference} has an empty posting`);
    sums.set(deploymentId, (sums.get(deploymentId) ?? 0n) + amountRaw);
  }
  for (const [deploymentId, sum] of sums) {
    assert(sum === 0n, `${kind} ${reference} does not sum to zero for ${deploymentId}`);
  }
}
